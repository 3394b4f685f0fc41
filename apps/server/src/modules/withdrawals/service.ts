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
  usdtValue,
  withdrawalLimits,
  type CoinNetwork,
  type Destination,
  receivedAmount,
  type RefusalReason,
  type ReturnReason,
  type WithdrawalRequests,
  type WithdrawalState,
  type WithdrawalStage,
} from '@exchange/core/network.ts';
import type { Recipient } from '@exchange/core/recipient.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, later, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { TransferRange } from '../../platform/database/created-within.ts';
import type { Database } from '../../platform/database/database.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import { rowsOfPage, type AskedPage } from '../../platform/database/paged-rows.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { SignedInCaller } from '../../platform/http/route.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Chains, SignedVariant } from '../chains/index.ts';
import type { AccountContext, Act, BookedAddress, Identity } from '../identity/index.ts';
import { storedBalance, userAddress, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { Screening } from '../screening/index.ts';
import { addressesOf, addressKnownAt, lastUses, placeOf, storedWhitelist } from './addresses-repository.ts';
import { destinationOf, type WithdrawalCommands, requireStatus } from './commands.ts';
import type { ConfirmedDigests } from './confirmed-digests.ts';
import { paymentOf, screenedOf } from './payment.ts';
import {
  exitProblem,
  figuresOf,
  mayLeaveAt,
  originOf,
  stageOf,
  type WithdrawalContext,
  onePersonProblem,
  waitReasons,
  type WaitReason,
  promisedAt,
  requestProblem,
  unknownProblem,
  whitelistAt,
  type AddressEntry,
  type Whitelist,
  type Withdrawal,
  type WithdrawalStatus,
  type WithdrawalFigures,
  routeTimesOf,
  networkTimesOf,
  timesOf,
  type NetworkDurations,
  type RouteDurations,
  type DurationStats,
} from './domain.ts';
import { withdrawalAccountStatus, withdrawalAccountProblem } from './sending-stops.ts';
import type { TravelRule } from './travel-rule.ts';
import {
  contextsOf,
  isTxidUsed,
  openTotals,
  openWithdrawals,
  ownersWithFinished,
  withdrawalsByIds,
  withdrawalsOf,
  withdrawalsWithin,
  durationsSince,
  waitingSince,
  finishedBefore,
  approvedByOneSince,
  requestsSince,
  usedSince,
  type DestinationHistory,
} from './repository.ts';

export interface WithdrawalParts {
  readonly assets: Pick<Assets, 'requireCoin'>;
  readonly chains: Chains;
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader' | 'replica' | 'store'>;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'usdtIndex'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly identity: Pick<Identity, 'accountContexts' | 'prepare' | 'withdrawalHold' | 'sendActionCode'>;
  readonly commands: WithdrawalCommands;
  readonly digests: ConfirmedDigests;
  readonly screening: Pick<Screening, 'screen' | 'requireClear' | 'blockedAmong'>;
  readonly travelRule: TravelRule;
  readonly bulkheads: Bulkheads;
  /** The owner's deposit address on a network, if one was assigned. */
  readonly depositAddress: (
    owner: UserId,
    network: string,
  ) => Promise<{ readonly address: string; readonly memo: string | undefined } | undefined>;
  /** When a deposit of each account was credited last since an instant; others are left out. */
  readonly lastCreditedSince: (
    owners: readonly UserId[],
    since: Instant,
  ) => Promise<ReadonlyMap<UserId, Instant>>;
}

export interface Request {
  readonly asset: string;
  readonly network: string;
  readonly amount: Decimal;
  readonly addressId: string | undefined;
  readonly address: string | undefined;
  readonly memo: string | undefined;
  /** The user confirmed that the receiving wallet needs no memo. */
  readonly withoutMemo?: boolean | undefined;
  readonly remark: string | undefined;
  /** Who receives it; needed where the travel rule applies. */
  readonly recipient?: Recipient | undefined;
}

/** Terms and remaining limits for a user, coin and network. */
export interface WithdrawalTerms extends WithdrawalState {
  readonly coin: CoinNetwork;
  /** Value in USDT of the unreviewed withdrawals within 24 hours. */
  readonly autoUsed: Decimal;
  readonly whitelist: Whitelist;
  readonly isPaused: boolean;
  /** Requests within 24 hours. */
  readonly requests: WithdrawalRequests;
  /** Backing of withdrawals on the network. */
  readonly channel: 'demo' | 'evm' | 'none';
  /** The value in USDT from which a withdrawal needs its recipient; undefined while the travel rule is off. */
  readonly recipientFrom: Decimal | undefined;
}

/** Terms under which a withdrawal would be accepted now. */
export interface WithdrawalQuote extends WithdrawalFigures {
  readonly terms: WithdrawalTerms;
  readonly address: string;
  readonly memo: string | undefined;
  readonly amount: Decimal;
  readonly promisedAt: Instant;
  /** From when it may be sent, if later than now. */
  readonly leavesAt: Instant | undefined;
}

const OPEN_MOST = 200;

/** Facts for the approval: address, account, and whether the withdrawal is what its owner confirmed. */
export interface ApprovalContext extends Partial<WithdrawalContext>, Partial<AccountContext> {
  /** The beginning of the digest of what the owner confirmed. */
  readonly confirmedDigest: string | undefined;
  readonly isChanged: boolean;
}

/** An exit as operators choose it; see `WithdrawalExit`. */
export type ChosenExit =
  | { readonly kind: 'return'; readonly reason: ReturnReason; readonly txid?: string }
  | { readonly kind: 'paid'; readonly txid?: string };

/** A withdrawal in JSON; amounts are strings. */
type StoredWithdrawal = Omit<Withdrawal, 'amount' | 'fee' | 'value'> &
  Readonly<Record<'amount' | 'fee' | 'value', string>>;

/** Use cases of withdrawals and the address book, one method each. */
export class Withdrawals {
  private readonly parts: WithdrawalParts;

  constructor(parts: WithdrawalParts) {
    this.parts = parts;
  }

  async terms(owner: UserId, asset: string, network: string): Promise<WithdrawalTerms> {
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
      recipientFrom: this.parts.travelRule.from,
      available,
    };
  }

  /**
   * Returns the terms of a withdrawal by the rules and figures of `submit`, and refuses where `submit` would. Stores
   * and holds nothing.
   */
  async quote(owner: UserId, request: Request): Promise<WithdrawalQuote> {
    const { clock, database } = this.parts;
    const { asset, network, amount, remark } = request;
    const coin = this.coin(asset, network);
    this.requireOpen(coin);
    const destination = await this.destination(owner, coin, request);
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
   * Mails a confirmation code that is bound to the fields of the submission. Refuses unknown coins and networks and
   * unusable addresses.
   */
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
    const mail = { name: 'withdrawal', parameters } as const;
    return this.parts.identity.sendActionCode(caller, act, mail);
  }

  /** Whether the user may withdraw only to addresses in the address book. */
  async usesWhitelist(owner: UserId): Promise<boolean> {
    const { database, clock } = this.parts;
    return whitelistAt(await storedWhitelist(database.store, owner), clock.now()).isOn;
  }

  channel(asset: string, network: string): WithdrawalTerms['channel'] {
    return this.parts.chains.sending(asset, network);
  }

  /** Holds the amount of a new withdrawal; a repeated submission returns the first answer. */
  async submit(
    owner: UserId,
    request: Request & { readonly shownFee?: Decimal | undefined },
    submission?: Submission,
  ): Promise<Withdrawal> {
    const { sequencer, commands, market, chains, screening, travelRule } = this.parts;
    const coin = this.coin(request.asset, request.network);
    this.requireOpen(coin);
    const bounds = await this.boundsOf(owner);
    const confirmations = chains.confirmationsNeeded(coin.network);
    const price = market.usdtIndex(request.asset);
    const requestsMost = WITHDRAWALS_PER_DAY;
    const destination = await this.destination(owner, coin, request);
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
    // Without an address or a price, the command refuses the request.
    const isRecorded =
      confirmed !== undefined &&
      price !== undefined &&
      (await travelRule.store(confirmed, usdtValue(request.amount, price), recipient));
    const withdrawal = await sequencer
      .execute(commands.submit, input, { actor: owner, submission })
      .catch(async (cause: unknown) => {
        // Nothing was requested; after any other failure that is not certain.
        if (isRecorded && cause instanceof Refused) await travelRule.remove(confirmed.id);
        throw cause;
      });
    // A repeated submission answers its first withdrawal, which has a record of its own.
    if (isRecorded && withdrawal.id !== confirmed.id) await travelRule.remove(confirmed.id);
    await screening.screen([screenedOf(withdrawal)]);
    return withdrawal;
  }

  /**
   * What the owner of a new withdrawal confirms, with the id of the withdrawal and the digest. Undefined if the request
   * names no address, which the command refuses.
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

  cancel(owner: UserId, id: string, submission?: Submission): Promise<Withdrawal> {
    return this.parts.sequencer.execute(
      this.parts.commands.cancel,
      { owner, id },
      { actor: owner, submission },
    );
  }

  /** Restores the withdrawal that `submit` or `cancel` answered, from the stored answer. */
  restoreAnswer(owner: UserId, stored: string): Promise<Withdrawal> | Withdrawal {
    const withdrawal = JSON.parse(stored) as StoredWithdrawal | { readonly id: string };
    // Older versions stored only the id.
    if (!('status' in withdrawal)) return this.detail(owner, withdrawal.id);
    const { amount, fee, value } = withdrawal;
    return {
      ...withdrawal,
      amount: Decimal.parse(amount),
      fee: Decimal.parse(fee),
      value: Decimal.parse(value),
    };
  }

  /** A withdrawal by id, of any user. For operators only. */
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

  /** The owner's withdrawals in a range, newest first; without statuses those of all statuses. */
  recordsWithin(
    owner: UserId,
    range: Omit<TransferRange, 'statuses'> & { readonly statuses: readonly WithdrawalStatus[] | undefined },
  ): Promise<Withdrawal[]> {
    return withdrawalsWithin(this.parts.database.reader, owner, range);
  }

  /** Current confirmations, capped at the required number. */
  confirmed({ network, block, confirmations }: Withdrawal): number {
    return Math.min(confirmations, this.parts.chains.confirmations(network, block));
  }

  /** Actual durations in the last 30 days, in total and by coin and network, and the number of overdue withdrawals. */
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

  /** Actual durations in the last 30 days by network. */
  async networkTimes(): Promise<readonly NetworkDurations[]> {
    const { clock, database } = this.parts;
    return networkTimesOf(
      await durationsSince(database.replica.lagging, later(clock.now(), -LIMIT_MONTH_MS)),
    );
  }

  /** Number of withdrawals past their promised time. */
  overdue(): Promise<number> {
    const { clock, database } = this.parts;
    return waitingSince(database.replica.lagging, later(clock.now(), -PROMISED_MS));
  }

  /** The address book, filtered, with the whitelist state. */
  async addresses(owner: UserId, filter: { asset: string | undefined; network: string | undefined }) {
    const { database, clock } = this.parts;
    const [book, whitelist, uses] = await Promise.all([
      addressesOf(database.store, owner),
      storedWhitelist(database.store, owner),
      lastUses(database.store, owner),
    ]);
    const list = book
      .filter(
        ({ asset, network }) =>
          (filter.asset === undefined || asset === filter.asset) &&
          (filter.network === undefined || network === filter.network),
      )
      .map((entry) => ({ ...entry, lastAt: uses.get(placeOf(entry)) }));
    return { list, whitelist: whitelistAt(whitelist, clock.now()) };
  }

  /** An address book entry by id, for mails. */
  async bookedAddress(owner: UserId, id: string): Promise<BookedAddress | undefined> {
    const book = await addressesOf(this.parts.database.store, owner);
    const entry = book.find((entry) => entry.id === id);
    if (entry === undefined) return undefined;
    const { asset: currency, network, address, memo, remark } = entry;
    return { currency, network, address, memo, remark };
  }

  async addAddress(
    owner: UserId,
    entry: Pick<AddressEntry, 'asset' | 'network' | 'address' | 'memo' | 'remark'> & {
      readonly activeAt?: Instant;
      readonly withoutMemo?: boolean | undefined;
    },
    submission?: Submission,
  ): Promise<AddressEntry> {
    const coin = this.coin(entry.asset, entry.network);
    const { sequencer, commands } = this.parts;
    const destination = await this.safe(owner, coin, canonicalDestination(coin.network, entry));
    const input = {
      owner,
      ...entry,
      ...destination,
      isAged: true,
    };
    return sequencer.execute(commands.add, input, { actor: owner, submission });
  }

  renameAddress(owner: UserId, id: string, remark: string | undefined): Promise<AddressEntry> {
    return this.parts.sequencer.execute(this.parts.commands.rename, { owner, id, remark });
  }

  /** Removes an address from the owner's book; no effect if it is absent. */
  async removeAddress(owner: UserId, id: string, submission?: Submission): Promise<void> {
    const { sequencer, commands } = this.parts;
    await sequencer.execute(commands.remove, { owner, id }, { actor: owner, submission });
  }

  /**
   * Enables the whitelist at once, or disables it after 24 hours. Returns the resulting state; a repeated submission
   * returns the first answer.
   */
  setWhitelist(owner: UserId, isOn: boolean, submission?: Submission): Promise<Whitelist> {
    const { sequencer, commands } = this.parts;
    return sequencer.execute(commands.whitelist, { owner, isOn }, { actor: owner, submission });
  }

  /** Value in USDT of a user's withdrawals since two instants, as counted by the limits. */
  usage(owner: UserId, since: { readonly day: Instant; readonly month: Instant }) {
    return usedSince(this.parts.database.reader, owner, since);
  }

  /** A user's requests within 24 hours, as counted by the limit. */
  requests(owner: UserId): Promise<WithdrawalRequests> {
    const { clock, database } = this.parts;
    const since = later(clock.now(), -LIMIT_DAY_MS);
    return requestsSince(database.reader, owner, { since, most: WITHDRAWALS_PER_DAY });
  }

  /** Pending and processing withdrawals, for operators: the oldest 200 and the total count. */
  open(): Promise<BoundedRows<Withdrawal>> {
    return openWithdrawals(this.parts.database.reader, OPEN_MOST);
  }

  /** Count and USDT value of pending and processing withdrawals. */
  openTotals() {
    return openTotals(this.parts.database.reader);
  }

  /** Value in USDT that single operators approved within 24 hours, by owner. */
  approvedByOne(owners: readonly UserId[]): Promise<ReadonlyMap<UserId, Decimal>> {
    const { clock, database } = this.parts;
    return approvedByOneSince(database.reader, owners, later(clock.now(), -LIMIT_DAY_MS));
  }

  /** History of a withdrawal's destination: when the owner stored the address, and earlier finished withdrawals. */
  async destinationHistory(
    withdrawal: Withdrawal,
  ): Promise<DestinationHistory & { readonly keptAt: Instant | undefined }> {
    const { reader } = this.parts.database;
    const place = placeOf(withdrawal);
    const [book, finished] = await Promise.all([
      addressesOf(reader, withdrawal.owner),
      finishedBefore(reader, withdrawal),
    ]);
    return { ...finished, keptAt: book.find((address) => placeOf(address) === place)?.createdAt };
  }

  /**
   * Refuses what `decide` would refuse: a withdrawal that is decided, whose account may not withdraw, or that exceeds
   * the amount one operator may approve within 24 hours.
   */
  async requireDecidable(id: string, verdict: 'approve' | RefusalReason, persons: 1 | 2): Promise<void> {
    const { clock, digests, identity } = this.parts;
    const withdrawal = await this.require(id);
    requireStatus(withdrawal, 'pending');
    if (verdict !== 'approve') return;
    await this.requireScreened(withdrawal);
    digests.requireUnchanged(withdrawal);
    const { owner, value } = withdrawal;
    const barred =
      withdrawalAccountProblem(await withdrawalAccountStatus(identity, owner), clock.now()) ??
      unknownProblem(withdrawal.knownAt, clock.now());
    if (barred !== undefined) throw new Refused(barred);
    if (persons === 2) return;
    const problem = onePersonProblem(value, (await this.approvedByOne([owner])).get(owner));
    if (problem !== undefined) throw new Refused(problem);
  }

  /**
   * Stores an operator's decision. Approval is refused for frozen or held accounts, and above the daily limit of one
   * operator unless `persons` is 2.
   */
  async decide(
    id: string,
    verdict: 'approve' | RefusalReason,
    { by, persons }: { readonly by: string; readonly persons: 1 | 2 },
  ): Promise<Withdrawal> {
    const { clock, digests, identity, sequencer, commands } = this.parts;
    const withdrawal = await this.require(id);
    if (verdict === 'approve') {
      await this.requireScreened(withdrawal);
      digests.requireUnchanged(withdrawal);
      const barred = withdrawalAccountProblem(
        await withdrawalAccountStatus(identity, withdrawal.owner),
        clock.now(),
      );
      if (barred !== undefined) throw new Refused(barred);
    }
    await sequencer.execute(commands.decide, { id, owner: withdrawal.owner, verdict, by, persons });
    return this.detail(withdrawal.owner, id);
  }

  /** Compares the address with sanctions lists, and refuses while a hit of the account is not cleared. */
  private async requireScreened(withdrawal: Withdrawal): Promise<void> {
    const { screening } = this.parts;
    await screening.screen([screenedOf(withdrawal)]);
    await screening.requireClear(withdrawal.owner);
  }

  /** A withdrawal by id, of any user; refuses an unknown one. For operators only. */
  async require(id: string): Promise<Withdrawal> {
    const [withdrawal] = await withdrawalsByIds(this.parts.database.store, [id]);
    if (withdrawal === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return withdrawal;
  }

  /** Stages of the withdrawals in processing, by id. */
  async stages(withdrawals: readonly Withdrawal[]): Promise<ReadonlyMap<string, WithdrawalStage>> {
    const moving = withdrawals.filter(({ status }) => status === 'processing');
    const stages = new Map<string, WithdrawalStage>();
    for (const network of new Set(moving.map((withdrawal) => withdrawal.network))) {
      const onNetwork = moving.filter((withdrawal) => withdrawal.network === network);
      const sendings = await this.parts.chains.stagesOf(network, onNetwork.map(originOf));
      for (const withdrawal of onNetwork) {
        const stage = stageOf(withdrawal, sendings.get(originOf(withdrawal)));
        if (stage !== undefined) stages.set(withdrawal.id, stage);
      }
    }
    return stages;
  }

  /** Facts for the approval of withdrawals, by id. */
  async contexts(withdrawals: readonly Withdrawal[]): Promise<ReadonlyMap<string, ApprovalContext>> {
    const { clock, database, digests, identity } = this.parts;
    const since = later(clock.now(), -LIMIT_DAY_MS);
    const ids = withdrawals.map(({ id }) => id);
    const owners = [...new Set(withdrawals.map(({ owner }) => owner))];
    const [places, accounts] = await Promise.all([
      contextsOf(database.reader, ids, { since, most: WITHDRAWALS_PER_DAY }),
      identity.accountContexts(owners, since),
    ]);
    return new Map(
      withdrawals.map((withdrawal) => [
        withdrawal.id,
        {
          confirmedDigest: digests.short(withdrawal),
          isChanged: digests.isChanged(withdrawal),
          ...places.get(withdrawal.id),
          ...accounts.get(withdrawal.owner),
        },
      ]),
    );
  }

  /**
   * Why each pending withdrawal waits for an operator, by id, the most serious reason first.
   *
   * @param contexts what `contexts` has returned for them
   */
  async waitReasons(
    pending: readonly Withdrawal[],
    contexts: ReadonlyMap<string, ApprovalContext>,
  ): Promise<ReadonlyMap<string, readonly WaitReason[]>> {
    const { clock, database, lastCreditedSince, screening } = this.parts;
    const owners = [...new Set(pending.map(({ owner }) => owner))];
    const oldest = Math.min(clock.now(), ...pending.map(({ createdAt }) => createdAt));
    const [blocked, withFinished, credited, approved] = await Promise.all([
      screening.blockedAmong(owners),
      ownersWithFinished(database.reader, owners),
      lastCreditedSince(owners, later(instant(oldest), -LIMIT_DAY_MS)),
      this.approvedByOne(owners),
    ]);
    return new Map(
      pending.map(({ id, owner, createdAt, value }) => {
        const context = contexts.get(id);
        const creditedAt = credited.get(owner);
        const reasons = waitReasons({
          hasSanctionsHit: blocked.has(owner),
          isChanged: context?.isChanged,
          needsSecondPerson: onePersonProblem(value, approved.get(owner)) !== undefined,
          hasWithdrawn: withFinished.has(owner),
          finishedToAddress: context?.finishedToAddress ?? 0,
          newDevices: context?.newDevices ?? 0,
          securityChanges: context?.securityChanges ?? 0,
          hasFreshDeposit: creditedAt !== undefined && creditedAt > later(createdAt, -LIMIT_DAY_MS),
        });
        return [id, reasons];
      }),
    );
  }

  /** The travel-rule record of a withdrawal. Refuses if it has none. */
  async travelRuleRecord(id: string) {
    await this.require(id);
    return this.parts.travelRule.read(id);
  }

  /** Transactions that were signed for a withdrawal, oldest first. */
  async signedFor(id: string): Promise<readonly SignedVariant[]> {
    const withdrawal = await this.require(id);
    return this.parts.chains.signedFor(withdrawal.network, originOf(withdrawal));
  }

  /**
   * Refuses an exit that `leave` would refuse. The end by a payment by hand needs its transaction in a confirmed block, with exactly the withdrawal's coin, receiver and amount.
   */
  async requireExit(id: string, exit: ChosenExit): Promise<Withdrawal> {
    const { chains, database } = this.parts;
    const withdrawal = await this.require(id);
    const problem = exitProblem(withdrawal, exit.kind);
    if (problem !== undefined) throw new Refused(problem);
    if (exit.kind === 'return' || exit.txid === undefined) return withdrawal;
    const { network } = withdrawal;
    if (paymentOf(withdrawal, await chains.paymentsIn(network, exit.txid))?.isFinal !== true)
      throw new Refused(
        refusal('invalidField', 'l.withdraw_not_paid', { field: 'txid', limit: network, value: exit.txid }),
      );
    if (await isTxidUsed(database.store, withdrawal, exit.txid))
      throw new Refused(refusal('duplicate', 'l.withdraw_txid_used', { field: 'txid', value: exit.txid }));
    return withdrawal;
  }

  /**
   * Stores the exit that two operators chose. It takes effect when it is certain that no transaction that was signed for
   * the withdrawal can be mined.
   */
  async leave(id: string, exit: ChosenExit, by: string): Promise<Withdrawal> {
    const { bulkheads, sequencer, commands } = this.parts;
    const { owner } = await this.requireExit(id, exit);
    await sequencer.execute(commands.exit, { id, owner, by, exit });
    bulkheads.bulkheadOf('withdrawals').retryNow(id);
    return this.require(id);
  }

  /** Replaces the withdrawal's transaction by the same one with a fee of up to `maxFee` wei per unit of gas. */
  async raiseFee(id: string, maxFee: bigint): Promise<SignedVariant> {
    const withdrawal = await this.require(id);
    requireStatus(withdrawal, 'processing');
    const variant = await this.parts.chains.raiseFee(withdrawal.network, originOf(withdrawal), maxFee);
    if (variant === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return variant;
  }

  /**
   * The canonical destination of a request; empty if the request names no address. Refuses destinations that would lose
   * the coins, including stored ones, which may predate the check.
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
      const entry = book.find(({ id }) => id === addressId);
      return entry === undefined ? {} : this.safe(owner, coin, canonicalDestination(coin.network, entry));
    }
    if (address === undefined) return {};
    return this.safe(owner, coin, canonicalDestination(coin.network, { address, memo, withoutMemo }));
  }

  /**
   * Returns the destination unchanged. Refuses burn addresses, token contracts, wallets of the exchange and the
   * owner's own deposit address.
   */
  private async safe(
    owner: UserId,
    { asset, network }: CoinNetwork,
    destination: Destination,
  ): Promise<Destination> {
    const { chains, depositAddress } = this.parts;
    const { address, memo } = destination;
    const problem = lossProblem(network, address, chains.contracts(network.code));
    if (problem !== undefined) throw new Refused(problem);
    const depositTo = await depositAddress(owner, network.code);
    const isOwn =
      depositTo !== undefined &&
      canonicalDestination(network, depositTo).address === address &&
      depositTo.memo === memo;
    if (memo === undefined && chains.isHouseAddress(network.code, address))
      throw new Refused(refusal('invalidField', 'l.address_house', { field: 'address', value: address }));
    if (isOwn || chains.manualAddress(asset, network.code) === address)
      throw new Refused(refusal('invalidField', 'l.address_own', { field: 'address', value: address }));
    return destination;
  }

  private coin(asset: string, network: string): CoinNetwork {
    this.parts.assets.requireCoin(asset, 'currency');
    const coin = findCoinNetwork(asset, network);
    if (coin === undefined) throw invalidChoice('network', network);
    return coin;
  }

  private requireOpen({ asset, network }: CoinNetwork): void {
    if (this.parts.chains.sending(asset, network.code) === 'none') throw closedNetwork({ network });
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
