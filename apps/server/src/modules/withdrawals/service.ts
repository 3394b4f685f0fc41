import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  canonicalDestination,
  findCoinNetwork,
  LIMIT_DAY_MS,
  LIMIT_MONTH_MS,
  lossProblem,
  requestsProblem,
  PROMISED_MS,
  WITHDRAWALS_PER_DAY,
  withdrawalLimits,
  type CoinNetwork,
  type Destination,
  type RefusalReason,
  type WithdrawalRequests,
  type WithdrawalState,
} from '@exchange/core/network.ts';
import { notAmong, refusal, Refused } from '@exchange/core/refusal.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import { rowsOfPage, type AskedPage } from '../../platform/database/paged-rows.ts';
import type { SignedInCaller } from '../../platform/http/route.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Chains } from '../chains/index.ts';
import type { Act, BookedAddress, Identity } from '../identity/index.ts';
import { storedBalance, userAddress, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { addressesOf, knownFrom, lastUses, placeOf, storedWhitelist } from './addresses-repository.ts';
import { destinationOf } from './asking.ts';
import type { WithdrawalCommands } from './commands.ts';
import {
  figuresOf,
  mayLeaveAt,
  onePersonProblem,
  promisedAt,
  requestProblem,
  unknownProblem,
  whitelistAt,
  type KeptAddress,
  type Whitelist,
  type Withdrawal,
  type WithdrawalFigures,
} from './domain.ts';
import { leavingOf, leavingProblem } from './leaving.ts';
import { openTotals, openWithdrawals, withdrawalsByIds, withdrawalsOf } from './repository.ts';
import { requireStatus } from './step-parts.ts';
import { routeTimesOf, timesOf, type RouteTimes, type Times } from './times-domain.ts';
import { tookSince, waitingSince } from './times-repository.ts';
import {
  finishedBefore,
  oneApprovedSince,
  requestsSince,
  usedSince,
  type AddressUse,
} from './use-repository.ts';

export interface WithdrawalParts {
  readonly assets: Pick<Assets, 'requireCoin'>;
  readonly chains: Chains;
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader' | 'replica' | 'store'>;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'usdtIndex'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly identity: Pick<Identity, 'prepare' | 'withdrawalHold' | 'sendActCode'>;
  readonly commands: WithdrawalCommands;
  /** The address to which an owner's deposits come on a network, where one was made. */
  readonly depositAddress: (
    owner: UserId,
    network: string,
  ) => Promise<{ readonly address: string; readonly memo: string | undefined } | undefined>;
}

export interface Request {
  readonly asset: string;
  readonly network: string;
  readonly amount: Decimal;
  readonly addressId: string | undefined;
  readonly address: string | undefined;
  readonly memo: string | undefined;
  /** The recipient has said that the own wallet needs no memo. */
  readonly withoutMemo?: boolean | undefined;
  readonly remark: string | undefined;
}

/** What somebody may withdraw now. */
export interface Standing extends WithdrawalState {
  readonly coin: CoinNetwork;
  /** What of today's withdrawals goes by itself, in USDT. */
  readonly autoUsed: Decimal;
  readonly whitelist: Whitelist;
  readonly isPaused: boolean;
  /** What was asked for within 24 hours. */
  readonly requests: WithdrawalRequests;
  /** What stands behind the network. */
  readonly channel: 'demo' | 'evm' | 'none';
}

/** What becomes of a withdrawal that is submitted now. */
export interface WithdrawalQuote extends WithdrawalFigures {
  readonly standing: Standing;
  readonly address: string;
  readonly memo: string | undefined;
  readonly amount: Decimal;
  readonly promisedAt: Instant;
  /** From when it may leave, where that is later than now. */
  readonly leavesAt: Instant | undefined;
}

const OPEN_MOST = 200;

/** A withdrawal as JSON: its amounts are texts. */
type StoredWithdrawal = Omit<Withdrawal, 'amount' | 'fee' | 'value'> &
  Readonly<Record<'amount' | 'fee' | 'value', string>>;

/** One method per use case of withdrawals and the address book. */
export class Withdrawals {
  private readonly parts: WithdrawalParts;

  constructor(parts: WithdrawalParts) {
    this.parts = parts;
  }

  /** Limits, what of them is used, and what stands in the way, for a coin on a network. */
  async standing(owner: UserId, asset: string, network: string): Promise<Standing> {
    const { database, ledger, market, clock, chains } = this.parts;
    const coin = this.coin(asset, network);
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
      ...used,
      ...bounds,
      requests,
      whitelist: whitelistAt(whitelist, now),
      price: market.usdtIndex(asset),
      channel,
      isPaused: channel === 'none' || ledger.isHalted(asset),
      available,
    };
  }

  /**
   * Returns what becomes of a withdrawal that is submitted now, by the rules and figures that `submit` uses; refuses
   * where `submit` would. Nothing is stored or held.
   */
  async quote(owner: UserId, request: Request): Promise<WithdrawalQuote> {
    const { clock, database } = this.parts;
    const { asset, network, amount, remark } = request;
    const coin = this.coin(asset, network);
    this.requireOpen(coin);
    const destination = await this.destination(owner, coin, request);
    const standing = await this.standing(owner, asset, network);
    const now = clock.now();
    const wanted = { ...request, ...(request.addressId === undefined ? destination : {}) };
    const { address, memo, kept } = await destinationOf(database.reader, owner, wanted);
    const judged = {
      coin,
      amount,
      address,
      memo,
      remark,
      withoutMemo: wanted.withoutMemo === true,
      kept,
      whitelist: standing.whitelist,
      state: standing,
    };
    const problem = requestsProblem(standing.requests, WITHDRAWALS_PER_DAY) ?? requestProblem(judged, now);
    if (problem !== undefined) throw new Refused(problem);
    if (standing.isPaused) throw closedNetwork(coin);
    const timed = {
      createdAt: now,
      knownAt: await knownFrom(database.reader, { owner, network, address, memo }, now),
    };
    const leavesAt = mayLeaveAt(timed);
    return {
      ...figuresOf(judged, standing.price!, standing.autoUsed),
      standing,
      address,
      memo,
      amount,
      promisedAt: promisedAt(timed),
      leavesAt: leavesAt > now ? leavesAt : undefined,
    };
  }

  /** Mails the code of one withdrawal, bound to the fields of its submission; refuses a coin, network or address that there is not. */
  async sendCode(
    caller: SignedInCaller,
    request: Omit<Request, 'remark'>,
    act: Act,
  ): Promise<{ wait: number }> {
    const owner = caller.session.userId;
    const { asset, network, amount } = request;
    const coin = this.coin(asset, network);
    const address = (await this.destination(owner, coin, request)).address;
    if (address === undefined)
      throw new Refused(refusal('invalidField', 'l.address_required', { field: 'address' }));
    const parameters = { amount: amount.toString(), coin: asset, network, address };
    const shown = { name: 'withdrawal', parameters } as const;
    return this.parts.identity.sendActCode(caller, act, shown);
  }

  /** Whether somebody withdraws to the address book only. */
  async usesWhitelist(owner: UserId): Promise<boolean> {
    const { database, clock } = this.parts;
    return whitelistAt(await storedWhitelist(database.store, owner), clock.now()).isOn;
  }

  /** What stands behind what goes out. */
  channel(asset: string, network: string): Standing['channel'] {
    return this.parts.chains.sending(asset, network);
  }

  /** Holds an amount to be sent; the same submission again gives the withdrawal as it was answered first. */
  async submit(
    owner: UserId,
    request: Request & { readonly shownFee?: Decimal | undefined },
    submission?: Submission,
  ): Promise<Withdrawal> {
    const { sequencer, commands, market, chains } = this.parts;
    const coin = this.coin(request.asset, request.network);
    this.requireOpen(coin);
    const bounds = await this.boundsOf(owner);
    const confirmations = chains.confirmationsNeeded(coin.network);
    const price = market.usdtIndex(request.asset);
    const requestsMost = WITHDRAWALS_PER_DAY;
    const destination = await this.destination(owner, coin, request);
    const input = {
      owner,
      ...request,
      ...(request.addressId === undefined ? destination : {}),
      ...bounds,
      price,
      fee: coin.fee,
      confirmations,
      requestsMost,
      isAged: true,
    };
    return sequencer.execute(commands.submit, input, { actor: owner, submission });
  }

  cancel(owner: UserId, id: string, submission?: Submission): Promise<Withdrawal> {
    return this.parts.sequencer.execute(
      this.parts.commands.cancel,
      { owner, id },
      { actor: owner, submission },
    );
  }

  /** The withdrawal that `submit` or `cancel` answered, from the form in which the answer was stored. */
  restoreAnswer(owner: UserId, stored: string): Promise<Withdrawal> | Withdrawal {
    const withdrawal = JSON.parse(stored) as StoredWithdrawal | { readonly id: string };
    // Older versions stored the id alone.
    if (!('status' in withdrawal)) return this.detail(owner, withdrawal.id);
    const { amount, fee, value } = withdrawal;
    return {
      ...withdrawal,
      amount: Decimal.parse(amount),
      fee: Decimal.parse(fee),
      value: Decimal.parse(value),
    };
  }

  /** One by its id, whosever it is: for operators. */
  async find(id: string): Promise<Withdrawal | undefined> {
    return (await withdrawalsByIds(this.parts.database.reader, [id]))[0];
  }

  async detail(owner: UserId, id: string): Promise<Withdrawal> {
    const [found] = await withdrawalsByIds(this.parts.database.store, [id]);
    if (found?.owner === owner) return found;
    throw new Refused(refusal('generic', 'l.not_found'));
  }

  /** A user's withdrawals, newest first. */
  records(
    owner: UserId,
    wanted: { readonly asset: string | undefined; readonly status: number | undefined },
    page: AskedPage,
  ) {
    return withdrawalsOf(this.parts.database.reader, owner, wanted, rowsOfPage(page));
  }

  /** How many blocks a withdrawal has, at most as many as it needs. */
  confirmed({ network, block, confirmations }: Withdrawal): number {
    return Math.min(confirmations, this.parts.chains.confirmations(network, block));
  }

  /** How long withdrawals really took in the last 30 days, of all and of each coin and network, and how many are late now. */
  async times(): Promise<Times & { readonly overdue: number; readonly routes: readonly RouteTimes[] }> {
    const { clock, database } = this.parts;
    const now = clock.now();
    const [took, overdue] = await Promise.all([
      tookSince(database.replica.lagging, later(now, -LIMIT_MONTH_MS)),
      this.overdue(),
    ]);
    return { ...timesOf(took), overdue, routes: routeTimesOf(took) };
  }

  /** How many have waited for longer than was promised. */
  overdue(): Promise<number> {
    const { clock, database } = this.parts;
    return waitingSince(database.replica.lagging, later(clock.now(), -PROMISED_MS));
  }

  /** The address book, narrowed, and the whitelist. */
  async addresses(owner: UserId, wanted: { asset: string | undefined; network: string | undefined }) {
    const { database, clock } = this.parts;
    const [all, whitelist, uses] = await Promise.all([
      addressesOf(database.store, owner),
      storedWhitelist(database.store, owner),
      lastUses(database.store, owner),
    ]);
    const list = all
      .filter(
        ({ asset, network }) =>
          (wanted.asset === undefined || asset === wanted.asset) &&
          (wanted.network === undefined || network === wanted.network),
      )
      .map((kept) => ({ ...kept, lastAt: uses.get(placeOf(kept)) }));
    return { list, whitelist: whitelistAt(whitelist, clock.now()) };
  }

  /** An address of the owner's book by its id, as mails name it. */
  async bookedAddress(owner: UserId, id: string): Promise<BookedAddress | undefined> {
    const book = await addressesOf(this.parts.database.store, owner);
    const entry = book.find((kept) => kept.id === id);
    if (entry === undefined) return undefined;
    const { asset: currency, network, address, memo, remark } = entry;
    return { currency, network, address, memo, remark };
  }

  async addAddress(
    owner: UserId,
    given: Pick<KeptAddress, 'asset' | 'network' | 'address' | 'memo' | 'remark'> & {
      readonly activeAt?: Instant;
      readonly withoutMemo?: boolean | undefined;
    },
    submission?: Submission,
  ): Promise<KeptAddress> {
    const coin = this.coin(given.asset, given.network);
    const { sequencer, commands } = this.parts;
    const destination = await this.safe(owner, coin, canonicalDestination(coin.network, given));
    const input = {
      owner,
      ...given,
      ...destination,
      isAged: true,
    };
    return sequencer.execute(commands.add, input, { actor: owner, submission });
  }

  renameAddress(owner: UserId, id: string, remark: string | undefined): Promise<KeptAddress> {
    return this.parts.sequencer.execute(this.parts.commands.rename, { owner, id, remark });
  }

  /** Removes an address from the owner's book; changes nothing where it is not there. */
  async removeAddress(owner: UserId, id: string, submission?: Submission): Promise<void> {
    const { sequencer, commands } = this.parts;
    await sequencer.execute(commands.remove, { owner, id }, { actor: owner, submission });
  }

  /** Turns the whitelist on at once, or off a day later. Gives what holds now; the same submission again, what held then. */
  setWhitelist(owner: UserId, isOn: boolean, submission?: Submission): Promise<Whitelist> {
    const { sequencer, commands } = this.parts;
    return sequencer.execute(commands.whitelist, { owner, isOn }, { actor: owner, submission });
  }

  /** What a user has withdrawn since two moments, in USDT, as the limits count it. */
  used(owner: UserId, since: { readonly day: Instant; readonly month: Instant }) {
    return usedSince(this.parts.database.reader, owner, since);
  }

  /** What a user has asked for within 24 hours, as the limit counts it. */
  requests(owner: UserId): Promise<WithdrawalRequests> {
    const { clock, database } = this.parts;
    const since = later(clock.now(), -LIMIT_DAY_MS);
    return requestsSince(database.reader, owner, { since, most: WITHDRAWALS_PER_DAY });
  }

  /** What is pending or under way, for operators: the oldest 200 and how many there are. */
  open(): Promise<BoundedRows<Withdrawal>> {
    return openWithdrawals(this.parts.database.reader, OPEN_MOST);
  }

  /** How many are pending or under way, and their value in USDT. */
  openTotals() {
    return openTotals(this.parts.database.reader);
  }

  /** What one person alone has let out of accounts within 24 hours, in USDT, by owner. */
  oneApproved(owners: readonly UserId[]): Promise<ReadonlyMap<UserId, Decimal>> {
    const { clock, database } = this.parts;
    return oneApprovedSince(database.reader, owners, later(clock.now(), -LIMIT_DAY_MS));
  }

  /** What is known of where a withdrawal goes: since when its owner keeps the address, and what was finished before. */
  async useOf(withdrawal: Withdrawal): Promise<AddressUse & { readonly keptAt: Instant | undefined }> {
    const { reader } = this.parts.database;
    const place = placeOf(withdrawal);
    const [kept, finished] = await Promise.all([
      addressesOf(reader, withdrawal.owner),
      finishedBefore(reader, withdrawal),
    ]);
    return { ...finished, keptAt: kept.find((address) => placeOf(address) === place)?.createdAt };
  }

  /**
   * Refuses what `decide` would refuse of a withdrawal that waits: one that is decided, may not leave its account, or is
   * more than one person may let out of the account within 24 hours.
   */
  async requireDecidable(id: string, verdict: 'approve' | RefusalReason, persons: 1 | 2): Promise<void> {
    const { clock, database, identity } = this.parts;
    const [found] = await withdrawalsByIds(database.store, [id]);
    if (found === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    requireStatus(found, 'pending');
    if (verdict !== 'approve') return;
    const { owner, value } = found;
    const barred =
      leavingProblem(await leavingOf(identity, owner), clock.now()) ??
      unknownProblem(found.knownAt, clock.now());
    if (barred !== undefined) throw new Refused(barred);
    if (persons === 2) return;
    const problem = onePersonProblem(value, (await this.oneApproved([owner])).get(owner));
    if (problem !== undefined) throw new Refused(problem);
  }

  /**
   * An operator's word: out, or refused for one of the reasons. Nothing is let out of an account that is frozen or held,
   * and what is worth as much as needs two persons, with all that one has let out within a day, is refused to one alone.
   */
  async decide(
    id: string,
    verdict: 'approve' | RefusalReason,
    { by, persons }: { readonly by: string; readonly persons: 1 | 2 },
  ): Promise<Withdrawal> {
    const { clock, database, identity, sequencer, commands } = this.parts;
    const [found] = await withdrawalsByIds(database.store, [id]);
    if (found === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    if (verdict === 'approve') {
      const barred = leavingProblem(await leavingOf(identity, found.owner), clock.now());
      if (barred !== undefined) throw new Refused(barred);
    }
    await sequencer.execute(commands.decide, { id, owner: found.owner, verdict, by, persons });
    return this.detail(found.owner, id);
  }

  /**
   * Where a request goes, in the spelling that is stored; without an address where the request names none. Refuses
   * destinations that lose money, kept ones too: they may have been kept before they were known as such.
   */
  private async destination(
    owner: UserId,
    coin: CoinNetwork,
    {
      addressId,
      address,
      memo,
      withoutMemo,
    }: Pick<Request, 'addressId' | 'address' | 'memo' | 'withoutMemo'>,
  ): Promise<Partial<Destination>> {
    if (addressId !== undefined) {
      const book = await addressesOf(this.parts.database.store, owner);
      const kept = book.find(({ id }) => id === addressId);
      return kept === undefined ? {} : this.safe(owner, coin, canonicalDestination(coin.network, kept));
    }
    if (address === undefined) return {};
    return this.safe(owner, coin, canonicalDestination(coin.network, { address, memo, withoutMemo }));
  }

  /** The same destination; refuses burn addresses, contracts of tokens, and the owner's own deposit address. */
  private async safe(
    owner: UserId,
    { asset, network }: CoinNetwork,
    destination: Destination,
  ): Promise<Destination> {
    const { chains, depositAddress } = this.parts;
    const { address, memo } = destination;
    const problem = lossProblem(network, address, chains.contracts(network.code));
    if (problem !== undefined) throw new Refused(problem);
    const own = await depositAddress(owner, network.code);
    const isOwn =
      own !== undefined && canonicalDestination(network, own).address === address && own.memo === memo;
    if (isOwn || chains.manualAddress(asset, network.code) === address)
      throw new Refused(refusal('invalidField', 'l.address_own', { field: 'address', value: address }));
    return destination;
  }

  private coin(asset: string, network: string): CoinNetwork {
    this.parts.assets.requireCoin(asset, 'currency');
    const coin = findCoinNetwork(asset, network);
    if (coin === undefined) throw notAmong('network', network);
    return coin;
  }

  private requireOpen({ asset, network }: CoinNetwork): void {
    if (this.parts.chains.sending(asset, network.code) === 'none') throw closedNetwork({ network });
  }

  private async boundsOf(owner: UserId) {
    const { frozen, verified, holdUntil } = await leavingOf(this.parts.identity, owner);
    if (frozen) throw new Refused(refusal('securityHold', 'l.account_frozen'));
    return { limits: withdrawalLimits(verified ? 2 : 0), holdUntil };
  }
}

function closedNetwork({ network }: Pick<CoinNetwork, 'network'>): Refused {
  return new Refused(refusal('maintenance', 'l.network_closed', { limit: network.name }));
}
