import { Decimal } from './decimal.ts';

/**
 * Bounds of a period of confirmations, which one code of an operator opens: its minutes, its decisions, and values in USDT
 * of the money that they let go. A decision above `PERIOD_DECISION_VALUE` needs a code of its own.
 */
export const PERIOD_MINUTES = 10;
export const PERIOD_DECISIONS = 30;
export const PERIOD_VALUE: Decimal = Decimal.parse('10000');
export const PERIOD_DECISION_VALUE: Decimal = Decimal.parse('1000');

/** Greatest number of rows that are decided with one confirmation. */
export const SEVERAL_MAX = 20;

/** What a confirmation has to cover: the number of decisions, and the values in USDT that they let go. */
export interface RoutineCall {
  readonly decisions: number;
  /** Greatest value of all decisions together, in USDT. */
  readonly value: Decimal;
  /** Of the decision with the greatest value. */
  readonly greatestValue: Decimal;
}

/** A decision that lets no money go. */
export const WITHOUT_MONEY: RoutineCall = {
  decisions: 1,
  value: Decimal.zero,
  greatestValue: Decimal.zero,
};

/** One decision that lets this value in USDT go. */
export function decisionOf(value: Decimal): RoutineCall {
  return { decisions: 1, value, greatestValue: value };
}

/** Whether any period could confirm a call; others need a code of their own. */
export function isRoutine({ decisions, value, greatestValue }: RoutineCall): boolean {
  return (
    decisions <= PERIOD_DECISIONS &&
    !value.isMore(PERIOD_VALUE) &&
    !greatestValue.isMore(PERIOD_DECISION_VALUE)
  );
}
