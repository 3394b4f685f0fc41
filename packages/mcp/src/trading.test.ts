import { generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Decimal } from '@exchange/core/decimal.ts';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ExchangeClient } from './exchange-client.ts';
import { estimateOrder, type Levels } from './order-estimate.ts';
import { OrderPlans } from './order-plans.ts';
import { HELP, readSettings, SettingsRefused } from './settings.ts';
import { createTools } from './tools.ts';

const amount = (text: string) => Decimal.parse(text);

describe('settings of the server for assistants', () => {
  const none = () => '';
  const KEY = { EXCHANGE_API_KEY: 'k', EXCHANGE_API_SECRET: 's' };

  it('PAPI-127 by default connect to the demo without a key and can only read', () => {
    expect(readSettings([], {}, none)).toEqual({
      url: 'http://localhost:3000',
      key: undefined,
      trading: undefined,
    });
    expect(readSettings([], KEY, none).trading).toBeUndefined();
  });

  it('PAPI-129 limits have defaults and are changed by flags', () => {
    expect(readSettings(['--trade'], KEY, none).trading).toEqual({
      orderMost: amount('100'),
      totalMost: amount('500'),
    });
    expect(readSettings(['--trade', '--max-order=5.5', '--max-total=7'], KEY, none).trading).toEqual({
      orderMost: amount('5.5'),
      totalMost: amount('7'),
    });
  });

  it('PAPI-130 are refused with a sentence where a key could be lost or used by mistake', () => {
    const wrong: [string[], Record<string, string>][] = [
      [['--trade'], {}],
      [['--trades'], KEY],
      [['--trade', '--max-order=0'], KEY],
      [['--trade', '--max-total=1e9'], KEY],
      [[], { EXCHANGE_API_SECRET: 's' }],
      [[], { EXCHANGE_API_KEY: 'k' }],
      [[], { ...KEY, EXCHANGE_PRIVATE_KEY_FILE: 'f' }],
      [[], { EXCHANGE_API_KEY: 'k', EXCHANGE_PRIVATE_KEY_FILE: 'f' }],
      [[], { ...KEY, EXCHANGE_URL: 'http://api.example.com' }],
      [[], { EXCHANGE_URL: 'ftp://localhost' }],
      [[], { EXCHANGE_URL: 'localhost:3000' }],
    ];
    for (const [parameters, environment] of wrong)
      expect(() => readSettings(parameters, environment, none)).toThrow(SettingsRefused);
    expect(readSettings([], { ...KEY, EXCHANGE_URL: 'https://api.example.com/' }, none).url).toBe(
      'https://api.example.com',
    );
    expect(HELP).toContain('EXCHANGE_PRIVATE_KEY_FILE');
  });

  it('PAPI-130 a private key signs, and other content of its file is not repeated', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const environment = { EXCHANGE_API_KEY: 'k', EXCHANGE_PRIVATE_KEY_FILE: 'key.pem' };
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { key } = readSettings([], environment, () => pem);
    expect(verify(null, Buffer.from('text'), publicKey, Buffer.from(key!.sign('text'), 'base64'))).toBe(true);
    expect(() => readSettings([], environment, () => 'a secret')).toThrow(
      'key.pem does not contain a readable private key of the kind Ed25519.',
    );
  });
});

describe('the estimate of an order', () => {
  const ASKS: Levels = [
    ['100', '1'],
    ['101', '2'],
    ['110', '5'],
  ];
  const BUY = {
    side: 'BUY',
    type: 'MARKET',
    quantity: undefined,
    quoteOrderQty: undefined,
    price: undefined,
  } as const;

  it('PAPI-128 sums the levels of the book for market orders, by base amount and by quote amount', () => {
    const byQuantity = estimateOrder({ ...BUY, quantity: amount('2') }, ASKS);
    expect(byQuantity).toMatchObject({ value: amount('201'), isFilled: true });
    const byQuote = estimateOrder({ ...BUY, quoteOrderQty: amount('201') }, ASKS);
    expect(byQuote).toMatchObject({ value: amount('201'), quantity: amount('2'), isFilled: true });
    expect(estimateOrder({ ...BUY, quantity: amount('8.1') }, ASKS).isFilled).toBe(false);
    expect(estimateOrder({ ...BUY, quoteOrderQty: amount('853') }, ASKS).isFilled).toBe(false);
    expect(estimateOrder({ ...BUY, quantity: amount('1') }, []).isFilled).toBe(false);
  });

  it('PAPI-128 a limit price bounds what is executed immediately, and the order’s value is computed at this price', () => {
    const limit = { ...BUY, type: 'LIMIT', quantity: amount('4'), price: amount('101') } as const;
    expect(estimateOrder(limit, ASKS)).toEqual({
      quantity: amount('4'),
      value: amount('404'),
      atOnce: { quantity: amount('3'), value: amount('302') },
      isFilled: true,
    });
    expect(estimateOrder({ ...limit, type: 'LIMIT_MAKER' }, ASKS).atOnce.quantity.isZero()).toBe(true);
    const sale = { ...limit, side: 'SELL' } as const;
    expect(
      estimateOrder(sale, [
        ['102', '1'],
        ['100', '9'],
      ]).atOnce.quantity,
    ).toEqual(amount('1'));
  });

  it('PAPI-128 never executes more than the book has, nor more than is wanted', () => {
    const level = fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000 }));
    fc.assert(
      fc.property(fc.array(level), fc.integer({ min: 1, max: 5_000 }), (levels, wanted) => {
        const asks = levels
          .sort(([a], [b]) => a - b)
          .map(([price, size]) => [String(price), String(size)] as const);
        const offered = levels.reduce((sum, [, size]) => sum + size, 0);
        const { atOnce, isFilled } = estimateOrder({ ...BUY, quantity: Decimal.ofWhole(wanted) }, asks);
        expect(atOnce.quantity).toEqual(Decimal.ofWhole(Math.min(wanted, offered)));
        expect(isFilled).toBe(offered >= wanted);
      }),
    );
  });
});

describe('planned orders at an exchange whose answers are lost', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  /**
   * Starts a simulated exchange and connects the MCP server's tools to it. The test's function `place` responds to the
   * requests that place an order.
   */
  async function aLine(options: {
    readonly place: (request: IncomingMessage, response: ServerResponse, attempt: number) => void;
    readonly mayWithdraw?: boolean;
    readonly orderByName?: () => readonly [status: number, body: unknown];
  }) {
    const orders: string[] = [];
    const answers: Readonly<Record<string, unknown>> = {
      '/api/v3/time': { serverTime: 1_000_000 },
      '/sapi/v1/account/apiRestrictions': {
        enableSpotAndMarginTrading: true,
        enableWithdrawals: options.mayWithdraw ?? false,
      },
      '/api/v3/order/test': {},
      '/api/v3/exchangeInfo': { symbols: [{ symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT' }] },
      '/api/v3/depth': { bids: [], asks: [] },
      '/api/v3/account': { balances: [{ asset: 'USDT', free: '1000' }] },
      '/api/v3/account/commission': { standardCommission: { maker: '0.001', taker: '0.002' } },
    };
    const server = createServer((request, response) => {
      const url = new URL(request.url!, 'http://localhost');
      if (request.method === 'POST' && url.pathname === '/api/v3/order') {
        orders.push(url.search);
        options.place(request, response, orders.length);
        return;
      }
      const [status, body] =
        url.pathname === '/api/v3/order' ? options.orderByName!() : [200, answers[url.pathname]];
      response.writeHead(status).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const clock = { now: () => time };
    let time = 5_000;
    const key = { key: 'k', sign: () => 'signature' };
    const client = new ExchangeClient(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key,
      clock,
    );
    const limits = { orderMost: amount('100'), totalMost: amount('150') };
    let ids = 0;
    const newId = () => `plan${(ids += 1)}`;
    const plans = new OrderPlans({ client, limits, clock, newId });
    const tools = new Map(createTools(client, plans).map((tool) => [tool.name, tool]));
    const use = (name: string, input: Readonly<Record<string, unknown>>) =>
      tools.get(name)!.run(input, new AbortController().signal);
    return {
      orders,
      use,
      advance: (ms: number) => {
        time += ms;
      },
    };
  }

  const ORDER = {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.001',
    price: '90000',
  };
  const PLACED = { orderId: 7 };

  it('PAPI-129 an order whose answer is lost is sent again as the same signed request', async () => {
    const { orders, use } = await aLine({
      place: (request, response, attempt) => {
        if (attempt === 1) request.socket.destroy();
        else response.end(JSON.stringify(PLACED));
      },
    });
    await use('plan_order', ORDER);
    expect(JSON.parse(await use('place_order', { planId: 'plan1' }))).toEqual(PLACED);
    expect(JSON.parse(await use('place_order', { planId: 'plan1' }))).toEqual(PLACED);
    expect(orders).toHaveLength(2);
    expect(orders[1]).toBe(orders[0]);
    expect(orders[0]).toContain('newClientOrderId=mcp-plan1');
  });

  it('PAPI-129 an order whose outcome stays unknown uses up the limit until it is known', async () => {
    let isKnown = false;
    const { use, advance } = await aLine({
      place: (request, response) => {
        if (isKnown) response.writeHead(400).end(JSON.stringify({ code: -1021, msg: 'Too old.' }));
        else request.socket.destroy();
      },
      orderByName: () => [400, { code: -2013, msg: 'Order does not exist.' }],
    });
    await use('plan_order', ORDER);
    await expect(use('place_order', { planId: 'plan1' })).rejects.toThrow('it is unknown whether');
    // Orders worth 90 USDT have an unknown outcome and count towards the limit of 150 USDT, so another order would
    // exceed it.
    await expect(use('plan_order', ORDER)).rejects.toThrow('--max-total');
    isKnown = true;
    await expect(use('place_order', { planId: 'plan1' })).rejects.toThrow('not yet known');
    advance(60_000);
    await expect(use('place_order', { planId: 'plan1' })).rejects.toThrow('-1021');
    await use('plan_order', ORDER);
  });

  it('PAPI-129 a refused order leaves the limit as it was, and an old plan is not placed', async () => {
    const { orders, use, advance } = await aLine({
      place: (_request, response) =>
        void response.writeHead(400).end(JSON.stringify({ code: -2010, msg: 'Market is closed.' })),
    });
    await use('plan_order', ORDER);
    await expect(use('place_order', { planId: 'plan1' })).rejects.toThrow('-2010: Market is closed.');
    await use('plan_order', ORDER);
    advance(120_001);
    await expect(use('place_order', { planId: 'plan2' })).rejects.toThrow('too old');
    await expect(use('place_order', { planId: 'none' })).rejects.toThrow('No plan has this id');
    expect(orders).toHaveLength(1);
  });

  it('PAPI-130 a key that may withdraw is not used, not even to read', async () => {
    const { use, orders } = await aLine({ place: () => undefined, mayWithdraw: true });
    await expect(use('get_account', {})).rejects.toThrow('The key may withdraw');
    await expect(use('plan_order', ORDER)).rejects.toThrow('The key may withdraw');
    expect(orders).toEqual([]);
  });
});
