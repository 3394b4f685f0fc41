import { Decimal } from '@exchange/core/decimal.ts';

/** The levels of one side of an order book, each with price and quantity as text, best first. */
export type Levels = readonly (readonly [price: string, quantity: string])[];

/**
 * An order that an assistant plans. A `MARKET` order has either `quantity` (in the base coin) or
 * `quoteOrderQty` (in the quote coin). Orders of the other types have `quantity` and `price`.
 */
export interface PlannedOrder {
  readonly side: 'BUY' | 'SELL';
  readonly type: 'LIMIT' | 'LIMIT_MAKER' | 'MARKET';
  readonly quantity: Decimal | undefined;
  readonly quoteOrderQty: Decimal | undefined;
  readonly price: Decimal | undefined;
}

/** Estimated execution of an order against the current book. */
export interface Estimate {
  /**
   * Amount in the base coin that the order buys or sells in total. For a market order whose quote amount is given, it
   * is what the known levels of the book provide.
   */
  readonly quantity: Decimal;
  /**
   * Amount in the quote coin that the order pays or receives in total: at its limit price, at the prices of the book,
   * or the quote amount that the order states.
   */
  readonly value: Decimal;
  /** The part of the order that would execute immediately, in the base coin and in the quote coin. */
  readonly atOnce: { readonly quantity: Decimal; readonly value: Decimal };
  /** True if the known levels of the book are sufficient to fill a market order. For limit orders it is always true. */
  readonly isFilled: boolean;
}

/**
 * Estimates the execution of an order. `levels` is the opposite side of the book: the asks for a buy, the bids for a
 * sell. A limit order always counts as filled, because its rest waits in the book.
 */
export function estimateOrder(order: PlannedOrder, levels: Levels): Estimate {
  const atOnce = order.type === 'LIMIT_MAKER' ? NOTHING : executed(order, levels);
  if (order.price !== undefined && order.quantity !== undefined) {
    const value = order.quantity.times(order.price, 'up');
    return {
      quantity: order.quantity,
      value,
      atOnce,
      isFilled: true,
    };
  }
  const isFilled =
    order.quantity === undefined
      ? !atOnce.value.isLess(order.quoteOrderQty ?? Decimal.zero)
      : atOnce.quantity.equals(order.quantity);
  return {
    quantity: order.quantity ?? atOnce.quantity,
    value: order.quoteOrderQty ?? atOnce.value,
    atOnce,
    isFilled,
  };
}

const NOTHING = { quantity: Decimal.zero, value: Decimal.zero };

/**
 * Returns the amounts, in the base and in the quote coin, of the part of an order that would execute
 * immediately. The order is filled level by level until it is filled completely, its limit price is reached,
 * or the known levels end.
 */
function executed(order: PlannedOrder, levels: Levels): Estimate['atOnce'] {
  let { quantity, value } = NOTHING;
  for (const [priceText, quantityText] of levels) {
    const price = Decimal.parse(priceText);
    if (order.price !== undefined && isBeyond(order.side, price, order.price)) break;
    const wanted = order.quantity?.minus(quantity) ?? order.quoteOrderQty!.minus(value).over(price, 'down');
    if (!wanted.isPositive()) break;
    const offered = Decimal.parse(quantityText);
    const filled = wanted.isLess(offered) ? wanted : offered;
    // The level that fills the rest of a market order by quote amount spends exactly what is left of that
    // amount, although the filled quantity is rounded down.
    const isLast = order.quantity === undefined && filled === wanted;
    quantity = quantity.plus(filled);
    value = isLast ? order.quoteOrderQty! : value.plus(filled.times(price, 'up'));
  }
  return { quantity, value };
}

/** Returns whether a price is worse than the limit price: higher for a buy, lower for a sale. */
function isBeyond(side: PlannedOrder['side'], price: Decimal, limit: Decimal): boolean {
  return side === 'BUY' ? price.isMore(limit) : price.isLess(limit);
}
