import { Decimal } from '@exchange/core/decimal.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { tickersAfter } from '@exchange/web-kit/market/tickers.ts';
import { describe, expect, it } from 'vitest';
import { rankPairs, sortPairs } from './ranking.ts';

const pair = (base: string) => ({ symbol: `${base.toLowerCase()}usdt`, base, quote: 'USDT' }) as MarketPair;
const ticker = (base: string, open: string, close: string) => ({
  symbol: `${base.toLowerCase()}usdt`,
  open,
  close,
  high: close,
  low: open,
  vol: '1',
  amount: Decimal.parse(close).toString(),
});
const PAIRS = ['BTC', 'ETH', 'NEW', 'ADA'].map(pair);
const TICKERS = tickersAfter(
  new Map(),
  [ticker('BTC', '100', '110'), ticker('ETH', '10', '9'), ticker('ADA', '1', '1.2')],
  true,
);
const names = (pairs: MarketPair[]) => pairs.map(({ base }) => base);

describe('markets', () => {
  it('MOB-001 ranks by change and lists pairs without a price last', () => {
    expect(names(rankPairs(PAIRS, TICKERS, 'popular'))).toEqual(['BTC', 'ETH', 'NEW', 'ADA']);
    expect(names(rankPairs(PAIRS, TICKERS, 'gainers'))).toEqual(['ADA', 'BTC', 'ETH', 'NEW']);
    expect(names(rankPairs(PAIRS, TICKERS, 'losers'))).toEqual(['ETH', 'BTC', 'ADA', 'NEW']);
  });

  it('MOB-001 sorts by value, not by spelling', () => {
    expect(names(sortPairs(PAIRS, TICKERS, { field: 'price', descending: true }))).toEqual([
      'BTC',
      'ETH',
      'ADA',
      'NEW',
    ]);
    expect(names(sortPairs(PAIRS, TICKERS, { field: 'name', descending: false }))).toEqual([
      'ADA',
      'BTC',
      'ETH',
      'NEW',
    ]);
  });

  it('WEB-953 sorts by worth across quote coins', () => {
    const crossed = { ...pair('ETH'), symbol: 'ethbtc', quote: 'BTC' } as MarketPair;
    const tickers = tickersAfter(
      TICKERS,
      [{ ...ticker('ETH', '0.1', '0.1'), symbol: 'ethbtc', amount: '0.5' }],
      false,
    );
    const symbols = (field: 'price' | 'volume') =>
      sortPairs([...PAIRS, crossed], tickers, { field, descending: true }).map(({ symbol }) => symbol);
    // Prices are sorted by their worth in USDT: the price of ETH/BTC, 0.1 BTC, is worth 11 USDT.
    expect(symbols('price')).toEqual(['btcusdt', 'ethbtc', 'ethusdt', 'adausdt', 'newusdt']);
    expect(symbols('volume')).toEqual(['btcusdt', 'ethbtc', 'ethusdt', 'adausdt', 'newusdt']);
  });
});
