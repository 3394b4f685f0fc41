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

/** The version of the risk text that must be accepted before the first position. */
export const RISK_VERSION: string = AGREEMENT_VERSIONS.seconds;
/**
 * Milliseconds without a new position after which a user's trading session has ended; the next position begins a new
 * one.
 */
export const BREAK_MS = 15 * MINUTE_MS;
/**
 * The result under which statistics count refunded losses. The same positions are also counted as
 * losses.
 */
export const REFUNDED = 'refunded';
const RELAXED_AFTER_MS = DAY_MS;
const PAUSE_MAX_DAYS = 366;
const DURATION_MIN = 2;
/** Maximum profit rate that terms may contain, so that the profit of a won position is at most its stake. */
const RATE_MAX = Decimal.one;
const FEE_RATE_MAX = Decimal.parse('0.1');

export interface Duration {
  /** Number of seconds from a position's entry to its expiry. */
  readonly second: number;
  /** The profit of a won position, as a fraction of the stake. */
  readonly rate: Decimal;
  readonly minimum: Decimal;
}

/**
 * The terms of new positions. They contain no user, price or outcome. Rates are fractions of the stake;
 * amounts are in the pair's quote coin.
 */
export interface SecondsTerms {
  readonly isOpen: boolean;
  readonly symbols: readonly string[];
  readonly durations: readonly Duration[];
  readonly feeRate: Decimal;
  readonly maxStake: Decimal;
  /** ISO 3166 alpha-2 codes of countries from which no position can be opened, in demo and in live mode. */
  readonly blockedCountries: readonly string[];
  /** ISO 3166 alpha-2 codes of the only countries from which positions can be opened in live mode. */
  readonly openCountries: readonly string[];
}

export interface PublishedTerms extends SecondsTerms {
  readonly version: number;
  readonly at: Instant;
}

/**
 * Whether the entry second or one of the settlement seconds (those up to the expiry whose index prices are averaged to
 * the settlement price) of a position lies in a period of its pair, both ends included.
 */
export function touchesInterval(
  { symbol, entryAt, expireAt, window }: Pick<Position, 'symbol' | 'entryAt' | 'expireAt' | 'window'>,
  interval: { readonly symbol: string; readonly from: Instant; readonly to: Instant },
): boolean {
  const seconds = [entryAt, ...settlementSeconds(expireAt, window)];
  return symbol === interval.symbol && seconds.some((t) => t >= interval.from && t <= interval.to);
}

/** A seconds position with the terms fixed at opening; amounts are in `asset`. */
export interface Position {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  readonly direction: Direction;
  readonly asset: AssetCode;
  readonly stake: Decimal;
  readonly fee: Decimal;
  /** The profit of a won position, in addition to the stake. */
  readonly profit: Decimal;
  readonly profitRate: Decimal;
  readonly feeRate: Decimal;
  readonly seconds: number;
  readonly window: number;
  /** The decimal places of the position's prices. */
  readonly digits: number;
  readonly termsVersion: number;
  readonly indexVersion: string;
  readonly sourcesHash: string;
  readonly acceptedAt: Instant;
  readonly entryAt: Instant;
  readonly expireAt: Instant;
  readonly outcome: Outcome | undefined;
}

/**
 * How a seconds position ended: its result with the prices, the user's net gain in the position's coin
 * (negative for a loss), the void interval that applied, and a later refund.
 */
export interface Outcome {
  readonly result: SecondsResult;
  readonly reason: VoidReason | undefined;
  readonly entryPrice: Decimal | undefined;
  readonly settlePrice: Decimal | undefined;
  readonly net: Decimal;
  /**
   * The gain that the exchange would have had from a void position; negative for a cost. Undefined for other results
   * and if prices are missing.
   */
  readonly houseGain: Decimal | undefined;
  readonly intervalId: string | undefined;
  readonly finishedAt: Instant;
  /**
   * The refund of a lost position's stake and fee, because an interval that contains its entry second or a settlement
   * second was declared void after its settlement; undefined without a refund.
   */
  readonly refund?: { readonly intervalId: string; readonly at: Instant } | undefined;
}

/**
 * The limits that a user has set: the highest stake of a position and the highest net loss of a UTC day, both
 * in USDT, and the longest session in minutes. An undefined field is no limit.
 */
export interface OwnLimits {
  readonly maxStake: Decimal | undefined;
  readonly dayLoss: Decimal | undefined;
  readonly sessionMinutes: number | undefined;
}

export interface SecondsUser {
  readonly limits: OwnLimits;
  readonly later: { readonly limits: OwnLimits; readonly at: Instant } | undefined;
  readonly coolUntil: Instant | undefined;
  readonly sessionFrom: Instant | undefined;
  readonly lastOpenAt: Instant | undefined;
  readonly riskVersion: string;
}

export const NEW_USER: SecondsUser = {
  limits: { maxStake: undefined, dayLoss: undefined, sessionMinutes: undefined },
  later: undefined,
  coolUntil: undefined,
  sessionFrom: undefined,
  lastOpenAt: undefined,
  riskVersion: '',
};

/**
 * A user's own limits with pending changes, the exposure (the open positions and the net loss of the current
 * UTC day), and the published terms.
 */
export interface LimitsView {
  /** The user's own limits that are in force. */
  readonly limits: OwnLimits;
  /**
   * The user's own limits that come into force later, with the time at which they do; undefined if no change
   * is pending.
   */
  readonly later: SecondsUser['later'];
  readonly person: SecondsUser;
  readonly exposure: Exposure;
  readonly terms: PublishedTerms | undefined;
}

/**
 * The user's own limits in force at `now`: the pending ones once their waiting time is over, before that the current
 * ones.
 */
export function limitsNow(person: SecondsUser, now: Instant): OwnLimits {
  return person.later !== undefined && person.later.at <= now ? person.later.limits : person.limits;
}

export interface LimitChange extends Partial<OwnLimits> {
  readonly coolUntil?: Instant | undefined;
}

/**
 * The limits after a change: stricter values apply at once, relaxed ones 24 hours after the latest change. The value 0
 * of `sessionMinutes` means no limit and counts as relaxed. A pause until `coolUntil` applies at once.
 */
export function changedLimits(person: SecondsUser, change: LimitChange, now: Instant): SecondsUser {
  const current = limitsNow(person, now);
  const pending = person.later !== undefined && person.later.at > now ? person.later.limits : current;
  const requested: OwnLimits = {
    maxStake: change.maxStake ?? pending.maxStake,
    dayLoss: change.dayLoss ?? pending.dayLoss,
    sessionMinutes:
      change.sessionMinutes === undefined
        ? pending.sessionMinutes
        : change.sessionMinutes === 0
          ? undefined
          : change.sessionMinutes,
  };
  const strict: OwnLimits = {
    maxStake: stricter(current.maxStake, requested.maxStake),
    dayLoss: stricter(current.dayLoss, requested.dayLoss),
    sessionMinutes:
      requested.sessionMinutes === undefined || current.sessionMinutes === undefined
        ? (current.sessionMinutes ?? requested.sessionMinutes)
        : Math.min(current.sessionMinutes, requested.sessionMinutes),
  };
  const isRelaxed = textOf(strict) !== textOf(requested);
  return {
    ...person,
    limits: strict,
    later: isRelaxed ? { limits: requested, at: later(now, RELAXED_AFTER_MS) } : undefined,
    coolUntil: change.coolUntil ?? person.coolUntil,
  };
}

/**
 * The refusal of a change of a user's own limits; undefined if it is allowed. Refused are amounts above their
 * maximum, and a pause that ends before now or before the running pause, or in more than 366 days.
 */
export function limitProblem(
  person: SecondsUser,
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
  const details = { field: 'coolUntil', value: String(coolUntil) };
  const earliest = instant(Math.max(now, person.coolUntil ?? 0));
  if (coolUntil < earliest)
    return refusal('belowMinimum', 'l.field_min', { ...details, limit: String(earliest) });
  const furthest = later(now, PAUSE_MAX_DAYS * DAY_MS);
  return coolUntil > furthest
    ? refusal('aboveMaximum', 'l.field_max', { ...details, limit: String(furthest) })
    : undefined;
}

/**
 * The start of the session that a position opened at `now` belongs to: that of the running session if the user's last
 * position was opened less than `BREAK_MS` ago, otherwise `now`.
 */
export function sessionAt({ sessionFrom, lastOpenAt }: SecondsUser, now: Instant): Instant {
  const continues = sessionFrom !== undefined && lastOpenAt !== undefined && now - lastOpenAt < BREAK_MS;
  return continues ? sessionFrom : now;
}

/**
 * The number of a user's open seconds positions, the sum that they can lose, and the user's net loss of the
 * current UTC day; both sums are in the stakes' coin.
 */
export interface Exposure {
  readonly open: number;
  /** Sum of the stakes and fees of the user's open positions, in the stakes' coin. */
  readonly atRisk: Decimal;
  /** The user's net loss since midnight UTC, in the stakes' coin; negative for a net win. */
  readonly lost: Decimal;
}

/**
 * The refusal when a user may not open a position of `cost` (stake plus fee) now, by the user's own pause and
 * limits or the general limits per user; undefined when they may. Terms and reserve are not checked.
 */
export function userProblem(
  person: SecondsUser,
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
    const minutesLeft = Math.ceil((BREAK_MS - (now - (person.lastOpenAt ?? now))) / MINUTE_MS);
    return refusal('closed', 'l.seconds_session', {
      limit: String(sessionMinutes),
      value: String(minutesLeft),
    });
  }
  if (person.lastOpenAt !== undefined && now - person.lastOpenAt < SECONDS_LIMITS.gapMs)
    return refusal('rateLimited', 'l.seconds_gap', { limit: '1' });
  if (exposure.open >= SECONDS_LIMITS.openOrders) {
    const details = { limit: String(SECONDS_LIMITS.openOrders), value: String(exposure.open) };
    return refusal('aboveMaximum', 'l.seconds_open_max', details);
  }
  if (maxStake !== undefined && stake.isMore(maxStake)) {
    const details = { field: 'openAmount', limit: maxStake.toString(), value: stake.toString(), unit: asset };
    return refusal('aboveMaximum', 'l.seconds_stake_own', details);
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

/** The refusal for the first term that exceeds its fixed ceiling; undefined if none does. */
export function secondsCeilingProblem({ durations, feeRate, maxStake }: SecondsTerms): Refusal | undefined {
  for (const { second, rate, minimum } of durations) {
    const problem = ceilingProblem('seconds', { second, rate, minimum, feeRate, maxStake });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * The refusal when terms of the contract have an unknown or repeated pair, a repeated duration, no pairs or
 * no durations, or a duration, rate, amount or country code outside of what is permitted; undefined when they
 * can be published.
 */
export function termsProblem(terms: SecondsTerms, isKnown: (symbol: string) => boolean): Refusal | undefined {
  const invalid = (field: string, value: string) =>
    refusal('invalidField', 'l.field_invalid', { field, value });
  const { symbols, durations, feeRate, maxStake, blockedCountries, openCountries } = terms;
  for (const symbol of symbols) if (!isKnown(symbol)) return invalid('symbols', symbol);
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

/**
 * Whether positions can be opened from `country`, which is undefined if it is unknown. In demo mode, they can be from
 * every country that is not blocked, and from an unknown one; in live mode, only from the open countries that are not
 * blocked.
 */
export function isOpenFrom(
  terms: Pick<SecondsTerms, 'blockedCountries' | 'openCountries'>,
  country: string | undefined,
  mode: 'demo' | 'live',
): boolean {
  if (country !== undefined && terms.blockedCountries.includes(country)) return false;
  return mode === 'demo' || (country !== undefined && terms.openCountries.includes(country));
}

/**
 * What the exchange gains from a position with the result `price`: stake and fee of a lost one, the fee less the profit
 * of a won one (negative for a cost), and 0 of a drawn one. Undefined for a void result.
 */
export function houseGainOf(
  { stake, fee, profit }: Pick<Position, 'stake' | 'fee' | 'profit'>,
  price: PriceResult,
): Decimal | undefined {
  if (price.result === 'void') return undefined;
  if (price.result === 'draw') return Decimal.zero;
  return price.result === 'lose' ? stake.plus(fee) : fee.minus(profit);
}

function stricter(current: Decimal | undefined, requested: Decimal | undefined): Decimal | undefined {
  if (current === undefined || requested === undefined) return current ?? requested;
  return least(current, requested);
}

function textOf({ maxStake, dayLoss, sessionMinutes }: OwnLimits): string {
  return [maxStake?.toString(), dayLoss?.toString(), sessionMinutes].join(' ');
}
