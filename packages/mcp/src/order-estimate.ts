import { Decimal } from '@exchange/core/decimal.ts';

/** Price and quantity of the levels of an order book, best first, as the exchange sends them. */
export type Levels = readonly (readonly [price: string, quantity: string])[];

/** An order that an assistant plans. For `MARKET` either `quantity` or `quoteOrderQty` is present. */
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
   * Base coin that the whole order buys or sells; for a market order by quote amount, what the known levels
   * of the book provide.
   */
  readonly quantity: Decimal;
  /**
   * Quote coin that the whole order pays or receives: at its limit price, at the prices of the book, or the
   * given quote amount.
   */
  readonly value: Decimal;
  /** The part of the order that would execute immediately, in base and quote coin. */
  readonly atOnce: { readonly quantity: Decimal; readonly value: Decimal };
  /** Whether the known levels of the book suffice to fill a market order; true for limit orders. */
  readonly isFilled: boolean;
}

/**
 * Estimates the execution of an order; `levels` is the opposite side of the book: asks for a buy, bids for a
 * sell.
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
 * The part of an order that executes against the book: level by level until the order is filled, its limit
 * price is reached, or the levels end.
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
    // At the last level an order by quote amount spends the whole rest of that amount.
    const isLast = order.quantity === undefined && filled === wanted;
    quantity = quantity.plus(filled);
    value = isLast ? order.quoteOrderQty! : value.plus(filled.times(price, 'up'));
  }
  return { quantity, value };
}

/** Whether a price is worse than the limit price of a buy or sell order. */
function isBeyond(side: PlannedOrder['side'], price: Decimal, limit: Decimal): boolean {
  return side === 'BUY' ? price.isMore(limit) : price.isLess(limit);
}
