import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { createOrder, orderRecords } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOver, type ApiResponse } from '../calling.ts';
import { ClusterProxy } from '../cluster/proxy.ts';
import { urlOf, withRuntimeRole } from '../database.ts';
import { eventually } from '../eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { FeedClient } from '../feed-node.ts';
import { hasNats, NatsServer } from '../nats.ts';
import { requireBuiltServer } from './built-server.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const TIMEOUT_MS = 300_000;
/** Number of test orders. The rate limit of orders permits a burst of 20. */
const ORDERS = 15;
/** Milliseconds after which a test program sends an unanswered or refused order again. */
const REPEATED_AFTER_MS = 500;
/** Milliseconds between two orders of a test program. */
const NEXT_ORDER_AFTER_MS = 300;
/**
 * Seconds for which a process still answers requests after it has received the stop signal. This is longer than the
 * proxy's interval of health checks.
 */
const DRAIN_SECONDS = '1';
const SERVICE_RESTART = 1012;

/** The server's response to an order; undefined if the request failed without a response. */
type PlacedOrder = ApiResponse<DataOf<typeof createOrder>> | undefined;
type Place = (trader: TestTrader, tradeType: 'buy' | 'sell', clientId: string) => Promise<PlacedOrder>;

/**
 * Places sell orders one after another until `stop` is called. An order that is not accepted is sent once more,
 * `REPEATED_AFTER_MS` later and with the same idempotency key. `failed` lists the orders whose second attempt is not
 * accepted either.
 */
function startTrading(place: Place, trader: TestTrader) {
  const placed: string[] = [];
  const failed: unknown[] = [];
  const end = new AbortController();
  const trading = (async () => {
    while (!end.signal.aborted) {
      const clientId = `rolling-${placed.length}`;
      if ((await place(trader, 'sell', clientId))?.code !== 1) {
        await sleep(REPEATED_AFTER_MS);
        const answer = await place(trader, 'sell', clientId);
        if (answer?.code !== 1) failed.push({ clientId, answer });
      }
      placed.push(clientId);
      await sleep(NEXT_ORDER_AFTER_MS);
    }
  })();
  return {
    placed,
    failed,
    stop: () => {
      end.abort();
      return trading;
    },
  };
}

const portOf = ({ url }: ServerProcess) => Number(new URL(url).port);

/** The smallest cluster: a writer, its standby, an API node and a feed node, as processes of the built server. */
describe.skipIf(!hasNats)('a cluster whose processes are killed and restarted', () => {
  let nats: NatsServer;
  let exchange: TestExchange;
  let maker: TestTrader;
  let taker: TestTrader;
  const { guard } = guardedFolder();
  const processes: ServerProcess[] = [];

  beforeAll(async () => {
    requireBuiltServer();
    nats = await NatsServer.start();
    exchange = await anExchange({ hasSystemClock: true });
    maker = await exchange.aUser({ BTC: '5', USDT: '500000' });
    taker = await exchange.aUser({ BTC: '5', USDT: '500000' });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await exchange.close();
    await nats.stop();
    await guard.cleanUp();
  });

  async function prepare(role: 'writer' | 'api' | 'feed'): Promise<ServerProcess> {
    const { connection } = exchange.database;
    const own = guardedFolder();
    const secret = readFileSync(join(exchange.dataDirectory, 'secret.key'), 'utf8').trim();
    const server = await ServerProcess.prepare({
      databaseUrl: urlOf(withRuntimeRole(connection)),
      databaseOwnerUrl: role === 'writer' ? urlOf(connection) : '',
      within: { dataDirectory: own.folder, guard: own.guard },
      settings: {
        ROLE: role,
        NATS_URL: nats.url,
        SERVER_SECRET: secret.split('\n').join(','),
        HOUSE_TRADING: 'off',
        DRAIN_SECONDS,
      },
    });
    processes.push(server);
    return server;
  }

  /**
   * Restarts the nodes and the writer in turn behind a proxy while a trader places orders through the proxy. `active`
   * is the writer. `waiting` is its standby, which is not running and is started first. Throws if an order and its
   * repetition are not accepted, or if an open order is missing.
   */
  async function restartAll(
    { active, waiting, api, feed }: Readonly<Record<'active' | 'waiting' | 'api' | 'feed', ServerProcess>>,
    trader: TestTrader,
  ): Promise<void> {
    const proxy = await ClusterProxy.start(0, {
      api: [portOf(api)],
      feed: [portOf(feed)],
      writer: [portOf(active), portOf(waiting)],
    });
    const trading = startTrading(placing(proxy.url), trader);
    try {
      const reader = await FeedClient.open(proxy.url);
      waiting.launch();
      for (const node of [api, feed]) {
        expect((await node.stop()).exitCode).toBe(0);
        node.launch();
        await node.waitUntilReady();
      }
      expect(await reader.closed).toBe(SERVICE_RESTART);
      await waiting.waitForLog('journal.waiting_as_standby');
      expect((await active.stop()).exitCode).toBe(0);
      active.launch();
      await waiting.waitUntilReady();
      await active.waitForLog('journal.waiting_as_standby');
      const count = trading.placed.length;
      await eventually(() => expect(trading.placed.length).toBeGreaterThan(count));
    } finally {
      await trading.stop();
      proxy.stop();
    }
    expect(trading.failed).toEqual([]);
    const open = await openOrders(api.url, trader);
    expect(open.filter((clientId) => clientId?.startsWith('rolling'))).toEqual(trading.placed.toSorted());
  }

  const placing =
    (url: string): Place =>
    (trader, tradeType, clientId) =>
      callOver(
        url,
        createOrder,
        { baseCoin: 'BTC', quoteCoin: 'USDT', tradeType, price: '97000', amount: '0.001', clientId },
        { token: trader.token },
      ).catch(() => undefined);

  async function openOrders(url: string, { token }: TestTrader) {
    const page = (pageNo: string) =>
      callOver(url, orderRecords, { entryStatus: '0', pageSize: '100', pageNo }, { token });
    const pages = [await page('1'), await page('2')];
    return pages.flatMap(({ data }) => data.list.map(({ clientId }) => clientId)).toSorted();
  }

  it(
    'CLU-070 CLU-073 orders through the API node reach the feed node, and none is lost or doubled by a kill or by restarts of all processes',
    { timeout: TIMEOUT_MS },
    async () => {
      await exchange.restart(async () => {
        const [writer, standby, api, feed] = await Promise.all(
          (['writer', 'writer', 'api', 'feed'] as const).map(prepare),
        );
        try {
          writer!.launch();
          api!.launch();
          feed!.launch();
          await writer!.waitUntilReady();
          standby!.launch();
          await Promise.all([api!.waitUntilReady(), feed!.waitUntilReady()]);
          const reader = await FeedClient.open(feed!.url);
          await reader.signIn(taker.token);
          reader.send({ op: 'subscribe', topics: ['order', 'depth.btcusdt'] });
          const place = (trader: TestTrader, tradeType: 'buy' | 'sell', clientId: string) =>
            placing(api!.url)(trader, tradeType, clientId);
          await eventually(async () =>
            expect(await place(maker, 'sell', 'first')).toMatchObject({ code: 1 }),
          );
          expect((await place(taker, 'buy', 'filled'))?.code).toBe(1);
          await eventually(() => expect(JSON.stringify(reader.of('order'))).toContain('filled'));

          const clientIds = Array.from({ length: ORDERS }, (_, index) => `flight-${index}`);
          const inFlight = clientIds.map((clientId) => place(maker, 'sell', clientId));
          await writer!.killServer();
          const answers = await Promise.all(inFlight);
          // Each order is repeated with its idempotency key until it is accepted, as every API client should do.
          for (const [index, clientId] of clientIds.entries()) {
            const first = answers[index];
            const answer = await eventually(async () => {
              const repeated = await place(maker, 'sell', clientId);
              expect(repeated).toMatchObject({ code: 1 });
              return repeated;
            }, REPEATED_AFTER_MS);
            // Sending an acknowledged order again with its idempotency key returns the same order.
            expect(first?.code === 1 ? first.data.id : answer?.data.id).toBe(answer?.data.id);
          }
          expect(await openOrders(api!.url, maker)).toEqual(clientIds.toSorted());
          await standby!.waitForLog('app.listening');
          await eventually(() =>
            expect(JSON.stringify(reader.book('depth.btcusdt'))).toContain(String(ORDERS / 1_000)),
          );
          reader.close();
          await restartAll({ active: standby!, waiting: writer!, api: api!, feed: feed! }, taker);
        } finally {
          for (const server of processes) await server.close();
        }
      });
    },
  );
});
