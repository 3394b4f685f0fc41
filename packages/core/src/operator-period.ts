import { Decimal } from './decimal.ts';

/**
 * Limits of a confirmation period of an operator. The operator opens it with one authenticator code. For
 * `PERIOD_MINUTES` minutes, this code then confirms up to `PERIOD_DECISIONS` decisions whose values add up to at most
 * `PERIOD_VALUE` USDT. A decision whose value exceeds `PERIOD_DECISION_VALUE` USDT always needs a separate code.
 */
export const PERIOD_MINUTES = 10;
export const PERIOD_DECISIONS = 30;
export const PERIOD_VALUE: Decimal = Decimal.parse('10000');
export const PERIOD_DECISION_VALUE: Decimal = Decimal.parse('1000');

/** Maximum number of rows of a list that operators can decide with one confirmation. */
export const SEVERAL_MAX = 20;

/**
 * The decisions that one confirmation must cover: their number, and the values in USDT that they pay out or credit to
 * users.
 */
export interface RoutineCall {
  readonly decisions: number;
  /** Sum of the values of all decisions, in USDT. */
  readonly value: Decimal;
  /** Value of the decision with the greatest value, in USDT. */
  readonly greatestValue: Decimal;
}

/**
 * What a call with one decision that pays out or credits no money uses of a confirmation period: one decision and 0
 * USDT. Default for a routine operation that does not state its own values.
 */
export const WITHOUT_MONEY: RoutineCall = {
  decisions: 1,
  value: Decimal.zero,
  greatestValue: Decimal.zero,
};

/**
 * Returns what a call with one decision that pays out or credits this value (in USDT) uses of a confirmation
 * period.
 */
export function decisionOf(value: Decimal): RoutineCall {
  return { decisions: 1, value, greatestValue: value };
}

/**
 * Returns whether the number of decisions, the sum of their values and the greatest value are within the limits of a
 * confirmation period. Decisions that exceed a limit always need a separate authenticator code.
 */
export function isRoutine({ decisions, value, greatestValue }: RoutineCall): boolean {
  return (
    decisions <= PERIOD_DECISIONS &&
    !value.isMore(PERIOD_VALUE) &&
    !greatestValue.isMore(PERIOD_DECISION_VALUE)
  );
}
