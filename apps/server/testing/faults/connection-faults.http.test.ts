import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RECOVERY_MAX_MS } from '../eventually.ts';
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
