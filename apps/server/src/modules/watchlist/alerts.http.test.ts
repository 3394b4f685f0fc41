import { messageDetail, messagePage, setMessageSetting } from '@exchange/wire/message.ts';
import { updateProfile } from '@exchange/wire/user.ts';
import { addAlert, alertList, removeAlert } from '@exchange/wire/watchlist.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { Dealers } from './testing/trades.ts';

const BTC = { symbol: 'btcusdt' } as const;

describe('price alerts', () => {
  let exchange: TestExchange;
  let dealers: Dealers;

  beforeAll(async () => {
    exchange = await anExchange();
    dealers = await Dealers.create(exchange);
  });

  beforeEach(() => dealers.deal('50000'));

  afterAll(() => exchange.close());

  /** Titles of the user's triggered alerts in the inbox, newest first. */
  async function inboxTitles(user: TestTrader): Promise<string[]> {
    const { list } = await user.request(messagePage, { type: '1', pageSize: '50' });
    return list.map(({ title }) => title).filter((title) => title.includes('/'));
  }

  /**
   * The titles of messages after all price alerts reached so far are stored. Changes are stored in
   * order, so an alert triggered last shows this.
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
});
