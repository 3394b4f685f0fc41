import { Decimal } from './decimal.ts';

/**
 * Bounds of a confirmation period, which one authenticator code of an operator opens: its minutes,
 * its number of decisions, and the values in USDT that these may release. A decision above
 * `PERIOD_DECISION_VALUE` needs a code of its own.
 */
export const PERIOD_MINUTES = 10;
export const PERIOD_DECISIONS = 30;
export const PERIOD_VALUE: Decimal = Decimal.parse('10000');
export const PERIOD_DECISION_VALUE: Decimal = Decimal.parse('1000');

/** Greatest number of rows that one confirmation can decide. */
export const SEVERAL_MAX = 20;

/**
 * What a confirmation must cover: the number of decisions, and the values in USDT that they
 * release.
 */
export interface RoutineCall {
  readonly decisions: number;
  /** Greatest value of all decisions together, in USDT. */
  readonly value: Decimal;
  /** Value of the decision with the greatest value, in USDT. */
  readonly greatestValue: Decimal;
}

/** A decision that releases no money. */
export const WITHOUT_MONEY: RoutineCall = {
  decisions: 1,
  value: Decimal.zero,
  greatestValue: Decimal.zero,
};

/** One decision that releases this value in USDT. */
export function decisionOf(value: Decimal): RoutineCall {
  return { decisions: 1, value, greatestValue: value };
}

/**
 * Whether a confirmation period could cover a call; other calls need an authenticator code of their
 * own.
 */
export function isRoutine({ decisions, value, greatestValue }: RoutineCall): boolean {
  return (
    decisions <= PERIOD_DECISIONS &&
    !value.isMore(PERIOD_VALUE) &&
    !greatestValue.isMore(PERIOD_DECISION_VALUE)
  );
}
