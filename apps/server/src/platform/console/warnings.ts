import { Decimal } from '@exchange/core/decimal.ts';
import { percentOfFraction } from '@exchange/core/percent.ts';
import type { OperatorWarning } from '@exchange/wire/operation.ts';

const TWO = Decimal.ofWhole(2);

/** A term beside the value that is in force. */
export interface ComparedTerm {
  /** The field that holds it. */
  readonly field: string;
  readonly label: string;
  readonly next: Decimal | number | undefined;
  /** Undefined where nothing is in force yet. */
  readonly present: Decimal | number | undefined;
  /** Whether it is a fraction that people read in percent. */
  readonly isRate?: boolean;
  /** What the new value costs, as a sentence. */
  readonly cost: string;
}

/** A warning for each term that is more than twice as great as what is in force. */
export function doubledWarnings(terms: readonly ComparedTerm[]): OperatorWarning[] {
  return terms.flatMap(({ field, label, next, present, isRate = false, cost }) => {
    if (next === undefined || present === undefined) return [];
    const [after, before] = [decimalOf(next), decimalOf(present)];
    if (!before.isPositive() || !after.isMore(before.times(TWO, 'down'))) return [];
    const shown = (value: Decimal) => (isRate ? rateText(value) : value.toString());
    const text = `${label} ${shown(after)} is more than twice the ${shown(before)} in force. ${cost}`;
    return [{ field, text: text.trim() }];
  });
}

/** A fraction in percent, as sentences and screens show it: `0.0002` is `0.02 %`. */
export function rateText(fraction: Decimal): string {
  return `${percentOfFraction(fraction.toString()) ?? fraction.toString()} %`;
}

function decimalOf(value: Decimal | number): Decimal {
  return value instanceof Decimal ? value : Decimal.ofWhole(value);
}
