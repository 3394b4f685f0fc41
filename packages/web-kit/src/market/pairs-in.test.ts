import { COIN_NAMES } from '@exchange/core/coin-names.ts';
import { coinNamesOf } from '../balance/coin-names.ts';
import { type MarketPair, pairsIn } from './pair.ts';
import { describe, expect, it } from 'vitest';

const PAIRS = [
  ['BTC', 'USDT'],
  ['ETH', 'USDT'],
  ['ETH', 'BTC'],
  ['LTC', 'ETH'],
].map(([base = '', quote = '']) => ({ symbol: `${base}${quote}`.toLowerCase(), base, quote }) as MarketPair);
const favorites = new Set(['ltceth', 'gone', 'btcusdt']);
const symbolsOf = (pairs: readonly MarketPair[]) => pairs.map(({ symbol }) => symbol);

describe('the tabs of the market', () => {
  it('WEB-054 contain the pairs of their quote coin, and favourites in the order in which they were added', () => {
    expect(symbolsOf(pairsIn(PAIRS, { tab: 'USDT', search: '', favorites }))).toEqual(['btcusdt', 'ethusdt']);
    expect(symbolsOf(pairsIn(PAIRS, { tab: 'favorites', search: ' ', favorites }))).toEqual([
      'ltceth',
      'btcusdt',
    ]);
  });

  it('WEB-054 are ignored by a search, which covers all pairs in any notation', () => {
    for (const search of ['eth/btc', 'ETHBTC', ' eth_b', 'Eth-BTC']) {
      expect(symbolsOf(pairsIn(PAIRS, { tab: 'USDT', search, favorites })), search).toEqual(['ethbtc']);
    }
    expect(pairsIn(PAIRS, { tab: 'favorites', search: 'doge', favorites })).toEqual([]);
  });

  it('WEB-1002 are searched by the names of their base coins in four languages', () => {
    const names = coinNamesOf(COIN_NAMES);
    for (const search of [
      'ethereum',
      '이더리움',
      '以太坊',
      'イーサリアム',
      'いーさりあむ',
      'ＥＴＨＥＲＥＵＭ',
    ])
      expect(symbolsOf(pairsIn(PAIRS, { tab: 'USDT', search, favorites, names })), search).toEqual([
        'ethusdt',
        'ethbtc',
      ]);
    expect(symbolsOf(pairsIn(PAIRS, { tab: 'USDT', search: 'ｅｔｈ／ｂｔｃ', favorites, names }))).toEqual([
      'ethbtc',
    ]);
    expect(pairsIn(PAIRS, { tab: 'USDT', search: 'tether', favorites, names })).toEqual([]);
  });
});
