import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { ceilingProblem } from '@exchange/core/ceilings.ts';
import { Decimal, least } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import {
  DURATION_MAX,
  SECONDS_LIMITS,
  settlementSeconds,
  type Direction,
  type PriceResult,
  type SecondsResult,
  type VoidReason,
} from '@exchange/core/seconds.ts';
import { DAY_MS, instant, later, MINUTE_MS, untilText, type Instant } from '@exchange/core/time.ts';

/** The risk text that has to be accepted before the first position. */
export const RISK_VERSION: string = AGREEMENT_VERSIONS.seconds;
/** So long without a position ends a session. */
export const BREAK_MS = 15 * MINUTE_MS;
/** The figures' word for losses that were refunded; their positions stay among the losses. */
export const REFUNDED = 'refunded';
const LOOSER_AFTER_MS = DAY_MS;
const PAUSE_MAX_DAYS = 366;
const DURATION_MIN = 2;
/** Above this a win would be dearer than the stake itself. */
const RATE_MAX = Decimal.one;
const FEE_RATE_MAX = Decimal.parse('0.1');

export interface Duration {
  /** Seconds from entry to expiry. */
  readonly second: number;
  /** What a win brings, as a fraction of the stake. */
  readonly rate: Decimal;
  readonly minimum: Decimal;
}

/** What new positions are opened under. Nothing in it names a person, a price or an outcome. */
export interface SecondsTerms {
  readonly isOpen: boolean;
  readonly symbols: readonly string[];
  readonly durations: readonly Duration[];
  readonly feeRate: Decimal;
  readonly maxStake: Decimal;
  /** Two capital letters each. From these it is closed, in either mode. */
  readonly blockedCountries: readonly string[];
  /** In live mode it is open from these alone. */
  readonly openCountries: readonly string[];
}

export interface PublishedTerms extends SecondsTerms {
  readonly version: number;
  readonly at: Instant;
}

/** Whether the entry or a settlement second of a position lies in a period; both ends belong to it. */
export function touchesInterval(
  { symbol, entryAt, expireAt, window }: Pick<Position, 'symbol' | 'entryAt' | 'expireAt' | 'window'>,
  interval: { readonly symbol: string; readonly from: Instant; readonly to: Instant },
): boolean {
  const seconds = [entryAt, ...settlementSeconds(expireAt, window)];
  return symbol === interval.symbol && seconds.some((t) => t >= interval.from && t <= interval.to);
}

/** A position with the terms that were frozen in it; amounts in `asset`. */
export interface Position {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  readonly direction: Direction;
  readonly asset: AssetCode;
  readonly stake: Decimal;
  readonly fee: Decimal;
  /** What a win brings besides the stake. */
  readonly profit: Decimal;
  readonly profitRate: Decimal;
  readonly feeRate: Decimal;
  readonly seconds: number;
  readonly window: number;
  /** Of its prices. */
  readonly digits: number;
  readonly termsVersion: number;
  readonly indexVersion: string;
  readonly sourcesHash: string;
  readonly acceptedAt: Instant;
  readonly entryAt: Instant;
  readonly expireAt: Instant;
  readonly outcome: Outcome | undefined;
}

/** What became of a position. */
export interface Outcome {
  readonly result: SecondsResult;
  readonly reason: VoidReason | undefined;
  readonly entryPrice: Decimal | undefined;
  readonly settlePrice: Decimal | undefined;
  readonly net: Decimal;
  /** Of a void one: what the house would have made; undefined where no price says. */
  readonly houseGain: Decimal | undefined;
  readonly intervalId: string | undefined;
  readonly finishedAt: Instant;
  /** A loss whose stake and fee were returned, because its interval was declared void after its settlement. */
  readonly refund?: { readonly intervalId: string; readonly at: Instant } | undefined;
}

/** What somebody has set for themselves; undefined is the exchange's own limit, or none. */
export interface OwnLimits {
  readonly maxStake: Decimal | undefined;
  readonly dayLoss: Decimal | undefined;
  readonly sessionMinutes: number | undefined;
}

export interface Person {
  readonly limits: OwnLimits;
  readonly later: { readonly limits: OwnLimits; readonly at: Instant } | undefined;
  readonly coolUntil: Instant | undefined;
  readonly sessionFrom: Instant | undefined;
  readonly lastOpenAt: Instant | undefined;
  readonly riskVersion: string;
}

export const NOBODY_YET: Person = {
  limits: { maxStake: undefined, dayLoss: undefined, sessionMinutes: undefined },
  later: undefined,
  coolUntil: undefined,
  sessionFrom: undefined,
  lastOpenAt: undefined,
  riskVersion: '',
};

/** What counts of somebody's limits now: looser ones that have waited long enough are there. */
/** What somebody has set for themselves, what will count when, and where their day stands. */
export interface LimitsSeen {
  /** The limits in force. */
  readonly limits: OwnLimits;
  /** Limits that come into force later. */
  readonly later: Person['later'];
  readonly person: Person;
  readonly exposure: Exposure;
  readonly terms: PublishedTerms | undefined;
}

export function limitsNow(person: Person, now: Instant): OwnLimits {
  return person.later !== undefined && person.later.at <= now ? person.later.limits : person.limits;
}

export interface LimitChange extends Partial<OwnLimits> {
  readonly coolUntil?: Instant | undefined;
}

/** Limits after a change: what is tighter counts at once, what is looser in 24 hours. `sessionMinutes` 0 is none. */
export function changedLimits(person: Person, change: LimitChange, now: Instant): Person {
  const present = limitsNow(person, now);
  const waiting = person.later !== undefined && person.later.at > now ? person.later.limits : present;
  const wished: OwnLimits = {
    maxStake: change.maxStake ?? waiting.maxStake,
    dayLoss: change.dayLoss ?? waiting.dayLoss,
    sessionMinutes:
      change.sessionMinutes === undefined
        ? waiting.sessionMinutes
        : change.sessionMinutes === 0
          ? undefined
          : change.sessionMinutes,
  };
  const tight: OwnLimits = {
    maxStake: tighter(present.maxStake, wished.maxStake),
    dayLoss: tighter(present.dayLoss, wished.dayLoss),
    sessionMinutes:
      wished.sessionMinutes === undefined || present.sessionMinutes === undefined
        ? (present.sessionMinutes ?? wished.sessionMinutes)
        : Math.min(present.sessionMinutes, wished.sessionMinutes),
  };
  const isLooser = textOf(tight) !== textOf(wished);
  return {
    ...person,
    limits: tight,
    later: isLooser ? { limits: wished, at: later(now, LOOSER_AFTER_MS) } : undefined,
    coolUntil: change.coolUntil ?? person.coolUntil,
  };
}

/** Why limits cannot be set, or undefined. */
export function limitProblem(
  person: Person,
  { maxStake, dayLoss, coolUntil }: LimitChange,
  most: { readonly maxStake: Decimal },
  now: Instant,
): Refusal | undefined {
  const bounds = [
    ['maxStake', maxStake, most.maxStake],
    ['dayLoss', dayLoss, SECONDS_LIMITS.dayLoss],
  ] as const;
  for (const [field, value, limit] of bounds)
    if (value?.isMore(limit) === true)
      return refusal('aboveMaximum', 'l.field_max', {
        field,
        limit: limit.toString(),
        value: value.toString(),
      });
  if (coolUntil === undefined) return undefined;
  const about = { field: 'coolUntil', value: String(coolUntil) };
  const least = instant(Math.max(now, person.coolUntil ?? 0));
  if (coolUntil < least) return refusal('belowMinimum', 'l.field_min', { ...about, limit: String(least) });
  const furthest = later(now, PAUSE_MAX_DAYS * DAY_MS);
  return coolUntil > furthest
    ? refusal('aboveMaximum', 'l.field_max', { ...about, limit: String(furthest) })
    : undefined;
}

/** Since when somebody's session lasts, were they to open a position now. */
export function sessionAt({ sessionFrom, lastOpenAt }: Person, now: Instant): Instant {
  const goesOn = sessionFrom !== undefined && lastOpenAt !== undefined && now - lastOpenAt < BREAK_MS;
  return goesOn ? sessionFrom : now;
}

/** What somebody's day and open positions stand at, in the stake's coin. */
export interface Exposure {
  readonly open: number;
  /** Stakes and fees of open positions. */
  readonly atRisk: Decimal;
  /** Lost today on balance; below zero when won. */
  readonly lost: Decimal;
}

/** Why a person may not open a position of `cost` (stake and fee) now, or undefined. */
export function personProblem(
  person: Person,
  exposure: Exposure,
  { stake, cost, asset }: { readonly stake: Decimal; readonly cost: Decimal; readonly asset: AssetCode },
  now: Instant,
): Refusal | undefined {
  const { maxStake, dayLoss, sessionMinutes } = limitsNow(person, now);
  if (person.coolUntil !== undefined && now < person.coolUntil) {
    return refusal('closed', 'l.seconds_cool', {
      until: untilText(person.coolUntil),
      limit: String(person.coolUntil),
      value: String(now),
    });
  }
  if (sessionMinutes !== undefined && now - sessionAt(person, now) >= sessionMinutes * MINUTE_MS) {
    const left = Math.ceil((BREAK_MS - (now - (person.lastOpenAt ?? now))) / MINUTE_MS);
    return refusal('closed', 'l.seconds_session', { limit: String(sessionMinutes), value: String(left) });
  }
  if (person.lastOpenAt !== undefined && now - person.lastOpenAt < SECONDS_LIMITS.gapMs)
    return refusal('rateLimited', 'l.seconds_gap', { limit: '1' });
  if (exposure.open >= SECONDS_LIMITS.openOrders) {
    const about = { limit: String(SECONDS_LIMITS.openOrders), value: String(exposure.open) };
    return refusal('aboveMaximum', 'l.seconds_open_max', about);
  }
  if (maxStake !== undefined && stake.isMore(maxStake)) {
    const about = { field: 'openAmount', limit: maxStake.toString(), value: stake.toString(), unit: asset };
    return refusal('aboveMaximum', 'l.seconds_stake_own', about);
  }
  const limit = least(dayLoss ?? SECONDS_LIMITS.dayLoss, SECONDS_LIMITS.dayLoss);
  const worst = exposure.lost.plus(exposure.atRisk).plus(cost);
  return worst.isMore(limit)
    ? refusal('aboveMaximum', 'l.seconds_day_loss', {
        field: 'openAmount',
        limit: limit.toString(),
        value: worst.toString(),
        unit: asset,
      })
    : undefined;
}

/** The first term of any duration that is above the ceiling of the rules, or undefined. */
export function secondsCeilingProblem({ durations, feeRate, maxStake }: SecondsTerms): Refusal | undefined {
  for (const { second, rate, minimum } of durations) {
    const problem = ceilingProblem('seconds', { second, rate, minimum, feeRate, maxStake });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Why terms cannot be published, or undefined. */
export function termsProblem(terms: SecondsTerms, known: (symbol: string) => boolean): Refusal | undefined {
  const invalid = (field: string, value: string) =>
    refusal('invalidField', 'l.field_invalid', { field, value });
  const { symbols, durations, feeRate, maxStake, blockedCountries, openCountries } = terms;
  for (const symbol of symbols) if (!known(symbol)) return invalid('symbols', symbol);
  if (symbols.length === 0 || new Set(symbols).size < symbols.length)
    return invalid('symbols', symbols.join(' '));
  if (durations.length === 0 || new Set(durations.map(({ second }) => second)).size < durations.length)
    return invalid('durations', durations.map(({ second }) => second).join(' '));
  for (const { second, rate, minimum } of durations) {
    if (!Number.isInteger(second) || second < DURATION_MIN || second > DURATION_MAX)
      return invalid('durations', String(second));
    if (!rate.isPositive() || rate.isMore(RATE_MAX) || !rate.fits(4))
      return invalid('durations', rate.toString());
    if (minimum.isLess(Decimal.parse('0.00001')) || minimum.isMore(maxStake) || !minimum.fits(8))
      return invalid('durations', minimum.toString());
  }
  if (feeRate.isNegative() || feeRate.isMore(FEE_RATE_MAX) || !feeRate.fits(6))
    return invalid('feeRate', feeRate.toString());
  if (!maxStake.isPositive() || maxStake.isMore(SECONDS_LIMITS.stake) || !maxStake.fits(8))
    return invalid('maxStake', maxStake.toString());
  for (const country of [...blockedCountries, ...openCountries])
    if (!/^[A-Z]{2}$/.test(country)) return invalid('countries', country);
  return undefined;
}

/** Whether it is open from a country, which may be unknown. */
export function isOpenFrom(
  terms: Pick<SecondsTerms, 'blockedCountries' | 'openCountries'>,
  country: string | undefined,
  mode: 'demo' | 'live',
): boolean {
  if (country !== undefined && terms.blockedCountries.includes(country)) return false;
  return mode === 'demo' || (country !== undefined && terms.openCountries.includes(country));
}

/** What the house would have made of a position with this result of the prices; undefined where there is none. */
export function houseGainOf(
  { stake, fee, profit }: Pick<Position, 'stake' | 'fee' | 'profit'>,
  price: PriceResult,
): Decimal | undefined {
  if (price.result === 'void') return undefined;
  if (price.result === 'draw') return Decimal.zero;
  return price.result === 'lose' ? stake.plus(fee) : fee.minus(profit);
}

function tighter(present: Decimal | undefined, wished: Decimal | undefined): Decimal | undefined {
  if (present === undefined || wished === undefined) return present ?? wished;
  return least(present, wished);
}

function textOf({ maxStake, dayLoss, sessionMinutes }: OwnLimits): string {
  return [maxStake?.toString(), dayLoss?.toString(), sessionMinutes].join(' ');
}
