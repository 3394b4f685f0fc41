import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOrder, orderRecords } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOver } from '../calling.ts';
import { urlOf, withRuntimeRole } from '../database.ts';
import { eventually } from '../eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { FeedClient } from '../feed-node.ts';
import { hasNats, NatsServer } from '../nats.ts';
import { requireBuiltServer } from './built-server.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const TIMEOUT_MS = 300_000;
/**
 * Number of test orders, fewer than a user may place at once, so that the limit of orders has no
 * effect.
 */
const ORDERS = 15;
/** Pause of a program that repeats an order. */
const REPEATED_AFTER_MS = 500;

/** The smallest cluster: a writer and one that waits, an API node and a feed node, as processes of the built server. */
describe.skipIf(!hasNats)('a cluster whose writer is killed', () => {
  let nats: NatsServer;
  let exchange: TestExchange;
  let maker: TestTrader;
  let taker: TestTrader;
  const { guard } = guardedFolder();
  const processes: ServerProcess[] = [];

  beforeAll(async () => {
    requireBuiltServer();
    nats = await NatsServer.start();
    exchange = await anExchange();
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
      },
    });
    processes.push(server);
    return server;
  }

  it(
    'CLU-070 orders through the API node reach the feed node, and none is lost or doubled by the kill',
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
            callOver(
              api!.url,
              createOrder,
              { baseCoin: 'BTC', quoteCoin: 'USDT', tradeType, price: '97000', amount: '0.001', clientId },
              { token: trader.token },
            ).catch(() => undefined);
          await eventually(async () =>
            expect(await place(maker, 'sell', 'first')).toMatchObject({ code: 1 }),
          );
          expect((await place(taker, 'buy', 'filled'))?.code).toBe(1);
          await eventually(() => expect(JSON.stringify(reader.of('order'))).toContain('filled'));

          const clientIds = Array.from({ length: ORDERS }, (_, index) => `flight-${index}`);
          const inFlight = clientIds.map((clientId) => place(maker, 'sell', clientId));
          await writer!.killServer();
          const answers = await Promise.all(inFlight);
          // Each order is sent again under its idempotency key until it is answered, as the apps
          // and every program should do.
          for (const [index, clientId] of clientIds.entries()) {
            const first = answers[index];
            const answer = await eventually(async () => {
              const repeated = await place(maker, 'sell', clientId);
              expect(repeated).toMatchObject({ code: 1 });
              return repeated;
            }, REPEATED_AFTER_MS);
            // An order that was acknowledged before is returned again.
            expect(first?.code === 1 ? first.data.id : answer?.data.id).toBe(answer?.data.id);
          }
          const open = await callOver(
            api!.url,
            orderRecords,
            { entryStatus: '0', pageSize: '100' },
            { token: maker.token },
          );
          const found = open.data.list.map(({ clientId }) => clientId).toSorted();
          expect(found).toEqual(clientIds.toSorted());
          await standby!.waitForLog('app.listening');
          await eventually(() =>
            expect(JSON.stringify(reader.book('depth.btcusdt'))).toContain(String(ORDERS / 1_000)),
          );
          reader.close();
        } finally {
          for (const server of processes) await server.close();
        }
      });
    },
  );
});
