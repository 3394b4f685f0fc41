import type { Decimal } from './decimal.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';

/**
 * The amount that a request needs and the amount that is available, both in the coin `asset`. `field` is the
 * form field that the refusal names; undefined if it names none.
 */
interface Need {
  readonly needed: Decimal;
  readonly available: Decimal;
  readonly asset: AssetCode;
  readonly field?: string;
}

export function shortage({ needed, available, asset, field }: Need): Refusal {
  return refusal('insufficientBalance', 'l.insufficient_balance', {
    ...(field === undefined ? {} : { field }),
    unit: asset,
    limit: available.toString(),
    value: needed.toString(),
  });
}

/** Returns a refusal for insufficient balance if `needed` exceeds `available`; otherwise undefined. */
export function shortOf(need: Need): Refusal | undefined {
  return need.needed.isMore(need.available) ? shortage(need) : undefined;
}
