import { MINUTE_MS, DAY_MS } from '@exchange/core/time.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import {
  createRecurring,
  endRecurring,
  pauseRecurring,
  recurringBuys,
  recurringPlans,
  resumeRecurring,
} from '@exchange/wire/recurring.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';
import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { createSaver } from '../../finance/testing/products.ts';

/** Fields of a daily plan for ETH at 09:00 UTC. */
export const DAILY_ETH = {
  currency: 'USDT',
  amount: '10',
  coins: 'ETH:100',
  frequency: 'day',
  time: '09:00',
  timeZone: 'UTC',
} as const;

/**
 * Creates a verified user with a balance and one plan (`DAILY_ETH`, changed by `fields`), and adds 100 ETH to
 * the exchange's own coins for conversions.
 */
export async function createSaverWithPlan(
  exchange: TestExchange,
  fields: Readonly<Record<string, string>> = {},
  balance = '1000',
) {
  await exchange.doors.convert.convert.fund('ETH', Decimal.parse('100'), 'demo');
  const trader = await createSaver(exchange, { USDT: balance });
  const { id } = await trader.request(createRecurring, { ...DAILY_ETH, ...fields });
  return { trader, id };
}

/** Sets the price of ETH to 3,000 USDT and executes the due buys. */
export async function buyDue(exchange: TestExchange): Promise<void> {
  await exchange.setPrice('ethusdt', '3000');
  await exchange.doors.recurring.jobs.settle();
}

/**
 * The request field `time` of a plan that buys in the next minute, so that a test reaches its buy time
 * quickly.
 */
function inAMinute(exchange: TestExchange): Readonly<Record<string, string>> {
  const at = new Date(exchange.clock.now() + MINUTE_MS);
  return { time: at.toISOString().slice(11, 16) };
}

/** Creates a plan of any user, also of an unverified one, and returns its id. */
async function planOf(exchange: TestExchange, owner: TestTrader): Promise<string> {
  const request = {
    asset: 'USDT',
    amount: Decimal.parse('10'),
    coins: [{ asset: 'ETH', share: 100 }],
    schedule: {
      frequency: 'day' as const,
      weekday: undefined,
      monthDay: undefined,
      minute: 540,
      timeZone: 'UTC',
    },
  };
  return (await exchange.doors.recurring.recurring.create(owner.id, request)).id;
}

/**
 * Samples of recurring buys for the tests that call every endpoint with repeated and random requests and with other
 * users' ids, and a sequence of actions that executes the module's commands for the replay test.
 */
export const crawl: ProductCrawl = {
  repeated: [
    [
      createRecurring,
      async (exchange) => ({ trader: await createSaver(exchange, { USDT: '1000' }), fields: DAILY_ETH }),
    ],
  ],
  lists: [
    [
      recurringPlans,
      async (exchange) => {
        const reader = await createSaver(exchange, { USDT: '1000' });
        const add = async () => {
          // A user may have only ten open plans, so each added plan is ended at once, and the list of ended
          // plans is requested.
          const id = await planOf(exchange, reader);
          return reader.request(endRecurring, { id });
        };
        return { reader, fields: { ended: '1' }, add };
      },
    ],
    [
      recurringBuys,
      async (exchange) => {
        const { trader: reader, id } = await createSaverWithPlan(exchange);
        let day = 0;
        const add = () => {
          day += 1;
          return exchange.database.pool.query(
            `insert into recurring_buy (id, plan, owner, asset, scheduled_at, executed_at, missed)
             values (gen_random_uuid(), $1, $2, 'USDT', $3, $3, 0)`,
            [id, reader.id, day * DAY_MS],
          );
        };
        return { reader, add };
      },
    ],
  ],
  owned: async (exchange, owner) => {
    const id = await planOf(exchange, owner);
    return {
      [pauseRecurring.path]: id,
      [resumeRecurring.path]: id,
      [endRecurring.path]: id,
      [recurringBuys.path]: id,
    };
  },
  story: async (exchange) => {
    const { trader, id } = await createSaverWithPlan(exchange, inAMinute(exchange));
    const poor = await createSaverWithPlan(exchange, inAMinute(exchange), '5');
    await exchange.advanceTime(2 * MINUTE_MS);
    await buyDue(exchange);
    await trader.request(pauseRecurring, { id });
    await trader.request(resumeRecurring, { id });
    await poor.trader.request(endRecurring, { id: poor.id });
  },
};
