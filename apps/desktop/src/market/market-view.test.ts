import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { Ticker } from '@exchange/web-kit/market/tickers.ts';
import { describe, expect, it } from 'vitest';
import { INITIAL_SORT, pairsShown, sortedBy, type MarketView } from './market-view.ts';

const pair = (base: string, quote: string) =>
  ({ symbol: (base + quote).toLowerCase(), base, quote }) as MarketPair;
const PAIRS = [pair('BTC', 'USDT'), pair('ETH', 'USDT'), pair('XRP', 'USDT'), pair('ETH', 'BTC')];
const ticker = (symbol: string, last: string, change: string) => ({ symbol, last, change }) as Ticker;
const TICKERS = new Map([
  ['ethbtc', ticker('ethbtc', '0.035', '0.1')],
  ['btcusdt', ticker('btcusdt', '97432.15', '-0.01')],
  ['ethusdt', ticker('ethusdt', '3412.08', '0.2')],
]);
const shown = (view: Partial<MarketView>) =>
  pairsShown(
    PAIRS,
    { tab: 'USDT', search: '', sort: INITIAL_SORT, ...view },
    new Set(['ethbtc']),
    TICKERS,
  ).map(({ symbol }) => symbol);

describe('markets', () => {
  it('DESK-010 tabs show one quote coin, or the favourites of any', () => {
    expect(shown({})).toEqual(['btcusdt', 'ethusdt', 'xrpusdt']);
    expect(shown({ tab: 'BTC' })).toEqual(['ethbtc']);
    expect(shown({ tab: 'ETH' })).toEqual([]);
    expect(shown({ tab: 'favorites' })).toEqual(['ethbtc']);
  });

  it('DESK-011 the search looks through all quote coins and takes a pair as people write it', () => {
    expect(shown({ search: 'eth' })).toEqual(['ethusdt', 'ethbtc']);
    expect(shown({ search: ' ETH/BTC ' })).toEqual(['ethbtc']);
    expect(shown({ search: 'btc_usdt' })).toEqual(['btcusdt']);
  });

  it('DESK-012 sorts numbers as numbers, and leaves pairs without a price at the end either way', () => {
    expect(shown({ sort: { by: 'last', descending: true } })).toEqual(['btcusdt', 'ethusdt', 'xrpusdt']);
    expect(shown({ sort: { by: 'last', descending: false } })).toEqual(['ethusdt', 'btcusdt', 'xrpusdt']);
    expect(shown({ sort: { by: 'change', descending: true } })).toEqual(['ethusdt', 'btcusdt', 'xrpusdt']);
    expect(shown({ sort: { by: 'pair', descending: true } })).toEqual(['xrpusdt', 'ethusdt', 'btcusdt']);
  });

  it('WEB-953 compares prices and turnovers in different coins by what they are worth', () => {
    const all = { search: 't', sort: { by: 'last', descending: true } } as const;
    // 0.035 BTC are worth 3,410.12 USDT.
    expect(shown(all)).toEqual(['btcusdt', 'ethusdt', 'ethbtc', 'xrpusdt']);
    const cheaper = new Map(TICKERS).set('ethbtc', ticker('ethbtc', '0.0351', '0.1'));
    const view: MarketView = { tab: 'USDT', ...all };
    expect(pairsShown(PAIRS, view, new Set(), cheaper)[1]?.symbol).toBe('ethbtc');
    expect(
      pairsShown(PAIRS, { ...view, sort: { by: 'change', descending: true } }, new Set(), TICKERS).map(
        ({ symbol }) => symbol,
      ),
    ).toEqual(['ethusdt', 'ethbtc', 'btcusdt', 'xrpusdt']);
  });

  it('DESK-012 clicking a column three times comes back to the exchange’s own order', () => {
    const first = sortedBy(INITIAL_SORT, 'change');
    const second = sortedBy(first, 'change');
    expect(first).toEqual({ by: 'change', descending: true });
    expect(second).toEqual({ by: 'change', descending: false });
    expect(sortedBy(second, 'change')).toEqual(INITIAL_SORT);
    expect(sortedBy(second, 'last')).toEqual({ by: 'last', descending: true });
    expect(sortedBy(INITIAL_SORT, 'pair')).toEqual({ by: 'pair', descending: false });
  });
});
