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
const named = (pairs: readonly MarketPair[]) => pairs.map(({ symbol }) => symbol);

describe('the tabs of the market', () => {
  it('WEB-054 hold the pairs of their quote coin, and the favourites as they were added', () => {
    expect(named(pairsIn(PAIRS, { tab: 'USDT', search: '', favorites }))).toEqual(['btcusdt', 'ethusdt']);
    expect(named(pairsIn(PAIRS, { tab: 'favorites', search: ' ', favorites }))).toEqual([
      'ltceth',
      'btcusdt',
    ]);
  });

  it('WEB-054 give way to the search, which looks through all pairs however they are written', () => {
    for (const search of ['eth/btc', 'ETHBTC', ' eth_b', 'Eth-BTC']) {
      expect(named(pairsIn(PAIRS, { tab: 'USDT', search, favorites })), search).toEqual(['ethbtc']);
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
      expect(named(pairsIn(PAIRS, { tab: 'USDT', search, favorites, names })), search).toEqual([
        'ethusdt',
        'ethbtc',
      ]);
    expect(named(pairsIn(PAIRS, { tab: 'USDT', search: 'ｅｔｈ／ｂｔｃ', favorites, names }))).toEqual([
      'ethbtc',
    ]);
    expect(pairsIn(PAIRS, { tab: 'USDT', search: 'tether', favorites, names })).toEqual([]);
  });
});
