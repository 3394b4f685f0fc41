import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { HOUR_MS, instant, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { API_KEYS_MAX, apiKeys, createApiKey, revokeApiKey, revokeApiKeys } from '@exchange/wire/api-key.ts';
import { messagePage } from '@exchange/wire/message.ts';
import * as spot from '@exchange/wire/spot.ts';
import { CODE_TYPES, demoLogin, sendEmailCode } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operateAs } from '../../../testing/operators.ts';
import { LIMITS, NO_LIMITS } from '../../platform/limits/limits.ts';
import { limit, place } from '../spot/testing/orders.ts';
import { addKey } from './testing/programs.ts';

type Json = Record<string, unknown>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Answer {
  readonly status: number;
  readonly body: Json & { readonly code?: number; readonly msg?: string };
}

interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly code?: string;
}

interface KeyFields {
  readonly name: string;
  readonly trade?: '0' | '1';
  readonly addresses?: string;
  readonly publicKey?: string;
}

/** A program with an API key, which signs like a trading library. */
class Program {
  readonly key: string;
  private readonly exchange: TestExchange;
  private readonly now: () => number;
  private readonly signatureOf: (text: string) => string;

  constructor(exchange: TestExchange, key: string, signatureOf: (text: string) => string) {
    this.exchange = exchange;
    this.now = () => exchange.clock.now();
    this.key = key;
    this.signatureOf = signatureOf;
  }

  static withSecret(exchange: TestExchange, key: string, secret: string): Program {
    return new Program(exchange, key, (text) => createHmac('sha256', secret).update(text).digest('hex'));
  }

  /** The query text of parameters with their signature; `timestamp` defaults to now. */
  signedQuery(parameters: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams({ timestamp: String(this.now()), ...parameters }).toString();
    return `${query}&signature=${encodeURIComponent(this.signatureOf(query))}`;
  }

  send(method: Method, path: string, parameters: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.sendQuery(method, path, this.signedQuery(parameters));
  }

  async sendQuery(method: Method, path: string, query: string): Promise<Answer> {
    const isForm = method === 'POST';
    const answer = await fetch(`${this.exchange.url}${path}${isForm ? '' : `?${query}`}`, {
      method,
      headers: {
        'x-mbx-apikey': this.key,
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(isForm && { body: query }),
    });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  }

  /** Sends an API request and returns the body of its answer; throws if the status is not 200. */
  async request<T = Json>(
    method: Method,
    path: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<T> {
    const { status, body } = await this.send(method, path, parameters);
    if (status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(body)}`);
    return body as T;
  }
}

const BUY = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;

const INSUFFICIENT = 'Account has insufficient balance for requested action.';

describe('trading over the public API', () => {
  let exchange: TestExchange;
  let trader: TestTrader;
  let maker: TestTrader;
  let program: Program;
  let reader: Program;

  /** Mails sent to the user, newest first. */
  async function mailsTo({ email }: TestTrader) {
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${email}`);
    return ((await mail.json()) as { list: readonly Mail[] }).list;
  }

  /**
   * The request fields of a new API key, with the code from the mail that confirms exactly these fields.
   * Advances the exchange's time by 61 seconds first, because codes of one purpose are mailed at least a
   * minute apart.
   */
  async function newKeyFields(
    owner: TestTrader,
    { name, trade = '1', addresses = '', publicKey = '' }: KeyFields,
  ) {
    const fields = { name, trade, addresses, expireTime: '0', publicKey };
    await exchange.advanceTime(61 * SECOND_MS);
    await owner.request(sendEmailCode, {
      email: owner.email,
      type: CODE_TYPES.bind,
      act: createApiKey.path,
      about: new URLSearchParams(fields).toString(),
    });
    const [mail] = await mailsTo(owner);
    return { ...fields, code: mail!.code! };
  }

  /** Creates an API key with the mailed code that confirms it. */
  async function makeKey(owner: TestTrader, fields: KeyFields) {
    return owner.request(createApiKey, await newKeyFields(owner, fields));
  }

  /** Titles of the newest messages in the user's inbox. */
  async function inboxOf(owner: TestTrader): Promise<readonly string[]> {
    return (await owner.request(messagePage, {})).list.map(({ title }) => title);
  }

  beforeAll(async () => {
    exchange = await anExchange({
      limits: {
        ...NO_LIMITS,
        apiOrder: { ...LIMITS.apiOrder, perSecond: 0.001 },
        apiOrderDay: { ...LIMITS.apiOrderDay, perSecond: 0.001 },
      },
    });
    trader = await exchange.aUser({ USDT: '100000', BTC: '5' });
    maker = await exchange.aUser({ BTC: '10', USDT: '500000' });
    const trading = await makeKey(trader, { name: 'Bot', trade: '1' });
    program = Program.withSecret(exchange, trading.key, trading.secret);
    const reading = await makeKey(trader, { name: 'Reader', trade: '0' });
    reader = Program.withSecret(exchange, reading.key, reading.secret);
    await place(maker, limit('sell', '50000', '1'));
  });
  afterAll(() => exchange.close());

  it('PAPI-040 a key is listed without its secret, and its creation is reported by mail and in the inbox', async () => {
    const { list } = await trader.request(apiKeys);
    expect(list.map(({ name, trade }) => [name, trade])).toEqual([
      ['Reader', 0],
      ['Bot', 1],
    ]);
    expect(JSON.stringify(list)).not.toContain('secret');
    expect(await inboxOf(trader)).toContain('API key created');
    const mail = (await mailsTo(trader)).find(({ subject }) => subject.includes('API key created'));
    expect(mail?.text).toContain('“Reader”');
    // Mails about API keys cannot be switched off, so they contain no link to the message settings.
    expect(mail?.text).not.toContain('Message settings');
  });

  it('PAPI-040 the first use from an address is reported by mail and in the inbox, and no further use', async () => {
    const title = 'API key used from a new address';
    const reports = async () => ({
      inbox: (await inboxOf(maker)).filter((other) => other === title).length,
      mails: (await mailsTo(maker)).filter(({ subject }) => subject.includes(title)).length,
    });
    const { key, secret } = await makeKey(maker, { name: 'Maker', trade: '0' });
    const bot = Program.withSecret(exchange, key, secret);
    await bot.request('GET', '/api/v3/account');
    await eventually(async () => expect(await reports()).toEqual({ inbox: 1, mails: 1 }));
    await bot.request('GET', '/api/v3/account');
    // When the message of a second API key has arrived, all messages of the first key have arrived too.
    const next = await makeKey(maker, { name: 'Next', trade: '0' });
    await Program.withSecret(exchange, next.key, next.secret).request('GET', '/api/v3/account');
    await eventually(async () => expect(await reports()).toEqual({ inbox: 2, mails: 2 }));
    await maker.request(revokeApiKeys);
  });

  it('PAPI-053 a repetition after a lost answer returns the same key, and its secret for ten minutes', async () => {
    const fields = { ...(await newKeyFields(maker, { name: 'Lost' })), clientId: 'lost' };
    const first = await maker.request(createApiKey, fields);
    expect(await maker.request(createApiKey, fields)).toEqual(first);
    expect((await maker.call(createApiKey, { ...fields, name: 'Other' })).errKey).toBe('l.duplicate_key');
    expect((await maker.request(apiKeys)).list).toHaveLength(1);
    const { rows } = await exchange.database.pool.query(
      `select answer from idempotency where operation = 'apiKeys.create'`,
    );
    expect(JSON.stringify(rows)).toContain(first.id);
    expect(JSON.stringify(rows)).not.toContain(first.secret);
    await exchange.advanceTime(9 * MINUTE_MS);
    expect((await maker.request(createApiKey, fields)).secret).toBe(first.secret);
    await exchange.advanceTime(MINUTE_MS);
    expect(await maker.request(createApiKey, fields)).toEqual({ ...first, secret: '' });
    await maker.request(revokeApiKeys);
  });

  it('PAPI-054 expired keys stay listed for a while and do not count towards the most keys', async () => {
    const owner = await exchange.aUser();
    const expiresAt = instant(exchange.clock.now() + HOUR_MS);
    const create = (name: string) => addKey(exchange, owner.id, { name, expiresAt });
    for (let count = 0; count < API_KEYS_MAX; count += 1) await create(`Short ${count}`);
    await expect(create('Too many')).rejects.toThrow('l.api_keys_max');
    await exchange.advanceTime(HOUR_MS);
    await expect(create('Past')).rejects.toThrow('l.field_invalid');
    for (const name of ['Live', 'Second']) await makeKey(owner, { name, trade: '0' });
    const { list } = await owner.request(apiKeys);
    expect(list.slice(0, 2).map(({ name }) => name)).toEqual(['Second', 'Live']);
    expect(list).toHaveLength(API_KEYS_MAX + 2);
  });

  it('PAPI-055 a key of a frozen account is refused until the account is unfrozen', async () => {
    const { identity } = exchange.doors;
    const owner = await exchange.aUser();
    const { key, secret } = await makeKey(owner, { name: 'Frozen', trade: '0' });
    const bot = Program.withSecret(exchange, key, secret);
    await bot.request('GET', '/api/v3/account');
    await identity.restrict(owner.id, { frozen: true, reason: 'test' });
    expect((await bot.send('GET', '/api/v3/account')).body.code).toBe(-2015);
    await identity.restrict(owner.id, { frozen: false, reason: 'test' });
    await bot.request('GET', '/api/v3/account');
  });

  it('OPS-045 operators see the API keys of a user and revoke one or all with a reason, which the logs have', async () => {
    const owner = await exchange.aUser();
    const bots: Program[] = [];
    for (const name of ['One', 'Two']) {
      const { key, secret } = await makeKey(owner, { name, trade: '1', addresses: '127.0.0.1' });
      bots.push(Program.withSecret(exchange, key, secret));
    }
    const operate = async (path: string, fields?: Record<string, string>) => {
      const answer = await operateAs(exchange, 'approver', `/ops/users/${owner.id}/${path}`, fields);
      return { status: answer.status, body: (await answer.json()) as Record<string, Json[]> };
    };
    const shown = (await operate('api-keys')).body['apiKeys']!;
    expect(shown).toEqual([
      expect.objectContaining({ name: 'Two', kind: 'hmac', mayTrade: true, addresses: '127.0.0.1' }),
      expect.objectContaining({ name: 'One', isExpired: false, createdAt: expect.any(Number) as number }),
    ]);
    expect(JSON.stringify(shown)).not.toContain('secret');
    const reason = { reason: 'the owner reported a theft' };
    const revokeOne = `api-keys/${String(shown[1]!['key'])}/revoke`;
    expect((await operate(revokeOne, {})).status).toBe(400);
    expect((await operate(revokeOne, reason)).body).toMatchObject({ revoked: 1 });
    expect((await operate(revokeOne, reason)).status).toBe(400);
    expect((await bots[0]!.send('GET', '/api/v3/account')).body.code).toBe(-2015);
    await bots[1]!.request('GET', '/api/v3/account');
    expect((await operate('revoke-api-keys', reason)).body).toMatchObject({ revoked: 1 });
    expect((await bots[1]!.send('GET', '/api/v3/account')).body.code).toBe(-2015);
    const { events } = (await operate('security')).body;
    const revoked = events!.filter(({ kind }) => kind === 'apiKeyRevoked');
    expect(revoked.map(({ detail }) => JSON.stringify(detail))).toEqual([
      expect.stringContaining('Two') as string,
      expect.stringContaining(reason.reason) as string,
    ]);
    const { decisions } = (await operate('decisions')).body;
    expect(decisions).toContainEqual(
      expect.objectContaining({ action: 'POST /ops/users/:user/revoke-api-keys', ...reason }),
    );
  });

  it('PAPI-041 signatures, times, keys and permissions are checked in this order', async () => {
    const path = '/api/v3/account';
    const withKey = (key: string) => Program.withSecret(exchange, key, 'x'.repeat(64));
    expect((await withKey('short').send('GET', path)).body.code).toBe(-2014);
    expect((await withKey('a'.repeat(64)).send('GET', path)).body.code).toBe(-2015);
    const { body: unsigned } = await program.sendQuery('GET', path, `timestamp=${exchange.clock.now()}`);
    expect(unsigned.code).toBe(-1102);
    expect((await withKey(program.key).send('GET', path)).body.code).toBe(-1022);
    const now = exchange.clock.now();
    const at = (timestamp: number, recvWindow?: string) =>
      program.send('GET', path, {
        timestamp: String(timestamp),
        ...(recvWindow !== undefined && { recvWindow }),
      });
    expect((await at(now + 5_000)).body.code).toBe(-1021);
    expect((await at(now - 6_000)).body.code).toBe(-1021);
    expect((await at(now - 6_000, '10000.5')).status).toBe(200);
    expect((await at(now, '60001')).body.code).toBe(-1131);
    expect(
      (await reader.send('POST', '/api/v3/order', { ...BUY, quantity: '1', price: '1' })).body,
    ).toMatchObject({ code: -2015 });
    const changed = program.signedQuery({ symbol: 'BTCUSDT' }).replace('BTCUSDT', 'ETHUSDT');
    expect((await program.sendQuery('GET', '/api/v3/openOrders', changed)).body.code).toBe(-1022);
  });

  it('PAPI-042 an order is placed, found by both names, listed, and cancelled', async () => {
    const placed = await program.request('POST', '/api/v3/order', {
      ...BUY,
      quantity: '0.01',
      price: '49000.5',
      newClientOrderId: 'bot-1',
    });
    expect(placed).toMatchObject({
      symbol: 'BTCUSDT',
      clientOrderId: 'bot-1',
      status: 'NEW',
      price: '49000.50',
      origQty: '0.01000',
      executedQty: '0.00000',
      fills: [],
    });
    expect(Number.isSafeInteger(placed['orderId'])).toBe(true);
    const orderId = String(placed['orderId']);
    const found = await program.request('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId });
    expect(found).toMatchObject({ isWorking: true, clientOrderId: 'bot-1', status: 'NEW' });
    expect(
      await program.request('GET', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: 'bot-1' }),
    ).toEqual(found);
    expect(await program.request('GET', '/api/v3/openOrders')).toEqual([found]);
    const inApp = await trader.request(spot.orderRecords, { entryStatus: '0' });
    expect(inApp.list).toMatchObject([{ clientId: 'bot-1', price: '49000.50' }]);
    const { body: again } = await program.send('POST', '/api/v3/order', {
      ...BUY,
      quantity: '0.02',
      price: '48000',
      newClientOrderId: 'bot-1',
    });
    expect(again).toEqual({ code: -2010, msg: 'Duplicate order sent.' });
    expect(await program.request('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId })).toMatchObject({
      status: 'CANCELED',
      origClientOrderId: 'bot-1',
    });
    for (const symbol of ['BTCUSDT', 'ETHUSDT'])
      expect((await program.send('DELETE', '/api/v3/order', { symbol, orderId })).body.code).toBe(-2011);
    expect(await program.request('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId })).toMatchObject({
      status: 'CANCELED',
    });
  });

  it('PAPI-043 the same signed request again answers the first outcome and trades once', async () => {
    const query = program.signedQuery({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.1' });
    const first = await program.sendQuery('POST', '/api/v3/order', query);
    expect(first.body).toMatchObject({
      status: 'FILLED',
      executedQty: '0.10000',
      cummulativeQuoteQty: '5000.00000000',
    });
    const again = await program.sendQuery('POST', '/api/v3/order', query);
    expect(again).toEqual(first);
    const trades = await program.request<Json[]>('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' });
    expect(trades).toHaveLength(1);
    expect(trades[0]).toMatchObject({
      price: '50000.00',
      qty: '0.10000',
      commission: '0.00010000',
      commissionAsset: 'BTC',
      isBuyer: true,
      isMaker: false,
      orderId: first.body['orderId'],
    });
    expect((first.body['fills'] as Json[])[0]).toMatchObject({
      tradeId: trades[0]!['id'],
      commissionAsset: 'BTC',
    });
  });

  it('PAPI-044 balances and rates are the account’s', async () => {
    const account = await program.request('GET', '/api/v3/account', { omitZeroBalances: 'true' });
    const app = await trader.request(spot.spotAssets, {});
    const balanceOf = (coin: string) => {
      const { availableCurrency, frozenCurrency } = app.list.find((row) => row.currencyName === coin)!;
      return { asset: coin, free: availableCurrency, locked: frozenCurrency };
    };
    expect(account['balances']).toEqual([balanceOf('USDT'), balanceOf('BTC')]);
    expect(account).toMatchObject({ canTrade: true, canWithdraw: false, makerCommission: 10 });
    expect(await reader.request('GET', '/api/v3/account')).toMatchObject({ canTrade: false });
    expect(await program.request('GET', '/sapi/v1/asset/tradeFee', { symbol: 'BTCUSDT' })).toEqual([
      { symbol: 'BTCUSDT', makerCommission: '0.001', takerCommission: '0.001' },
    ]);
  });

  it.each([
    [{ quantity: '0.0000001', price: '40000' }, -1013, 'Filter failure: LOT_SIZE'],
    [{ quantity: '0.01', price: '40000.123' }, -1013, 'Filter failure: PRICE_FILTER'],
    [{ quantity: '0.00001', price: '49000' }, -1013, 'Filter failure: NOTIONAL'],
    [{ quantity: '50', price: '49000' }, -2010, INSUFFICIENT],
    [{ quantity: '0.01' }, -1102, undefined],
    [{ quantity: '1e-2', price: '49000' }, -1100, undefined],
    [{ quantity: '-1', price: '49000' }, -1100, undefined],
    [{ quantity: '0.01', price: '49000', side: 'buy' }, -1117, undefined],
    [{ quantity: '0.01', price: '49000', type: 'ICEBERG' }, -1116, undefined],
    [{ quantity: '0.01', price: '49000', timeInForce: 'GTX' }, -1115, undefined],
    [
      { quantity: '0.01', price: '51000', type: 'LIMIT_MAKER', timeInForce: '' },
      -2010,
      'Order would immediately match and take.',
    ],
    [
      { quantity: '0.01', stopPrice: '40000', type: 'STOP_LOSS', timeInForce: '' },
      -2010,
      'Order would trigger immediately.',
    ],
    [{ quantity: '0.0000000000001', price: '49000' }, -1111, undefined],
  ])('PAPI-045 an order with %o is refused with %i', async (fields, code, message) => {
    const parameters = Object.fromEntries(
      Object.entries({ ...BUY, ...fields }).filter(([, value]) => value !== ''),
    );
    const { status, body } = await program.send('POST', '/api/v3/order', parameters);
    expect([status, body.code]).toEqual([400, code]);
    expect(body.msg).toBe(message ?? body.msg);
    // The endpoint that only tests an order refuses it with the same error, except for an insufficient balance, which
    // that endpoint does not check.
    if (body.msg === INSUFFICIENT) return;
    const tested = await program.send('POST', '/api/v3/order/test', parameters);
    expect([tested.status, tested.body]).toEqual([400, body]);
  });

  it('PAPI-046 orders of another account look like unknown ones', async () => {
    const other = await place(maker, limit('sell', '60000', '0.1'));
    const listed = await program.send('GET', '/api/v3/order', {
      symbol: 'BTCUSDT',
      origClientOrderId: other.id,
    });
    expect(listed.body.code).toBe(-2013);
    const key = await makeKey(maker, { name: 'Maker', trade: '1' });
    const makers = Program.withSecret(exchange, key.key, key.secret);
    const [open] = await makers.request<Json[]>('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    const orderId = String(open!['orderId']);
    for (const method of ['GET', 'DELETE'] as const) {
      const { body } = await program.send(method, '/api/v3/order', { symbol: 'BTCUSDT', orderId });
      expect(body.code).toBe(method === 'GET' ? -2013 : -2011);
    }
    expect(await makers.request('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId })).toMatchObject({
      status: 'PARTIALLY_FILLED',
    });
  });

  it('PAPI-046 PAPI-047 PAPI-051 ended orders are found by number after a restart, and numbers of no order are refused', async () => {
    const all = await program.request<Json[]>('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' });
    await exchange.restart();
    for (const order of all)
      expect(
        await program.request('GET', '/api/v3/order', {
          symbol: 'BTCUSDT',
          orderId: String(order['orderId']),
        }),
      ).toEqual(order);
    for (const orderId of ['0', '1', '123', String(Number(all[0]!['orderId']) + 1), '9007199254740991'])
      for (const method of ['GET', 'DELETE'] as const) {
        const { body } = await program.send(method, '/api/v3/order', { symbol: 'BTCUSDT', orderId });
        expect([orderId, body.code]).toEqual([orderId, method === 'GET' ? -2013 : -2011]);
      }
    expect(await program.request('GET', '/sapi/v1/capital/config/getall')).toContainEqual(
      expect.objectContaining({ coin: 'BTC', isLegalMoney: false }),
    );
    expect(await program.request('GET', '/sapi/v1/margin/isolated/allPairs')).toEqual([]);
    expect((await program.sendQuery('GET', '/sapi/v1/margin/allPairs', '')).body).toEqual([]);
  });

  it('PAPI-047 ended orders are listed by id and time, and all open ones are cancelled at once', async () => {
    for (const price of ['40001', '40002', '40003'])
      await program.request('POST', '/api/v3/order', { ...BUY, quantity: '0.01', price });
    const all = await program.request<Json[]>('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' });
    expect(all.slice(-3).map(({ price }) => price)).toEqual(['40001.00', '40002.00', '40003.00']);
    const from = await program.request<Json[]>('GET', '/api/v3/allOrders', {
      symbol: 'BTCUSDT',
      orderId: String(all.at(-2)!['orderId']),
    });
    expect(from).toEqual(all.slice(-2));
    const cancelled = await program.request<Json[]>('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    expect(cancelled.map(({ status }) => status)).toEqual(['CANCELED', 'CANCELED', 'CANCELED']);
    expect((await program.send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).body.code).toBe(-2011);
    expect(await program.request('GET', '/api/v3/openOrders')).toEqual([]);
  });

  /** Places a limit buy, of 0.01 BTC by default, below the market and returns the order's number. */
  async function restingBuy(price: string, name: string, quantity = '0.01'): Promise<string> {
    const fields = {
      ...BUY,
      price,
      quantity,
      newClientOrderId: name,
    };
    const { orderId } = await program.request('POST', '/api/v3/order', fields);
    return String(orderId);
  }
  const openNames = async () =>
    (await program.request<Json[]>('GET', '/api/v3/openOrders')).map(({ clientOrderId, price }) => [
      clientOrderId,
      price,
    ]);
  const REPLACE = '/api/v3/order/cancelReplace';
  const STRICT = { ...BUY, quantity: '0.01', cancelReplaceMode: 'STOP_ON_FAILURE' };
  const LENIENT = { ...STRICT, cancelReplaceMode: 'ALLOW_FAILURE' };
  const UNKNOWN = { code: -2011, msg: 'Unknown order sent.' };

  it('PAPI-090 an order is replaced under its own name, and the same signed request again replaces nothing', async () => {
    const orderId = await restingBuy('45000', 'swap');
    const query = program.signedQuery({
      ...STRICT,
      price: '45001',
      cancelOrigClientOrderId: 'swap',
      newClientOrderId: 'swap',
    });
    const first = await program.sendQuery('POST', REPLACE, query);
    expect(first).toMatchObject({
      status: 200,
      body: {
        cancelResult: 'SUCCESS',
        newOrderResult: 'SUCCESS',
        cancelResponse: { orderId: Number(orderId), status: 'CANCELED', origClientOrderId: 'swap' },
        newOrderResponse: { status: 'NEW', price: '45001.00', clientOrderId: 'swap', fills: [] },
      },
    });
    const together = await Promise.all([1, 2].map(() => program.sendQuery('POST', REPLACE, query)));
    expect(together).toEqual([first, first]);
    expect(await openNames()).toEqual([['swap', '45001.00']]);
    // A signature does not cover the path, so the same signed text can also be sent as a new order, even
    // concurrently.
    const [crossed, placed] = await Promise.all(
      [
        program.signedQuery({
          ...STRICT,
          price: '45009',
          cancelOrigClientOrderId: 'swap',
          newClientOrderId: 'swap',
        }),
      ].flatMap((text) => [
        program.sendQuery('POST', REPLACE, text),
        program.sendQuery('POST', '/api/v3/order', text),
      ]),
    );
    expect([crossed!.status, placed!.status]).not.toContain(500);
    expect((await openNames()).length).toBe(1);
  });

  it('PAPI-091 each part of a replacement has its own result, also when the request is sent again', async () => {
    const { body: stopped } = await program.send('POST', REPLACE, {
      ...STRICT,
      price: '45002',
      cancelOrderId: '123',
    });
    expect(stopped).toEqual({
      code: -2022,
      msg: 'Order cancel-replace failed.',
      data: {
        cancelResult: 'FAILURE',
        newOrderResult: 'NOT_ATTEMPTED',
        cancelResponse: UNKNOWN,
        newOrderResponse: null,
      },
    });
    const tooDear = { ...STRICT, price: '45002', quantity: '50', cancelOrigClientOrderId: 'swap' };
    const dear = program.signedQuery(tooDear);
    const halfDone = {
      status: 409,
      body: {
        code: -2021,
        msg: 'Order cancel-replace partially failed.',
        data: {
          cancelResult: 'SUCCESS',
          newOrderResult: 'FAILURE',
          cancelResponse: { status: 'CANCELED' },
          newOrderResponse: { code: -2010 },
        },
      },
    };
    expect(await program.sendQuery('POST', REPLACE, dear)).toMatchObject(halfDone);
    expect(await program.sendQuery('POST', REPLACE, dear)).toMatchObject(halfDone);
    expect(await openNames()).toEqual([]);
    expect(await program.send('POST', REPLACE, { ...tooDear, ...LENIENT, quantity: '50' })).toMatchObject({
      status: 400,
      body: { code: -2022, data: { cancelResult: 'FAILURE', newOrderResult: 'FAILURE' } },
    });
    // The new order gets the client order id that the cancellation was to cancel and did not find. A repetition of the
    // request must not cancel the new order.
    const names = { cancelOrigClientOrderId: 'later', newClientOrderId: 'later' };
    const lenient = program.signedQuery({ ...LENIENT, ...names, price: '45003' });
    const placed = await program.sendQuery('POST', REPLACE, lenient);
    expect(placed).toMatchObject({
      status: 409,
      body: { code: -2021, data: { cancelResult: 'FAILURE', newOrderResult: 'SUCCESS' } },
    });
    expect(await program.sendQuery('POST', REPLACE, lenient)).toEqual(placed);
    expect(await openNames()).toEqual([['later', '45003.00']]);
    const { body: incomplete } = await program.send('POST', REPLACE, { ...STRICT, price: '1' });
    expect(incomplete.code).toBe(-1102);
  });

  it('PAPI-092 a cancellation names its pair and may require what is filled of the order', async () => {
    const orderId = await restingBuy('47000', 'part', '1');
    await place(maker, limit('sell', '47000', '0.2'));
    const cancel = (fields: Readonly<Record<string, string>>) =>
      program.send('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId, ...fields });
    expect((await cancel({ symbol: 'ETHUSDT' })).body).toEqual(UNKNOWN);
    expect((await cancel({ cancelRestrictions: 'ONLY_NEW' })).body).toEqual({
      code: -2011,
      msg: 'Order was not canceled due to cancel restrictions.',
    });
    const found = await program.request('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId });
    expect(found['status']).toBe('PARTIALLY_FILLED');
    expect(await cancel({ cancelRestrictions: 'ONLY_PARTIALLY_FILLED' })).toMatchObject({
      status: 200,
      body: { status: 'CANCELED' },
    });
  });

  it('PAPI-093 PAPI-094 the quantity of an order is lowered in place, once, and its amendments are listed', async () => {
    const orderId = await restingBuy('45004', 'less', '0.03');
    const path = '/api/v3/order/amend/keepPriority';
    const amend = (newQty: string, fields: Readonly<Record<string, string>> = {}) =>
      program.send('PUT', path, { symbol: 'BTCUSDT', orderId, newQty, ...fields });
    const query = program.signedQuery({ symbol: 'BTCUSDT', orderId, newQty: '0.02' });
    const first = await program.sendQuery('PUT', path, query);
    expect(first.body).toMatchObject({
      executionId: expect.any(Number),
      amendedOrder: { orderId: Number(orderId), qty: '0.02000', clientOrderId: 'less', status: 'NEW' },
    });
    expect(await program.sendQuery('PUT', path, query)).toEqual(first);
    const refused = async (newQty: string, fields?: Readonly<Record<string, string>>) =>
      (await amend(newQty, fields)).body.code;
    expect((await amend('0.03')).body).toEqual({
      code: -2038,
      msg: 'Order amend (quantity increase) is not supported.',
    });
    expect((await amend('0.02')).body).toEqual({
      code: -2038,
      msg: 'The requested action would change no state; rejecting.',
    });
    expect(await refused('0')).toBe(-1130);
    expect(await refused('0.0000001')).toBe(-1013);
    expect(await refused('0.01', { symbol: 'ETHUSDT' })).toBe(-2013);
    expect(await refused('0.01', { newClientOrderId: 'other' })).toBe(-1106);
    const stop = await program.request('POST', '/api/v3/order', {
      ...BUY,
      type: 'STOP_LOSS_LIMIT',
      price: '52000',
      stopPrice: '52000',
      quantity: '0.02',
      newOrderRespType: 'RESULT',
    });
    expect(await refused('0.01', { orderId: String(stop['orderId']) })).toBe(-2038);
    // An untriggered stop is not on the book, both in the answer to its placement and in later answers.
    const named = { symbol: 'BTCUSDT', orderId: String(stop['orderId']) };
    for (const shown of [stop, await program.request('GET', '/api/v3/order', named)])
      expect(shown).toMatchObject({ status: 'NEW', workingTime: -1 });
    await amend('0.01');
    const list = (fields: Readonly<Record<string, string>>) =>
      program.request<Json[]>('GET', '/api/v3/order/amendments', { symbol: 'BTCUSDT', orderId, ...fields });
    const all = await list({});
    expect(all.map(({ origQty, newQty }) => [origQty, newQty])).toEqual([
      ['0.03000', '0.02000'],
      ['0.02000', '0.01000'],
    ]);
    expect(await list({ fromExecutionId: String(all[1]!['executionId']) })).toEqual([all[1]]);
    expect(await list({ limit: '1' })).toEqual([all[0]]);
    await program.request('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    expect(await refused('0.005')).toBe(-2013);
  });

  it('PAPI-149 open orders are listed from the oldest on, also if an amendment moved an order on the book', async () => {
    for (const name of ['oldest', 'middle', 'newest']) await restingBuy('45010', name);
    const inApp = await trader.request(spot.orderRecords, { entryStatus: '0' });
    const { id } = inApp.list.find(({ clientId }) => clientId === 'oldest')!;
    await trader.request(spot.amendOrder, { id, price: '45011' });
    expect(await openNames()).toEqual([
      ['oldest', '45011.00'],
      ['middle', '45010.00'],
      ['newest', '45010.00'],
    ]);
    await program.request('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
  });

  it('PAPI-095 PAPI-096 orders of a batch are placed and cancelled one by one, each with its own answer, once', async () => {
    const item = (price: string, name: string) => ({
      ...BUY,
      price,
      quantity: 0.01,
      newClientOrderId: name,
    });
    const batch = [item('45006', 'one'), item('45007', 'one'), { symbol: 'BTCUSDT' }, item('45008', 'two')];
    const query = program.signedQuery({ batchOrders: JSON.stringify(batch) });
    const first = await program.sendQuery('POST', '/api/v3/batchOrders', query);
    expect(first).toMatchObject({
      status: 200,
      body: [
        { clientOrderId: 'one', price: '45006.00', status: 'NEW' },
        { code: -2010, msg: 'Duplicate order sent.' },
        { code: -1102 },
        { clientOrderId: 'two', price: '45008.00', status: 'NEW' },
      ],
    });
    expect(await program.sendQuery('POST', '/api/v3/batchOrders', query)).toEqual(first);
    expect(await openNames()).toEqual([
      ['one', '45006.00'],
      ['two', '45008.00'],
    ]);
    const [{ orderId }] = first.body as unknown as [Json];
    const cancel = (fields: Readonly<Record<string, string>>) =>
      program.send('DELETE', '/api/v3/batchOrders', { symbol: 'BTCUSDT', ...fields });
    expect((await cancel({ symbol: 'ETHUSDT', orderIdList: `[${String(orderId)}]` })).body).toEqual([
      UNKNOWN,
    ]);
    expect(
      (await cancel({ orderIdList: `[7,${String(orderId)}]`, origClientOrderIdList: '["two"]' })).body,
    ).toMatchObject([
      UNKNOWN,
      { status: 'CANCELED', origClientOrderId: 'one' },
      { status: 'CANCELED', origClientOrderId: 'two' },
    ]);
    for (const batchOrders of [
      '',
      '{}',
      '[]',
      '[1]',
      '[{"symbol":{}}]',
      JSON.stringify(Array.from({ length: 21 }, () => ({}))),
    ]) {
      const { body } = await program.send('POST', '/api/v3/batchOrders', { batchOrders });
      expect([batchOrders, body.code]).toEqual([batchOrders, batchOrders === '' ? -1102 : -1130]);
    }
    expect((await cancel({})).body.code).toBe(-1102);
    expect((await cancel({ orderIdList: '["x"]' })).body.code).toBe(-1100);
  });

  it('PAPI-098 PAPI-099 PAPI-100 a list of two orders is placed once, found by id and name, and cancelled whole', async () => {
    await place(maker, limit('sell', '50000', '0.001'));
    await program.request('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.001',
    });
    const list = {
      symbol: 'BTCUSDT',
      side: 'SELL',
      quantity: '0.01',
      aboveType: 'LIMIT_MAKER',
      abovePrice: '52000',
      aboveClientOrderId: 'profit',
      belowType: 'STOP_LOSS_LIMIT',
      belowStopPrice: '48000',
      belowPrice: '47900',
      belowTimeInForce: 'GTC',
      belowClientOrderId: 'loss',
    };
    const query = program.signedQuery(list);
    const first = await program.sendQuery('POST', '/api/v3/orderList/oco', query);
    expect(first).toMatchObject({
      status: 200,
      body: {
        contingencyType: 'OCO',
        listStatusType: 'EXEC_STARTED',
        listOrderStatus: 'EXECUTING',
        orders: [{ clientOrderId: 'profit' }, { clientOrderId: 'loss' }],
        orderReports: [
          { type: 'LIMIT_MAKER', price: '52000.00', status: 'NEW' },
          { type: 'STOP_LOSS_LIMIT', price: '47900.00', stopPrice: '48000.00', status: 'NEW' },
        ],
      },
    });
    expect(await program.sendQuery('POST', '/api/v3/orderList/oco', query)).toEqual(first);
    const { orderReports: _reports, ...summary } = first.body;
    const orderListId = String(summary['orderListId']);
    const name = String(summary['listClientOrderId']);
    const path = '/api/v3/orderList';
    expect(await program.request('GET', path, { orderListId })).toEqual(summary);
    expect(await program.request('GET', path, { origClientOrderId: name })).toEqual(summary);
    expect(await program.request('GET', '/api/v3/openOrderList')).toEqual([summary]);
    const open = await program.request<Json[]>('GET', '/api/v3/openOrders');
    expect(open.map((order) => [order['clientOrderId'], String(order['orderListId'])])).toEqual([
      ['profit', orderListId],
      ['loss', orderListId],
    ]);
    expect((await program.send('POST', '/api/v3/orderList/oco', list)).body).toEqual({
      code: -2010,
      msg: 'Duplicate order sent.',
    });
    for (const id of ['0', '1', String(Number(orderListId) + 1), '9007199254740991'])
      expect((await program.send('GET', path, { orderListId: id })).body.code).toBe(-2013);
    const cancel = (symbol: string) => program.send('DELETE', path, { symbol, orderListId });
    expect((await cancel('ETHUSDT')).body).toEqual(UNKNOWN);
    expect(await cancel('BTCUSDT')).toMatchObject({
      status: 200,
      body: {
        listStatusType: 'ALL_DONE',
        orderReports: [
          { origClientOrderId: 'profit', status: 'CANCELED' },
          { origClientOrderId: 'loss', status: 'CANCELED' },
        ],
      },
    });
    expect((await cancel('BTCUSDT')).body).toEqual(UNKNOWN);
    expect(await program.request('GET', path, { origClientOrderId: name })).toMatchObject({
      listOrderStatus: 'ALL_DONE',
    });
    expect(await program.request('GET', '/api/v3/openOrderList')).toEqual([]);
  });

  it('PAPI-133 PAPI-139 PAPI-140 an OTOCO is placed once, found by id and name, reported through its life, and listed', async () => {
    const list = {
      symbol: 'BTCUSDT',
      listClientOrderId: 'entry-and-exits',
      workingType: 'LIMIT',
      workingSide: 'BUY',
      workingPrice: '49000',
      workingQuantity: '0.01',
      workingTimeInForce: 'GTC',
      workingClientOrderId: 'entry',
      pendingSide: 'SELL',
      pendingQuantity: '0.01',
      pendingAboveType: 'LIMIT_MAKER',
      pendingAbovePrice: '52000',
      pendingAboveClientOrderId: 'exit-above',
      pendingBelowType: 'STOP_LOSS',
      pendingBelowStopPrice: '47000',
      pendingBelowClientOrderId: 'exit-below',
    };
    const query = program.signedQuery(list);
    const first = await program.sendQuery('POST', '/api/v3/orderList/otoco', query);
    expect(first).toMatchObject({
      status: 200,
      body: {
        contingencyType: 'OTO',
        listOrderStatus: 'EXECUTING',
        listClientOrderId: 'entry-and-exits',
        orders: [
          { clientOrderId: 'entry' },
          { clientOrderId: 'exit-above' },
          { clientOrderId: 'exit-below' },
        ],
        orderReports: [
          { type: 'LIMIT', side: 'BUY', status: 'NEW' },
          { type: 'LIMIT_MAKER', side: 'SELL', status: 'PENDING_NEW', workingTime: -1 },
          { type: 'STOP_LOSS', side: 'SELL', status: 'PENDING_NEW', stopPrice: '47000.00' },
        ],
      },
    });
    expect(await program.sendQuery('POST', '/api/v3/orderList/otoco', query)).toEqual(first);
    const { orderReports: _reports, ...summary } = first.body;
    const orderListId = String(summary['orderListId']);
    const path = '/api/v3/orderList';
    expect(await program.request('GET', path, { orderListId })).toEqual(summary);
    expect(await program.request('GET', path, { origClientOrderId: 'entry-and-exits' })).toEqual(summary);
    expect(await program.request('GET', '/api/v3/openOrderList')).toEqual([summary]);
    await place(maker, limit('sell', '49000', '0.01'));
    const statuses = async () =>
      (await program.request<Json[]>('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT', limit: '10' }))
        .filter((order) => String(order['orderListId']) === orderListId)
        .map((order) => [order['clientOrderId'], order['status'], order['isWorking']]);
    await eventually(async () =>
      expect(new Set(await statuses())).toEqual(
        new Set([
          ['entry', 'FILLED', true],
          ['exit-above', 'NEW', true],
          ['exit-below', 'NEW', false],
        ]),
      ),
    );
    expect(await program.request('GET', '/api/v3/openOrderList')).toEqual([summary]);
    expect(await program.send('DELETE', path, { symbol: 'BTCUSDT', orderListId })).toMatchObject({
      status: 200,
      body: {
        listStatusType: 'ALL_DONE',
        orderReports: [
          { origClientOrderId: 'exit-above', status: 'CANCELED' },
          { origClientOrderId: 'exit-below', status: 'CANCELED' },
        ],
      },
    });
    expect(await program.request('GET', '/api/v3/openOrderList')).toEqual([]);
    const all = (query: Readonly<Record<string, string>>) =>
      program.request<Json[]>('GET', '/api/v3/allOrderList', query);
    expect(
      (await all({ limit: '1' })).map((entry) => [entry['orderListId'], entry['listOrderStatus']]),
    ).toEqual([[summary['orderListId'], 'ALL_DONE']]);
    expect((await all({ fromId: orderListId })).map((entry) => entry['listClientOrderId'])).toEqual([
      'entry-and-exits',
    ]);
    expect(
      (await program.send('GET', '/api/v3/allOrderList', { fromId: '1', startTime: '1' })).body.code,
    ).toBe(-1128);
    // The first trade at this price sets the last price, around which later order lists are placed.
    await place(maker, limit('sell', '50000', '0.001'));
    await program.request('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.001',
    });
  });

  it('PAPI-139 an OTO with missing, superfluous or impossible parameters is refused by their names, and nothing is placed', async () => {
    const list = {
      symbol: 'BTCUSDT',
      workingType: 'LIMIT',
      workingSide: 'BUY',
      workingPrice: '49000',
      workingQuantity: '0.01',
      workingTimeInForce: 'GTC',
      pendingSide: 'SELL',
      pendingQuantity: '0.01',
      pendingType: 'LIMIT',
      pendingPrice: '52000',
      pendingTimeInForce: 'GTC',
    };
    const refusal = async (changes: Readonly<Record<string, string | undefined>>) => {
      const sent = Object.entries({ ...list, ...changes }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      const { body } = await program.send('POST', '/api/v3/orderList/oto', Object.fromEntries(sent));
      return [body.code, body['msg']];
    };
    const missing = (name: string) => [
      -1102,
      `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
    ];
    expect(await refusal({ workingTimeInForce: undefined })).toEqual(missing('workingTimeInForce'));
    expect(await refusal({ pendingPrice: undefined })).toEqual(missing('pendingPrice'));
    expect(await refusal({ pendingType: 'STOP_LOSS', pendingPrice: undefined })).toEqual(
      missing('pendingStopPrice'),
    );
    expect((await refusal({ pendingStopPrice: '50000' }))[1]).toContain('pendingStopPrice');
    expect((await refusal({ workingType: 'MARKET' }))[0]).toBe(-1116);
    expect((await refusal({ pendingQuantity: '0.0000001' }))[1]).toBe('Filter failure: LOT_SIZE');
    expect((await refusal({ workingClientOrderId: 'one', pendingClientOrderId: 'one' }))[1]).toBe(
      'Duplicate order sent.',
    );
    expect((await refusal({ workingQuantity: '1000000' }))[0]).toBeLessThan(0);
    expect(await program.request('GET', '/api/v3/openOrders')).toEqual([]);
  });

  it('PAPI-099 a list keeps the name that its owner gave it, which no other open list of the account has', async () => {
    const path = '/api/v3/orderList';
    const list = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      quantity: '0.01',
      price: '49000',
      stopPrice: '52000',
      listClientOrderId: 'my list',
    };
    const name = { listClientOrderId: 'my-list' };
    const place = (fields: Readonly<Record<string, string>>) =>
      program.send('POST', '/api/v3/order/oco', { ...list, ...fields });
    expect((await place({})).body.code).toBe(-1100);
    const { body: placed } = await place(name);
    const { orderListId } = placed;
    expect(placed).toMatchObject(name);
    expect((await place(name)).body).toEqual({ code: -2010, msg: 'Duplicate order sent.' });
    const named = () => program.request('GET', path, { origClientOrderId: 'my-list' });
    expect(await named()).toMatchObject({ ...name, orderListId });
    expect(await program.request('GET', '/api/v3/openOrderList')).toMatchObject([{ ...name, orderListId }]);
    await exchange.restart();
    expect(await program.request('DELETE', path, { symbol: 'BTCUSDT', ...name })).toMatchObject({
      ...name,
      orderListId,
      listOrderStatus: 'ALL_DONE',
    });
    expect(await named()).toMatchObject({ orderListId, listOrderStatus: 'ALL_DONE' });
    // The client id of an ended order list can be used again, and a query by it finds the newest list.
    const { body: next } = await place(name);
    expect(await named()).toMatchObject({ orderListId: next['orderListId'], listOrderStatus: 'EXECUTING' });
    expect((await program.send('GET', path, { origClientOrderId: 'your-list' })).body.code).toBe(-2013);
    await program.request('DELETE', path, { symbol: 'BTCUSDT', ...name });
  });

  it('PAPI-098 a list is refused with prices on the wrong sides and other types', async () => {
    const older = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      quantity: '0.01',
      price: '49000',
      stopPrice: '52000',
    };
    const codeOf = async (path: string, fields: Readonly<Record<string, string>>) =>
      (await program.send('POST', path, fields)).body.code;
    const form = '/api/v3/order/oco';
    expect(await codeOf(form, { ...older, stopPrice: '48000' })).toBe(-2010);
    expect(await codeOf(form, { ...older, stopLimitPrice: '52100' })).toBe(-1102);
    const same = { limitClientOrderId: 'same', stopClientOrderId: 'same' };
    expect(await codeOf(form, { ...older, ...same })).toBe(-2010);
    const newer = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      quantity: '0.01',
      aboveType: 'STOP_LOSS',
      aboveStopPrice: '52000',
      belowType: 'LIMIT_MAKER',
      belowPrice: '49000',
    };
    const path = '/api/v3/orderList/oco';
    expect(await codeOf(path, { ...newer, belowType: 'STOP_LOSS' })).toBe(-1116);
    expect(await codeOf(path, { ...newer, side: 'SELL' })).toBe(-1116);
    expect(await codeOf(path, { ...newer, abovePrice: '52000' })).toBe(-1106);
    expect(await openNames()).toEqual([]);
    const placed = await program.request('POST', form, older);
    const { orders } = placed as { orders?: readonly Json[] };
    expect(new Set(orders!.map(({ clientOrderId }) => clientOrderId)).size).toBe(2);
    // The amount of one order of a list cannot be lowered alone.
    const less = { symbol: 'BTCUSDT', orderId: String(orders![0]!['orderId']), newQty: '0.005' };
    expect((await program.send('PUT', '/api/v3/order/amend/keepPriority', less)).body.code).toBe(-2038);
    await program.request('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
  });

  it('PAPI-097 answers to new orders name the orders of ten seconds and of a day', async () => {
    const counts = async () =>
      (await program.request<Json[]>('GET', '/api/v3/rateLimit/order')).map(({ interval, limit, count }) => ({
        interval,
        limit,
        count: count as number,
      }));
    const [short, day] = await counts();
    expect([short, day]).toMatchObject([
      { interval: 'SECOND', limit: 100 },
      { interval: 'DAY', limit: 200_000 },
    ]);
    const query = program.signedQuery({ ...BUY, quantity: '0.01', price: '1' });
    const body = new URLSearchParams(query);
    const headers = { 'x-mbx-apikey': program.key };
    await fetch(`${exchange.url}/api/v3/order`, { method: 'POST', headers, body });
    expect(await counts()).toMatchObject([{ count: short!.count + 1 }, { count: day!.count + 1 }]);
    const placed = await fetch(`${exchange.url}/api/v3/batchOrders`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(program.signedQuery({ batchOrders: '[{"symbol":"BTCUSDT"}]' })),
    });
    expect(placed.headers.get('x-mbx-order-count-10s')).toBe(String(short!.count + 1));
    expect(placed.headers.get('x-mbx-order-count-1d')).toBe(String(day!.count + 1));
  });

  it('PAPI-048 a key pair of the owner signs with Ed25519, and a key may be limited to addresses', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const { key, secret, kind } = await makeKey(trader, { name: 'Own pair', trade: '1', publicKey: pem });
    expect([secret, kind]).toEqual(['', 'ed25519']);
    const own = new Program(exchange, key, (text) =>
      sign(null, Buffer.from(text), privateKey).toString('base64'),
    );
    expect(await own.request('GET', '/api/v3/openOrders')).toEqual([]);
    const elsewhere = await makeKey(trader, { name: 'Elsewhere', trade: '1', addresses: '203.0.113.7' });
    const away = Program.withSecret(exchange, elsewhere.key, elsewhere.secret);
    expect((await away.send('GET', '/api/v3/account')).body.code).toBe(-2015);
    const refused = await trader.call(createApiKey, { name: 'x', trade: '1', addresses: 'nowhere' });
    expect(refused.code).not.toBe(1);
  });

  it('PAPI-049 orders are limited per account', async () => {
    const query = program.signedQuery({ ...BUY, quantity: '0.01', price: '45005', recvWindow: '60000' });
    const first = await program.sendQuery('POST', '/api/v3/order', query);
    const codes: (number | undefined)[] = [];
    for (let count = 0; count < 101; count += 1) {
      const { body } = await program.send('POST', '/api/v3/order', { ...BUY, quantity: '0.01', price: '1' });
      codes.push(body.code);
    }
    expect(codes).toContain(-1013);
    expect(codes.at(-1)).toBe(-1015);
    expect(await program.sendQuery('POST', '/api/v3/order', query)).toEqual(first);
    const refused = await fetch(`${exchange.url}/api/v3/order`, {
      method: 'POST',
      headers: { 'x-mbx-apikey': program.key },
      body: new URLSearchParams(program.signedQuery({ ...BUY, quantity: '0.01', price: '2' })),
    });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('PAPI-050 a revoked key is refused at once, and the keys of other accounts stay', async () => {
    const other = await makeKey(maker, { name: 'Survivor', trade: '0' });
    const survivor = Program.withSecret(exchange, other.key, other.secret);
    const { list } = await trader.request(apiKeys);
    const bot = list.find(({ name }) => name === 'Bot')!;
    await trader.request(revokeApiKey, { id: bot.id });
    expect((await program.send('GET', '/api/v3/account')).body.code).toBe(-2015);
    expect((await trader.call(revokeApiKey, { id: bot.id })).code).not.toBe(1);
    expect((await reader.send('GET', '/api/v3/account')).status).toBe(200);
    expect((await trader.request(revokeApiKeys)).list).toEqual([]);
    expect((await reader.send('GET', '/api/v3/account')).body.code).toBe(-2015);
    await survivor.request('GET', '/api/v3/account');
  });

  it('PAPI-052 the shared account of a demo has no keys', async () => {
    const { token } = (await exchange.call(demoLogin)).data;
    const fields = { name: 'Bot', trade: '1', code: '123456' } as const;
    const refused = { errKey: 'l.account_shared' };
    expect(await exchange.call(createApiKey, fields, { token })).toMatchObject(refused);
    expect(await exchange.call(apiKeys, {}, { token })).toMatchObject(refused);
    expect(await exchange.call(revokeApiKeys, {}, { token })).toMatchObject(refused);
  });
});
