import type { SpotBalance as BalanceSent } from '@exchange/wire/feed.ts';

/** A balance; unlike on the wire, `currency` is the ticker (`BTC`) as everywhere else, `currencyName` the full name. */
export type SpotBalance = BalanceSent;

/** The coin account, which every product pays from and into. */
export interface Balances {
  readonly list: readonly SpotBalance[];
  /** Worth of the whole coin account in USDT. */
  readonly total: string;
}
