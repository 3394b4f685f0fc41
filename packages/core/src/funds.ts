import type { Decimal } from './decimal.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Both in `asset`; `field` is the input that asks for it, where there is one. */
interface Need {
  readonly needed: Decimal;
  readonly available: Decimal;
  readonly asset: AssetCode;
  readonly field?: string;
}

/** The refusal of what needs more than is available. */
export function shortage({ needed, available, asset, field }: Need): Refusal {
  return refusal('insufficientBalance', 'l.insufficient_balance', {
    ...(field === undefined ? {} : { field }),
    unit: asset,
    limit: available.toString(),
    value: needed.toString(),
  });
}

/** The same where there is too little; undefined where there is enough. */
export function shortOf(need: Need): Refusal | undefined {
  return need.needed.isMore(need.available) ? shortage(need) : undefined;
}
