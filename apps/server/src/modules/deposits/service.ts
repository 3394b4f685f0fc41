import { randomUUID } from 'node:crypto';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import { findCoinNetwork, type CoinNetwork } from '@exchange/core/network.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TransferRange } from '../../platform/database/created-within.ts';
import type { Database } from '../../platform/database/database.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import { rowsOfPage, type AskedPage } from '../../platform/database/paged-rows.ts';
import type { TransferNames } from '../../platform/database/tracked-rows.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Chains, Channel } from '../chains/index.ts';
import type { DepositCommands } from './commands.ts';
import type { NetworkPauses, Treasury, WithdrawalFees } from '../treasury/index.ts';
import { DEPOSIT_NUMBERS, type Deposit, type DepositStatus } from './domain.ts';
import {
  lastCreditedSince,
  addressesOn,
  addressOf,
  droppedAfterCredit,
  depositsByIds,
  depositsOf,
  depositsWithin,
  namedDeposits,
  deleteAddress,
  storeAddress,
  type StoredAddress,
} from './repository.ts';

export interface DepositParts {
  readonly assets: Pick<Assets, 'coins' | 'requireCoin'>;
  readonly chains: Chains;
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader' | 'store'>;
  readonly commands: DepositCommands;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly treasury: Pick<Treasury, 'isWaiting' | 'pausedCoins'>;
  readonly networkPauses: Pick<NetworkPauses, 'find' | 'requireOpen'>;
  readonly withdrawalFees: Pick<WithdrawalFees, 'current' | 'isLive'>;
  /** Returns true for a coin that is halted, so that no balance in it may change. */
  readonly isStopped: (asset: string) => boolean;
}

/**
 * State of the confirmation of a deposit. `isConfirmed`: it has all confirmations that it needs. `isPaused`:
 * it has them, but such a deposit is not credited at present, because the coin is halted, deposits of the
 * network are paused, or the coin is paused and the deposit is worth more than 1,000 USDT or of unknown
 * worth; the status of the deposit is not considered. `expectedAt`: estimated time of the last confirmation,
 * the present time if it has all; undefined if the network is no longer known.
 */
export interface DepositProgress {
  readonly confirmed: number;
  readonly isConfirmed: boolean;
  readonly isPaused: boolean;
  readonly expectedAt: Instant | undefined;
}

const ADDRESS_ATTEMPTS = 5;
const GONE_MOST = 200;

/**
 * Deposits: their addresses, progress and records, the credit of arrivals to users, and the debit of credited
 * deposits whose transaction the network has dropped.
 */
export class Deposits {
  private readonly parts: DepositParts;

  constructor(parts: DepositParts) {
    this.parts = parts;
  }

  /** The listed coins that have at least one network, with the codes of their networks. */
  coins() {
    return this.parts.assets.coins
      .map(({ code, name }) => ({
        currency: code,
        name,
        networks: this.parts.chains.offered.networksOf(code).map(({ network }) => network.code),
      }))
      .filter(({ networks }) => networks.length > 0);
  }

  /**
   * The networks of a coin with their current limits and fees, the kind of channel that receives their deposits, and
   * pauses. Refuses an unlisted coin.
   */
  networks(asset: string) {
    this.parts.assets.requireCoin(asset, 'currency');
    const { chains, networkPauses, withdrawalFees } = this.parts;
    return chains.offered.networksOf(asset).map((coin) => ({
      coin: withdrawalFees.current(coin),
      isFeeLive: withdrawalFees.isLive(coin),
      channel: chains.receiving(asset, coin.network.code),
      blockSeconds: chains.blockSeconds(coin.network),
      finalitySeconds: chains.finalitySeconds(coin.network.code),
      confirmations: chains.confirmationsNeeded(coin.network),
      largerConfirmations: chains.largerConfirmations(coin.network.code),
      isPaused: this.parts.treasury.pausedCoins.has(asset),
      depositPause: networkPauses.find(coin.network.code, 'deposits'),
      withdrawalPause: networkPauses.find(coin.network.code, 'withdrawals'),
    }));
  }

  /** The networks of all listed coins, each as `networks` returns it. */
  allNetworks() {
    return this.coins().flatMap(({ currency }) => this.networks(currency));
  }

  /**
   * The deposit address of a user on a network, assigned at the first call; an address from an earlier simulation of
   * the network is replaced. For a coin whose deposits operators review by hand, it is an address of the exchange that
   * all users share. Refuses an unlisted coin, a network that the coin does not have, a coin that no channel serves,
   * and every call while deposits of the network are paused. Throws if the stored address is not the user's,
   * or if no free address is found after several attempts.
   */
  async address(owner: UserId, asset: string, code: string): Promise<StoredAddress> {
    const { chains, database, clock, networkPauses } = this.parts;
    const coin = chains.offered.find(asset, code);
    if (coin !== undefined) networkPauses.requireOpen(coin.network, 'deposits');
    const manual = chains.manualAddress(asset, code);
    if (manual !== undefined) return { address: manual, memo: undefined };
    const [{ network }, channel] = this.require(asset, code);
    for (let attempt = 0; attempt < ADDRESS_ATTEMPTS; attempt += 1) {
      const stored = await addressOf(database.store, owner, network.code);
      if (stored !== undefined) {
        if (await channel.isOwn(network, owner, stored)) return stored;
        if (chains.wasSimulated(network, owner, stored)) {
          await deleteAddress(database.store, owner, network.code, stored);
          continue;
        }
        throw new Error(`the address of ${owner} on ${network.code} is not theirs`);
      }
      const destination = await channel.destination(network, owner, attempt);
      await storeAddress(database.store, owner, network.code, destination, clock.now());
    }
    throw new Error(`no address of ${network.code} is free`);
  }

  /**
   * The time at which each account's last deposit was credited, if it is later than `since`; other accounts are missing
   * in the map.
   */
  lastCreditedSince(owners: readonly UserId[], since: Instant): Promise<ReadonlyMap<UserId, Instant>> {
    return lastCreditedSince(this.parts.database.reader, owners, since);
  }

  /** The deposit addresses that were assigned to a user on the given networks; empty if there are none. */
  addressesOn(owner: UserId, networks: readonly string[]): Promise<readonly StoredAddress[]> {
    return addressesOn(this.parts.database.store, owner, networks);
  }

  async records(
    owner: UserId,
    filter: { readonly asset: string | undefined; readonly status: number | undefined },
    page: AskedPage,
  ) {
    return depositsOf(this.parts.database.reader, owner, filter, rowsOfPage(page));
  }

  /**
   * The owner's deposits that `names` selects, newest first, at most `limit`: all pending ones, those of the newest 500
   * with a matching amount, or those with a matching id or transaction id.
   */
  named(owner: UserId, names: TransferNames, limit: number): Promise<Deposit[]> {
    return namedDeposits(this.parts.database.reader, owner, names, limit);
  }

  /**
   * How far the confirmation of a deposit has come: the number of confirmations, the estimated time of the last one,
   * and whether a confirmed deposit is not credited because its coin is halted, deposits of its network are paused, or
   * the coin is paused and the deposit is worth more than 1,000 USDT or of unknown worth.
   */
  progress(deposit: Deposit): DepositProgress {
    const { chains, clock, isStopped, networkPauses, treasury } = this.parts;
    const confirmed = this.confirmed(deposit);
    const network = findCoinNetwork(deposit.asset, deposit.network)?.network;
    const blocks = Math.max(0, deposit.confirmations - confirmed);
    return {
      confirmed,
      isConfirmed: blocks === 0,
      isPaused:
        blocks === 0 &&
        (isStopped(deposit.asset) ||
          networkPauses.find(deposit.network, 'deposits') !== undefined ||
          treasury.isWaiting(deposit)),
      expectedAt:
        network === undefined
          ? undefined
          : later(clock.now(), blocks * chains.blockSeconds(network) * SECOND_MS),
    };
  }

  /**
   * The owner's deposits created within a time range (bounds included), in one coin or in all coins, newest first; with
   * any status if `statuses` is undefined.
   */
  recordsWithin(
    owner: UserId,
    {
      statuses,
      ...range
    }: Omit<TransferRange, 'statuses'> & {
      readonly statuses: readonly DepositStatus[] | undefined;
    },
  ): Promise<Deposit[]> {
    const numbers = statuses?.map((status) => DEPOSIT_NUMBERS[status]);
    return depositsWithin(this.parts.database.reader, owner, { ...range, statuses: numbers });
  }

  /** The deposit with this id, of any user, for operators; undefined if there is none. */
  async find(id: string): Promise<Deposit | undefined> {
    return (await depositsByIds(this.parts.database.reader, [id]))[0];
  }

  /** Returns a credited deposit that its network dropped and that was not debited yet; refuses all other deposits. */
  async requireGone(id: string): Promise<Deposit> {
    const deposit = await this.find(id);
    if (deposit === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    if (deposit.status === 'finished' && deposit.goneAt !== undefined && !deposit.isClaimed) return deposit;
    throw new Refused(refusal('closed', 'l.deposit_not_gone'));
  }

  /**
   * Debits a dropped deposit from its owner; the part that the owner's available spot balance does not cover
   * becomes a debt. Refuses what `requireGone` refuses, so also a second debit.
   */
  async claim(id: string, { by, reason }: { readonly by: string; readonly reason: string }): Promise<void> {
    const { commands, sequencer } = this.parts;
    const { owner } = await this.requireGone(id);
    await sequencer.execute(commands.claim, { deposit: id, owner, by, reason });
  }

  /**
   * Credits an arrival, a payment to the exchange that no user's deposit address received, to a user, and
   * returns the id of the new deposit. Refuses an unknown arrival, one about which operators have already
   * decided, and a payment that is recorded already as a deposit.
   */
  creditArrival(
    arrival: string,
    { owner, by, reason }: { readonly owner: UserId; readonly by: string; readonly reason: string },
  ): Promise<{ readonly deposit: string }> {
    const { commands, sequencer } = this.parts;
    return sequencer.execute(commands.creditArrival, { arrival, owner, by, reason });
  }

  async detail(owner: UserId, id: string): Promise<Deposit> {
    const [deposit] = await depositsByIds(this.parts.database.reader, [id]);
    if (deposit?.owner === owner) return deposit;
    throw new Refused(refusal('generic', 'l.not_found'));
  }

  /**
   * Credited deposits that their network dropped and that were not debited from their owners: the 200 that were dropped
   * first, and their total number.
   */
  droppedAfterCredit(): Promise<BoundedRows<Deposit>> {
    return droppedAfterCredit(this.parts.database.reader, GONE_MOST);
  }

  /**
   * URL of the block explorer's page about the transaction of a deposit or of a report of one; undefined if it has no
   * transaction or the settings contain no explorer.
   */
  explorerPage({ network, txid }: Pick<Deposit, 'network'> & { readonly txid: string | undefined }) {
    return this.parts.chains.explorerPage(network, txid);
  }

  /** Number of confirmations that the deposit has at present, at most the number that it needs. */
  confirmed({ network, block, confirmations }: Deposit): number {
    return Math.min(confirmations, this.parts.chains.confirmations(network, block));
  }

  /**
   * Simulates an incoming transfer to the owner's deposit address, once per `key`; without a key, every call makes a
   * transfer. A repeated call with the same key makes no second transfer even if the first answer was not stored yet.
   * Refuses what `address` refuses, a network that is not simulated, and an amount with too many decimals or above the
   * maximum of a withdrawal.
   */
  async sendTest(
    owner: UserId,
    { asset, network, amount, remark }: TestDeposit,
    key: string | undefined,
    submission?: Submission,
  ): Promise<{ readonly txid: string }> {
    const [coin, channel] = this.require(asset, network);
    if (channel.kind !== 'demo') throw invalidChoice('network', network);
    const about = { field: 'amount', value: amount.toString(), unit: asset };
    if (!amount.fits(coin.digits))
      throw new Refused(
        refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(coin.digits) }),
      );
    if (amount.isMore(coin.maxWithdrawal))
      throw new Refused(
        refusal('aboveMaximum', 'l.amount_max', { ...about, limit: coin.maxWithdrawal.toString() }),
      );
    const destination = await this.address(owner, asset, network);
    const origin = `test ${owner} ${key ?? randomUUID()}`;
    const transfer = await channel.send({ origin, network, asset, ...destination, amount, remark });
    const answer = { txid: transfer.txid };
    if (submission !== undefined) {
      const { database, clock } = this.parts;
      await storeFirstAnswer(database.store, submission, { answer, at: clock.now() });
    }
    return answer;
  }

  private require(asset: string, code: string): [CoinNetwork, Channel] {
    const { assets, chains } = this.parts;
    assets.requireCoin(asset, 'currency');
    const coin = chains.offered.find(asset, code);
    if (coin === undefined) throw invalidChoice('network', code);
    if (chains.receiving(asset, code) === 'manual') throw invalidChoice('network', code);
    const channel = chains.receiver(asset, code);
    if (channel === undefined)
      throw new Refused(refusal('maintenance', 'l.network_closed', { limit: coin.network.name }));
    return [coin, channel];
  }
}

export interface TestDeposit {
  readonly asset: string;
  readonly network: string;
  readonly amount: Decimal;
  readonly remark?: string | undefined;
}
