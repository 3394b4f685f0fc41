import { getSupportedIndicators } from 'klinecharts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { order } from '../spot/testing/fixtures.ts';
import { store } from '../storage.ts';
import { type StoredDrawing, drawingsIn, storeDrawings, storedDrawings } from './drawing-memory.ts';
import { INDICATORS } from './indicator-parameters.ts';
import { chartAmount, hasRoomFor, rememberedIndicators, withToggled } from './indicators.ts';
import { linesOf } from './price-lines.ts';
import { cachedDateFormat } from './use-candles.ts';

beforeEach(() => localStorage.clear());

const LINE: StoredDrawing = {
  tool: 'segment',
  points: [
    { timestamp: 1_000, value: 5 },
    { timestamp: 2_000, value: 6 },
  ],
};

describe('drawings', () => {
  it('WEB-160 are stored per pair, and an empty list removes the entry', () => {
    storeDrawings('btcusdt', [LINE, { tool: 'horizontalStraightLine', points: [{ value: 7 }] }]);
    expect(storedDrawings('btcusdt')).toEqual([
      LINE,
      { tool: 'horizontalStraightLine', points: [{ value: 7 }] },
    ]);
    expect(storedDrawings('ethusdt')).toEqual([]);
    storeDrawings('btcusdt', []);
    expect(localStorage.length).toBe(0);
  });

  it('WEB-160 that are invalid are omitted, valid ones stay', () => {
    expect(drawingsIn('{"not":"a list"}')).toEqual([]);
    expect(drawingsIn('[nonsense')).toEqual([]);
    const mixed = [
      LINE,
      { tool: 'cannon', points: [{ value: 1 }] },
      { tool: 'segment', points: [{ value: '1' }] },
      null,
    ];
    expect(drawingsIn(JSON.stringify(mixed))).toEqual([LINE]);
  });

  it('WEB-160 are limited to 100 per pair; the oldest are removed', () => {
    const many = Array.from({ length: 130 }, (_, value): StoredDrawing => ({
      tool: 'priceLine',
      points: [{ value }],
    }));
    storeDrawings('btcusdt', many);
    expect(storedDrawings('btcusdt').map(({ points }) => points[0]?.value)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 30),
    );
  });
});

describe('indicators', () => {
  it('WEB-161 are limited to two over the candles and three below', () => {
    expect(withToggled('BOLL', ['MA', 'EMA'])).toEqual(['MA', 'EMA']);
    expect(hasRoomFor('VOL', ['MA', 'EMA'])).toBe(true);
    expect(withToggled('RSI', ['VOL', 'MACD', 'KDJ'])).toEqual(['VOL', 'MACD', 'KDJ']);
    expect(withToggled('MACD', ['VOL', 'MACD', 'KDJ'])).toEqual(['VOL', 'KDJ']);
    expect(withToggled('BOLL', ['MA'])).toEqual(['MA', 'BOLL']);
  });

  it('WEB-161 are remembered, up to the available room', () => {
    expect(rememberedIndicators()).toEqual(['MA', 'VOL']);
    store('chart-indicators', 'RSI,KDJ,MACD,VOL,BOLL,EMA,MA,XYZ');
    expect(rememberedIndicators()).toEqual(['MA', 'EMA', 'VOL', 'MACD', 'KDJ']);
    store('chart-indicators', '');
    expect(rememberedIndicators()).toEqual([]);
  });
});

it('WEB-267 more than twenty indicators can be chosen, and the chart library knows each of them', () => {
  expect(new Set(INDICATORS).size).toBeGreaterThanOrEqual(20);
  expect(getSupportedIndicators()).toEqual(expect.arrayContaining([...INDICATORS]));
});

describe('chart lines', () => {
  const words = {
    order: ({ id }: { id: string }) => id,
    exit: ({ id }: { id: string }, field: string) => `${field} of ${id}`,
    position: () => 'position',
    alert: 'alert',
  };

  it('WEB-162 show an order at its price, a waiting stop at its trigger, and an alert', () => {
    const lines = linesOf(
      {
        orders: [
          order('limit', { price: '99' }),
          order('stop', { tradeType: 2, price: '89', stopPrice: '90', stopStatus: 'waiting' }),
          order('triggered', { price: '88', stopPrice: '90', stopStatus: 'triggered' }),
          order('market', { price: '' }),
        ],
        alerts: ['120'],
      },
      words,
    );
    expect(lines.map(({ label, price, look, isWatched }) => [label, price, look, isWatched])).toEqual([
      ['limit', '99', 'buy', false],
      ['stop', '90', 'sell', true],
      ['triggered', '88', 'buy', false],
      ['alert', '120', 'alert', true],
    ]);
  });
});

it('WEB-164 amounts on the chart are abbreviated in the page’s language', () => {
  expect(['2500000000', 1_234.5, '0.03860000', 0.4].map((value) => chartAmount(value, 'en-US'))).toEqual([
    '2.50B',
    '1.23K',
    '0.0386',
    '0.40',
  ]);
  expect(chartAmount('2500000000', 'zh-CN')).toBe('25.00亿');
});

it('WEB-169 an axis label is formatted once per time zone and template', () => {
  const format = cachedDateFormat();
  const clockIn = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  const berlin = clockIn('Europe/Berlin');
  const written = vi.spyOn(berlin, 'formatToParts');
  const request = { dateTimeFormat: berlin, timestamp: 0, template: 'HH:mm', type: 'xAxis' } as const;
  expect([format(request), format(request)]).toEqual(['01:00', '01:00']);
  expect(written).toHaveBeenCalledOnce();

  const utc = clockIn('UTC');
  expect(format({ ...request, dateTimeFormat: utc })).toBe('00:00');
  expect(format({ ...request, dateTimeFormat: utc, template: 'HH' })).toBe('00');
});
