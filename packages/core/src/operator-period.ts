import { Decimal } from './decimal.ts';

/**
 * Limits of a confirmation period of an operator. The operator opens it with one authenticator code. During its minutes
 * it covers a limited number of decisions, with a limited sum of their values in USDT. A decision whose value exceeds
 * `PERIOD_DECISION_VALUE` always needs a separate code.
 */
export const PERIOD_MINUTES = 10;
export const PERIOD_DECISIONS = 30;
export const PERIOD_VALUE: Decimal = Decimal.parse('10000');
export const PERIOD_DECISION_VALUE: Decimal = Decimal.parse('1000');

/** Maximum number of rows of a list that operators can decide with one confirmation. */
export const SEVERAL_MAX = 20;

/** The decisions that a confirmation must cover: their number, and the values in USDT that they release to users. */
export interface RoutineCall {
  readonly decisions: number;
  /** Sum of the values of all decisions, in USDT. */
  readonly value: Decimal;
  /** Value of the decision with the greatest value, in USDT. */
  readonly greatestValue: Decimal;
}

/** A single decision that releases no money. */
export const WITHOUT_MONEY: RoutineCall = {
  decisions: 1,
  value: Decimal.zero,
  greatestValue: Decimal.zero,
};

/** Returns a single decision that releases this value in USDT. */
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
