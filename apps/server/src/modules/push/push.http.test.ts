import { Decimal } from '@exchange/core/decimal.ts';
import { PUSH_KINDS } from '@exchange/core/push.ts';
import { later } from '@exchange/core/time.ts';
import { messageCount, setMessageSetting } from '@exchange/wire/message.ts';
import {
  changePush,
  pushDevices,
  readPush,
  removePush,
  renewPush,
  subscribePush,
} from '@exchange/wire/push.ts';
import { openSeconds, secondsDetail } from '@exchange/wire/seconds.ts';
import { sendTestDeposit } from '@exchange/wire/deposit.ts';
import { createOrder } from '@exchange/wire/spot.ts';
import { CODE_TYPES, login, logout, sendEmailCode, updateProfile } from '@exchange/wire/user.ts';
import { addAlert } from '@exchange/wire/watchlist.ts';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anAddress } from '../../../testing/calling.ts';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { withSolvedChallenge } from '../../../testing/proof-of-work.ts';
import { reencryptAll } from '../../commands/rotate/reencrypt.ts';
import { clientOptions } from '../../platform/database/pool.ts';
import { LocalFileStore } from '../../platform/files/file-store.ts';
import { SealedStore } from '../../platform/files/sealed-store.ts';
import { openServerSecret, replaceSecretFile } from '../../platform/secrets/server-secret.ts';
import { createSaver } from '../finance/testing/products.ts';
import { createFund, createHolding } from '../fund/testing/funds.ts';
import { createPlayer, openSecondsMarket, ticket } from '../seconds/testing/players.ts';
import { signedClaims, TestBrowser, TestPushService } from './testing/push-service.ts';

const PREFERENCES = { kinds: 'alerts,fills', timeZone: 'Asia/Seoul' } as const;

describe('pushes', () => {
  let service: TestPushService;
  let exchange: TestExchange;

  beforeAll(async () => {
    service = await TestPushService.start();
    exchange = await anExchange({ pushTransport: service.transport });
  });
  beforeEach(() => {
    service.status = 201;
    service.received.length = 0;
  });
  afterAll(async () => {
    await exchange.close();
    await service.close();
  });

  /** A user with one subscribed browser. */
  async function aSubscriber(preferences: Partial<Record<'kinds' | 'quietFrom' | 'quietTo', string>> = {}) {
    const user = await exchange.aUser();
    const browser = new TestBrowser();
    const fields = { ...PREFERENCES, ...browser.fields, ...preferences };
    const device = await user.request(subscribePush, fields);
    return { user, browser, fields, device };
  }
  const notify = (user: TestTrader, price = '51000') =>
    exchange.doors.messages.deliver(user.id, {
      type: 'system',
      kind: 'priceRose',
      parameters: {
        pair: 'BTC/USDT',
        unit: 'USDT',
        price,
        limit: '51000',
        from: '50000',
        percent: '+2',
        time: '',
      },
    });
  const nonces = (browser: TestBrowser) => browser.read(service.received) as { nonce: string }[];
  const received = async (browser: TestBrowser, count = 1) => {
    await eventually(async () => expect(nonces(browser)).toHaveLength(count));
    return nonces(browser);
  };
  const send = (device: string) => exchange.doors.push.sendTo(device);

  /** Signs a user in with a mailed code, from another network than before. */
  async function signInElsewhere({ email }: TestTrader) {
    const address = anAddress();
    await exchange.advanceTime(61_000);
    await withSolvedChallenge((work) =>
      exchange.call(sendEmailCode, { email, type: CODE_TYPES.login, ...work }, { address }),
    );
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${email}`);
    const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
    const fields = { account: email, code: list[0]?.code ?? '', password: 'Jasmine4river' };
    expect(await exchange.call(login, fields, { address })).toMatchObject({ code: 1 });
  }

  it('PUSH-001 PUSH-002 a push wakes the device with a nonce alone, signed by the exchange, and its worker reads the text', async () => {
    const { user, browser } = await aSubscriber();
    await user.request(updateProfile, { lang: 'ko-KR' });
    await notify(user);
    const [push] = await received(browser);
    expect(Object.keys(push!)).toEqual(['nonce']);
    const { publicKey } = await user.request(pushDevices);
    const claims = signedClaims(service.received[0]!, publicKey);
    expect(claims).toMatchObject({ aud: 'https://push.example.com' });
    expect(Number(claims['exp'])).toBeLessThanOrEqual(Date.now() / 1_000 + 86_400);
    const text = await exchange.call(readPush, { token: browser.token, nonce: push!.nonce });
    const badge = (await user.request(messageCount)).count;
    expect(text.data).toMatchObject({ place: 'pair', item: 'BTC_USDT', badge });
    expect(text.data.title).toContain('BTC/USDT');
    expect(text.data.title).toMatch(/\p{Script=Hangul}/u);
    const stranger = new TestBrowser();
    for (const token of [stranger.token, push!.nonce])
      expect(await exchange.call(readPush, { token, nonce: push!.nonce })).toMatchObject({
        errKey: 'l.not_found',
      });
  });

  it('PUSH-003 a device receives the kinds that it wants, also when the inbox does not', async () => {
    const [{ user, browser }, other] = [await aSubscriber(), await aSubscriber({ kinds: 'deposits' })];
    await user.request(setMessageSetting, { topic: 'alerts', inbox: '0', mail: '0' });
    await notify(user);
    await notify(other.user);
    await received(browser);
    await send(other.device.id);
    expect(nonces(other.browser)).toEqual([]);
  });

  it('PUSH-021 each kind is pushed by the event that it names, to the device that wants it alone', async () => {
    const user = await createSaver(exchange, { USDT: '5000' });
    const devices = new Map<string, string>();
    for (const kind of PUSH_KINDS) {
      const fields = { ...new TestBrowser().fields, kinds: kind, timeZone: 'UTC' };
      devices.set((await user.request(subscribePush, fields)).id, kind);
    }
    const { fund, deposits, withdrawals } = exchange.doors;

    const seller = await exchange.aUser({ BTC: '1' });
    await user.request(addAlert, { symbol: 'btcusdt', condition: 'gte', price: '50500', channels: 'mail' });
    const order = { baseCoin: 'BTC', quoteCoin: 'USDT', orderType: 'limit', amount: '0.001' } as const;
    await user.request(createOrder, { ...order, tradeType: 'buy', price: '50500' });
    await seller.request(createOrder, { ...order, tradeType: 'sell', price: '50500' });

    await openSecondsMarket(exchange);
    await createPlayer(exchange, '20', user);
    const { id } = await user.request(openSeconds, ticket('up', '10'));
    await eventually(async () => expect((await user.request(secondsDetail, { id })).status).not.toBe(0));
    await exchange.doors.jobs.scheduled.get('seconds.notifyResults')!();

    const fundId = await createFund(exchange, 'pushed');
    const position = await createHolding(exchange, user.id, fundId, { leverage: 3 });
    const value = { t: later(exchange.clock.now(), 1_000), value: Decimal.parse('67.6') };
    await fund.funds.judgeForDemo(user.id, fundId, position, value);
    await fund.jobs.settle();

    await user.request(sendTestDeposit, { currency: 'USDT', network: 'TRC20', amount: '30' });
    await withdrawals.withdrawals.submit(user.id, {
      asset: 'USDT',
      network: 'TRC20',
      address: 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc',
      amount: Decimal.parse('20'),
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    await exchange.advanceTime(10 * 60_000);
    await deposits.jobs.watch();
    await withdrawals.jobs.advance();

    await signInElsewhere(user);

    const pushed = async () => {
      const { rows } = await exchange.database.pool.query<{ device: string; kind: string }>(
        'select subscription_id as device, kind from push_delivery where subscription_id = any($1)',
        [[...devices.keys()]],
      );
      return rows.map(({ device, kind }) => `${devices.get(device)}: ${kind}`).toSorted();
    };
    await eventually(async () =>
      expect(await pushed()).toEqual([
        'alerts: priceRose',
        'deposits: depositCredited',
        'fills: buyFilled',
        'risk: fundWarned',
        'seconds: secondsDrawn',
        'signIns: newNetwork',
        'withdrawals: withdrawalHeld',
      ]),
    );
  });

  it('PUSH-004 the end of the session ends its pushes, and their texts cannot be read any more', async () => {
    const { user, browser, device } = await aSubscriber();
    await notify(user);
    const [push] = await received(browser);
    await user.request(logout);
    expect((await exchange.call(readPush, { token: browser.token, nonce: push!.nonce })).code).not.toBe(1);
    await notify(user);
    await send(device.id);
    expect(nonces(browser)).toHaveLength(1);
  });

  it('PUSH-005 a browser belongs to the user who subscribed it last', async () => {
    const first = await aSubscriber();
    const second = await exchange.aUser();
    const token = new TestBrowser().token;
    await second.request(subscribePush, { ...first.fields, token });
    expect((await first.user.request(pushDevices)).list).toEqual([]);
    await notify(first.user);
    await notify(second);
    const [push] = await received(first.browser);
    expect((await exchange.call(readPush, { token: first.browser.token, nonce: push!.nonce })).code).not.toBe(
      1,
    );
    expect((await exchange.call(readPush, { token, nonce: push!.nonce })).code).toBe(1);
  });

  it('PUSH-006 subscribing again changes the device, an eleventh device is refused, and a removed one is silent', async () => {
    const { user, browser, fields, device } = await aSubscriber();
    const again = await user.request(subscribePush, { ...fields, kinds: 'seconds' });
    expect(again).toEqual({ ...device, kinds: ['seconds'] });
    const changed = await user.request(changePush, {
      id: device.id,
      kinds: 'alerts',
      timeZone: 'UTC',
      quietFrom: '1320',
      quietTo: '420',
    });
    expect(changed).toMatchObject({ kinds: ['alerts'], quietFrom: 1320, quietTo: 420 });
    for (let count = 1; count < 10; count += 1)
      await user.request(subscribePush, { ...PREFERENCES, ...new TestBrowser().fields });
    const eleventh = { ...PREFERENCES, ...new TestBrowser().fields };
    expect(await user.call(subscribePush, eleventh)).toMatchObject({ errKey: 'l.push_devices_max' });
    const stranger = await exchange.aUser();
    expect(await stranger.request(removePush, { id: device.id })).toEqual({ count: 0 });
    expect(await user.request(removePush, { id: device.id })).toEqual({ count: 1 });
    expect(await user.request(removePush, { id: device.id })).toEqual({ count: 0 });
    await notify(user);
    await send(device.id);
    expect(nonces(browser)).toEqual([]);
  });

  it('PUSH-017 two sites of a browser with one session are two devices, each of which is removed alone', async () => {
    const { user, browser, device } = await aSubscriber();
    const site = new TestBrowser();
    const other = await user.request(subscribePush, { ...PREFERENCES, ...site.fields });
    expect((await user.request(pushDevices)).list.map(({ id }) => id).toSorted()).toEqual(
      [device.id, other.id].toSorted(),
    );
    expect(await user.request(removePush, { id: other.id })).toEqual({ count: 1 });
    await notify(user);
    await received(browser);
    await send(other.id);
    expect(nonces(site)).toEqual([]);
  });

  it('PUSH-020 a renewed subscription takes the place of the old one, and what waited is sent to it', async () => {
    const { user, browser, device } = await aSubscriber({ kinds: 'alerts' });
    service.status = 503;
    await notify(user);
    await received(browser);
    const renewed = new TestBrowser();
    const { endpoint, p256dh, auth } = renewed.fields;
    service.status = 201;
    for (let count = 0; count < 2; count += 1)
      expect(await exchange.call(renewPush, { token: browser.token, endpoint, p256dh, auth })).toMatchObject({
        code: 1,
      });
    const [push] = await received(renewed);
    expect(await exchange.call(readPush, { token: browser.token, nonce: push!.nonce })).toMatchObject({
      code: 1,
    });
    const { list } = await user.request(pushDevices);
    expect(list).toMatchObject([{ id: device.id, kinds: ['alerts'], timeZone: PREFERENCES.timeZone }]);
    expect(nonces(browser)).toHaveLength(1);
  });

  it('PUSH-020 an old endpoint that answers 410 after the renewal does not remove the device', async () => {
    const { user, browser, device } = await aSubscriber();
    const renewed = new TestBrowser();
    const { endpoint, p256dh, auth } = renewed.fields;
    service.status = 410;
    service.beforeAnswer = async () => {
      service.status = 201;
      await exchange.call(renewPush, { token: browser.token, endpoint, p256dh, auth });
    };
    await notify(user);
    await received(browser);
    await received(renewed);
    expect((await user.request(pushDevices)).list).toMatchObject([{ id: device.id }]);
  });

  it('PUSH-020 nothing is renewed for an ended session, an unknown secret or an address that is not public', async () => {
    const { user, browser } = await aSubscriber();
    const { endpoint, p256dh, auth } = new TestBrowser().fields;
    const renew = (fields: object) =>
      exchange.call(renewPush, Object.assign({ token: browser.token, endpoint, p256dh, auth }, fields));
    expect(await renew({ token: new TestBrowser().token })).toMatchObject({ errKey: 'l.not_found' });
    expect(await renew({ endpoint: 'https://127.0.0.1/x' })).toMatchObject({ errKey: 'l.push_endpoint' });
    expect(await renew({ p256dh: `B${'A'.repeat(86)}` })).toMatchObject({ errKey: 'l.field_invalid' });
    await user.request(logout);
    expect(await renew({})).toMatchObject({ errKey: 'l.not_found' });
  });

  it.each([
    ['http://push.example.com/x'],
    ['https://127.0.0.1/x'],
    ['https://[::1]/x'],
    ['https://2130706433/x'],
    ['https://localhost/x'],
    ['https://push.example.com:8443/x'],
    ['https://user:word@push.example.com/x'],
    ['javascript:alert(1)'],
  ])('PUSH-007 the endpoint %s is refused', async (endpoint) => {
    const user = await exchange.aUser();
    const fields = { ...PREFERENCES, ...new TestBrowser().fields, endpoint };
    expect(await user.call(subscribePush, fields)).toMatchObject({ errKey: 'l.push_endpoint' });
  });

  it('PUSH-007 malformed fields are refused and store nothing', async () => {
    const user = await exchange.aUser();
    const fields = { ...PREFERENCES, ...new TestBrowser().fields };
    for (const wrong of [
      { kinds: 'alerts,everything' },
      { timeZone: 'Mars/Base' },
      { quietFrom: '60' },
      { quietFrom: '60', quietTo: '1440' },
      { auth: 'x' },
      { p256dh: 'x' },
      { p256dh: `B${'A'.repeat(86)}` },
      { token: 'x' },
    ])
      expect((await user.call(subscribePush, { ...fields, ...wrong })).code, JSON.stringify(wrong)).not.toBe(
        1,
      );
    expect((await user.request(pushDevices)).list).toEqual([]);
  });

  it.each([404, 410])('PUSH-008 a push service that answers %i removes the device', async (status) => {
    const { user } = await aSubscriber();
    service.status = status;
    await notify(user);
    await eventually(async () => expect((await user.request(pushDevices)).list).toEqual([]));
  });

  it('PUSH-009 a failed push is repeated after growing pauses with the same nonce', async () => {
    const { user, browser, device } = await aSubscriber();
    service.status = 503;
    const resume = exchange.clock.freeze();
    await notify(user);
    await received(browser, 1);
    await send(device.id);
    expect(nonces(browser)).toHaveLength(1);
    exchange.clock.shift(5_000);
    await send(device.id);
    exchange.clock.shift(5_000);
    await send(device.id);
    expect(nonces(browser)).toHaveLength(2);
    exchange.clock.shift(5_000);
    service.status = 201;
    await send(device.id);
    const sent = nonces(browser);
    expect(new Set(sent.map(({ nonce }) => nonce)).size).toBe(1);
    expect(sent).toHaveLength(3);
    exchange.clock.shift(60_000);
    await send(device.id);
    expect(nonces(browser)).toHaveLength(3);
    resume();
  });

  it('PUSH-010 PUSH-011 messages of quiet hours wait for their end and are one push', async () => {
    const now = new Date(exchange.clock.now());
    const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
    const { user, browser, device } = await aSubscriber();
    await user.request(changePush, {
      id: device.id,
      kinds: 'alerts',
      timeZone: 'UTC',
      quietFrom: String((minute + 1_430) % 1_440),
      quietTo: String((minute + 60) % 1_440),
    });
    for (const price of ['51000', '52000', '53000']) await notify(user, price);
    await send(device.id);
    expect(nonces(browser)).toEqual([]);
    exchange.clock.shift(61 * 60_000);
    await send(device.id);
    const [push] = await received(browser);
    const { data } = await exchange.call(readPush, { token: browser.token, nonce: push!.nonce });
    expect(data.title).toContain('53,000');
    expect(data.body).toContain('2 earlier notifications');
  });

  it('PUSH-012 texts cannot be read a day later', async () => {
    const { user, browser } = await aSubscriber();
    await notify(user);
    const [push] = await received(browser);
    exchange.clock.shift(86_400_000);
    expect((await exchange.call(readPush, { token: browser.token, nonce: push!.nonce })).code).not.toBe(1);
  });

  it('PUSH-013 PUSH-014 a push goes out after the commit and a restart, also with a rotated secret, but not after a rollback', async () => {
    const { dataDirectory } = exchange;
    const { database } = exchange.doors;
    const { user, browser, device } = await aSubscriber();
    const undone = database.transaction(async (tx) => {
      const message = { type: 'system', kind: 'priceFell', parameters: {} } as const;
      await exchange.doors.messages.send(tx, [{ userId: user.id, message }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const { publicKey } = await user.request(pushDevices);
    service.status = 503;
    await notify(user);
    await received(browser, 1);
    const first = await openServerSecret({ dataDirectory, mustExist: true });
    await exchange.restart(() => replaceSecretFile(dataDirectory, first.rotated()));
    const secret = await openServerSecret({ dataDirectory });
    const client = new pg.Client(clientOptions(exchange.database.connection, 'rotate-secret'));
    await client.connect();
    const files = new SealedStore(new LocalFileStore(join(dataDirectory, 'files')), secret);
    const rotated = await reencryptAll({ client, secret, files, onProgress: () => undefined });
    await client.end();
    expect(rotated).toMatchObject({ failureCount: 0 });
    await exchange.restart(() => replaceSecretFile(dataDirectory, secret.withoutRetiring()));
    service.status = 201;
    // The job for the next push is queued until the pause between pushes has ended.
    const { rows } = await exchange.database.pool.query('select 1 from graphile_worker.jobs where key = $1', [
      `push:${device.id}`,
    ]);
    expect(rows).toHaveLength(1);
    exchange.clock.shift(10_000);
    await send(device.id);
    expect((await user.request(pushDevices)).list[0]!.lastSentTime).toBeGreaterThan(0);
    expect(new Set(nonces(browser).map(({ nonce }) => nonce)).size).toBe(1);
    expect(signedClaims(service.received.at(-1)!, publicKey)).toMatchObject({
      aud: 'https://push.example.com',
    });
  });
});
