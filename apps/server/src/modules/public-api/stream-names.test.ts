import { describe, expect, it } from 'vitest';
import { marketStreamOf } from './stream-names-domain.ts';

describe('names of streams', () => {
  it.each([
    ['btcusdt@trade', { kind: 'trade', symbol: 'btcusdt' }],
    ['btcusdt@aggTrade', { kind: 'aggTrade', symbol: 'btcusdt' }],
    ['btcusdt@bookTicker', { kind: 'bookTicker', symbol: 'btcusdt' }],
    ['btcusdt@miniTicker', { kind: 'miniTicker', symbol: 'btcusdt' }],
    ['btcusdt@ticker', { kind: 'ticker', symbol: 'btcusdt' }],
    ['btcusdt@avgPrice', { kind: 'avgPrice', symbol: 'btcusdt' }],
    ['!miniTicker@arr', { kind: 'allMiniTickers', symbol: undefined }],
    ['btcusdt@kline_1m', { kind: 'kline', symbol: 'btcusdt', interval: '1m' }],
    ['btcusdt@kline_1M', { kind: 'kline', symbol: 'btcusdt', interval: '1M' }],
    ['btcusdt@depth', { kind: 'depth', symbol: 'btcusdt', everyMs: 1_000 }],
    ['btcusdt@depth@100ms', { kind: 'depth', symbol: 'btcusdt', everyMs: 100 }],
    ['btcusdt@depth20', { kind: 'bestLevels', symbol: 'btcusdt', levels: 20, everyMs: 1_000 }],
    ['btcusdt@depth5@100ms', { kind: 'bestLevels', symbol: 'btcusdt', levels: 5, everyMs: 100 }],
  ])('PAPI-070 %s is known', (name, stream) => {
    expect(marketStreamOf(name)).toEqual(stream);
  });

  it.each([
    'BTCUSDT@trade',
    'btcusdt',
    'btcusdt@',
    'btcusdt@trades',
    'btcusdt@kline',
    'btcusdt@kline_7m',
    'btcusdt@kline_1m@100ms',
    'btcusdt@depth7',
    'btcusdt@depth_1m',
    'btcusdt@trade5',
    'btcusdt@trade_1m',
    '!ticker@arr',
    'btcusdt@depth@10ms',
    '',
  ])('PAPI-070 "%s" is no stream', (name) => {
    expect(marketStreamOf(name)).toBeUndefined();
  });
});
