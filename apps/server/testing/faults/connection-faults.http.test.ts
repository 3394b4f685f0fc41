import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionMessage } from '@exchange/wire/feed.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, RECOVERY_MAX_MS } from '../eventually.ts';
import { FeedClient } from '../feed-node.ts';
import { limit } from '../../src/modules/spot/testing/orders.ts';
import type { TestTrader } from '../exchange.ts';
import { CONNECTION_FAULTS } from './connection-faults.ts';
import { aProxiedExchange, type ProxiedExchange } from './proxied-exchange.ts';

const TRADERS = 4;
const ORDERS = 25;
const UNANSWERED = new Set([-15, -9]);

describe('a database connection with a fault', () => {
  let proxied: ProxiedExchange;
  /**
   * Traders by the name of the fault. They are created before the first fault, because faults also break the
   * connections that create users.
   */
  const tradersOf = new Map<string, readonly TestTrader[]>();

  beforeAll(async () => {
    proxied = await aProxiedExchange();
    for (const { name } of CONNECTION_FAULTS)
      tradersOf.set(
        name,
        await Promise.all(Array.from({ length: TRADERS }, () => proxied.exchange.aUser({ USDT: '10000' }))),
      );
  });

  afterAll(() => proxied.close());

  it.each(CONNECTION_FAULTS)(
    'REL-012 REL-013 $name: retried orders exist once, and the server recovers by itself',
    async ({ name, inject }) => {
      const { proxy, direct } = proxied;
      const traders = tradersOf.get(name)!;
      const trading = Promise.all(traders.map((trader) => placeMany(trader)));
      await sleep(100);
      await inject(proxy, direct);
      const endMs = performance.now();
      await proxied.waitUntilReady();
      expect(performance.now() - endMs).toBeLessThan(RECOVERY_MAX_MS);
      const placed = await trading;
      for (const [index, trader] of traders.entries()) {
        const { totalRow, list } = await trader.request(wire.orderRecords, { pageSize: '50' });
        expect(totalRow).toBe(ORDERS);
        expect(new Map(list.map(({ clientId, id }) => [clientId, id]))).toEqual(placed[index]);
        await trader.request(wire.cancelAllOrders);
      }
    },
  );

  it('REL-024 the live feed says since when orders wait, and when they are executed again', async () => {
    const { exchange, proxy } = proxied;
    const follower = await FeedClient.open(exchange.url);
    const waiting = () => follower.of('execution').map(({ data }) => (data as ExecutionMessage).waitingSince);
    follower.send({ op: 'subscribe', topics: ['execution'] });
    await eventually(() => expect(waiting()).toEqual([null]));
    const pause = proxy.pause(4_000);
    await eventually(() => expect(waiting()).toHaveLength(2));
    expect(waiting()[1]).toBeGreaterThan(exchange.clock.now() - 60_000);
    await pause;
    await eventually(() => expect(waiting().at(-1)).toBeNull());
    follower.close();
  });
});

/** Places one order after the other, each retried until it succeeds. Returns the order ids by request id. */
async function placeMany(trader: TestTrader): Promise<Map<string, string>> {
  const placed = new Map<string, string>();
  while (placed.size < ORDERS) {
    const clientId = randomUUID();
    const { id } = await placeWithRetries(trader, clientId);
    placed.set(clientId, id);
    await sleep(10);
  }
  return placed;
}

async function placeWithRetries(trader: TestTrader, clientId: string) {
  for (;;) {
    const answer = await trader.call(wire.createOrder, limit('buy', '50000', '0.001', { clientId }));
    if (answer.code === 1) return answer.data;
    if (!UNANSWERED.has(answer.code)) throw new Error(`${clientId}: ${answer.text}`);
    await sleep(20);
  }
}
