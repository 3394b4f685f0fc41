import { beforeEach, describe, expect, it } from 'vitest';
import { remember } from '../storage.ts';
import { order } from '../spot/testing/fixtures.ts';
import { drawingsIn, keepDrawings, keptDrawings, type KeptDrawing } from './drawing-memory.ts';
import { hasRoomFor, rememberedIndicators, withToggled } from './indicators.ts';
import { linesOf } from './price-lines.ts';

beforeEach(() => localStorage.clear());

const LINE: KeptDrawing = {
  tool: 'segment',
  points: [
    { timestamp: 1_000, value: 5 },
    { timestamp: 2_000, value: 6 },
  ],
};

describe('drawings', () => {
  it('WEB-160 are kept per pair, and none of them leaves nothing behind', () => {
    keepDrawings('btcusdt', [LINE, { tool: 'horizontalStraightLine', points: [{ value: 7 }] }]);
    expect(keptDrawings('btcusdt')).toEqual([
      LINE,
      { tool: 'horizontalStraightLine', points: [{ value: 7 }] },
    ]);
    expect(keptDrawings('ethusdt')).toEqual([]);
    keepDrawings('btcusdt', []);
    expect(localStorage.length).toBe(0);
  });

  it('WEB-160 that are not sound are left out, those beside them stay', () => {
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

  it('WEB-160 of a pair are at most 100: the oldest go', () => {
    const many = Array.from({ length: 130 }, (_, value): KeptDrawing => ({
      tool: 'priceLine',
      points: [{ value }],
    }));
    keepDrawings('btcusdt', many);
    expect(keptDrawings('btcusdt').map(({ points }) => points[0]?.value)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 30),
    );
  });
});

describe('indicators', () => {
  it('WEB-161 are at most two over the candles and three below', () => {
    expect(withToggled('BOLL', ['MA', 'EMA'])).toEqual(['MA', 'EMA']);
    expect(hasRoomFor('VOL', ['MA', 'EMA'])).toBe(true);
    expect(withToggled('RSI', ['VOL', 'MACD', 'KDJ'])).toEqual(['VOL', 'MACD', 'KDJ']);
    expect(withToggled('MACD', ['VOL', 'MACD', 'KDJ'])).toEqual(['VOL', 'KDJ']);
    expect(withToggled('BOLL', ['MA'])).toEqual(['MA', 'BOLL']);
  });

  it('WEB-161 are remembered, as many as there is room for', () => {
    expect(rememberedIndicators()).toEqual(['MA', 'VOL']);
    remember('chart-indicators', 'RSI,KDJ,MACD,VOL,BOLL,EMA,MA,XYZ');
    expect(rememberedIndicators()).toEqual(['MA', 'EMA', 'VOL', 'MACD', 'KDJ']);
    remember('chart-indicators', '');
    expect(rememberedIndicators()).toEqual([]);
  });
});

describe('lines on the chart', () => {
  const words = { order: ({ id }: { id: string }) => id, alert: 'alert' };

  it('WEB-162 are an order at its price, a waiting stop at its trigger, and an alert', () => {
    const lines = linesOf(
      [
        order('limit', { price: '99' }),
        order('stop', { tradeType: 2, price: '89', stopPrice: '90', stopStatus: 'waiting' }),
        order('triggered', { price: '88', stopPrice: '90', stopStatus: 'triggered' }),
        order('market', { price: '' }),
      ],
      ['120'],
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
