import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import { depositAddress, sendTestDeposit } from '@exchange/wire/deposit.ts';
import { API_CALLS, type ApiCall } from '@exchange/wire/public-api/calls.ts';
import {
  ACCOUNT_EVENTS,
  MARKET_STREAMS,
  type DescribedStream,
} from '@exchange/wire/public-api/stream-catalogue.ts';
import { createSubAccount, subAccounts, transferSubAccount } from '@exchange/wire/sub-account.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { cancelWithdrawal } from '@exchange/wire/withdrawal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operateAs } from '../../../testing/operators.ts';
import { createSaver } from '../finance/testing/products.ts';
import { limit, place } from '../spot/testing/orders.ts';
import { callName } from './calls-present.ts';
import { CALL_EXAMPLES, STREAM_EXAMPLES, type CallExample } from './reference-examples.ts';
import { makeHmacKey, ProgramSocket, type Json, type TestKey } from './testing/programs.ts';

type Values = Readonly<Record<string, string>>;

/** With RECORD_EXAMPLES=1 this test records the examples of the documents instead of comparing them. */
const IS_RECORDING = process.env['RECORD_EXAMPLES'] === '1';
const EXAMPLES_FILE = fileURLToPath(new URL('reference-examples.ts', import.meta.url));
const TRON = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const SYMBOL = { symbol: 'BTCUSDT' };
const ORDER = {
  ...SYMBOL,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '48000.00',
};
const OCO = { ...SYMBOL, side: 'SELL', quantity: '0.01' };
const WORKING = {
  ...SYMBOL,
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '48000.00',
  workingQuantity: '0.01',
  workingTimeInForce: 'GTC',
};
const ITEMS_SHOWN = 2;
/** Paths of API calls whose answers are objects with a field for each pair or coin. */
const MAPS: ReadonlySet<string> = new Set(['/cmc/assets', '/cmc/ticker']);

/** Shortens lists of objects and rows; rows themselves stay whole. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOfRows = value.some((item) => typeof item === 'object' && item !== null);
    return (isOfRows ? value.slice(0, ITEMS_SHOWN) : value).map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field)]));
}

/**
 * The shape of a JSON value: each field has the name of its type instead of its value, and a list of equal shapes has
 * only one item.
 */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = value.map(shapeOf);
    const isUniform = new Set(shapes.map((shape) => JSON.stringify(shape))).size <= 1;
    return isUniform ? shapes.slice(0, 1) : shapes;
  }
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}

/** The names of all fields of a value, in the notation of the catalogue of streams, e.g. `b[]`. */
function fieldsOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    const isOfObjects = typeof first === 'object' && first !== null && !Array.isArray(first);
    return isOfObjects ? fieldsOf(first, `${prefix}[]`) : [`${prefix}[]`];
  }
  if (typeof value !== 'object' || value === null) return [prefix];
  return Object.entries(value).flatMap(([name, field]) =>
    fieldsOf(field, prefix === '' ? name : `${prefix}.${name}`),
  );
}

describe('the wallet and the reference of the public API', () => {
  let exchange: TestExchange;
  let trader: TestTrader;
  let maker: TestTrader;
  let key: TestKey;
  /** An API key of the account `trader` that may withdraw. */
  let payer: TestKey;
  const recordedStreams: Record<string, unknown> = {};
  const sockets: ProgramSocket[] = [];

  function query(call: Pick<ApiCall, 'access'>, values: Values, signer: TestKey): string {
    const sent = new URLSearchParams(values);
    if (call.access !== 'signed') return sent.toString();
    sent.set('timestamp', String(exchange.clock.now()));
    return `${sent.toString()}&signature=${signer.sign(sent.toString())}`;
  }

  async function send(
    call: Pick<ApiCall, 'access' | 'method'>,
    path: string,
    values: Values,
    signer: TestKey = key,
  ) {
    return fetch(`${exchange.url}${path}?${query(call, values, signer)}`, {
      method: call.method,
      headers: call.access === 'open' ? {} : { 'x-mbx-apikey': signer.key },
    });
  }

  /** Creates an API key that may withdraw 100 USDT within 24 hours. */
  async function makePayer(addresses: readonly string[] = ['127.0.0.1']): Promise<TestKey> {
    const { apiKey, secret } = await exchange.doors.apiKeys.keys.create(
      trader.id,
      {
        name: 'Payer',
        mayTrade: false,
        mayTransfer: false,
        withdrawalLimit: Decimal.parse('100'),
        addresses,
        expiresAt: undefined,
        publicKey: undefined,
      },
      { caller: { address: '', userAgent: '' }, submission: undefined },
    );
    return { key: apiKey.key, sign: (text) => createHmac('sha256', secret).update(text).digest('hex') };
  }

  const READ = { access: 'signed', method: 'GET' } as const;
  async function read<T = Json>(path: string, values: Values = {}): Promise<T> {
    const answer = await send(READ, path, values);
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as T;
  }
  async function codeOf(path: string, values: Values): Promise<unknown> {
    return ((await (await send(READ, path, values)).json()) as Json)['code'];
  }
  const newOrder = async () => {
    const answer = await send({ access: 'signed', method: 'POST' }, '/api/v3/order', ORDER);
    return String(((await answer.json()) as Json)['orderId']);
  };
  const placeList = async () => {
    const parameters = { ...OCO, price: '52000.00', stopPrice: '47000.00' };
    await send({ access: 'signed', method: 'POST' }, '/api/v3/order/oco', parameters);
  };
  const watch = async () => {
    for (let count = 0; count < 3; count += 1) await exchange.doors.deposits.jobs.watch();
  };
  const withdraw = async (amount: string, addressId?: string) => {
    const { withdrawals } = exchange.doors.withdrawals;
    return withdrawals.submit(trader.id, {
      asset: 'USDT',
      network: 'TRC20',
      amount: Decimal.parse(amount),
      address: TRON,
      addressId,
      memo: undefined,
      remark: undefined,
    });
  };

  beforeAll(async () => {
    exchange = await anExchange();
    trader = await createSaver(exchange, { USDT: '100000', BTC: '5' });
    maker = await exchange.aUser({ BTC: '20', USDT: '500000' });
    key = await makeHmacKey(exchange, trader);
    payer = await makePayer();
    // An API key may withdraw only a day after its creation.
    await exchange.advanceTime(DAY_MS);
    for (const price of ['50000', '50010', '50020']) await place(maker, limit('sell', price, '0.5'));
    for (const price of ['49990', '49980']) await place(maker, limit('buy', price, '0.5'));
    await place(trader, limit('buy', '50000', '0.1'));
    await place(trader, limit('buy', '50000', '0.05'));
    await place(trader, limit('sell', '49990', '0.1'));
  });
  afterAll(() => {
    for (const socket of sockets) socket.close();
    return exchange.close();
  });

  it('PAPI-110 a deposit address is that of the app, fits its network’s expression, and belongs to one account', async () => {
    const path = '/sapi/v1/capital/deposit/address';
    const address = await read(path, { coin: 'USDT', network: 'TRX' });
    const shown = await trader.request(depositAddress, { currency: 'USDT', network: 'TRC20' });
    expect(address).toEqual({ coin: 'USDT', address: shown.address, tag: '', url: '' });
    expect(await read(path, { coin: 'USDT' })).toEqual(address);
    const other = await maker.request(depositAddress, { currency: 'USDT', network: 'TRC20' });
    expect(other.address).not.toBe(shown.address);
    expect(await codeOf(path, { coin: 'NOPE' })).toBe(-4018);
    expect(await codeOf(path, { coin: 'USDT', network: 'BTC' })).toBe(-4019);
    // This exchange has no node of Polygon, so the network is unknown here.
    expect(await codeOf(path, { coin: 'USDT', network: 'MATIC' })).toBe(-4019);
    expect(await codeOf(path, {})).toBe(-1102);
  });

  it('PAPI-111 NET-019 every coin’s networks name their state and the shape of addresses and memos', async () => {
    interface Network extends Json {
      readonly network: string;
      readonly addressRegex: string;
      readonly memoRegex: string;
    }
    const coins = await read<{ coin: string; networkList: Network[] }[]>('/sapi/v1/capital/config/getall');
    const networks = coins.flatMap(({ coin, networkList }) => networkList.map((row) => ({ ...row, coin })));
    expect(networks.length).toBeGreaterThan(10);
    expect(networks.filter(({ network }) => ['MATIC', 'ARBITRUM'].includes(network))).toEqual([]);
    for (const { coin, network, addressRegex, memoRegex, ...row } of networks) {
      expect(row).toMatchObject({ depositEnable: true, withdrawEnable: true });
      const { address, tag } = await read('/sapi/v1/capital/deposit/address', { coin, network });
      expect(address).toMatch(new RegExp(addressRegex));
      expect([network, memoRegex === '']).toEqual([network, tag === '']);
      expect(tag).toMatch(new RegExp(memoRegex));
    }
    for (const { coin, networkList } of coins.filter((row) => row.networkList.length > 0))
      expect([coin, networkList.filter(({ isDefault }) => isDefault === true).length]).toEqual([coin, 1]);
  });

  it('PAPI-112 deposits are listed newest first with their confirmations, by coin, status and time, own ones only', async () => {
    const path = '/sapi/v1/capital/deposit/hisrec';
    const resumeClock = exchange.clock.freeze();
    const from = exchange.clock.now();
    const { txid } = await trader.request(sendTestDeposit, {
      currency: 'USDT',
      network: 'ERC20',
      amount: '25.5',
    });
    await maker.request(sendTestDeposit, { currency: 'USDT', network: 'ERC20', amount: '30' });
    await watch();
    const [pending] = await read<Json[]>(path);
    expect(pending).toMatchObject({
      amount: '25.5',
      coin: 'USDT',
      network: 'ETH',
      status: 0,
      txId: txid,
      confirmTimes: '0/12',
      addressTag: '',
      transferType: 0,
    });
    resumeClock();
    await exchange.advanceTime(HOUR_MS);
    await watch();
    // The clock is frozen, because the simulated network makes confirmations as time passes.
    const resumeAgain = exchange.clock.freeze();
    await trader.request(sendTestDeposit, { currency: 'XRP', network: 'XRP', amount: '40' });
    await watch();
    const rows = await read<Json[]>(path);
    expect(rows.map(({ coin, status }) => [coin, status])).toEqual([
      ['XRP', 0],
      ['USDT', 1],
    ]);
    expect(rows[1]).toMatchObject({ confirmTimes: '12/12', completeTime: expect.any(Number) });
    expect(rows[0]!['addressTag']).toMatch(/^\d+$/);
    expect(await read(path, { status: '1' })).toEqual([rows[1]]);
    expect(await read(path, { status: '6' })).toEqual([]);
    expect(await read(path, { coin: 'XRP' })).toEqual([rows[0]]);
    expect(await read(path, { limit: '1' })).toEqual([rows[0]]);
    expect(await read(path, { offset: '1' })).toEqual([rows[1]]);
    const insertTime = Number(rows[1]!['insertTime']);
    expect(insertTime).toBeGreaterThanOrEqual(from);
    expect(await read(path, { endTime: String(insertTime) })).toEqual([rows[1]]);
    expect(await read(path, { endTime: String(insertTime - 1) })).toEqual([]);
    expect(await read(path, { startTime: String(insertTime + 1) })).toEqual([rows[0]]);
    expect(await codeOf(path, { offset: '10001' })).toBe(-1130);
    expect(await codeOf(path, { coin: 'NOPE' })).toBe(-4018);
    resumeAgain();
  });

  it('PAPI-113 withdrawals are listed newest first with the states of the dialect, own ones only', async () => {
    const path = '/sapi/v1/capital/withdraw/history';
    // A withdrawal to an address that is already active in the address book needs no review.
    const { id: addressId } = await exchange.doors.withdrawals.addressBook.add(trader.id, {
      asset: 'USDT',
      network: 'TRC20',
      address: TRON,
      memo: undefined,
      remark: undefined,
      activeAt: exchange.clock.now(),
    });
    const paid = await withdraw('50', addressId);
    await exchange.advanceTime(HOUR_MS);
    for (let count = 0; count < 4; count += 1) await exchange.doors.withdrawals.jobs.advance();
    await exchange.advanceTime(HOUR_MS);
    for (let count = 0; count < 4; count += 1) await exchange.doors.withdrawals.jobs.advance();
    const cancelled = await withdraw('20');
    await trader.request(cancelWithdrawal, { id: cancelled.id });
    const rejected = await withdraw('30');
    const decision = { reason: 'a test', because: 'limit' };
    await operateAs(exchange, 'owner', `/ops/withdrawals/${rejected.id}/reject`, decision);
    const waiting = await withdraw('40');
    const rows = await read<Json[]>(path);
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      [waiting.id, 2],
      [rejected.id, 3],
      [cancelled.id, 1],
      [paid.id, 6],
    ]);
    expect(rows[3]).toMatchObject({
      amount: '49',
      transactionFee: '1',
      coin: 'USDT',
      network: 'TRX',
      address: TRON,
      addressTag: '',
      txId: expect.stringMatching(/./),
      applyTime: new Date(paid.createdAt).toISOString().slice(0, 19).replace('T', ' '),
    });
    expect(await read(path, { status: '6' })).toEqual([rows[3]]);
    expect(await read(path, { status: '0' })).toEqual([]);
    expect(await read(path, { endTime: String(paid.createdAt) })).toEqual([rows[3]]);
    expect(await read(path, { startTime: String(paid.createdAt + 1), limit: '2', offset: '1' })).toEqual([
      rows[1],
      rows[2],
    ]);
    expect(await codeOf(path, { status: '7' })).toBe(-1130);
  });

  it('WDR-1170 WDR-1171 WDR-1172 WDR-1173 WDR-1208 KEY-034 a key withdraws once by name, within its limit, to known addresses of the address book', async () => {
    const path = '/sapi/v1/capital/withdraw/apply';
    const request = {
      coin: 'USDT',
      network: 'TRX',
      address: TRON,
      amount: '60',
      withdrawOrderId: 'salary-1',
    };
    const apply = async (values: Values, signer = payer) => {
      const answer = await send({ access: 'signed', method: 'POST' }, path, values, signer);
      return (await answer.json()) as Json;
    };
    const list = () => read<Json[]>('/sapi/v1/capital/withdraw/history', { withdrawOrderId: 'salary-1' });
    expect(await read('/sapi/v1/account/apiRestrictions')).toMatchObject({ enableWithdrawals: false });
    expect(await apply(request, key)).toMatchObject({ code: -2015 });
    expect(await apply(request, await makePayer(['203.0.113.9']))).toMatchObject({ code: -2015 });
    expect(await apply(request, await makePayer())).toMatchObject({
      code: -4021,
      msg: expect.stringMatching(/^This key may withdraw from 20\d\d-\S+Z on\.$/),
    });
    const refused: [Values, number, RegExp][] = [
      [{ address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC' }, -4001, /address book/],
      [{ addressTag: '7' }, -4001, /address book/],
      [{ amount: '101' }, -4001, /may withdraw 100 USDT/],
      [{ amount: '0' }, -1130, /amount/],
      [{ amount: '0.5' }, -4001, /^The minimum amount is 10 USDT/],
      [{ coin: 'NOPE' }, -4018, /./],
      [{ network: 'BTC' }, -4019, /./],
      [{ withdrawOrderId: 'a b' }, -1100, /./],
      [{ fee: '-1' }, -1100, /./],
      [{ fee: '0.99' }, -4001, /^The network fee changed from 0\.99 to 1 USDT/],
    ];
    for (const [fields, code, text] of refused) {
      const answer = await apply({ ...request, ...fields });
      expect([fields, answer['code'], String(answer['msg'])]).toEqual([
        fields,
        code,
        expect.stringMatching(text),
      ]);
    }
    expect(await list()).toEqual([]);

    const [first, same] = await Promise.all([apply(request), apply(request)]);
    expect(first).toEqual({ id: expect.stringMatching(/./) });
    expect(same).toEqual(first);
    expect(await apply(request)).toEqual(first);
    // The fee that the program accepts is a condition, not a part of the withdrawal, so a repetition with
    // another fee returns the first withdrawal.
    expect(await apply({ ...request, fee: '0.5' })).toEqual(first);
    expect(await list()).toMatchObject([{ id: first['id'], withdrawOrderId: 'salary-1', amount: '59' }]);
    expect(await apply({ ...request, amount: '50' })).toHaveProperty('code');
    const { withdrawals } = exchange.doors.withdrawals;
    const stored = await withdrawals.detail(trader.id, String(first['id']));
    // As in the app, the withdrawal's amount is held, its content is digested for the signer, and
    // its address is screened.
    expect(stored).toMatchObject({ status: 'pending', key: { name: 'Payer' }, orderName: 'salary-1' });
    expect(stored.digest).toMatch(/./);
    // 40 of the API key's 100 USDT are left, so a withdrawal of 60 more with another `withdrawOrderId` is
    // refused.
    expect(await apply({ ...request, withdrawOrderId: 'salary-2' })).toMatchObject({
      code: -4001,
      msg: expect.stringContaining('it would be 120'),
    });
    // A `withdrawOrderId` stays reserved, so a second withdrawal with it is refused, even after the stored
    // answers are deleted.
    await expect(
      withdrawals.submit(trader.id, {
        asset: 'USDT',
        network: 'TRC20',
        amount: Decimal.parse('15'),
        address: TRON,
        addressId: undefined,
        memo: undefined,
        remark: undefined,
        orderName: 'salary-1',
      }),
    ).rejects.toMatchObject({ refusal: { key: 'l.withdraw_name_used' } });
    await exchange.doors.withdrawals.jobs.advance();
    const { list: messages } = await trader.request(messagePage, {});
    expect(messages.map(({ title }) => title)).toContain('Withdrawal by API key: 60 USDT');
    // A withdrawal that the owner cancels no longer counts against the API key's limit.
    await trader.request(cancelWithdrawal, { id: String(first['id']) });
    expect(await apply({ ...request, withdrawOrderId: 'salary-2' })).toEqual({
      id: expect.stringMatching(/./),
    });
  });

  it('PAPI-114 a time that no row can have is an empty range, not a failure', async () => {
    const never = { startTime: '9007199254740991' };
    expect(await read('/sapi/v1/capital/deposit/hisrec', never)).toEqual([]);
    expect(await read('/sapi/v1/capital/withdraw/history', never)).toEqual([]);
    expect(await read('/api/v3/allOrders', { ...SYMBOL, ...never })).toEqual([]);
    expect(await read('/api/v3/myTrades', { ...SYMBOL, ...never })).toEqual([]);
  });

  it('PAPI-115 every stream and event is described with exactly its fields, and its example has them', async () => {
    const nameOf = ({ name }: DescribedStream) =>
      name.replace('<symbol>', 'btcusdt').replace('<interval>', '1m').replace('<5|10|20>', '5');
    const path = `/stream?streams=${MARKET_STREAMS.map(nameOf).join('/')}`;
    const market = await ProgramSocket.open(exchange, path);
    const account = await ProgramSocket.open(exchange, '/ws-api/v3');
    sockets.push(market, account);
    const params = { apiKey: key.key, timestamp: exchange.clock.now() };
    const signature = key.sign(
      new URLSearchParams(Object.entries(params).map(([n, v]) => [n, `${v}`])).toString(),
    );
    await account.request('userDataStream.subscribe.signature', { ...params, signature });
    await place(trader, limit('buy', '50000', '0.01'));
    await placeList();
    await trader.request(sendTestDeposit, { currency: 'USDT', network: 'ERC20', amount: '60' });
    await watch();
    await exchange.advanceTime(HOUR_MS);
    await watch();
    await place(trader, limit('buy', '50000', '0.01'));
    const received = await eventually(() => {
      const payloads = MARKET_STREAMS.map((stream) => {
        const message = market.received.findLast((event) => event['stream'] === nameOf(stream));
        return [stream, message?.['data']] as const;
      });
      const events = ACCOUNT_EVENTS.map((stream) => [stream, account.events(stream.name).at(-1)] as const);
      const all = [...payloads, ...events];
      expect(all.filter(([, payload]) => payload === undefined).map(([{ name }]) => name)).toEqual([]);
      return all;
    });
    for (const [{ name, fields }, payload] of received) {
      expect([name, fieldsOf(payload)]).toEqual([name, Object.keys(fields)]);
      recordedStreams[name] = shortened(payload);
      const example = IS_RECORDING ? payload : STREAM_EXAMPLES[name];
      expect([name, fieldsOf(example)]).toEqual([name, Object.keys(fields)]);
    }
  });

  it('PAPI-116 the documents show for every call a request that is served, and an answer of its present form', async () => {
    const cancelledId = await newOrder();
    let listenKey = '';
    let subAccount = '';
    let listId = '';
    let amendedId = '';
    const requests: Readonly<Record<string, Values | (() => Values | Promise<Values>)>> = {
      'GET /api/v3/exchangeInfo': SYMBOL,
      'GET /api/v3/depth': { ...SYMBOL, limit: '5' },
      'GET /api/v3/trades': { ...SYMBOL, limit: '2' },
      'GET /api/v3/historicalTrades': { ...SYMBOL, limit: '2' },
      'GET /api/v3/aggTrades': { ...SYMBOL, limit: '2' },
      'GET /api/v3/klines': { ...SYMBOL, interval: '1h', limit: '2' },
      'GET /api/v3/uiKlines': { ...SYMBOL, interval: '1h', limit: '2' },
      'GET /api/v3/avgPrice': SYMBOL,
      'GET /api/v3/ticker/24hr': SYMBOL,
      'GET /api/v3/ticker': { ...SYMBOL, windowSize: '4h' },
      'GET /api/v3/ticker/price': SYMBOL,
      'GET /api/v3/ticker/bookTicker': SYMBOL,
      'POST /api/v3/order': { ...ORDER, price: '50100.00', newOrderRespType: 'FULL' },
      'POST /api/v3/order/test': ORDER,
      'DELETE /api/v3/order': { ...SYMBOL, orderId: cancelledId },
      'GET /api/v3/order': { ...SYMBOL, orderId: cancelledId },
      'DELETE /api/v3/openOrders': async () => {
        await newOrder();
        return SYMBOL;
      },
      'POST /api/v3/countdownCancelAll': { ...SYMBOL, countdownTime: '60000' },
      'GET /api/v3/openOrders': async () => {
        await newOrder();
        return SYMBOL;
      },
      'GET /api/v3/allOrders': { ...SYMBOL, limit: '2' },
      'POST /api/v3/order/cancelReplace': async () => ({
        ...ORDER,
        cancelReplaceMode: 'STOP_ON_FAILURE',
        cancelOrderId: await newOrder(),
      }),
      'PUT /api/v3/order/amend/keepPriority': async () => {
        amendedId = await newOrder();
        return { ...SYMBOL, orderId: amendedId, newQty: '0.005' };
      },
      'GET /api/v3/order/amendments': () => ({ ...SYMBOL, orderId: amendedId }),
      'POST /api/v3/batchOrders': { batchOrders: JSON.stringify([ORDER]) },
      'DELETE /api/v3/batchOrders': async () => ({ ...SYMBOL, orderIdList: `[${await newOrder()}]` }),
      'POST /api/v3/orderList/oco': {
        ...OCO,
        aboveType: 'LIMIT_MAKER',
        abovePrice: '52000.00',
        belowType: 'STOP_LOSS',
        belowStopPrice: '47000.00',
      },
      'POST /api/v3/orderList/oto': {
        ...WORKING,
        pendingSide: 'SELL',
        pendingQuantity: '0.01',
        pendingType: 'LIMIT',
        pendingPrice: '52000.00',
        pendingTimeInForce: 'GTC',
      },
      'POST /api/v3/orderList/otoco': {
        ...WORKING,
        pendingSide: 'SELL',
        pendingQuantity: '0.01',
        pendingAboveType: 'LIMIT_MAKER',
        pendingAbovePrice: '52000.00',
        pendingBelowType: 'STOP_LOSS',
        pendingBelowStopPrice: '47000.00',
      },
      'GET /api/v3/allOrderList': { limit: '2' },
      'POST /api/v3/order/oco': { ...OCO, price: '52000.00', stopPrice: '47000.00' },
      'GET /api/v3/orderList': () => ({ orderListId: listId }),
      'DELETE /api/v3/orderList': () => ({ ...SYMBOL, orderListId: listId }),
      'GET /api/v3/myTrades': { ...SYMBOL, limit: '2' },
      'GET /api/v3/account': { omitZeroBalances: 'true' },
      'GET /api/v3/account/commission': SYMBOL,
      'GET /sapi/v1/asset/tradeFee': SYMBOL,
      'PUT /api/v3/userDataStream': () => ({ listenKey }),
      'DELETE /api/v3/userDataStream': () => ({ listenKey }),
      'GET /sapi/v1/capital/deposit/address': { coin: 'USDT', network: 'TRX' },
      'GET /sapi/v1/capital/deposit/hisrec': { coin: 'USDT', status: '1', limit: '1' },
      'POST /sapi/v1/capital/withdraw/apply': {
        coin: 'USDT',
        network: 'TRX',
        address: TRON,
        amount: '25',
        withdrawOrderId: 'payout-17',
      },
      'GET /sapi/v1/capital/withdraw/history': { coin: 'USDT', status: '6', limit: '1' },
      'GET /sapi/v1/sub-account/list': async () => {
        const { uid } = await trader.request(createSubAccount, { name: 'Grid bot', note: 'BTC' });
        subAccount = `${uid}@sub.invalid`;
        return {};
      },
      'GET /sapi/v1/sub-account/assets': async () => {
        const { list } = await trader.request(subAccounts);
        await trader.request(transferSubAccount, { to: list[0]!.id, coin: 'USDT', amount: '100' });
        return { email: subAccount };
      },
      'POST /sapi/v1/sub-account/universalTransfer': () => ({
        toEmail: subAccount,
        fromAccountType: 'SPOT',
        toAccountType: 'SPOT',
        clientTranId: 'transfer-1',
        asset: 'USDT',
        amount: '250',
      }),
      'GET /sapi/v1/sub-account/universalTransfer': { limit: '2' },
      'GET /udf/symbols': SYMBOL,
      'GET /udf/search': { query: 'BTC', limit: '2' },
      'GET /udf/history': () => ({
        symbol: 'BTCUSDT',
        resolution: '60',
        to: String(Math.floor(exchange.clock.now() / 1_000)),
        countback: '2',
      }),
      'GET /cmc/orderbook/{pair}': { depth: '4' },
      'GET /coingecko/orderbook': { ticker_id: 'BTC_USDT', depth: '4' },
      'GET /coingecko/historical_trades': { ticker_id: 'BTC_USDT', limit: '2' },
    };
    const examples: Record<string, CallExample> = {};
    for (const call of API_CALLS) {
      const name = callName(call);
      const request = requests[name] ?? {};
      const values = typeof request === 'function' ? await request() : request;
      const path = call.path.replace('{pair}', 'BTC_USDT');
      const answer = await send(call, path, values, call.action === 'withdraw' ? payer : key);
      const text = await answer.text();
      expect([name, answer.status, answer.ok ? '' : text]).toEqual([name, 200, '']);
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
      const data: unknown = isJson ? JSON.parse(text) : text;
      if (name === 'POST /api/v3/orderList/oco') listId = String((data as Json)['orderListId']);
      if (name === 'POST /api/v3/userDataStream') listenKey = String((data as Json)['listenKey']);
      const shown = MAPS.has(path) ? Object.fromEntries(Object.entries(data as Json).slice(0, 2)) : data;
      examples[name] = { path, query: new URLSearchParams(values).toString(), answer: shortened(shown) };
    }
    if (IS_RECORDING) record(examples);
    const recorded = IS_RECORDING ? examples : CALL_EXAMPLES;
    const advice = 'record the examples anew: RECORD_EXAMPLES=1';
    for (const [name, { answer }] of Object.entries(examples))
      expect([name, shapeOf(recorded[name]?.answer)], advice).toEqual([name, shapeOf(answer)]);
    expect(Object.keys(recorded), advice).toEqual(Object.keys(examples));
  });

  /** Writes the examples that the documents contain; `npx oxfmt` formats them. */
  function record(examples: Readonly<Record<string, CallExample>>): void {
    writeFileSync(
      EXAMPLES_FILE,
      `/**
 * A request to a demo and its answer. Lists are shortened. A string is a plain text answer. The test
 * \`reference.http.test.ts\` compares the examples with a running exchange; with RECORD_EXAMPLES=1 it records them.
 */
export interface CallExample {
  /** The path, with placeholders filled. */
  readonly path: string;
  /** The parameters without time and signature, encoded. */
  readonly query: string;
  readonly answer: unknown;
}

export const CALL_EXAMPLES: Readonly<Record<string, CallExample>> = ${JSON.stringify(examples)};

/** Payloads by the name of their stream or event. */
export const STREAM_EXAMPLES: Readonly<Record<string, unknown>> = ${JSON.stringify(recordedStreams)};
`,
    );
  }

  async function statusJson(): Promise<Json> {
    // The status is cached for up to 15 s, so the clock advances further than that.
    await exchange.advanceTime(16_000);
    return (await (await fetch(`${exchange.url}/status.json`)).json()) as Json;
  }

  it('PAPI-084 PAPI-085 PAPI-087 the status counts orders by duration, minutes of service, and withdrawals by network', async () => {
    await exchange.doors.status.status.store();
    const status = await statusJson();
    const latencies = status['orderLatency'] as readonly { upToMs: number | null; count: number }[];
    expect(latencies.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(5);
    expect(latencies.at(-1)!.upToMs).toBeNull();
    const uptime = status['uptime'] as readonly { day: string; uptime: number | null }[];
    expect(uptime).toHaveLength(90);
    expect(uptime.at(-1)!.day).toBe(new Date(exchange.clock.now()).toISOString().slice(0, 10));
    expect(uptime.at(-1)!.uptime).toBeGreaterThan(0);
    expect(status['withdrawals']).toContainEqual({
      network: 'TRC20',
      finished: 1,
      medianSeconds: expect.any(Number),
      p95Seconds: expect.any(Number),
    });
  });

  it('PAPI-086 operators report incidents in every language, and halts are shown at once; nothing else is', async () => {
    const texts = (name: string, text: string) => ({
      [`${name}En`]: text,
      [`${name}Zh`]: `${text} zh`,
      [`${name}Ko`]: `${text} ko`,
      [`${name}Ja`]: `${text} ja`,
    });
    const path = '/ops/status/incidents';
    const first = {
      reason: 'a test',
      component: 'trading',
      ...texts('title', 'Orders <slow>'),
      ...texts('content', 'We look into it.'),
    };
    const refused = await operateAs(exchange, 'owner', path, { ...first, component: 'moon' });
    expect(refused.status).toBe(400);
    expect((await operateAs(exchange, 'owner', path, first)).status).toBe(200);
    await exchange.doors.halting.halt('ETH', { by: 'a secret name', reason: 'a secret reason' });
    const status = await statusJson();
    expect(status).toMatchObject({
      working: false,
      haltedCoins: ['ETH'],
      incidents: [{ component: 'trading', endTime: null, reports: [{ stage: 'investigating' }] }],
    });
    const page = async (lang: string) => (await fetch(`${exchange.url}/status?lang=${lang}`)).text();
    const english = await page('en-US');
    expect(english).toContain('Orders &lt;slow&gt;');
    expect(english).toContain('Some services are affected');
    expect(await page('ja-JP')).toContain('We look into it. ja');
    expect(await page('ko')).toContain('Orders &lt;slow&gt; ko');
    expect(english + JSON.stringify(status)).not.toMatch(/secret|@/);
    const { rows } = await exchange.database.pool.query<{ id: string }>('select id from status_incident');
    const report = { reason: 'a test', stage: 'resolved', ...texts('content', 'It works again.') };
    const reports = `${path}/${rows[0]!.id}/reports`;
    expect((await operateAs(exchange, 'owner', reports, report)).status).toBe(200);
    const unknown = `${path}/00000000-0000-7000-8000-000000000000/reports`;
    expect((await operateAs(exchange, 'owner', unknown, report)).status).toBe(400);
    await exchange.doors.halting.lift('ETH', { by: 'test', reason: 'a test' });
    expect(await statusJson()).toMatchObject({
      working: true,
      haltedCoins: [],
      incidents: [{ endTime: expect.any(Number), reports: [{}, { stage: 'resolved' }] }],
    });
    expect(await page('zh-CN')).toContain('It works again. zh');
  });

  it('PAPI-083 the status page needs no session, loads only its own style, and keeps to the policy of pages', async () => {
    const page = await fetch(`${exchange.url}/status`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'");
    const html = await page.text();
    expect(html).not.toMatch(/<script|style=/);
    expect(html).toContain('Half of them within');
    const style = await fetch(`${exchange.url}/status.css`);
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    const map = await (await fetch(`${exchange.url}/llms.txt`)).text();
    expect(map).toContain('(/status)');
  });

  it('PAPI-117 PAPI-118 the reference, its style and script, and the map for programs are served within the policy of pages', async () => {
    const page = await fetch(`${exchange.url}/docs/api`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'");
    const html = await page.text();
    const map = await fetch(`${exchange.url}/llms.txt`);
    expect([map.status, map.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const links = [...(await map.text()).matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
    const assets = [...html.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(8);
    const anchors = links.filter((link) => link.startsWith('/docs/api#')).map((link) => link.split('#')[1]!);
    expect(anchors.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
    const paths = new Set([...links, ...assets].map((link) => link.split('#')[0]!));
    // The paths of the apps' own pages are not requested, because the apps are not built in this test.
    for (const path of ['/', '/favicon.svg']) paths.delete(path);
    for (const path of paths) expect([path, (await fetch(exchange.url + path)).status]).toEqual([path, 200]);
  });
});
