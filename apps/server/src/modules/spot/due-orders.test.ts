import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import { instant } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { recordingLog } from '../../../testing/recording-log.ts';
import { maintenance } from '../../platform/sequencer/step-runner.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { TriggerInput } from './command-inputs.ts';
import { DueOrders } from './due-orders.ts';
import { BareExchange } from './testing/bare-exchange.ts';

const OWNERS = 120;
const STOPS_OF_EACH = 10;
const STOPS = OWNERS * STOPS_OF_EACH;

/** An exchange with many due stops, and a queue whose commands the test runs explicitly. */
async function open() {
  const bare = await BareExchange.open(OWNERS + 4);
  bare.tradeAt('50000');
  for (let stop = 0; stop < STOPS; stop += 1) {
    bare.place(4 + (stop % OWNERS), {
      side: 'sell',
      type: 'stopLimit',
      stopPrice: '49000',
      price: '48000',
      amount: '0.001',
    });
  }
  bare.tradeAt('49000');
  expect(bare.exchange.due.size).toBe(STOPS);
  const steps: (() => void)[] = [];
  let isTurnedAway = false;
  const execute = (_command: unknown, { order }: TriggerInput): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isTurnedAway) return reject(maintenance());
      steps.push(() => {
        executed.push(order);
        bare.run('trigger', { order, reference: bare.reference, quoteValue: Decimal.one });
        resolve();
      });
    });
  const executed: OrderId[] = [];
  let read = 0;
  const ready = bare.exchange.ready.bind(bare.exchange);
  bare.exchange.ready = function* counted() {
    for (const order of ready()) {
      read += 1;
      yield order;
    }
  };
  const dueOrders = new DueOrders({
    exchange: bare.exchange,
    commands: bare.commands,
    sequencer: { execute } as unknown as Sequencer,
    clock: { now: () => instant(0), monotonicMs: () => 0 },
    log: recordingLog(),
    outside: () => ({ reference: undefined, quoteValue: Decimal.one }),
  });
  return {
    bare,
    dueOrders,
    steps,
    executed,
    readCount: () => read,
    turnAway: (isOn: boolean) => {
      isTurnedAway = isOn;
    },
  };
}

it('SPOT-790 of many due stops 256 are queued at a time, in execution order, and each of the others is read once', async () => {
  const { bare, dueOrders, steps, executed, readCount } = await open();
  const inTurn = bare.exchange.due.ids;
  let queuedMax = 0;
  dueOrders.propose();
  while (steps.length > 0) {
    queuedMax = Math.max(queuedMax, steps.length);
    // Runs the queued commands and, after each, `propose`, as the server does after every trade.
    for (const step of steps.splice(0)) {
      step();
      dueOrders.propose();
    }
    await new Promise(setImmediate);
  }
  expect(queuedMax).toBe(256);
  expect(executed).toEqual(inTurn);
  expect(bare.exchange.due.size).toBe(0);
  expect(readCount()).toBeLessThan(4 * STOPS);
  expect(bare.problems()).toEqual([]);
});

it('SPOT-790 a refused execution stays due until the next tick and is not retried before', async () => {
  const { bare, dueOrders, steps, turnAway } = await open();
  turnAway(true);
  await dueOrders.settle();
  expect(steps).toEqual([]);
  expect(bare.exchange.due.size).toBe(STOPS);
  turnAway(false);
  await dueOrders.tick();
  expect(steps).toHaveLength(256);
});

it('SPOT-791 a thousand due stops of a halted asset are skipped at once', async () => {
  const { bare, dueOrders, readCount } = await open();
  bare.ledger.halt('BTC', 'test', 'found broken');
  dueOrders.propose();
  expect(readCount()).toBe(0);
});
