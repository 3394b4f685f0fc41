import type { Fill, Order, SpotBalance as BalanceSent } from '@exchange/wire/feed.ts';

export type { Fill, Order };

/** A balance; unlike on the wire, `currency` is the ticker (`BTC`) as everywhere else, `currencyName` the full name. */
export type SpotBalance = BalanceSent;

/** Which orders or fills; a field left out does not narrow. */
export interface OrderFilter {
  readonly baseCoin?: string | undefined;
  readonly quoteCoin?: string | undefined;
  readonly tradeType?: '1' | '2' | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Finished orders, cancelled orders, or both when left out. */
export interface HistoryFilter extends OrderFilter {
  readonly status?: 'finished' | 'cancelled' | undefined;
}

export interface Balances {
  readonly list: readonly SpotBalance[];
  /** Worth of the whole coin account in USDT. */
  readonly total: string;
}
