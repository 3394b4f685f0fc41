import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { FieldNeighbours } from '@exchange/wire/operation.ts';
import type { FeeRaise } from '../chains/index.ts';

const WORTH_PLACES = 2;
const GWEI_DIGITS = 9;
const LEAST = { replacement: 'a replacement needs', child: 'transaction and child together need' } as const;

/** Balance of the fees account in the coin of a network fee, and the price of that coin in USDT. */
export interface FeeBooks {
  /** Balance of the house account from which network fees are paid. */
  readonly fees: Decimal;
  /** Price of the coin in USDT; undefined if the coin has no price. */
  readonly price: Decimal | undefined;
}

/**
 * Returns the values that the console shows beside the input field of a higher network fee: the fee that the
 * node suggests, the transaction's present fee, the lowest permitted fee, the limit of automatic
 * replacements, and the total cost in coins with and without the raise. `means` is what raises the fee:
 * another transaction that replaces the present one, or a child that pays for both.
 */
export function raiseNeighbours(
  raise: FeeRaise,
  books: FeeBooks | undefined,
  means: 'replacement' | 'child' = 'replacement',
): readonly FieldNeighbours[] {
  const { unit, present, least, automatic, suggested, coin, presentCost, raisedCost, payments } = raise;
  const worth =
    books?.price === undefined ? '' : ` (${raisedCost.times(books.price, 'up', WORTH_PLACES)} USDT)`;
  const shared = payments > 1 ? `, for ${payments} payments in one transaction` : '';
  const held = books === undefined ? '' : `; the fees account holds ${books.fees} ${coin}`;
  return [
    {
      field: 'gwei',
      market: `${suggested} ${unit}, suggested by the node; the transaction offers ${present} ${unit}`,
      ceiling: `${automatic} ${unit} without operators; ${LEAST[means]} at least ${least} ${unit}`,
      cost: `up to ${raisedCost} ${coin}${worth} instead of up to ${presentCost} ${coin}${shared}${held}`,
    },
  ];
}

/**
 * Returns the highest fee in the units of `Channel.raiseFee`, e.g. in wei per unit of gas, from an operator's
 * input in 10^9 of these units (gwei on EVM chains). Refuses text that is no positive number or has more than
 * 9 decimal places.
 */
export function maxFeeOf(gwei: string): bigint {
  const fee = Decimal.tryParse(gwei.trim());
  if (fee === undefined || !fee.isPositive() || !fee.fits(GWEI_DIGITS))
    throw new Refused(refusal('invalidField', 'l.field_positive', { field: 'gwei', value: gwei }));
  return fee.toScaled(GWEI_DIGITS);
}
