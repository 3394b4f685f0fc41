import {
  onlyVersion,
  anyVersion,
  type AcceptsVersion,
  termsVersionProblem,
} from '@exchange/core/agreements.ts';
import { sum, type Decimal } from '@exchange/core/decimal.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import {
  ADMISSION_MAX_AGE_MS,
  entrySecond,
  indexDigits,
  profitOf,
  resultOf,
  SECONDS_COIN,
  SECONDS_LIMITS,
  SECONDS_VERSION,
  secondsFee,
  settlementOf,
  settlementSeconds,
  stakeProblem,
  transferProblem,
  windowOf,
  type SecondsResult,
} from '@exchange/core/seconds.ts';
import { later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { Coin, ListedPair } from '../assets/index.ts';
import type { Ledger } from '../ledger/index.ts';
import {
  changedLimits,
  houseGainOf,
  limitProblem,
  userProblem,
  RISK_VERSION,
  sessionAt,
  secondsCeilingProblem,
  termsProblem,
  touchesInterval,
  type Position,
  type SecondsTerms,
} from './domain.ts';
import { secondsChanged } from './feed.ts';
import { ACCOUNTS, SecondsPosts, secondsOf, spotOf } from './posts.ts';
import {
  bucketWith,
  endRefund,
  exposureOf,
  readLimits,
  findBucket,
  findInterval,
  findUserState,
  finishPositions,
  insertInterval,
  insertPosition,
  insertTerms,
  insertTransfer,
  lossesIn,
  openPositions,
  positionOfOrigin,
  publishedTermsNow,
  refundPositions,
  reserveUsed,
  saveUserState,
  startRefund,
  STATE,
  unrefundedLosses,
} from './repository.ts';

const id = idOf<string>();
const owner = idOf<UserId>();
const texts = z.readonly(z.array(z.string()));
const terms = z.object({
  isOpen: z.boolean(),
  symbols: texts,
  blockedCountries: texts,
  openCountries: texts,
  durations: z.readonly(z.array(z.object({ second: z.int(), rate: decimal, minimum: decimal }))),
  feeRate: decimal,
  maxStake: decimal,
});
const openInput = z.object({
  owner,
  symbol: z.string(),
  direction: z.enum(['up', 'down']),
  stake: decimal,
  seconds: z.int(),
  /**
   * The version of the contract's terms shown to the user; the position is refused if another version is in
   * force. Absent means that the version is not checked.
   */
  version: z.optional(z.int()),
  /**
   * The latest index point before the command; absent if the pair has none. It decides only whether a position
   * may be opened; the position's price comes from the index tape.
   */
  point: z.optional(z.object({ t: instantField, isGood: z.boolean() })),
  sourcesHash: z.string(),
  /** Unique key of a seconds position of the demo; undefined for users' positions. */
  origin: z.optional(z.string()),
  /** Whether quote coins other than USDT are refused; absent in journal steps from before this rule. */
  inUsdt: z.optional(z.literal(true)),
});
type OpenInput = z.infer<typeof openInput>;
const price = z.union([decimal, z.null()]);
const settleInput = z.object({
  symbol: z.string(),
  entryAt: instantField,
  expireAt: instantField,
  /**
   * The prices of the index tape for the entry second and the settlement seconds (those up to the expiry whose index
   * prices are averaged to the settlement price); null where the tape has none.
   */
  points: z.object({ entry: price, window: z.array(price) }),
  orders: z.array(z.object({ id, owner })),
});
/**
 * The input of a settlement command: the index prices and the positions to settle, which share pair, entry and expiry.
 */
export type SettleInput = z.infer<typeof settleInput>;
const intervalInput = z.object({
  symbol: z.string(),
  from: instantField,
  to: instantField,
  by: z.string(),
  reason: z.string(),
  /** Whether settled losses in the interval are refunded; absent in journal steps from before such refunds. */
  returnsLost: z.optional(z.literal(true)),
});
const refundInput = z.object({
  intervalId: id,
  orders: z.array(z.object({ id, owner })),
});
const limitInput = z.object({
  owner,
  maxStake: z.optional(decimal),
  dayLoss: z.optional(decimal),
  sessionMinutes: z.optional(z.int()),
  coolUntil: z.optional(instantField),
});

export interface SecondsScope {
  readonly ledger: Ledger;
  readonly pairs: readonly ListedPair[];
  readonly coins: readonly Coin[];
}

/** The commands of the seconds contract. No command contains an outcome or a rate for a single user. */
export function secondsCommands(scope: SecondsScope, accepts: AcceptsVersion = onlyVersion(RISK_VERSION)) {
  const post = new SecondsPosts(scope.ledger);
  const parts = { ...scope, accepts, post };
  return {
    ...operatorCommands(parts),
    ...userCommands(parts),
    ...openCommand(parts),
    ...settleCommand(parts),
    ...refundCommands(parts),
  };
}

type Parts = SecondsScope & { readonly accepts: AcceptsVersion; readonly post: SecondsPosts };

/**
 * The refusal for a user who has not accepted the current risk text; `accepted` is the version that the user accepted
 * last, or empty.
 */
function riskNotAccepted(accepted: string): Refused {
  const details = { field: 'agreementVersion', limit: RISK_VERSION, value: accepted };
  return new Refused(refusal('invalidField', 'l.seconds_risk', details));
}

function operatorCommands({ ledger, pairs, post }: Parts) {
  return {
    /**
     * Publishes the next version of the terms; terms equal to the published ones change nothing. Open positions
     * are not affected.
     */
    publish: sqlCommand({
      name: 'seconds.publish',
      input: z.object({
        terms,
        by: z.string(),
        reason: z.string(),
        /**
         * Whether the fixed ceilings of terms are checked; absent in journal steps from before the ceilings, which are
         * not checked.
         */
        underCeilings: z.optional(z.literal(true)),
        /** Whether quote coins other than USDT are refused; absent in journal steps from before this rule. */
        inUsdt: z.optional(z.literal(true)),
      }),
      run: async (step, { terms: proposed, by, reason, underCeilings, inUsdt }) => {
        const ceilingRefusal = underCeilings === true ? secondsCeilingProblem(proposed) : undefined;
        if (ceilingRefusal !== undefined) throw new Refused(ceilingRefusal);
        const isKnown = (symbol: string) =>
          pairs.some(
            ({ pair }) => pair.symbol === symbol && (inUsdt !== true || pair.quote === SECONDS_COIN),
          );
        const problem = termsProblem(proposed, isKnown);
        if (problem !== undefined) throw new Refused(problem);
        const published = await publishedTermsNow(step.sql);
        if (published !== undefined && textOf(published) === textOf(proposed))
          return { version: published.version };
        const version = (published?.version ?? 0) + 1;
        await insertTerms(step.sql, { ...proposed, version, at: step.now }, { by, reason });
        return { version };
      },
    }),

    /**
     * Fills the payout account, which pays profits, up to the balance `wanted`. With `fees` the missing amount comes
     * from collected fees, and is refused if they are lower; with `demo` it is play money. Does nothing if the balance
     * is high enough.
     */
    fund: sqlCommand({
      name: 'seconds.fund',
      input: z.object({ asset: z.string(), wanted: decimal, from: z.enum(['demo', 'fees']) }),
      run: (step, { asset, wanted, from }) => {
        const missing = wanted.minus(ledger.balance(ACCOUNTS.payout, asset));
        const collectedFees = ledger.balance(ACCOUNTS.fees, asset);
        if (from === 'fees' && missing.isMore(collectedFees)) {
          const details = { limit: collectedFees.toString(), value: missing.toString(), unit: asset };
          throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', details));
        }
        if (missing.isPositive()) post.fund(step, asset, missing, from);
        return Promise.resolve({ asset, funded: ledger.balance(ACCOUNTS.payout, asset).toString() });
      },
    }),

    /**
     * Declares an interval void: open positions of which the entry second or a settlement second (one of those up to
     * the expiry whose index prices are averaged to the settlement price) lies in it become void when they are settled.
     * With `returnsLost`, a job refunds the lost positions that have such seconds in it.
     */
    declareVoid: sqlCommand({
      name: 'seconds.declareVoid',
      input: intervalInput,
      run: async (step, { symbol, from, to, by, reason, returnsLost }) => {
        const interval = { id: step.newId(), symbol, from, to, reason };
        await insertInterval(step.sql, interval, { by, now: step.now });
        if (returnsLost === true) await startRefund(step.sql, interval.id);
        return { id: interval.id };
      },
    }),
  };
}

function userCommands({ accepts, ledger, coins, post }: Parts) {
  return {
    transfer: sqlCommand({
      name: 'seconds.transfer',
      input: z.object({ owner, asset: z.string(), amount: decimal, isIn: z.boolean() }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: user, asset, amount, isIn }) => {
        const digits = coins.find(({ code }) => code === asset)?.digits ?? 0;
        const available = ledger.balance(isIn ? spotOf(user) : secondsOf(user), asset);
        const problem = transferProblem(amount, { asset, digits, available });
        if (problem !== undefined) throw new Refused(problem);
        const transfer = { id: step.newId(), owner: user, asset, type: isIn ? 1 : 2, amount } as const;
        post.transfer(step, { ...transfer, isIn });
        const balance = ledger.balance(secondsOf(user), asset);
        await insertTransfer(step.sql, { ...transfer, balance }, step.now);
        return {
          currency: asset,
          amount: amount.toString(),
          available: balance.toString(),
        };
      },
    }),

    acceptRisk: sqlCommand({
      name: 'seconds.acceptRisk',
      input: z.object({ owner, version: z.string() }),
      run: async (step, { owner: user, version }) => {
        if (!accepts(version)) throw riskNotAccepted(version);
        const person = await findUserState(step.sql, user);
        if (person.riskVersion !== version)
          await saveUserState(step.sql, user, { ...person, riskVersion: version }, step.now);
        return { agreementVersion: version };
      },
    }),

    setLimits: sqlCommand({
      name: 'seconds.setLimits',
      input: limitInput,
      run: async (step, { owner: user, ...change }) => {
        const person = await findUserState(step.sql, user);
        const maxStake = (await publishedTermsNow(step.sql))?.maxStake;
        const problem = limitProblem(
          person,
          change,
          { maxStake: maxStake ?? SECONDS_LIMITS.stake },
          step.now,
        );
        if (problem !== undefined) throw new Refused(problem);
        await saveUserState(step.sql, user, changedLimits(person, change, step.now));
        return readLimits(step.sql, user, step.now);
      },
    }),
  };
}

function openCommand({ accepts, ledger, pairs, coins, post }: Parts) {
  return {
    /**
     * Opens a seconds position under the current terms; its entry is the next whole second. Refuses a pair that the
     * terms do not open, a duration that they lack, another version of the terms than the one shown, a stake outside
     * its limits or above the balance, an index price that is too old or not of good quality, and a reserve that the
     * payout account cannot cover. A position without `origin` is also refused if the user has not accepted the risk
     * text, has opened another position less than a second ago, has paused trading, or has reached a limit of open
     * positions, stake, day's loss or session length; one whose `origin` is known, as a duplicate.
     */
    open: sqlCommand({
      name: 'seconds.open',
      input: openInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, input) => {
        const { owner, symbol, direction, stake, seconds, sourcesHash, origin } = input;
        const { now } = step;
        const { listed, duration, feeRate, maxStake, version } = await termsOn(step, pairs, input);
        const asset = listed.pair.quote;
        const digits = coins.find(({ code }) => code === asset)!.digits;
        const available = ledger.balance(secondsOf(owner), asset);
        const limits = { asset, digits, minimum: duration.minimum, maximum: maxStake, feeRate, available };
        const problem = stakeProblem(stake, limits);
        if (problem !== undefined) throw new Refused(problem);
        const person = await findUserState(step.sql, owner);
        const fee = secondsFee(stake, feeRate);
        if (origin === undefined) {
          if (!accepts(person.riskVersion)) throw riskNotAccepted(person.riskVersion);
          const exposure = await exposureOf(step.sql, owner, now);
          const userRefusal = userProblem(person, exposure, { stake, cost: stake.plus(fee), asset }, now);
          if (userRefusal !== undefined) throw new Refused(userRefusal);
        } else if ((await positionOfOrigin(step.sql, origin)) !== undefined)
          throw new Refused(refusal('duplicate', 'l.duplicate_key'));
        // The age and quality of the index price are checked after all other conditions except the reserve,
        // so that refusals by those conditions do not depend on the index price.
        requireFreshPoint(input.point, now);
        const entryAt = entrySecond(now);
        const position: Position = {
          id: step.newId(),
          owner,
          symbol,
          direction,
          asset,
          stake,
          fee,
          feeRate,
          seconds,
          profit: profitOf(stake, duration.rate),
          profitRate: duration.rate,
          window: windowOf(seconds),
          digits: indexDigits(listed.pair.priceDigits),
          termsVersion: version,
          sourcesHash,
          indexVersion: SECONDS_VERSION,
          acceptedAt: now,
          entryAt,
          expireAt: later(entryAt, seconds * SECOND_MS),
          outcome: undefined,
        };
        const storedBucket = await findBucket(step.sql, position);
        const bucket = bucketWith(storedBucket, position);
        const reserved = await reserveUsed(step.sql, asset);
        const used = reserved.minus(storedBucket.reserve).plus(bucket.reserve);
        const funded = ledger.balance(ACCOUNTS.payout, asset);
        if (used.isMore(funded)) throw noReserve(funded.minus(reserved), position);
        post.open(step, position);
        await insertPosition(step.sql, position, bucket, { used, origin });
        if (origin === undefined)
          await saveUserState(step.sql, owner, {
            ...person,
            sessionFrom: sessionAt(person, now),
            lastOpenAt: now,
          });
        step.publish(secondsChanged, { owner, id: position.id, result: undefined });
        return openAnswer(position);
      },
    }),
  };
}

/**
 * Refuses unless the given index point is of good quality and at most `ADMISSION_MAX_AGE_MS` older or newer than `now`.
 */
function requireFreshPoint(point: OpenInput['point'], now: Instant): void {
  if (point !== undefined && point.isGood && Math.abs(now - point.t) <= ADMISSION_MAX_AGE_MS) return;
  const details = { limit: String(ADMISSION_MAX_AGE_MS), value: String(point && now - point.t) };
  throw new Refused(refusal('closed', 'l.seconds_index', details));
}

/**
 * The refusal for a position whose profit is more than `free`, the balance of the payout account that is not reserved
 * for other positions.
 */
function noReserve(free: Decimal, { profit, asset }: Position): Refused {
  const details = { limit: free.toString(), value: profit.toString(), unit: asset };
  return new Refused(refusal('closed', 'l.seconds_reserve', details));
}

/**
 * The pair, the duration and the published terms for a new position. Refuses if the pair is not open
 * for positions, the user saw another version of the terms, or the terms lack the duration.
 */
async function termsOn(step: SqlStep, pairs: Parts['pairs'], input: OpenInput) {
  const { symbol, seconds, inUsdt, version: shownVersion } = input;
  const quote = pairs.find(({ pair }) => pair.symbol === symbol)?.pair.quote;
  if (inUsdt === true && quote !== SECONDS_COIN) throw new Refused(refusal('closed', 'l.seconds_closed'));
  const published = await publishedTermsNow(step.sql);
  const listed = pairs.find(({ pair }) => pair.symbol === symbol);
  if (
    published === undefined ||
    listed === undefined ||
    !published.isOpen ||
    !published.symbols.includes(symbol)
  )
    throw new Refused(refusal('closed', 'l.seconds_closed'));
  const versionRefusal = termsVersionProblem(shownVersion, published.version);
  if (versionRefusal !== undefined) throw new Refused(versionRefusal);
  const { durations } = published;
  const duration = durations.find(({ second }) => second === seconds);
  if (duration === undefined) {
    const details = { value: String(seconds), limit: durations.map(({ second }) => second).join(' ') };
    throw new Refused(refusal('invalidField', 'l.seconds_duration', details));
  }
  return { ...published, listed, duration };
}

function settleCommand({ ledger, post }: Parts) {
  return {
    /**
     * Settles positions of one bucket (same pair, entry and expiry) at the prices of the index tape. Positions that are
     * already settled, are not due, or whose coin is halted stay unchanged. Returns the number of settled positions.
     */
    settle: sqlCommand({
      name: 'seconds.settle',
      input: settleInput,
      prepare: ({ orders }) => ledger.prepareAll(orders.map((order) => order.owner)),
      run: async (step, { points, orders, ...key }) => {
        const { length } = points.window;
        const seconds = [key.entryAt, ...settlementSeconds(key.expireAt, length)];
        const ids = orders.map((order) => order.id);
        const open = await openPositions(step.sql, ids, { symbol: key.symbol, seconds });
        const { intervalId } = open;
        const due = open.found.filter(
          (position) => isDue(position, key, step.now) && !ledger.isHalted(position.asset),
        );
        const [first] = due;
        if (first === undefined) return { done: 0 };
        if (length !== first.window) throw new RangeError('a window of another length');
        const finished = due.map((position) => withOutcome(position, points, intervalId, step.now));
        for (const position of finished) post.settle(step, position, position.outcome!.result);
        await finishPositions(step.sql, key, finished, step.now);
        for (const position of finished) publishChange(step, position);
        return { done: finished.length };
      },
    }),
  };
}

function refundCommands({ ledger, post }: Parts) {
  return {
    /**
     * Refunds stake and fee of lost positions whose entry or settlement seconds lie in a void interval, from the
     * exchange's accounts. Skips all other positions, those already refunded, and those whose coin is halted. Refuses
     * the whole batch with `l.seconds_reserve` when the payout account would fall below the reserve of open positions,
     * and with `l.insufficient_balance` when the fees account is too low.
     */
    refundLost: sqlCommand({
      name: 'seconds.refundLost',
      input: refundInput,
      prepare: ({ orders }) => ledger.prepareAll(orders.map((order) => order.owner)),
      run: async (step, { intervalId, orders }) => {
        const interval = await findInterval(step.sql, intervalId);
        if (interval === undefined) throw new RangeError('no such interval');
        const ids = orders.map((order) => order.id);
        const lost = (await unrefundedLosses(step.sql, ids)).filter(
          (position) => touchesInterval(position, interval) && !ledger.isHalted(position.asset),
        );
        if (lost.length === 0) return { done: 0 };
        for (const [asset, positions] of groupBy(lost, (position) => position.asset))
          await requireRefundable(step, ledger, asset, positions);
        for (const position of lost) post.refund(step, position);
        await refundPositions(step.sql, intervalId, lost, step.now);
        for (const { id: position, owner: user } of lost)
          step.publish(secondsChanged, { owner: user, id: position, result: 'lose' });
        return { done: lost.length };
      },
    }),

    /** Marks the refund of a void interval as finished; does nothing while a lost position in it is not refunded. */
    finishRefund: sqlCommand({
      name: 'seconds.finishRefund',
      input: z.object({ intervalId: id }),
      run: async (step, { intervalId }) => {
        const interval = await findInterval(step.sql, intervalId);
        if (interval === undefined) throw new RangeError('no such interval');
        const [unrefunded] = await lossesIn(step.sql, interval, undefined, 1);
        if (unrefunded !== undefined) return { done: 0 };
        await endRefund(step.sql, intervalId, step.now);
        return { done: 1 };
      },
    }),
  };
}

/**
 * Refuses a refund whose stakes exceed the payout account's balance above the reserve of open positions, or
 * whose fees exceed the balance of the fees account.
 */
async function requireRefundable(
  step: SqlStep,
  ledger: Ledger,
  asset: AssetCode,
  positions: readonly Position[],
): Promise<void> {
  const stakes = sum(positions.map(({ stake }) => stake));
  const fees = sum(positions.map(({ fee }) => fee));
  const free = ledger.balance(ACCOUNTS.payout, asset).minus(await reserveUsed(step.sql, asset));
  const collected = ledger.balance(ACCOUNTS.fees, asset);
  if (stakes.isMore(free))
    throw new Refused(
      refusal('closed', 'l.seconds_reserve', {
        limit: free.toString(),
        value: stakes.toString(),
        unit: asset,
      }),
    );
  if (fees.isMore(collected))
    throw new Refused(
      refusal('insufficientBalance', 'l.insufficient_balance', {
        limit: collected.toString(),
        value: fees.toString(),
        unit: asset,
      }),
    );
}

export type SecondsCommands = ReturnType<typeof secondsCommands>;

interface BucketTimes {
  readonly symbol: string;
  readonly entryAt: Instant;
  readonly expireAt: Instant;
}

function isDue({ symbol, entryAt, expireAt }: Position, key: BucketTimes, now: Instant): boolean {
  return symbol === key.symbol && entryAt === key.entryAt && expireAt === key.expireAt && now >= expireAt;
}

/**
 * A seconds position with its outcome at the prices `points`; void if a void interval applies (`intervalId`)
 * or one of the prices is missing.
 */
export function withOutcome(
  position: Position,
  points: SettleInput['points'],
  intervalId: string | undefined,
  now: Instant,
): Position {
  const priceResult = resultOf(position.direction, points, position.digits);
  const isVoid = intervalId !== undefined || priceResult.result === 'void';
  const result: SecondsResult = isVoid ? 'void' : priceResult.result;
  const prices = priceResult.result === 'void' ? undefined : priceResult;
  const reason =
    intervalId !== undefined ? 'interval' : priceResult.result === 'void' ? priceResult.reason : undefined;
  const outcome = {
    result,
    reason,
    intervalId,
    finishedAt: now,
    entryPrice: prices?.entry ?? points.entry ?? undefined,
    settlePrice: prices?.settle,
    net: settlementOf(result, position).net,
    houseGain: isVoid ? houseGainOf(position, priceResult) : undefined,
  };
  return { ...position, outcome };
}

function publishChange(step: SqlStep, { owner, id, outcome }: Position): void {
  step.publish(secondsChanged, { owner, id, result: outcome?.result });
}

function openAnswer(position: Position) {
  const { acceptedAt, entryAt, expireAt, stake, profit, fee } = position;
  return {
    id: position.id,
    acceptTime: acceptedAt,
    entryTime: entryAt,
    expireTime: expireAt,
    profitRate: position.profitRate.toString(),
    feeRate: position.feeRate.toString(),
    fee: fee.toString(),
    maxPayout: stake.plus(profit).toString(),
  };
}

function textOf({ isOpen, symbols, durations, feeRate, maxStake, ...rest }: SecondsTerms): string {
  const rows = durations.map(({ second, rate, minimum }) => [second, rate.toString(), minimum.toString()]);
  const { blockedCountries, openCountries } = rest;
  return JSON.stringify([
    isOpen,
    symbols,
    rows,
    feeRate.toString(),
    maxStake.toString(),
    blockedCountries,
    openCountries,
  ]);
}

/**
 * The parts of the seconds contract that a replay needs: its commands, and the state that the replay has to
 * reproduce.
 */
export function secondsReplay(scope: SecondsScope) {
  return { commands: Object.values(secondsCommands(scope, anyVersion)), state: STATE };
}
