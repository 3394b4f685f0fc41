import { randomUUID } from 'node:crypto';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byForm } from '../../../../tools/test-form.ts';
import { RECOVERY_MAX_MS } from '../eventually.ts';
import { balanceText, limit } from '../../src/modules/spot/testing/orders.ts';
import type { TestTrader } from '../exchange.ts';
import { BATCH_COMMIT, COMMIT_FAULTS, isExecuted } from './faults.ts';
import { aProxiedExchange, type ProxiedExchange } from './proxied-exchange.ts';

/**
 * Returns whether the exchange needs seconds to recover from a commit fault. Such faults run concurrently, each on its
 * own exchange.
 */
const isSlow = (name: string): boolean => /half-open|5 s late/.test(name);
const NAMES = Object.keys(COMMIT_FAULTS);
const QUICK_TWICE = NAMES.filter((name) => !isSlow(name)).flatMap((name) => [
  [name, 1] as const,
  ...byForm([], [[name, 2] as const]),
]);
const MAINTENANCE = -15;

describe('a commit with a fault', () => {
  let shared: ProxiedExchange;

  beforeAll(async () => {
    shared = await aProxiedExchange();
  });

  afterAll(() => shared.close());

  it.each(QUICK_TWICE)(
    'REL-010 REL-011 %s (%i): the caller gets the journal’s outcome, once',
    async (name) => {
      expect(await outcomeOf(shared, name)).toEqual(expectedOutcome(name));
    },
  );

  it.concurrent.each(NAMES.filter(isSlow))(
    'REL-010 REL-011 REL-012 %s: the caller gets the journal’s outcome, once',
    async (name) => {
      const ownExchange = await aProxiedExchange();
      try {
        expect(await outcomeOf(ownExchange, name)).toEqual(expectedOutcome(name));
      } finally {
        await ownExchange.close();
      }
    },
  );
});

/**
 * Returns the expected result of a fault in the commit of one order. If the order was committed in spite of
 * the fault, the first request is accepted, otherwise it is refused. In both cases exactly one order exists
 * after the retry.
 */
function expectedOutcome(name: string) {
  const isStored = isExecuted(COMMIT_FAULTS[name]!);
  return {
    first: isStored ? 1 : MAINTENANCE,
    storedThen: isStored ? 1 : 0,
    isReadyInTime: true,
    isSameOrder: true,
    storedInTheEnd: 1,
    balance: '950 + 50',
  };
}

/**
 * Injects the fault into the commit of one order and returns the responses and the stored state, immediately
 * and after the retry.
 */
async function outcomeOf(proxied: ProxiedExchange, name: string) {
  const { exchange, proxy } = proxied;
  const fault = COMMIT_FAULTS[name]!;
  const trader = await exchange.aUser({ USDT: '1000' });
  const fields = limit('buy', '50000', '0.001', { clientId: randomUUID() });
  const injected = proxy.injectNext(fault, BATCH_COMMIT);
  const answering = trader.call(wire.createOrder, fields);
  await injected;
  const injectedMs = performance.now() + (fault.kind === 'delay' ? fault.ms : 0);
  const first = await answering;
  const storedThen = await storedOrders(trader);
  await proxied.waitUntilReady();
  const readyMs = performance.now() - injectedMs;
  const second = await trader.request(wire.createOrder, fields);
  const outcome = {
    first: first.code,
    storedThen,
    isReadyInTime: readyMs < RECOVERY_MAX_MS,
    isSameOrder: first.code !== 1 || first.data.id === second.id,
    storedInTheEnd: await storedOrders(trader),
    balance: await balanceText(trader, 'USDT'),
  };
  await trader.request(wire.cancelOrder, { id: second.id });
  return outcome;
}

async function storedOrders(trader: TestTrader): Promise<number> {
  const { totalRow } = await trader.request(wire.orderRecords);
  return totalRow;
}
