import type { Side } from '@exchange/core/pair.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { marketDepth } from '@exchange/wire/market.ts';
import * as wire from '@exchange/wire/spot.ts';
import type { RequestFields } from '../../../../testing/calling.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';

export type Order = DataOf<typeof wire.createOrder>;
type Fields = RequestFields<typeof wire.createOrder>;

export const BTC_USDT = { baseCoin: 'BTC', quoteCoin: 'USDT' } as const;

/** The fields of a limit order on BTC/USDT; `more` may override them. */
export function limit(side: Side, price: string, amount: string, more: Fields = {}): Fields {
  return { ...BTC_USDT, tradeType: side, orderType: 'limit', price, amount, ...more };
}

/** The fields of a market order on BTC/USDT, by amount or by total. */
export function market(side: Side, size: { amount: string } | { total: string }, more: Fields = {}): Fields {
  return { ...BTC_USDT, tradeType: side, orderType: 'market', ...size, ...more };
}

export function place(trader: TestTrader, fields: Fields): Promise<Order> {
  return trader.request(wire.createOrder, fields);
}

/** A trader's balance of a coin as `available + frozen`, e.g. `951 + 49`. */
export async function balanceText(trader: TestTrader, currency: string): Promise<string> {
  const { list } = await trader.request(wire.spotAssets, { currency });
  return `${list[0]?.availableCurrency} + ${list[0]?.frozenCurrency}`;
}

/** The public book of a pair as [price, amount], best first. */
export async function depth(exchange: TestExchange, symbol = 'btcusdt') {
  const { data } = await exchange.call(marketDepth, { symbol });
  return { bids: data.bids, asks: data.asks };
}

/** Requests the order in its present state, with its fills. */
export function detail(trader: TestTrader, { id }: { id: string }) {
  return trader.request(wire.orderDetail, { id });
}

/** Throws if the book of BTC/USDT has orders, because they would disturb the next test. */
export async function requireEmptyBook(exchange: TestExchange): Promise<void> {
  const { bids, asks } = await depth(exchange);
  if (bids.length + asks.length > 0) throw new Error(`orders were left: ${JSON.stringify({ bids, asks })}`);
}
