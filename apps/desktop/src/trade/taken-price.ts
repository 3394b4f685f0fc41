import type { KindFields } from '@exchange/web-kit/spot/order-kinds.ts';

/** A price taken from the book; each click makes a new one, also of the same price. */
export interface TakenPrice {
  readonly price: string;
}

/** The inputs of a ticket that hold a price. */
export type PriceField =
  | ('price' | 'stopPrice' | 'stopLimitPrice' | 'activation')
  | ('takeProfit' | 'stopLoss');

/**
 * Which input a price out of the book goes to: the one that was worked on last, else the limit price, else the
 * trigger. Undefined where the ticket has no price at all.
 */
export function fieldTaking(
  fields: Pick<KindFields, 'hasPrice' | 'hasStopPrice' | 'hasStopLimitPrice' | 'hasTrail' | 'canHaveExits'>,
  lastUsed: PriceField | undefined,
): PriceField | undefined {
  const present: Readonly<Record<PriceField, boolean>> = {
    price: fields.hasPrice,
    stopPrice: fields.hasStopPrice,
    stopLimitPrice: fields.hasStopLimitPrice,
    activation: fields.hasTrail,
    takeProfit: fields.canHaveExits,
    stopLoss: fields.canHaveExits,
  };
  if (lastUsed !== undefined && present[lastUsed]) return lastUsed;
  return present.price ? 'price' : present.stopPrice ? 'stopPrice' : undefined;
}
