import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  LIMIT_DAY_MS,
  LIMIT_MONTH_MS,
  requestsProblem,
  PROMISED_MS,
  WITHDRAWALS_PER_DAY,
  usdtValue,
  withdrawalLimits,
  type CoinNetwork,
  type Destination,
  receivedAmount,
  type WithdrawalRequests,
  type WithdrawalState,
  type WithdrawalStage,
} from '@exchange/core/network.ts';
import type { Recipient } from '@exchange/core/recipient.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { HOUR_MS, later, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { rowsOfPage, type AskedPage } from '../../platform/database/paged-rows.ts';
import type { TransferNames } from '../../platform/database/tracked-rows.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { SignedInCaller } from '../../platform/http/route.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Chains } from '../chains/index.ts';
import type { Act, Identity } from '../identity/index.ts';
import { storedBalance, userAddress, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { Screening } from '../screening/index.ts';
import {
  requireCoinNetwork,
  requireRemark,
  type AddressBook,
  type RequestedDestination,
} from './address-book.ts';
import { addressesOf, addressKnownAt, storedWhitelist } from './addresses-repository.ts';
import { destinationOf, type WithdrawalCommands } from './commands.ts';
import type { ConfirmedDigests } from './confirmed-digests.ts';
import {
  figuresOf,
  mayLeaveAt,
  originOf,
  stageOf,
  promisedAt,
  requestProblem,
  whitelistAt,
  type Whitelist,
  type Withdrawal,
  type RequestingKey,
  type WithdrawalFigures,
  routeTimesOf,
  networkTimesOf,
  timesOf,
  type NetworkDurations,
  type RouteDurations,
  type DurationStats,
} from './domain.ts';
import type { RefusedPayments } from './refused-payments.ts';
import { type SendingPause, type SendingStops, withdrawalAccountStatus } from './sending-stops.ts';
import type { NetworkPause, NetworkPauses, WithdrawalFees } from '../treasury/index.ts';
import type { TravelRule } from './travel-rule.ts';
import {
  networkLoads,
  withdrawalsByIds,
  withdrawalsOf,
  withdrawalsOnNetwork,
  namedWithdrawals,
  withdrawalsWithin,
  type NetworkLoad,
  type WithdrawalRange,
  durationsSince,
  waitingSince,
  requestsSince,
  usedSince,
} from './repository.ts';

export interface WithdrawalParts {
  readonly networkPauses: Pick<NetworkPauses, 'find' | 'requireOpen'>;
  readonly assets: Pick<Assets, 'requireCoin'>;
  readonly addressBook: Pick<AddressBook, 'destination' | 'entryAt'>;
  readonly chains: Pick<
    Chains,
    | 'confirmations'
    | 'confirmationsNeeded'
    | 'explorerPage'
    | 'offered'
    | 'recipientProblem'
    | 'sending'
    | 'stagesOf'
    | 'waitReason'
  >;
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader' | 'replica' | 'store'>;
  readonly ledger: Pick<Ledger, 'isHalted'>;
  readonly market: Pick<Market, 'usdtIndex'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly identity: Pick<Identity, 'prepare' | 'withdrawalHold' | 'sendActionCode'>;
  readonly commands: WithdrawalCommands;
  readonly digests: ConfirmedDigests;
  readonly screening: Pick<Screening, 'screen'>;
  readonly travelRule: TravelRule;
  readonly pause: Pick<SendingPause, 'requireReleasable'>;
  readonly refusedPayments: Pick<RefusedPayments, 'has'>;
  readonly stops: Pick<SendingStops, 'isPaused'>;
  readonly withdrawalFees: Pick<WithdrawalFees, 'current' | 'isLive'>;
}

/**
 * Milliseconds after the time from which a withdrawal could be sent; a signed one that is still in no block then counts
 * as stuck.
 */
const STUCK_AFTER_MS = 2 * HOUR_MS;

export interface Request extends RequestedDestination {
  readonly asset: string;
  readonly network: string;
  readonly amount: Decimal;
  readonly remark: string | undefined;
  /** The recipient of the coins; required for withdrawals to which the travel rule applies. */
  readonly recipient?: Recipient | undefined;
}

/** A withdrawal request made with an API key, with the fields that the key adds. */
export interface KeyRequest extends Omit<Request, 'addressId' | 'remark' | 'withoutMemo' | 'address'> {
  readonly address: string;
  /** The highest fee that the program accepts, in units of the coin; undefined if it accepts every fee. */
  readonly shownFee: Decimal | undefined;
  readonly key: RequestingKey;
  /** Value in USDT that the API key may withdraw in any 24 hours, this withdrawal included. */
  readonly keyLimit: Decimal;
  /** The name that the API program chose for the withdrawal (`withdrawOrderId`); undefined if it sent none. */
  readonly orderName: string | undefined;
}

/** The terms of withdrawals of a coin on a network, with the user's remaining limits. */
export interface WithdrawalTerms extends WithdrawalState {
  /** The terms of the coin on the network, with the fee that is charged now. */
  readonly coin: CoinNetwork;
  /**
   * True if the fee is computed from the network's cost, false if it is the fixed fee of the table in
   * `core/network.ts`.
   */
  readonly isFeeLive: boolean;
  /** Value in USDT of the user's withdrawals that were requested in the last 24 hours and needed no review. */
  readonly autoUsed: Decimal;
  readonly whitelist: Whitelist;
  readonly isPaused: boolean;
  /** The pause of withdrawals on the network; undefined if operators have not paused them. */
  readonly pause: NetworkPause | undefined;
  /**
   * Number of the user's withdrawal requests in the last 24 hours, with the time of the oldest of them
   * (undefined if there are none).
   */
  readonly requests: WithdrawalRequests;
  /** The kind of channel that sends withdrawals on the network; `none` if none can be sent. */
  readonly channel: 'demo' | 'evm' | 'utxo' | 'xrp' | 'tron' | 'none';
  /** The value in USDT from which on a withdrawal must name its recipient; undefined while the travel rule is off. */
  readonly recipientFrom: Decimal | undefined;
}

/**
 * Preview of a withdrawal that would be accepted now: its terms, amounts and times. `amount` is the amount
 * that would be debited, in units of the coin, the fee included.
 */
export interface WithdrawalQuote extends WithdrawalFigures {
  readonly terms: WithdrawalTerms;
  readonly address: string;
  readonly memo: string | undefined;
  readonly amount: Decimal;
  readonly promisedAt: Instant;
  /** Instant from which the withdrawal may be sent; undefined if it may be sent at once. */
  readonly leavesAt: Instant | undefined;
}

/** The stored answer of `submit` or `cancel`: the withdrawal in JSON, with amounts as decimal text. */
type StoredWithdrawal = Omit<Withdrawal, 'amount' | 'fee' | 'value'> &
  Readonly<Record<'amount' | 'fee' | 'value', string>>;

/** Use cases of users' withdrawals: terms, preview, request, cancellation and lists. */
export class Withdrawals {
  private readonly parts: WithdrawalParts;

  constructor(parts: WithdrawalParts) {
    this.parts = parts;
  }

  async terms(owner: UserId, asset: string, network: string): Promise<WithdrawalTerms> {
    const { database, ledger, market, clock, chains, networkPauses } = this.parts;
    const pause = networkPauses.find(network, 'withdrawals');
    const coin = this.requireCoin(asset, network);
    const now = clock.now();
    const channel = chains.sending(asset, network);
    const day = later(now, -LIMIT_DAY_MS);
    const [used, requests, whitelist, bounds, available] = await Promise.all([
      usedSince(database.reader, owner, { day, month: later(now, -LIMIT_MONTH_MS) }),
      this.requests(owner),
      storedWhitelist(database.reader, owner),
      this.boundsOf(owner),
      storedBalance(database.reader, userAddress(owner, 'spot', 'available'), asset),
    ]);
    return {
      coin,
      isFeeLive: this.parts.withdrawalFees.isLive(coin),
      ...used,
      ...bounds,
      requests,
      whitelist: whitelistAt(whitelist, now),
      price: market.usdtIndex(asset),
      channel,
      isPaused: channel === 'none' || ledger.isHalted(asset) || pause !== undefined,
      pause,
      recipientFrom: this.parts.travelRule.from,
      available,
    };
  }

  /**
   * Returns the preview of a withdrawal, by the same rules and computations as `submit` without an API key; refuses
   * what `submit` would refuse. Stores nothing and freezes no amount.
   */
  async quote(owner: UserId, request: Request): Promise<WithdrawalQuote> {
    const { clock, database } = this.parts;
    const { asset, network, amount, remark } = request;
    const coin = this.requireCoin(asset, network);
    this.requireOpen(coin);
    requireRemark(coin, remark);
    const destination = await this.parts.addressBook.destination(owner, coin, request);
    await this.requireTaken(coin, destination, amount);
    const standing = await this.terms(owner, asset, network);
    const now = clock.now();
    const resolved = { ...request, ...(request.addressId === undefined ? destination : {}) };
    const { address, memo, entry } = await destinationOf(database.reader, owner, resolved);
    const evaluated = {
      coin,
      amount,
      address,
      memo,
      remark,
      withoutMemo: resolved.withoutMemo === true,
      entry,
      whitelist: standing.whitelist,
      state: standing,
    };
    const problem = requestsProblem(standing.requests, WITHDRAWALS_PER_DAY) ?? requestProblem(evaluated, now);
    if (problem !== undefined) throw new Refused(problem);
    if (standing.isPaused) throw closedNetwork(coin);
    const timing = {
      createdAt: now,
      knownAt: await addressKnownAt(database.reader, { owner, network, address, memo }, now),
    };
    const leavesAt = mayLeaveAt(timing);
    const figures = figuresOf(evaluated, standing.price!, standing.autoUsed);
    this.parts.travelRule.requireRecipient(figures.value, request.recipient);
    return {
      ...figures,
      terms: standing,
      address,
      memo,
      amount,
      promisedAt: promisedAt(timing),
      leavesAt: leavesAt > now ? leavesAt : undefined,
    };
  }

  /**
   * Sends the user an email with a confirmation code that is valid only for this withdrawal. Returns the
   * number of seconds until the next code can be requested (`wait`). Refuses unknown coins and networks,
   * networks on which nothing is sent or whose withdrawals are paused, a missing address, and addresses to
   * which nothing can be sent.
   */
  async sendCode(
    caller: SignedInCaller,
    request: Omit<Request, 'remark'>,
    act: Act,
  ): Promise<{ wait: number }> {
    const owner = caller.session.userId;
    const { asset, network, amount } = request;
    const coin = requireCoinNetwork(this.parts, asset, network);
    this.requireOpen(coin);
    const address = (await this.parts.addressBook.destination(owner, coin, request)).address;
    if (address === undefined)
      throw new Refused(refusal('invalidField', 'l.address_required', { field: 'address' }));
    const parameters = { amount: amount.toString(), coin: asset, network, address };
    const mail = { name: 'withdrawal', parameters } as const;
    return this.parts.identity.sendActionCode(caller, act, mail);
  }

  channel(asset: string, network: string): WithdrawalTerms['channel'] {
    return this.parts.chains.sending(asset, network);
  }

  /**
   * Requests a withdrawal and freezes its amount. Refuses a request that a rule forbids, and one whose fee is
   * higher than `shownFee`, in units of the coin; a lower fee is charged. Stores the travel-rule record if
   * one is needed, and afterwards compares the destination with the sanctions lists. A repeated submission
   * returns the first answer.
   */
  async submit(
    owner: UserId,
    request: Request & {
      readonly shownFee?: Decimal | undefined;
      readonly key?: (RequestingKey & { readonly limit: Decimal }) | undefined;
      readonly orderName?: string | undefined;
    },
    submission?: Submission,
  ): Promise<Withdrawal> {
    const { sequencer, commands, market, chains, screening, travelRule } = this.parts;
    const coin = this.requireCoin(request.asset, request.network);
    this.requireOpen(coin);
    requireRemark(coin, request.remark);
    const bounds = await this.boundsOf(owner);
    const confirmations = chains.confirmationsNeeded(coin.network);
    const price = market.usdtIndex(request.asset);
    const requestsMost = WITHDRAWALS_PER_DAY;
    const destination = await this.parts.addressBook.destination(owner, coin, request);
    await this.requireTaken(coin, destination, request.amount);
    const { recipient, ...requested } = request;
    const confirmed = await this.confirmation(owner, coin, { ...request, ...destination });
    const input = {
      owner,
      ...requested,
      ...(request.addressId === undefined ? destination : {}),
      ...bounds,
      price,
      fee: coin.fee,
      confirmations,
      requestsMost,
      isAged: true,
      ...(confirmed === undefined ? {} : { id: confirmed.id, digest: confirmed.digest }),
    };
    // If the request has no address or the coin no price, no travel-rule record is stored, because the command will
    // refuse the request.
    const isRecorded =
      confirmed !== undefined &&
      price !== undefined &&
      (await travelRule.store(confirmed, usdtValue(request.amount, price), recipient));
    const withdrawal = await sequencer
      .execute(commands.submit, input, { actor: owner, submission })
      .catch(async (cause: unknown) => {
        // If the command refused, there is no withdrawal, so its record is removed. After any other failure the
        // withdrawal may exist, so the record stays.
        if (isRecorded && cause instanceof Refused) await travelRule.remove(confirmed.id);
        throw cause;
      });
    // A repeated submission returns the withdrawal of the first one, which has its own record. So the record stored by
    // the repetition is removed.
    if (isRecorded && withdrawal.id !== confirmed.id) await travelRule.remove(confirmed.id);
    await screening.screen(await travelRule.screened(withdrawal));
    return withdrawal;
  }

  /**
   * Requests a withdrawal for an API program, like `submit`. In addition, refuses an owner who is not verified
   * (`l.verification_required`), an address that is not in the owner's address book (`l.withdraw_key_address`), and a
   * value above the limit of the API key (`l.withdraw_key_limit`).
   */
  async submitByKey(
    owner: UserId,
    { address, memo, key, keyLimit, ...request }: KeyRequest,
    submission: Submission,
  ): Promise<Withdrawal> {
    const { addressBook, identity } = this.parts;
    const { verified } = await withdrawalAccountStatus(identity, owner);
    if (!verified) throw new Refused(refusal('verificationRequired', 'l.verification_required'));
    const { asset, network } = request;
    const entry = await addressBook.entryAt(owner, { asset, network, address, memo });
    if (entry === undefined)
      throw new Refused(refusal('invalidField', 'l.withdraw_key_address', { field: 'address' }));
    return this.submit(
      owner,
      {
        ...request,
        addressId: entry.id,
        address: undefined,
        memo: undefined,
        remark: undefined,
        key: { id: key.id, name: key.name, limit: keyLimit },
      },
      submission,
    );
  }

  /**
   * Returns the fields that the owner of a new withdrawal confirms, with the new withdrawal's id and the
   * digest of the fields. Undefined if the request names no address; the command then refuses it.
   */
  private async confirmation(
    owner: UserId,
    coin: CoinNetwork,
    { addressId, amount, ...place }: Pick<Request, 'addressId' | 'amount' | 'address' | 'memo'>,
  ) {
    const { clock, database, digests } = this.parts;
    const book = addressId === undefined ? [] : await addressesOf(database.store, owner);
    const { address, memo } =
      addressId === undefined ? place : (book.find(({ id }) => id === addressId) ?? {});
    if (address === undefined) return undefined;
    const id = newId(systemRandom, clock.now());
    const { asset, network } = coin;
    const arrival = receivedAmount(coin, amount);
    const confirmed = { id, owner, network: network.code, asset, address, memo, amount: arrival };
    return { ...confirmed, digest: digests.create(confirmed) };
  }

  /**
   * Cancels a pending withdrawal of the owner and returns its amount. Refuses any other withdrawal except a cancelled
   * one of the owner, and every one while sending is paused after the restore of a backup.
   */
  async cancel(owner: UserId, id: string, submission?: Submission): Promise<Withdrawal> {
    this.parts.pause.requireReleasable();
    return this.parts.sequencer.execute(
      this.parts.commands.cancel,
      { owner, id },
      { actor: owner, submission },
    );
  }

  /** Restores the withdrawal in the answer of `submit` or `cancel` from the stored answer. */
  restoreAnswer(owner: UserId, stored: string): Promise<Withdrawal> | Withdrawal {
    const withdrawal = JSON.parse(stored) as StoredWithdrawal | { readonly id: string };
    // Old stored answers contain only the withdrawal's id, so the withdrawal is read from the database.
    if (!('status' in withdrawal)) return this.detail(owner, withdrawal.id);
    const { amount, fee, value } = withdrawal;
    return {
      ...withdrawal,
      amount: Decimal.parse(amount),
      fee: Decimal.parse(fee),
      value: Decimal.parse(value),
    };
  }

  /** Returns a withdrawal by its id, whoever owns it; undefined if there is none. Only for operators. */
  async find(id: string): Promise<Withdrawal | undefined> {
    return (await withdrawalsByIds(this.parts.database.reader, [id]))[0];
  }

  async detail(owner: UserId, id: string): Promise<Withdrawal> {
    const [withdrawal] = await withdrawalsByIds(this.parts.database.store, [id]);
    if (withdrawal?.owner === owner) return withdrawal;
    throw new Refused(refusal('generic', 'l.not_found'));
  }

  records(
    owner: UserId,
    filter: { readonly asset: string | undefined; readonly status: number | undefined },
    page: AskedPage,
  ) {
    return withdrawalsOf(this.parts.database.reader, owner, filter, rowsOfPage(page));
  }

  /**
   * Returns the owner's withdrawals that `names` selects (by amount, by id or transaction id, or those that
   * have not ended), newest first, at most `limit`.
   */
  named(owner: UserId, names: TransferNames, limit: number): Promise<Withdrawal[]> {
    return namedWithdrawals(this.parts.database.reader, owner, names, limit);
  }

  /**
   * Returns the owner's withdrawals that match a filter, newest first, without the first `offset` and at most
   * `limit`.
   */
  recordsWithin(owner: UserId, range: WithdrawalRange): Promise<Withdrawal[]> {
    return withdrawalsWithin(this.parts.database.reader, owner, range);
  }

  /**
   * Returns the number of confirmations that a withdrawal's transaction has now, at most the number that the
   * withdrawal needs; 0 while it is in no block.
   */
  confirmed({ network, block, confirmations }: Withdrawal): number {
    return Math.min(confirmations, this.parts.chains.confirmations(network, block));
  }

  /**
   * Returns statistics of the durations of withdrawals that finished on the last 30 UTC days, today included,
   * in total and by coin and network; and the number of pending and approved withdrawals whose promised time
   * has passed.
   */
  async times(): Promise<
    DurationStats & { readonly overdue: number; readonly routes: readonly RouteDurations[] }
  > {
    const { clock, database } = this.parts;
    const now = clock.now();
    const [took, overdue] = await Promise.all([
      durationsSince(database.replica.lagging, later(now, -LIMIT_MONTH_MS)),
      this.overdue(),
    ]);
    return { ...timesOf(took), overdue, routes: routeTimesOf(took) };
  }

  /**
   * Returns statistics of the durations of withdrawals that finished on the last 30 UTC days, today included,
   * by network.
   */
  async networkTimes(): Promise<readonly NetworkDurations[]> {
    const { clock, database } = this.parts;
    return networkTimesOf(
      await durationsSince(database.replica.lagging, later(clock.now(), -LIMIT_MONTH_MS)),
    );
  }

  /**
   * Returns the URL of the explorer's page about a withdrawal's transaction; undefined if the withdrawal has
   * no transaction or no explorer is configured.
   */
  explorerPage({ network, txid }: Pick<Withdrawal, 'network' | 'txid'>): string | undefined {
    return this.parts.chains.explorerPage(network, txid);
  }

  /**
   * Returns the numbers of approved withdrawals that have not ended, by network (see `NetworkLoad`). Those
   * whose promised time has passed count as late, those that could have been sent before `stuckBefore` and
   * are in no block as stuck.
   */
  networkLoads(): Promise<NetworkLoad[]> {
    const { clock, database } = this.parts;
    const lateBefore = later(clock.now(), -PROMISED_MS);
    return networkLoads(database.reader, { stuckBefore: this.stuckBefore, lateBefore });
  }

  /** A signed withdrawal that is in no block counts as stuck if it could be sent before this time. */
  get stuckBefore(): Instant {
    return later(this.parts.clock.now(), -STUCK_AFTER_MS);
  }

  /**
   * Returns the number of stuck withdrawals by network, 0 included; networks without a withdrawal in
   * processing are absent.
   */
  async stuckByNetwork(): Promise<ReadonlyMap<string, number>> {
    const loads = await this.networkLoads();
    return new Map(loads.map(({ network, stuck }) => [network, stuck]));
  }

  /**
   * Returns at most `limit` approved withdrawals of a network that have not ended, of all users, oldest
   * first. Only for operators.
   */
  onNetwork(network: string, limit: number): Promise<Withdrawal[]> {
    return withdrawalsOnNetwork(this.parts.database.reader, network, limit);
  }

  /** Returns the number of pending and approved withdrawals of all users whose promised time has passed. */
  overdue(): Promise<number> {
    const { clock, database } = this.parts;
    return waitingSince(database.replica.lagging, later(clock.now(), -PROMISED_MS));
  }

  /**
   * Returns the value in USDT of a user's pending, approved and finished withdrawals that were requested
   * after each of two instants, as they count towards the limits.
   */
  usage(owner: UserId, since: { readonly day: Instant; readonly month: Instant }) {
    return usedSince(this.parts.database.reader, owner, since);
  }

  /**
   * Returns the number of a user's withdrawal requests in the last 24 hours, as counted for the limit, and
   * the time of the first of them (undefined if there is none).
   */
  requests(owner: UserId): Promise<WithdrawalRequests> {
    const { clock, database } = this.parts;
    const since = later(clock.now(), -LIMIT_DAY_MS);
    return requestsSince(database.reader, owner, { since, most: WITHDRAWALS_PER_DAY });
  }

  /** Returns a withdrawal by its id, whoever owns it. Refuses an unknown id. Only for operators. */
  async require(id: string): Promise<Withdrawal> {
    const [withdrawal] = await withdrawalsByIds(this.parts.database.store, [id]);
    if (withdrawal === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return withdrawal;
  }

  /**
   * Returns the stages of the approved withdrawals among the given ones, and of the pending ones whose
   * sending is paused, by the id of the withdrawal; all others are missing.
   */
  async stages(withdrawals: readonly Withdrawal[]): Promise<ReadonlyMap<string, WithdrawalStage>> {
    const moving = withdrawals.filter(({ status }) => status === 'processing' || status === 'pending');
    const stages = new Map<string, WithdrawalStage>();
    for (const network of new Set(moving.map((withdrawal) => withdrawal.network))) {
      const onNetwork = moving.filter((withdrawal) => withdrawal.network === network);
      const sendings = await this.parts.chains.stagesOf(network, onNetwork.map(originOf));
      for (const withdrawal of onNetwork) {
        const stage = stageOf(withdrawal, sendings.get(originOf(withdrawal)), {
          isPaused: this.parts.stops.isPaused(withdrawal),
          isRefused: this.parts.refusedPayments.has(withdrawal.id),
        });
        if (stage !== undefined) stages.set(withdrawal.id, stage);
      }
    }
    return stages;
  }

  /**
   * Returns why a signed withdrawal waits for operators at its network, as the end of a sentence; undefined
   * if it does not wait for them.
   */
  waitReason(withdrawal: Withdrawal): string | undefined {
    return this.parts.chains.waitReason(withdrawal.network, originOf(withdrawal));
  }

  /**
   * Refuses a withdrawal that the network would not deliver to its recipient. Accepts it if the node does not answer,
   * and if the request has no address.
   */
  private async requireTaken(
    coin: CoinNetwork,
    { address, memo }: Partial<Destination>,
    amount: Decimal,
  ): Promise<void> {
    if (address === undefined) return;
    const { asset, network } = coin;
    const problem = await this.parts.chains.recipientProblem(
      { asset, network: network.code },
      { address, memo },
      receivedAmount(coin, amount),
    );
    if (problem !== undefined) throw new Refused(problem);
  }

  /**
   * Returns the terms of a coin on a network with the fee that is charged now. Refuses an unknown coin or
   * network.
   */
  private requireCoin(asset: string, network: string): CoinNetwork {
    return this.parts.withdrawalFees.current(requireCoinNetwork(this.parts, asset, network));
  }

  private requireOpen({ asset, network }: CoinNetwork): void {
    if (this.parts.chains.sending(asset, network.code) === 'none') throw closedNetwork({ network });
    this.parts.networkPauses.requireOpen(network, 'withdrawals');
  }

  private async boundsOf(owner: UserId) {
    const { frozen, verified, holdUntil } = await withdrawalAccountStatus(this.parts.identity, owner);
    if (frozen) throw new Refused(refusal('securityHold', 'l.account_frozen'));
    return { limits: withdrawalLimits(verified ? 2 : 0), holdUntil };
  }
}

function closedNetwork({ network }: Pick<CoinNetwork, 'network'>): Refused {
  return new Refused(refusal('maintenance', 'l.network_closed', { limit: network.name }));
}
