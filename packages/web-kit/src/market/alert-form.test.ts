import { Decimal } from '@exchange/core/decimal.ts';
import { alertBounds, alertProblem } from '@exchange/core/price-alert.ts';
import type { Alert } from '@exchange/wire/watchlist.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alertLine,
  alertPayload,
  alertProblems,
  alertSummary,
  formOrderLine,
  initialAlert,
  withIndicator,
  type AlertForm,
  withAlertPrice,
} from './alert-form.ts';

const d = (text: string) => Decimal.parse(text);
const PAIR = { symbol: 'btcusdt', base: 'BTC', quote: 'USDT', priceDigits: 2 };
const MOMENT = { pair: PAIR, last: d('50000') };
const WORDS = { close: 'the close', signal: 'signal line', upper: 'upper band', lower: 'lower band' };
const UP = initialAlert('51000', MOMENT.last);

describe('the alert form', () => {
  it('WATCH-040 starts with a one-time inbox alert in the direction of the given price', () => {
    expect(UP).toMatchObject({
      source: 'last',
      condition: 'gte',
      price: '51000',
      percent: '5',
      repeat: false,
      pauseMinutes: '1',
      inbox: true,
      mail: false,
      hasOrder: false,
    });
    expect(initialAlert('49000', MOMENT.last).condition).toBe('lte');
    expect(withAlertPrice(UP, '49999.99', MOMENT.last).condition).toBe('lte');
    expect(withAlertPrice({ ...UP, condition: 'pct' }, '1', MOMENT.last).condition).toBe('pct');
    expect(alertProblems(UP, MOMENT)).toEqual({});
  });

  it.each([
    [{ price: '' }, { price: { key: 'l.price_required' } }],
    [{ price: '0' }, { price: { key: 'l.field_positive', parameters: { field: 'price' } } }],
    [
      { price: '50000' },
      { price: { key: 'l.alert_reached', parameters: { limit: '50000', value: '50000', unit: 'USDT' } } },
    ],
    [{ condition: 'lte', price: '50000' }, { price: { key: 'l.alert_reached' } }],
    [{ price: '50000.001' }, { price: { key: 'l.price_decimals', parameters: { limit: '2' } } }],
    [{ condition: 'pct', percent: '' }, { percent: { key: 'l.field_required' } }],
    [
      { condition: 'pct', percent: '0.05' },
      { percent: { key: 'l.amount_min', parameters: { field: 'percent', limit: '0.1', unit: '%' } } },
    ],
    [{ condition: 'pct', percent: '1001' }, { percent: { key: 'l.amount_max' } }],
    [
      { condition: 'pct', percent: '1.234' },
      { percent: { key: 'l.field_decimals', parameters: { limit: '2' } } },
    ],
    [{ inbox: false }, { inbox: { key: 'l.field_required', parameters: { field: 'channels' } } }],
  ] as const)('WATCH-041 %j is invalid', (changes, problems) => {
    expect(alertProblems({ ...UP, ...changes }, MOMENT)).toMatchObject(problems);
  });

  it('WATCH-041 a price is valid exactly when the last price has not reached it', () => {
    const cents = fc.bigInt({ min: 1n, max: 10_000n }).map((units) => Decimal.ofScaled(units, 2));
    fc.assert(
      fc.property(cents, cents, fc.constantFrom('gte' as const, 'lte' as const), (price, last, condition) => {
        const { up, down } = alertBounds({ condition, price }, last);
        const isReached =
          (up !== undefined && !last.isLess(up)) || (down !== undefined && !last.isMore(down));
        expect(alertProblem(PAIR, { condition, price }, last) !== undefined).toBe(isReached);
      }),
    );
  });

  it('ALRT-101 an alert on the index says so in its summary, and its refusal names the index', () => {
    const onIndex = { ...UP, source: 'index', pauseMinutes: '60' } as const;
    expect(alertPayload(onIndex, MOMENT)).toMatchObject({ source: 'index', pauseMinutes: '60' });
    expect(alertSummary(onIndex, MOMENT, 'en-US', WORDS)?.key).toBe('summaryIndexGte');
    expect(alertProblems({ ...onIndex, price: '50000' }, MOMENT)).toMatchObject({
      price: { key: 'l.alert_reached_index' },
    });
  });

  it('WATCH-042 is sent with its own kind of limit and the channels by name', () => {
    expect(alertPayload({ ...UP, repeat: true, mail: true }, MOMENT)).toEqual({
      symbol: 'btcusdt',
      source: 'last',
      condition: 'gte',
      price: '51000',
      repeat: '1',
      pauseMinutes: '1',
      channels: 'inbox,mail',
    });
    const percent = { ...UP, condition: 'pct', percent: '2.5', inbox: false, mail: true } as const;
    expect(alertPayload(percent, MOMENT)).toMatchObject({ condition: 'pct', price: '2.5', channels: 'mail' });
  });

  it('WATCH-043 summarises its effect, a percentage with the two resulting prices', () => {
    expect(alertSummary(UP, MOMENT, 'en-US', WORDS)).toEqual({
      key: 'summaryGte',
      values: { pair: 'BTC/USDT', unit: 'USDT', price: '51,000.00' },
    });
    expect(
      alertSummary(
        { ...UP, condition: 'pct', percent: '3' },
        { pair: PAIR, last: d('33.33') },
        'en-US',
        WORDS,
      ),
    ).toEqual({
      key: 'summaryPct',
      // A change of ±3 % from 33.33 gives the prices 34.3299 and 32.3301, which are not multiples of the tick size
      // 0.01. The alert triggers at the next multiples, further away from 33.33.
      values: { pair: 'BTC/USDT', unit: 'USDT', percent: '3', up: '34.33', down: '32.33' },
    });
    expect(alertSummary({ ...UP, price: '' }, MOMENT, 'en-US', WORDS)).toBeUndefined();
    expect(alertSummary({ ...UP, condition: 'pct' }, { pair: PAIR }, 'en-US', WORDS)).toBeUndefined();
  });

  it('WATCH-043 an active alert is named by its condition', () => {
    const alert = { condition: 'pct', price: '10', from: '100' } as Alert;
    expect(alertLine(alert, PAIR, 'en-US', WORDS)).toMatchObject({
      key: 'linePct',
      values: { percent: '10', up: '110.00', down: '90.00' },
    });
    const fall = { condition: 'lte', price: '45000.5', from: '50000' } as Alert;
    expect(alertLine(fall, PAIR, 'en-US', WORDS)).toMatchObject({
      key: 'lineLte',
      values: { price: '45,000.50' },
    });
  });

  const TRADABLE = {
    ...PAIR,
    amountDigits: 6,
    filters: {
      minAmount: d('0.00001'),
      maxAmount: d('100'),
      minTotal: d('5'),
      priceBand: d('0.2'),
      marketGuard: d('0.05'),
      maxOpenOrders: 200,
      maxStopOrders: 100,
      minTrail: d('0.001'),
      maxTrail: d('0.2'),
      maxLifetimeMs: 1,
    },
  };
  const MOVE = { ...UP, condition: 'move', percent: '3', windowMinutes: '240' } as const;
  const CROSS = {
    ...UP,
    condition: 'crossDown',
    average: 'ema',
    averagePeriod: '50',
    averageTimer: '15min',
    source: 'index',
  } as const;
  const WITH_ORDER = {
    ...UP,
    hasOrder: true,
    repeat: true,
    side: 'sell',
    orderPrice: '51500',
    orderAmount: '0.5',
  } as const;

  it('ALRT-129 ALRT-130 each indicator sends its own numbers, names both values, and has errors at its fields', () => {
    const of = (average: AlertForm['average'], numbers: Partial<AlertForm> = {}) => ({
      ...CROSS,
      average,
      averagePeriod: '7',
      averageSlow: '25',
      averageLevel: '30',
      ...numbers,
    });
    const named = (form: AlertForm) => {
      const { key, values } = alertSummary(form, MOMENT, 'en-US', WORDS)!;
      return `${key}: ${values['subject']} / ${values['target']}`;
    };
    expect(named(of('maPair'))).toBe('summaryIndicatorDown: MA(7) / MA(25)');
    expect(named(of('emaPair'))).toBe('summaryIndicatorDown: EMA(7) / EMA(25)');
    expect(named(of('rsi'))).toBe('summaryIndicatorDown: RSI(7) / 30');
    expect(named(of('macd'))).toBe('summaryIndicatorDown: MACD(12, 26) / signal line (9)');
    expect(named(of('bollUpper'))).toBe('summaryIndicatorDown: the close / upper band (20, 2)');
    expect(named(of('bollLower'))).toBe('summaryIndicatorDown: the close / lower band (20, 2)');
    const sent = (form: AlertForm) => {
      const { averagePeriod, averageSlow, averageLevel, price } = alertPayload(form, MOMENT);
      return [averagePeriod, averageSlow, averageLevel, price];
    };
    expect(sent(of('emaPair'))).toEqual(['7', '25', undefined, undefined]);
    expect(sent(of('rsi'))).toEqual(['7', undefined, '30', undefined]);
    expect(sent(of('macd'))).toEqual([undefined, undefined, undefined, undefined]);
    expect(withIndicator(of('ma', { averagePeriod: '20' }), 'rsi')).toEqual({
      average: 'rsi',
      averagePeriod: '14',
    });
    expect(withIndicator(of('rsi', { averagePeriod: '14' }), 'emaPair').averagePeriod).toBe('20');
    expect(withIndicator(of('ma'), 'rsi')).toEqual({ average: 'rsi' });
    const problems = (form: AlertForm) =>
      Object.entries(alertProblems(form, MOMENT)).map(([field, { key }]) => `${field} ${key}`);
    expect(problems(of('maPair'))).toEqual([]);
    expect(problems(of('maPair', { averageSlow: '7' }))).toEqual(['averageSlow l.field_min']);
    expect(problems(of('maPair', { averageSlow: '201' }))).toEqual(['averageSlow l.field_max']);
    expect(problems(of('maPair', { averageSlow: '' }))).toEqual(['averageSlow l.field_required']);
    expect(problems(of('rsi', { averageLevel: '99.5' }))).toEqual(['averageLevel l.field_max']);
    expect(problems(of('rsi', { averageLevel: '0.5' }))).toEqual(['averageLevel l.field_min']);
    expect(problems(of('rsi', { averageLevel: '' }))).toEqual(['averageLevel l.field_required']);
    // Fields of numbers that the selected indicator does not use are not validated.
    expect(problems(of('macd', { averagePeriod: '', averageSlow: 'x', averageLevel: '' }))).toEqual([]);
    expect(alertSummary(of('rsi', { averageLevel: '' }), MOMENT, 'en-US', WORDS)).toBeUndefined();
    const active = {
      condition: 'crossUp',
      average: 'rsi',
      averagePeriod: 14,
      averageSlow: 0,
      averageLevel: '70',
      averageTimer: '4hour',
      price: '0',
      from: '1',
    } as Alert;
    expect(alertLine(active, PAIR, 'en-US', WORDS)).toMatchObject({
      key: 'lineIndicatorUp',
      values: { subject: 'RSI(14)', target: '70', interval: '4h' },
    });
  });

  it('ALRT-108 a move and a crossing send their own fields, and are named with time, average and interval', () => {
    expect(alertPayload(MOVE, MOMENT)).toMatchObject({ condition: 'move', price: '3', windowMinutes: '240' });
    expect(alertSummary(MOVE, { pair: PAIR }, 'en-US', WORDS)).toMatchObject({
      key: 'summaryMove',
      values: { percent: '3', window: '4h' },
    });
    expect(alertSummary({ ...MOVE, source: 'index' }, MOMENT, 'en-US', WORDS)?.key).toBe('summaryIndexMove');
    const payload = alertPayload(CROSS, MOMENT);
    expect(payload).toMatchObject({
      source: 'last',
      average: 'ema',
      averagePeriod: '50',
      averageTimer: '15min',
    });
    expect(payload).not.toHaveProperty('price');
    expect(alertSummary(CROSS, MOMENT, 'en-US', WORDS)).toMatchObject({
      key: 'summaryCrossDown',
      values: { average: 'EMA(50)', interval: '15m' },
    });
    const active = { condition: 'move', price: '3', from: '1', windowMinutes: 1_440 } as Alert;
    expect(alertLine(active, PAIR, 'en-US', WORDS)).toMatchObject({
      key: 'lineMove',
      values: { window: '24h' },
    });
  });

  it.each([
    [{ ...MOVE, percent: '0.01' }, { percent: { key: 'l.amount_min' } }],
    [{ ...CROSS, averagePeriod: '' }, { averagePeriod: { key: 'l.field_required' } }],
    [{ ...CROSS, averagePeriod: '1' }, { averagePeriod: { key: 'l.field_min' } }],
    [{ ...CROSS, averagePeriod: '201' }, { averagePeriod: { key: 'l.field_max' } }],
    [{ ...CROSS, averagePeriod: '20.5' }, { averagePeriod: { parameters: { field: 'averagePeriod' } } }],
    [{ ...WITH_ORDER, orderAmount: '' }, { orderAmount: { key: 'l.field_required' } }],
    [{ ...WITH_ORDER, orderPrice: '' }, { orderPrice: { key: 'l.price_required' } }],
    [{ ...WITH_ORDER, orderPrice: '70000' }, { orderPrice: { key: 'l.price_band_high' } }],
    [{ ...WITH_ORDER, orderAmount: '0.00001' }, { orderAmount: { key: 'l.total_min' } }],
    [{ ...WITH_ORDER, orderAmount: '101' }, { orderAmount: { key: 'l.amount_max' } }],
  ] as const)('ALRT-125 shows the error of a field before anything is sent: %#', (form, problems) => {
    const shown = alertProblems(form, { ...MOMENT, tradable: TRADABLE });
    expect(shown).toMatchObject(problems);
    expect(Object.keys(shown)).toEqual(Object.keys(problems));
  });

  it('ALRT-125 an alert with an order does not repeat, and sends a limit price for limit orders only', () => {
    expect(alertProblems(WITH_ORDER, { ...MOMENT, tradable: TRADABLE })).toEqual({});
    expect(alertPayload(WITH_ORDER, MOMENT)).toMatchObject({
      repeat: '0',
      tradeType: 'sell',
      orderType: 'limit',
      orderPrice: '51500',
      orderAmount: '0.5',
    });
    const market = { ...WITH_ORDER, orderType: 'market' } as const;
    expect(alertPayload(market, MOMENT)).not.toHaveProperty('orderPrice');
    expect(formOrderLine(market, PAIR, 'en-US')).toMatchObject({
      key: 'order.sell.market',
      values: { amount: '0.5', coin: 'BTC' },
    });
    expect(formOrderLine({ ...market, hasOrder: false }, PAIR, 'en-US')).toBeUndefined();
  });
});
