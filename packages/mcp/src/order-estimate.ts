import { Decimal } from '@exchange/core/decimal.ts';

/** Price and quantity of the levels of a book, best first, as the exchange sends them. */
export type Levels = readonly (readonly [price: string, quantity: string])[];

/** The order that is planned. For `MARKET` either `quantity` or `quoteOrderQty` is present. */
export interface PlannedOrder {
  readonly side: 'BUY' | 'SELL';
  readonly type: 'LIMIT' | 'LIMIT_MAKER' | 'MARKET';
  readonly quantity: Decimal | undefined;
  readonly quoteOrderQty: Decimal | undefined;
  readonly price: Decimal | undefined;
}

/** What an order would do on a book. */
export interface Estimate {
  /** Base coin that the whole order buys or sells; for an amount in the quote coin as far as the book tells. */
  readonly quantity: Decimal;
  /** Quote coin that the whole order pays or receives: at its limit, or at the prices of the book. */
  readonly value: Decimal;
  /** Base and quote coin that would be executed at once. */
  readonly atOnce: { readonly quantity: Decimal; readonly value: Decimal };
  /** Whether the known levels of the book suffice for a market order. */
  readonly isFilled: boolean;
}

/** Estimates an order on the opposite side of the book: `levels` are asks for a purchase and bids for a sale. */
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

/** What the book executes: level by level until the order is filled, its limit is reached, or the levels end. */
function executed(order: PlannedOrder, levels: Levels): Estimate['atOnce'] {
  let { quantity, value } = NOTHING;
  for (const [priceText, quantityText] of levels) {
    const price = Decimal.parse(priceText);
    if (order.price !== undefined && isBeyond(order.side, price, order.price)) break;
    const wanted = order.quantity?.minus(quantity) ?? order.quoteOrderQty!.minus(value).over(price, 'down');
    if (!wanted.isPositive()) break;
    const offered = Decimal.parse(quantityText);
    const filled = wanted.isLess(offered) ? wanted : offered;
    // The last level of an amount in the quote coin takes all of the rest.
    const isLast = order.quantity === undefined && filled === wanted;
    quantity = quantity.plus(filled);
    value = isLast ? order.quoteOrderQty! : value.plus(filled.times(price, 'up'));
  }
  return { quantity, value };
}

/** Whether a price is worse for the side than its limit. */
function isBeyond(side: PlannedOrder['side'], price: Decimal, limit: Decimal): boolean {
  return side === 'BUY' ? price.isMore(limit) : price.isLess(limit);
}
