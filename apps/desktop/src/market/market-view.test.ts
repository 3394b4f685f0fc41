import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { Ticker } from '@exchange/web-kit/market/tickers.ts';
import { describe, expect, it } from 'vitest';
import { INITIAL_SORT, pairsShown, nextSort, type MarketView } from './market-view.ts';

const pair = (base: string, quote: string) =>
  ({ symbol: (base + quote).toLowerCase(), base, quote }) as MarketPair;
const PAIRS = [pair('BTC', 'USDT'), pair('ETH', 'USDT'), pair('XRP', 'USDT'), pair('ETH', 'BTC')];
const ticker = (symbol: string, last: string, change: string) => ({ symbol, last, change }) as Ticker;
const TICKERS = new Map([
  ['ethbtc', ticker('ethbtc', '0.035', '0.1')],
  ['btcusdt', ticker('btcusdt', '97432.15', '-0.01')],
  ['ethusdt', ticker('ethusdt', '3412.08', '0.2')],
]);
const shownSymbols = (view: Partial<MarketView>) =>
  pairsShown(
    PAIRS,
    { tab: 'USDT', search: '', sort: INITIAL_SORT, ...view },
    new Set(['ethbtc']),
    TICKERS,
  ).map(({ symbol }) => symbol);

describe('markets', () => {
  it('DESK-010 tabs show one quote coin, or all favourites', () => {
    expect(shownSymbols({})).toEqual(['btcusdt', 'ethusdt', 'xrpusdt']);
    expect(shownSymbols({ tab: 'BTC' })).toEqual(['ethbtc']);
    expect(shownSymbols({ tab: 'ETH' })).toEqual([]);
    expect(shownSymbols({ tab: 'favorites' })).toEqual(['ethbtc']);
  });

  it('DESK-011 the search covers all quote coins and accepts pair names', () => {
    expect(shownSymbols({ search: 'eth' })).toEqual(['ethusdt', 'ethbtc']);
    expect(shownSymbols({ search: ' ETH/BTC ' })).toEqual(['ethbtc']);
    expect(shownSymbols({ search: 'btc_usdt' })).toEqual(['btcusdt']);
  });

  it('DESK-012 sorts numerically and lists pairs without a price last in both directions', () => {
    expect(shownSymbols({ sort: { column: 'last', descending: true } })).toEqual([
      'btcusdt',
      'ethusdt',
      'xrpusdt',
    ]);
    expect(shownSymbols({ sort: { column: 'last', descending: false } })).toEqual([
      'ethusdt',
      'btcusdt',
      'xrpusdt',
    ]);
    expect(shownSymbols({ sort: { column: 'change', descending: true } })).toEqual([
      'ethusdt',
      'btcusdt',
      'xrpusdt',
    ]);
    expect(shownSymbols({ sort: { column: 'pair', descending: true } })).toEqual([
      'xrpusdt',
      'ethusdt',
      'btcusdt',
    ]);
  });

  it('WEB-953 compares prices and turnovers in different coins by their worth', () => {
    const all = { search: 't', sort: { column: 'last', descending: true } } as const;
    // At 0.035 BTC, ETH/BTC is worth 3,410.12 USDT, less than the price of ETH/USDT.
    expect(shownSymbols(all)).toEqual(['btcusdt', 'ethusdt', 'ethbtc', 'xrpusdt']);
    const cheaper = new Map(TICKERS).set('ethbtc', ticker('ethbtc', '0.0351', '0.1'));
    const view: MarketView = { tab: 'USDT', ...all };
    expect(pairsShown(PAIRS, view, new Set(), cheaper)[1]?.symbol).toBe('ethbtc');
    expect(
      pairsShown(PAIRS, { ...view, sort: { column: 'change', descending: true } }, new Set(), TICKERS).map(
        ({ symbol }) => symbol,
      ),
    ).toEqual(['ethusdt', 'ethbtc', 'btcusdt', 'xrpusdt']);
  });

  it('DESK-012 three clicks on a column restore the order of the exchange', () => {
    const afterFirstClick = nextSort(INITIAL_SORT, 'change');
    const afterSecondClick = nextSort(afterFirstClick, 'change');
    expect(afterFirstClick).toEqual({ column: 'change', descending: true });
    expect(afterSecondClick).toEqual({ column: 'change', descending: false });
    expect(nextSort(afterSecondClick, 'change')).toEqual(INITIAL_SORT);
    expect(nextSort(afterSecondClick, 'last')).toEqual({ column: 'last', descending: true });
    expect(nextSort(INITIAL_SORT, 'pair')).toEqual({ column: 'pair', descending: false });
  });
});
