import { messageCount, messageDetail, messagePage, setMessageSetting } from '@exchange/wire/message.ts';
import { subscribePush } from '@exchange/wire/push.ts';
import { updateProfile } from '@exchange/wire/user.ts';
import * as spot from '@exchange/wire/spot.ts';
import { addAlert, alertList, removeAlert } from '@exchange/wire/watchlist.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { TestBrowser } from '../push/testing/push-service.ts';
import { Dealers } from './testing/trades.ts';

const BTC = { symbol: 'btcusdt' } as const;

/** Copies fields with changes; a field that is changed to undefined is left out. */
function changed(fields: object, changes: object): Record<string, string> {
  const entries = Object.entries(Object.assign({}, fields, changes)).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(entries);
}

describe('price alerts', () => {
  let exchange: TestExchange;
  let dealers: Dealers;

  beforeAll(async () => {
    exchange = await anExchange();
    dealers = await Dealers.create(exchange);
  });

  beforeEach(() => dealers.deal('50000'));

  afterAll(() => exchange.close());

  /** Returns the titles of the inbox messages about the user's triggered alerts, newest first. */
  async function inboxTitles(user: TestTrader): Promise<string[]> {
    const { list } = await user.request(messagePage, { type: '1', pageSize: '50' });
    return list.map(({ title }) => title).filter((title) => title.includes('/'));
  }

  /**
   * Returns the titles of the user's inbox messages when all price alerts triggered so far are stored. For
   * this, another user's alert is triggered last: changes are stored in order, so its message arrives after
   * the others.
   */
  async function finalInboxTitles(user: TestTrader): Promise<string[]> {
    const last = await exchange.aUser();
    await last.request(addAlert, { ...BTC, condition: 'gte', price: '59000' });
    await dealers.deal('59000');
    await eventually(async () => expect(await inboxTitles(last)).toHaveLength(1));
    return inboxTitles(user);
  }

  async function emailsTo({ email }: TestTrader) {
    const response = await fetch(`${exchange.url}/dev/mail.json?to=${email}`);
    const { list } = (await response.json()) as { list: { subject: string; text: string }[] };
    return list.filter(({ subject }) => subject.includes('/'));
  }

  it('WATCH-010 a deal that reaches the price triggers an alert once, in the inbox, and ends it', async () => {
    const user = await exchange.aUser();
    const alert = await user.request(addAlert, { ...BTC, condition: 'gte', price: '51000' });
    expect(alert).toMatchObject({
      symbol: 'btcusdt',
      baseCoin: 'BTC',
      quoteCoin: 'USDT',
      condition: 'gte',
      price: '51000',
      from: '50000',
      repeat: 0,
      channels: ['inbox'],
      toldTime: 0,
    });
    expect(await user.request(alertList)).toEqual({ list: [alert], limit: 20 });
    await dealers.deal('50999.99');
    await dealers.deal('51000.01');
    await dealers.deal('50000');
    await dealers.deal('52000');
    expect(await finalInboxTitles(user)).toEqual(['BTC/USDT has risen to 51,000.01 USDT']);
    expect(await user.request(alertList)).toEqual({ list: [], limit: 20 });
    const { list } = await user.request(messagePage, { type: '1', pageSize: '1' });
    const detail = await user.request(messageDetail, { id: list[0]!.id });
    expect(detail).toMatchObject({ type: 1, summary: 'Your price alert: 51,000.00 USDT or higher.' });
    expect(detail.content).toContain('51,000.01 USDT');
    const chinese = await user.call(messagePage, {}, { headers: { 'x-lang': 'zh-CN' } });
    expect(chinese.data.list[0]?.title).toBe('BTC/USDT 已涨至 51,000.01 USDT');
    expect(await emailsTo(user)).toEqual([]);
  });

  it('WATCH-011 an alert also notifies by email in the user’s language, and only by email if chosen', async () => {
    const [both, mailOnly] = [await exchange.aUser(), await exchange.aUser()];
    await mailOnly.request(updateProfile, { lang: 'zh-CN' });
    const fall = { ...BTC, condition: 'lte', price: '48000' } as const;
    await both.request(addAlert, { ...fall, channels: 'mail,inbox' });
    await mailOnly.request(addAlert, { ...fall, channels: 'mail' });
    await dealers.deal('47999.5');
    expect(await finalInboxTitles(both)).toEqual(['BTC/USDT has fallen to 47,999.50 USDT']);
    expect(await inboxTitles(mailOnly)).toEqual([]);
    expect(await emailsTo(both)).toMatchObject([
      { subject: '[Amethyst] BTC/USDT has fallen to 47,999.50 USDT' },
    ]);
    const [message] = await emailsTo(mailOnly);
    expect(message?.subject).toBe('【Amethyst】BTC/USDT 已跌至 47,999.50 USDT');
    expect(message?.text).toContain('您设置了在达到或低于 48,000.00 USDT 时提醒。');
  });

  it('WATCH-1021 MSG-1020 the alert settings switch inbox and email off for every alert, regardless of its channels', async () => {
    const [noMail, noInbox] = [await exchange.aUser(), await exchange.aUser()];
    await noMail.request(setMessageSetting, { topic: 'alerts', mail: '0' });
    await noInbox.request(setMessageSetting, { topic: 'alerts', inbox: '0' });
    const fall = { ...BTC, condition: 'lte', price: '48000', channels: 'inbox,mail' } as const;
    for (const user of [noMail, noInbox]) await user.request(addAlert, fall);
    await dealers.deal('47999.5');
    await eventually(async () => expect(await emailsTo(noInbox)).toHaveLength(1));
    expect(await finalInboxTitles(noMail)).toEqual(['BTC/USDT has fallen to 47,999.50 USDT']);
    expect(await emailsTo(noMail)).toEqual([]);
    expect(await inboxTitles(noInbox)).toEqual([]);
  });

  it('WATCH-012 a percentage is triggered by a move in either direction', async () => {
    const user = await exchange.aUser();
    await user.request(addAlert, { ...BTC, condition: 'pct', price: '4' });
    await dealers.deal('51999');
    await dealers.deal('47900');
    expect(await finalInboxTitles(user)).toEqual(['BTC/USDT has moved by −4.2%']);
  });

  it('WATCH-013 a repeating alert triggers again after the price was on the other side, also across a restart', async () => {
    const user = await exchange.aUser();
    await user.request(addAlert, { ...BTC, condition: 'gte', price: '51000', repeat: '1' });
    await dealers.deal('51000');
    await eventually(async () => expect(await inboxTitles(user)).toHaveLength(1));
    const { list } = await user.request(alertList);
    expect(list).toMatchObject([{ price: '51000', from: '51000', repeat: 1, toldTime: expect.any(Number) }]);
    expect(list[0]!.toldTime).toBeGreaterThan(0);
    await exchange.restart();
    await exchange.advanceTime(61_000);
    await dealers.deal('51500');
    expect(await finalInboxTitles(user)).toHaveLength(1);
    await dealers.deal('50000');
    await exchange.restart();
    await dealers.deal('51200');
    expect((await finalInboxTitles(user))[0]).toBe('BTC/USDT has risen to 51,200.00 USDT');
    expect(await inboxTitles(user)).toHaveLength(2);
  });

  it('WATCH-014 an alert triggers at most once a minute; a condition that still holds then triggers it then', async () => {
    const user = await exchange.aUser();
    await user.request(addAlert, { ...BTC, condition: 'lte', price: '49000', repeat: '1' });
    await dealers.deal('49000');
    await dealers.deal('49001');
    await dealers.deal('48500');
    await eventually(async () => expect(await inboxTitles(user)).toHaveLength(1));
    await exchange.advanceTime(61_000);
    await eventually(async () => expect(await inboxTitles(user)).toHaveLength(2));
    expect((await inboxTitles(user))[0]).toBe('BTC/USDT has fallen to 48,500.00 USDT');
  });

  it.each([
    [
      { condition: 'gte', price: '50000' },
      'l.alert_reached',
      { limit: '50000', value: '50000', unit: 'USDT' },
    ],
    [{ condition: 'lte', price: '50000.01' }, 'l.alert_reached', { limit: '50000' }],
    [{ condition: 'gte', price: '60000.001' }, 'l.price_decimals', { limit: '2' }],
    [{ condition: 'pct', price: '0.09' }, 'l.amount_min', { limit: '0.1', unit: '%' }],
    [{ condition: 'pct', price: '1000.01' }, 'l.amount_max', { limit: '1000' }],
    [{ condition: 'pct', price: '1.001' }, 'l.field_decimals', { limit: '2' }],
    [{ condition: 'gt', price: '60000' }, 'l.field_choice', { field: 'condition' }],
    [{ condition: 'gte', price: '60000', channels: 'sms' }, 'l.field_choice', { field: 'channels' }],
    [{ condition: 'gte', price: '60000', symbol: 'btceur' }, 'l.unknown_pair', { field: 'symbol' }],
  ] as const)('WATCH-015 %j is refused with %s', async (fields, errKey, data) => {
    const user = await exchange.aUser();
    const answer = await user.call(addAlert, { ...BTC, ...(fields as object) });
    expect(answer).toMatchObject({ errKey, data });
    expect((await user.request(alertList)).list).toEqual([]);
  });

  it('WATCH-016 at most twenty alerts are active, also with concurrent requests', async () => {
    const user = await exchange.aUser();
    const prices = Array.from({ length: 30 }, (_, n) => String(70_000 + n));
    const answers = await Promise.all(
      prices.map((price) => user.call(addAlert, { ...BTC, condition: 'gte', price })),
    );
    const refused = answers.filter(({ code }) => code !== 1);
    expect(refused).toHaveLength(10);
    for (const answer of refused)
      expect(answer).toMatchObject({ code: -8, errKey: 'l.alerts_max', data: { limit: '20' } });
    const { list } = await user.request(alertList);
    expect(list).toHaveLength(20);
    await user.request(removeAlert, { id: list[0]!.id });
    await user.request(addAlert, { ...BTC, condition: 'gte', price: '80000' });
    expect((await user.request(alertList)).list[0]?.price).toBe('80000');
  });

  it('WATCH-017 a removed alert does not trigger; another user’s id is refused like a missing id', async () => {
    const [user, stranger] = [await exchange.aUser(), await exchange.aUser()];
    const { id } = await user.request(addAlert, { ...BTC, condition: 'gte', price: '51000' });
    const forbidden = await stranger.call(removeAlert, { id });
    const missing = await stranger.call(removeAlert, { id: randomUUID() });
    expect(forbidden).toMatchObject({ code: 0, errKey: 'l.not_found' });
    expect({ ...forbidden, text: '' }).toEqual({ ...missing, text: '' });
    expect(await user.request(removeAlert, { id })).toEqual({ count: 1 });
    expect(await user.request(removeAlert, { id })).toEqual({ count: 0 });
    await dealers.deal('51000');
    expect(await finalInboxTitles(user)).toEqual([]);
  });

  it('WATCH-018 alerts are listed newest first, optionally of one pair', async () => {
    const user = await exchange.aUser();
    for (const price of ['51000', '52000']) await user.request(addAlert, { ...BTC, condition: 'gte', price });
    await user.request(addAlert, { symbol: 'ethusdt', condition: 'lte', price: '2000' });
    const prices = async (symbol?: string) =>
      (await user.request(alertList, symbol === undefined ? {} : { symbol })).list.map(({ price }) => price);
    expect(await prices()).toEqual(['2000', '52000', '51000']);
    expect(await prices('btcusdt')).toEqual(['52000', '51000']);
    expect(await user.call(alertList, { symbol: 'btceur' })).toMatchObject({ errKey: 'l.unknown_pair' });
  });

  it('WATCH-019 the same request returns the same alert, also after it has triggered; a different request with the key is refused', async () => {
    const user = await exchange.aUser();
    const fields = { ...BTC, condition: 'gte', price: '51000', clientId: 'mine' } as const;
    const answers = await Promise.all(Array.from({ length: 5 }, () => user.request(addAlert, fields)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect((await user.request(alertList)).list).toHaveLength(1);
    const conflicting = await user.call(addAlert, { ...fields, price: '52000' });
    expect(conflicting).toMatchObject({ code: -12, errKey: 'l.duplicate_key' });
    await dealers.deal('51000');
    expect(await finalInboxTitles(user)).toHaveLength(1);
    expect((await user.request(addAlert, fields)).id).toBe(answers[0]!.id);
    expect((await user.request(alertList)).list).toEqual([]);
  });

  it('WATCH-023 before the first deal of a pair the index replaces the last price', async () => {
    const user = await exchange.aUser();
    const reached = await user.call(addAlert, { symbol: 'ethusdt', condition: 'gte', price: '2400' });
    expect(reached).toMatchObject({ errKey: 'l.alert_reached', data: { limit: '2500' } });
    const alert = await user.request(addAlert, { symbol: 'ethusdt', condition: 'pct', price: '5' });
    expect(alert.from).toBe('2500');
  });

  it('ALRT-100 ALRT-101 an alert on the index follows the index and not deals, and its message names the index', async () => {
    const user = await exchange.aUser();
    const index = (await user.request(addAlert, { ...BTC, source: 'index', condition: 'pct', price: '1' }))
      .from;
    const reached = await user.call(addAlert, { ...BTC, source: 'index', condition: 'lte', price: index });
    expect(reached).toMatchObject({ errKey: 'l.alert_reached_index' });
    const above = Decimal.parse(index).times(Decimal.parse('1.02'), 'up').rounded(2, 'up').toString();
    const terms = {
      ...BTC,
      source: 'index',
      condition: 'gte',
      price: above,
      repeat: '1',
      pauseMinutes: '60',
    } as const;
    const alert = await user.request(addAlert, terms);
    expect(alert).toMatchObject({ source: 'index', pauseMinutes: 60, repeat: 1 });
    await dealers.deal('58000');
    await finalInboxTitles(user);
    expect(await inboxTitles(user)).toEqual([]);
    await exchange.setPrice('btcusdt', above);
    await eventually(async () => expect(await inboxTitles(user)).toHaveLength(2));
    for (const title of await inboxTitles(user))
      expect(title).toMatch(/^The index of BTC\/USDT has (?:risen|moved)/);
    expect((await user.request(alertList)).list).toMatchObject([{ id: alert.id }]);
    for (const wrong of [{ pauseMinutes: '2' }, { source: 'mark' }])
      expect(await user.call(addAlert, Object.assign({}, terms, wrong))).toMatchObject({
        errKey: 'l.field_choice',
      });
  });

  it('ALRT-103 ALRT-107 a move within a time triggers with the price from which it moved; one that has happened is refused', async () => {
    const user = await exchange.aUser();
    // Time passes until the prices of earlier tests are outside the window of five minutes.
    await exchange.advanceTime(6 * 60_000);
    await dealers.deal('50000');
    await exchange.advanceTime(6 * 60_000);
    const move = { ...BTC, condition: 'move', price: '2' } as const;
    expect(await user.call(addAlert, move)).toMatchObject({
      errKey: 'l.field_required',
      data: { field: 'windowMinutes' },
    });
    const alert = await user.request(addAlert, { ...move, windowMinutes: '5' });
    expect(alert).toMatchObject({
      condition: 'move',
      price: '2',
      windowMinutes: 5,
      average: '',
      order: null,
    });
    await dealers.deal('51000');
    await eventually(async () =>
      expect(await inboxTitles(user)).toEqual(['BTC/USDT has moved by +2% within 5m']),
    );
    expect(await user.call(addAlert, { ...move, windowMinutes: '5' })).toMatchObject({
      errKey: 'l.alert_moved',
      data: { limit: '2', value: '2', window: '5m' },
    });
    expect(await user.call(addAlert, { ...move, windowMinutes: '30' } as never)).toMatchObject({
      errKey: 'l.field_choice',
    });
  });

  it('ALRT-110 ALRT-113 a crossing triggers by closed candles; one without enough candles or on the index is refused', async () => {
    const user = await exchange.aUser();
    const cross = {
      ...BTC,
      condition: 'crossUp',
      average: 'ma',
      averagePeriod: '2',
      averageTimer: '1min',
    } as const;
    for (const price of ['50000', '50000', '50000']) {
      await dealers.deal(price);
      await exchange.advanceTime(60_000);
    }
    for (const [fields, errKey] of [
      [{ averagePeriod: '200', averageTimer: '1week' }, 'l.alert_history'],
      [{ source: 'index' }, 'l.alert_cross_source'],
      [{ average: undefined }, 'l.field_required'],
      [{ averagePeriod: '1' }, 'l.field_min'],
      [{ averagePeriod: '201' }, 'l.field_max'],
    ] as const)
      expect(await user.call(addAlert, changed(cross, fields) as never)).toMatchObject({ errKey });
    const alert = await user.request(addAlert, cross);
    expect(alert).toMatchObject({ price: '0', average: 'ma', averagePeriod: 2, averageTimer: '1min' });
    await dealers.deal('51000');
    expect(await inboxTitles(user)).toEqual([]);
    await exchange.advanceTime(63_000);
    await eventually(async () =>
      expect(await inboxTitles(user)).toEqual(['BTC/USDT closed above its MA(2) (1m)']),
    );
    expect((await user.request(alertList)).list).toEqual([]);
  });

  it('ALRT-129 ALRT-130 indicators trigger once by closed candles, with both values; wrong terms and missing history are refused', async () => {
    const user = await exchange.aUser();
    const cross = { ...BTC, condition: 'crossUp', averageTimer: '1min' } as const;
    const averages = { ...cross, average: 'maPair', averagePeriod: '2', averageSlow: '3' } as const;
    const index = { ...cross, average: 'rsi', averagePeriod: '2', averageLevel: '60' } as const;
    for (const price of ['50000', '50000', '49900', '49800', '49700']) {
      await dealers.deal(price);
      await exchange.advanceTime(60_000);
    }
    for (const [fields, errKey] of [
      [changed(averages, { averageSlow: undefined }), 'l.field_required'],
      [{ ...averages, averageSlow: '2' }, 'l.field_min'],
      [{ ...averages, averageSlow: '200', averageTimer: '1week' }, 'l.alert_history'],
      [changed(index, { averageLevel: undefined }), 'l.field_required'],
      [{ ...index, averageLevel: '100' }, 'l.field_max'],
      [changed(index, { averagePeriod: undefined }), 'l.field_required'],
      [{ ...cross, average: 'macd', averageTimer: '1week' }, 'l.alert_history'],
      [{ ...cross, average: 'macd', source: 'index' }, 'l.alert_cross_source'],
    ] as const)
      expect(await user.call(addAlert, fields as never)).toMatchObject({ errKey });
    const { id } = await user.request(addAlert, { ...averages, clientId: 'averages' });
    expect(await user.request(addAlert, { ...averages, clientId: 'averages' })).toMatchObject({
      id,
      averageSlow: 3,
      averageLevel: '0',
    });
    expect(await user.call(addAlert, { ...averages, averageSlow: '4', clientId: 'averages' })).toMatchObject({
      errKey: 'l.duplicate_key',
    });
    await user.request(addAlert, index);
    expect(
      (await user.request(alertList)).list.map(({ average, averageLevel }) => [average, averageLevel]),
    ).toEqual([
      ['rsi', '60'],
      ['maPair', '0'],
    ]);
    await exchange.restart();
    await dealers.deal('50900');
    // The candle of the current minute is still open, so no alert has triggered yet.
    expect(await inboxTitles(user)).toEqual([]);
    await exchange.advanceTime(63_000);
    await eventually(async () =>
      expect((await inboxTitles(user)).toSorted()).toEqual([
        'BTC/USDT: MA(2) crossed above MA(3) (1m)',
        'BTC/USDT: RSI(2) crossed above 60 (1m)',
      ]),
    );
    expect((await user.request(alertList)).list).toEqual([]);
  });

  const ORDER = { tradeType: 'buy', orderType: 'limit', orderPrice: '49000', orderAmount: '0.01' } as const;

  async function ordersOf(user: TestTrader) {
    const { list } = await user.request(spot.orderRecords, { baseCoin: 'BTC', quoteCoin: 'USDT' });
    return list.map(({ price, amount }) => `${price} ${amount}`);
  }

  it('ALRT-120 a triggered alert places its order once, also across a restart, and reserves nothing before', async () => {
    const user = await exchange.aUser({ USDT: '600' });
    const fields = { ...BTC, ...ORDER, condition: 'gte', price: '51000', clientId: 'acts' } as const;
    const alert = await user.request(addAlert, fields);
    expect(alert.order).toEqual({ tradeType: 1, orderType: 'limit', price: '49000', amount: '0.01' });
    expect((await user.request(alertList)).list[0]?.order).toEqual(alert.order);
    expect((await user.request(addAlert, fields)).id).toBe(alert.id);
    expect(await user.call(addAlert, { ...fields, orderAmount: '0.011' })).toMatchObject({
      errKey: 'l.duplicate_key',
    });
    expect((await user.request(spot.spotAssets, { currency: 'USDT' })).list[0]?.frozenCurrency).toBe('0');
    await dealers.deal('51000');
    await eventually(async () =>
      expect((await inboxTitles(user)).toSorted()).toEqual([
        'BTC/USDT has risen to 51,000.00 USDT',
        'Your alert placed an order: BTC/USDT',
      ]),
    );
    expect(await ordersOf(user)).toEqual(['49000.00 0.01']);
    await exchange.restart();
    await dealers.deal('50000');
    await dealers.deal('51500');
    await finalInboxTitles(user);
    expect(await ordersOf(user)).toEqual(['49000.00 0.01']);
    expect(await inboxTitles(user)).toHaveLength(2);
  });

  it('ALRT-128 an alert by mail alone and the result of its order are pushed, and are not in the inbox', async () => {
    const user = await exchange.aUser({ USDT: '600' });
    const preferences = { kinds: 'alerts', timeZone: 'UTC' };
    const { id } = await user.request(subscribePush, { ...new TestBrowser().fields, ...preferences });
    const { count } = await user.request(messageCount);
    const fields = { ...BTC, ...ORDER, condition: 'gte', price: '51000', channels: 'mail' } as const;
    await user.request(addAlert, fields);
    await dealers.deal('51000');
    const pushed = async () => {
      const { rows } = await exchange.database.pool.query<{ kind: string }>(
        'select kind from push_delivery where subscription_id = $1 order by id',
        [id],
      );
      return rows.map(({ kind }) => kind);
    };
    await eventually(async () => expect(await pushed()).toEqual(['priceRose', 'alertOrderPlaced']));
    expect(await inboxTitles(user)).toEqual([]);
    expect((await user.request(messageCount)).count).toBe(count);
  });

  it('ALRT-123 an order that is refused when the alert triggers leaves a message with the reason, in the reader’s language', async () => {
    const short = await exchange.aUser({ USDT: '10' });
    await short.request(addAlert, { ...BTC, ...ORDER, condition: 'lte', price: '49500' });
    const market = { tradeType: 'sell', orderType: 'market', orderAmount: '0.01' } as const;
    const seller = await exchange.aUser();
    await seller.request(addAlert, { ...BTC, ...market, condition: 'lte', price: '49500' });
    const outOfBounds = await exchange.aUser({ USDT: '900000' });
    const far = { ...ORDER, orderPrice: '90000' } as const;
    await outOfBounds.request(addAlert, { ...BTC, ...far, condition: 'pct', price: '1' });
    await dealers.deal('49500');
    for (const [user, reason] of [
      [short, /^Insufficient balance: .* USDT available/],
      [seller, /\S/],
      [outOfBounds, /^The highest price allowed right now is/],
    ] as const) {
      await eventually(async () => expect(await inboxTitles(user)).toHaveLength(2));
      const { list } = await user.request(messagePage, { type: '1' });
      const refused = list.find(({ title }) => title.startsWith('Your alert could not place its order'));
      expect(refused?.summary).toMatch(reason);
      const detail = await user.request(messageDetail, { id: refused!.id });
      expect(detail.content).toContain('will not be tried again');
      expect(await ordersOf(user)).toEqual([]);
    }
  });

  it('ALRT-123 an order for a pair that is halted when the alert triggers is refused with a message', async () => {
    const user = await exchange.aUser({ USDT: '1000' });
    const order = { tradeType: 'buy', orderType: 'limit', orderPrice: '2500', orderAmount: '0.1' } as const;
    const index = { symbol: 'ethusdt', source: 'index', condition: 'gte', price: '2600' } as const;
    await user.request(addAlert, { ...index, ...order });
    const { statuses } = exchange.doors.spot;
    await statuses.set('ethusdt', 'cancelOnly', { by: 'test', reason: 'the index is in doubt' });
    await exchange.setPrice('ethusdt', '2600');
    await eventually(async () => expect(await inboxTitles(user)).toHaveLength(2));
    const { list } = await user.request(messagePage, { type: '1' });
    expect(list.map(({ summary }) => summary)).toContain('This market only accepts cancellations right now.');
    await statuses.set('ethusdt', 'open', { by: 'test', reason: 'the index is sound' });
    expect((await user.request(spot.orderRecords)).list).toEqual([]);
  });

  it.each([
    [{ orderAmount: undefined }, 'l.field_required'],
    [{ orderPrice: undefined }, 'l.price_required'],
    [{ orderType: 'market' }, 'l.stop_unexpected'],
    [{ orderType: 'stopLimit' }, 'l.field_choice'],
    [{ orderAmount: '0.0000000001' }, 'l.amount_decimals'],
    [{ orderPrice: '49000.001' }, 'l.price_decimals'],
    [{ orderPrice: '90000' }, 'l.price_band_high'],
    [{ repeat: '1' }, 'l.alert_order_once'],
  ] as const)('ALRT-124 an order with %j is refused when the alert is set: %s', async (fields, errKey) => {
    const user = await exchange.aUser();
    const sent = changed({ ...BTC, ...ORDER, condition: 'gte', price: '51000' }, fields);
    expect(await user.call(addAlert, sent as never)).toMatchObject({ errKey });
    expect((await user.request(alertList)).list).toEqual([]);
  });
});
