import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type {
  RecurringCoin,
  RecurringSchedule,
  RecurringSkip,
  RecurringTotals,
} from '@exchange/core/recurring.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';

export type PlanStatus = 'active' | 'paused' | 'ended';

/**
 * A coin of a plan with the number of its buys, and the amounts that the plan has paid for it and received of
 * it.
 */
export interface PlanCoin extends RecurringCoin, RecurringTotals {
  readonly buys: number;
}

/**
 * A plan of recurring buys: pays an amount of one coin at regular times and buys the plan's coins with it.
 */
export interface Plan {
  readonly id: string;
  readonly owner: UserId;
  /** The coin that the plan pays with, from the available spot balance. */
  readonly asset: AssetCode;
  readonly amount: Decimal;
  readonly coins: readonly PlanCoin[];
  readonly schedule: RecurringSchedule;
  readonly status: PlanStatus;
  /** The next time at which the plan buys; undefined while it is paused, and after its end. */
  readonly nextAt: Instant | undefined;
  /** Number of buys in which every coin was skipped; buy times that passed without a buy are not counted. */
  readonly skipped: number;
  readonly createdAt: Instant;
  readonly endedAt: Instant | undefined;
}

/** One coin of a buy: the conversion by which it was bought, or the reason why it was not bought. */
export interface BuyCoin {
  readonly asset: AssetCode;
  /**
   * The part of the plan's amount, in the coin that the plan pays with, with which this coin was to be
   * bought.
   */
  readonly amount: Decimal;
  /** Id of the conversion that bought the coin; undefined if it was not bought. */
  readonly exchange: string | undefined;
  /** Received amount of this coin after the fee; zero if the coin was not bought. */
  readonly received: Decimal;
  readonly skipped: RecurringSkip | undefined;
}

/** A buy of a plan: the coins that were bought, and the coins that were skipped. */
export interface Buy {
  readonly id: string;
  readonly plan: string;
  readonly owner: UserId;
  /** The coin with which the plan paid for the bought coins. */
  readonly asset: AssetCode;
  readonly scheduledAt: Instant;
  readonly executedAt: Instant;
  /**
   * Number of the plan's buy times before this one that passed without a buy, because no price was available or the
   * server did not run.
   */
  readonly missed: number;
  readonly coins: readonly BuyCoin[];
}

/**
 * Kinds of messages about a buy: one for the bought coins, and one for each reason why a coin was
 * not bought.
 */
export type NoticeKind = 'bought' | RecurringSkip;

/**
 * The kinds of inbox messages that a buy causes, each once: `bought` if a coin was bought, and each reason
 * why a coin was skipped.
 */
export function noticesOf(coins: readonly BuyCoin[]): readonly NoticeKind[] {
  return [...new Set(coins.map(({ skipped }) => skipped ?? ('bought' as const)))];
}

/** The coins of a buy that a message of a kind lists: the bought ones, or those that were skipped for this reason. */
export function coinsOfNotice(kind: NoticeKind, coins: readonly BuyCoin[]): readonly BuyCoin[] {
  return coins.filter(({ skipped }) => (skipped ?? 'bought') === kind);
}

/**
 * Whether a plan must still buy at the time `scheduledAt`: it is active, the time is not in the future, and no buy at
 * this time or a later one was processed.
 */
export function isDue(plan: Plan, scheduledAt: Instant, now: Instant): boolean {
  return (
    plan.status === 'active' && plan.nextAt !== undefined && plan.nextAt <= scheduledAt && scheduledAt <= now
  );
}

/** The refusal to pause or resume an ended plan; undefined for every permitted change. */
export function changeProblem(plan: Plan, to: PlanStatus): Refusal | undefined {
  return plan.status === 'ended' && to !== 'ended' ? refusal('closed', 'l.recurring_ended') : undefined;
}

/**
 * The reason for which a coin is skipped when its conversion is refused: too little balance, too little inventory of
 * the exchange, or else an amount outside the limits.
 */
export function skipOf({ key }: Refusal): RecurringSkip {
  if (key === 'l.insufficient_balance') return 'short';
  return key === 'l.convert_inventory' ? 'inventory' : 'amount';
}
