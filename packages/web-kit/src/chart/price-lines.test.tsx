import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { order } from '../spot/testing/fixtures.ts';
import { drawLines, registerPriceLines } from './price-line-overlay.ts';
import { linesOf, sharedLabel, type LineWords, useLineWords } from './price-lines.ts';
import { frames, stagedChart, type StagedChart } from './testing/staged-chart.ts';

const WORDS: LineWords = {
  order: ({ id }) => id,
  orders: (side, count, sums) =>
    [`${count} ${side}`, ...sums.map(({ value, coin }) => `${value} ${coin}`)].join(' · '),
  beyond: (way, label, price) => [way, label, price].join(' '),
  exit: ({ id }, field) => `${field} of ${id}`,
  position: ({ text }) => `position ${text}`,
  moving: (label, price) => `${label} to ${price}`,
  alert: 'alert',
  alerts: (count) => `${count} alerts`,
};
const COLOURS = {
  up: '#00aa00',
  down: '#aa0000',
  accent: '#8800ff',
  paper: '#ffffff',
  text: '#000000',
  textSoft: '#555555',
  line: '#dddddd',
  lineStrong: '#aaaaaa',
};

describe('lines that share a tag', () => {
  it('WEB-167 name their number and sums, with amounts and totals separate', () => {
    const lines = linesOf(
      {
        orders: [
          order('a', { amount: '0.1' }),
          order('b', { amount: '0.02' }),
          order('c', { amount: '', total: '1500' }),
        ],
        alerts: [],
      },
      WORDS,
    );
    expect(sharedLabel(lines, WORDS)).toBe('3 buy · 0.12 BTC · 1500 USDT');
    expect(sharedLabel(lines.slice(0, 1), WORDS)).toBe('a');
  });

  it('WEB-1103 exits have the side on which they trade: a purchase is sold again, a sale is bought back', () => {
    const orders = [
      order('buy', { tradeType: 1, takeProfitPrice: '120', stopLossPrice: '80' }),
      order('sell', { tradeType: 2, takeProfitPrice: '120', stopLossPrice: '80' }),
    ];
    const { result } = renderHook(() => useLineWords());
    const lines = linesOf({ orders, alerts: [] }, result.current);
    expect(lines.map(({ look }) => look)).toEqual(['buy', 'sell', 'sell', 'sell', 'buy', 'buy']);
    expect(lines.slice(4).map(({ label }) => /Buy|Sell/.exec(label)?.[0])).toEqual(['Buy', 'Buy']);
  });

  it('PAPI-142 a pending order has no line', () => {
    const orders = [order('working', { listRole: 'working' }), order('pending', { listRole: 'pending' })];
    expect(linesOf({ orders, alerts: [] }, WORDS).map(({ key }) => key)).toEqual(['working']);
  });

  it('WEB-215 an order counts with its open amount, without filled and cancelled parts', () => {
    const lines = linesOf(
      {
        orders: [
          order('a', { amount: '1', filledAmount: '0.2', cancelledAmount: '0.3' }),
          order('b', { amount: '0.1' }),
        ],
        alerts: [],
      },
      WORDS,
    );
    expect(sharedLabel(lines, WORDS)).toBe('2 buy · 0.6 BTC');
  });

  it('WEB-167 count the legs of an OCO once, and separate sides and alerts', () => {
    const leg = { tradeType: 2, groupId: 'g', amount: '0.5' } as const;
    const lines = linesOf(
      {
        orders: [order('limit', leg), order('stop', leg), order('buy', { amount: '1' })],
        alerts: ['100', '101'],
      },
      WORDS,
    );
    expect(sharedLabel(lines, WORDS)).toBe('buy · 2 sell · 0.5 BTC · 2 alerts');
  });
});

describe('tags on the canvas', () => {
  let stage: StagedChart;
  beforeEach(async () => {
    stage = await stagedChart();
    registerPriceLines();
  });
  afterEach(() => stage.close());

  const textsOf = async (prices: readonly string[]) => {
    const orders = prices.map((price) => order(`at ${price}`, { price }));
    drawLines(stage.chart, linesOf({ orders, alerts: [] }, WORDS), { colours: COLOURS, words: WORDS });
    await frames();
    return stage.takeTexts();
  };

  it('WEB-167 name orders at the same price together and others separately', async () => {
    const texts = await textsOf(['10', '10', '9.5']);
    expect(texts).toContain('2 buy · 2 BTC');
    expect(texts).toContain('at 9.5');
    expect(texts).not.toContain('at 10');
  });

  it('WEB-167 on the axis give way to the last price, which is 11', async () => {
    const texts = await textsOf(['11.01', '9.53']);
    expect(texts).toContain('9.53');
    expect(texts).not.toContain('11.01');
    expect(texts).toContain('at 11.01');
  });

  it('WEB-167 are removed with the last order', async () => {
    await textsOf(['9.5']);
    drawLines(stage.chart, [], { colours: COLOURS, words: WORDS });
    stage.takeTexts();
    await frames();
    expect(stage.takeTexts()).not.toContain('at 9.5');
  });
});

beforeEach(() => loadAllWords());

it('WEB-330 a line names its order like the lists do: an OCO leg, or a take-profit or stop-loss of an entry', () => {
  const { current } = renderHook(() => useLineWords()).result;
  const leg = { tradeType: 2, amount: '0.5', groupId: 'g', orderType: 'limit' } as const;
  expect(current.order(order('a', { tradeType: 2, amount: '0.5', orderType: 'limit' }))).toBe('Sell 0.5');
  expect(current.order(order('b', leg))).toBe('OCO · Sell 0.5');
  expect(current.order(order('c', { ...leg, entryId: 'e' }))).toBe('TP/SL · Sell 0.5');
  expect(current.order(order('d', { ...leg, orderType: 'stopMarket', entryId: 'e' }))).toBe(
    'TP/SL · Stop-market · Sell 0.5',
  );
});
