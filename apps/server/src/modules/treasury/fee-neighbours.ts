import type { Decimal } from '@exchange/core/decimal.ts';
import type { FieldNeighbours } from '@exchange/wire/operation.ts';
import type { FeeRaise } from '../chains/index.ts';

const WORTH_PLACES = 2;

/** The books of the coin in which a network fee is paid; undefined for a coin that is not listed. */
export interface FeeBooks {
  /** Balance of the fees account, which pays network fees. */
  readonly fees: Decimal;
  /** Price in USDT; undefined without one. */
  readonly price: Decimal | undefined;
}

/**
 * Beside a raised fee: what the node suggests and what the transaction offers now, up to which fee transactions are
 * replaced automatically, and what the replacement costs at most.
 */
export function raiseNeighbours(raise: FeeRaise, books: FeeBooks | undefined): readonly FieldNeighbours[] {
  const { unit, present, least, automatic, suggested, coin, presentCost, raisedCost, payments } = raise;
  const worth =
    books?.price === undefined ? '' : ` (${raisedCost.times(books.price, 'up', WORTH_PLACES)} USDT)`;
  const shared = payments > 1 ? `, for ${payments} payments in one transaction` : '';
  const held = books === undefined ? '' : `; the fees account holds ${books.fees} ${coin}`;
  return [
    {
      field: 'gwei',
      market: `${suggested} ${unit}, suggested by the node; the transaction offers ${present} ${unit}`,
      ceiling: `${automatic} ${unit} without operators; a replacement needs at least ${least} ${unit}`,
      cost: `up to ${raisedCost} ${coin}${worth} instead of up to ${presentCost} ${coin}${shared}${held}`,
    },
  ];
}
