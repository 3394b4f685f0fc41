import { Decimal } from '@exchange/core/decimal.ts';
import { percentOfFraction } from '@exchange/core/percent.ts';
import type { OperatorWarning } from '@exchange/wire/operation.ts';

const TWO = Decimal.ofWhole(2);

/** A proposed term of a product and its current value. */
export interface ComparedTerm {
  readonly field: string;
  readonly label: string;
  readonly next: Decimal | number | undefined;
  /** The term's current value; undefined if the term has no value now. */
  readonly present: Decimal | number | undefined;
  /** Whether the term is a fraction that is shown in percent. */
  readonly isRate?: boolean;
  /** Sentence that states the cost of the term's new value, and who pays it. */
  readonly cost: string;
}

/** Returns a warning for each term that is more than twice its current value, if that is above zero. */
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

/** Formats a fraction in percent, as in sentences and on screens: `0.0002` becomes `0.02 %`. */
export function rateText(fraction: Decimal): string {
  return `${percentOfFraction(fraction.toString()) ?? fraction.toString()} %`;
}

function decimalOf(value: Decimal | number): Decimal {
  return value instanceof Decimal ? value : Decimal.ofWhole(value);
}
