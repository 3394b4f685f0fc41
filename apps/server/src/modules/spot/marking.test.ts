import { Refused } from '@exchange/core/refusal.ts';
import { FEE_TIERS } from '@exchange/core/fee.ts';
import { instant, later } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { seededRandom, type SeededRandom } from '../../../testing/seeded-random.ts';
import { BareExchange, userOf, type OrderText } from './testing/bare-exchange.ts';
import { Names } from './testing/differences.ts';
import { RealExchange, USERS } from './testing/real-exchange.ts';
import type { SpotOrder } from './domain/order.ts';
import { postponed, postponedByMarks } from './portions.ts';

const MOST = 256;

/**
 * Marks the remaining triggered stops of the last trades by commands of at most `most` stops. Returns
 * the number of stops per command.
 */
function markRest(bare: BareExchange, most: number): number[] {
  const portions: number[] = [];
  while (bare.market.marking !== undefined)
    portions.push(bare.run('mark', { symbol: 'btcusdt', most }).count);
  return portions;
}

it('SPOT-985 a trade through 20,000 stops marks 256 in its step and the rest in further steps, by rank', async () => {
  const owners = 2_000;
  const bare = await BareExchange.open(owners + 4);
  const random = seededRandom(985);
  bare.tradeAt('50000');
  const stops = Array.from({ length: 20_000 }, (_, at) => {
    const stopPrice = String(48_000 + random.whole(0, 900));
    return bare.place(4 + (at % owners), { ...SALE, stopPrice, price: stopPrice });
  });
  bare.mostMarked = MOST;
  bare.tradeAt('47999');
  expect(bare.exchange.due.size).toBe(MOST);
  const portions = markRest(bare, MOST);
  expect(Math.max(...portions)).toBe(MOST);
  expect(portions).toHaveLength(Math.ceil((stops.length - MOST) / MOST));
  expect(bare.exchange.due.ids).toEqual(stops.map(({ id }) => id));
  expect(bare.problems()).toEqual([]);
});

const SALE = { side: 'sell', type: 'stopLimit', amount: '0.001' } as const satisfies Partial<OrderText>;

it('SPOT-986 marking in portions has the same result as marking at once', async () => {
  let portions = 0;
  for (let seed = 1; seed <= 40; seed += 1) {
    const [once, portioned] = [await BareExchange.open(), await BareExchange.open()];
    const random = seededRandom(seed);
    portioned.mostMarked = random.whole(1, 4);
    const orders: [SpotOrder[], SpotOrder[]] = [[], []];
    for (const bare of [once, portioned]) bare.tradeAt('50000');
    for (let command = 0; command < 150; command += 1) {
      const play = randomCommand(random);
      for (const [at, bare] of [once, portioned].entries()) {
        orders[at]!.push(...attempt(() => play(bare, orders[at]!)));
        portions += markRest(bare, portioned.mostMarked).length;
      }
      expect(stateText(orders[1], portioned), `seed ${seed}, command ${command}`).toBe(
        stateText(orders[0], once),
      );
    }
    expect(once.problems()).toEqual([]);
    expect(portioned.problems()).toEqual([]);
  }
  expect(portions).toBeGreaterThan(100);
});

function attempt(run: () => SpotOrder[]): SpotOrder[] {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof Refused) return [];
    throw cause;
  }
}

type Play = (bare: BareExchange, orders: readonly SpotOrder[]) => SpotOrder[];

function randomCommand(random: SeededRandom): Play {
  const user = random.whole(0, 3);
  const side = random.pick(['buy', 'sell'] as const);
  const price = (from: number, to: number) => String(random.whole(from, to) * 100);
  const amount = `0.00${random.whole(1, 9)}`;
  const near = price(490, 510);
  const trigger = side === 'sell' ? price(480, 505) : price(495, 520);
  const activation = side === 'sell' ? price(501, 512) : price(488, 499);
  const limitPrice = side === 'sell' ? price(501, 515) : price(485, 499);
  const chosen = random.whole(0, 1_000_000);
  switch (random.whole(0, 8)) {
    case 0:
    case 1:
      return (bare) => [
        bare.place(user, { side, type: 'stopLimit', stopPrice: trigger, price: trigger, amount }),
      ];
    case 2:
      return (bare) => [bare.place(user, { side, type: 'trailing', trail: '0.01', activation, amount })];
    case 3:
      return (bare) => [bare.place(user, { side, type: 'trailing', trail: '0.008', amount })];
    case 4: {
      const legs = { amount, limitPrice, stopPrice: trigger, stopLimitPrice: trigger };
      return (bare) => {
        const { limit, stop } = bare.oco(user, side, legs);
        return [limit, stop];
      };
    }
    case 5:
      return (bare, orders) => {
        if (orders.length > 0) bare.cancel(user, orders[chosen % orders.length]!);
        return [];
      };
    case 6:
      return (bare) => {
        bare.trigger();
        return [];
      };
    default:
      return (bare) => [bare.place(user, { side, price: near, amount })];
  }
}

/**
 * The state in which both runs of the test must agree, without ids and sequence numbers, which differ.
 * It is a text, because comparing thousands of objects takes longer than the commands.
 */
function stateText(orders: readonly SpotOrder[], bare: BareExchange): string {
  const places = new Map(orders.map(({ id }, at) => [id, at]));
  return JSON.stringify({
    due: bare.exchange.due.ids.map((id) => places.get(id)),
    orders: orders.map(({ state, reason, held, filledAmount, filledTotal, stop }) => ({
      state,
      reason,
      held: String(held),
      filledAmount: String(filledAmount),
      filledTotal: String(filledTotal),
      stop: stop && { status: stop.status, price: String(stop.price), extreme: String(stop.extreme) },
    })),
    balances: [0, 1, 2, 3].map(
      (user) => `${bare.balanceText(user, 'BTC')} ${bare.balanceText(user, 'USDT')}`,
    ),
  });
}

/**
 * Places stop-limit and trailing stop orders and trades through their prices. `mostMarked` limits the
 * triggered stops that a command marks as due. With `isRestarted` the exchange restarts before every marking
 * command.
 */
async function runStory({ mostMarked, isRestarted }: { mostMarked?: number; isRestarted: boolean }) {
  const real = await RealExchange.create();
  const { maker, taker } = FEE_TIERS[0]!;
  const outside = { quoteValue: '1', ...(mostMarked === undefined ? {} : { mostMarked }) };
  let sequence = 1_000;
  let now = instant(1_700_000_000_000);
  const run = (name: string, input: object) => {
    now = later(now, 1);
    real.runRecorded(sequence, now, name, JSON.parse(JSON.stringify(input)));
  };
  const place = (user: number, request: object) => {
    sequence += 100;
    run('spot.place', {
      owner: USERS[user],
      symbol: 'btcusdt',
      selfTrade: 'cancelTaker',
      rates: { maker, taker },
      clientId: '',
      ...outside,
      request: { timeInForce: 'GTC', postOnly: false, amount: '0.01', ...request },
    });
  };
  const restart = () => real.run({ sequence, now, action: { kind: 'restart' } } as never, new Names());
  place(3, { side: 'sell', type: 'limit', price: '50000' });
  place(4, { side: 'buy', type: 'limit', price: '50000' });
  for (const user of [0, 1, 2]) {
    place(user, { side: 'sell', type: 'stopLimit', stopPrice: `497${user}0`, price: '49600' });
    place(user, { side: 'sell', type: 'trailing', trail: '0.004', timeInForce: 'IOC' });
    place(user, { side: 'buy', type: 'trailing', trail: '0.01', activation: '49900', timeInForce: 'IOC' });
  }
  // One order trades at three prices, so one command has three trades that trigger stops.
  for (const price of ['49850', '49750', '49650']) place(4, { side: 'buy', type: 'limit', price });
  place(3, { side: 'sell', type: 'limit', price: '49650', amount: '0.03' });
  const marks: number[] = [];
  while (real.exchange.market('btcusdt').marking !== undefined) {
    if (isRestarted) await restart();
    sequence += 1;
    const before = real.exchange.due.size;
    run('spot.mark', { symbol: 'btcusdt', most: mostMarked });
    marks.push(real.exchange.due.size - before);
  }
  if (isRestarted) await restart();
  const { exchange } = real;
  const places = new Map(real.openOrders().map(({ id, rank }) => [id, rank]));
  return {
    marks,
    due: exchange.due.ids.map((id) => places.get(id)),
    orders: real
      .openOrders()
      .map(({ rank, stop, held }) => [
        rank,
        stop?.status,
        String(stop?.price),
        String(stop?.extreme),
        stop?.activatedAt !== undefined,
        String(held),
      ]),
    problems: exchange.market('btcusdt').book.validate(),
  };
}

it('SPOT-987 a restart between two portions continues the marking, with trailing stops unchanged', async () => {
  const once = await runStory({ isRestarted: false });
  expect(once.due.length).toBeGreaterThan(5);
  for (const mostMarked of [1, 2, 3, 5]) {
    const portioned = await runStory({ mostMarked, isRestarted: false });
    const restarted = await runStory({ mostMarked, isRestarted: true });
    expect(portioned.marks.length).toBeGreaterThan(0);
    expect(restarted).toEqual(portioned);
    expect({ ...restarted, marks: [] }).toEqual(once);
  }
});

it('SPOT-988 steps that would see a half-marked pair wait, and steps on a halted asset are refused', async () => {
  const bare = await BareExchange.open();
  bare.tradeAt('50000');
  const stops = Array.from({ length: 3 }, () =>
    bare.place(0, { ...SALE, stopPrice: '49000', price: '49000' }),
  );
  bare.mostMarked = 1;
  bare.tradeAt('49000');
  const { commands, market, exchange } = bare;
  const owner = userOf(0);
  const waits = () => [
    commands.cancel.postponed!({ owner, order: stops[2]!.id }, bare.now)?.isOver(),
    commands.cancelAll.postponed!({ owner }, bare.now)?.isOver(),
    commands.trigger.postponed!({ order: stops[0]!.id }, bare.now)?.isOver(),
    postponed(exchange, market, bare.now)?.isOver(),
    postponedByMarks(exchange, market)?.isOver(),
  ];
  expect(waits()).toEqual(Array(5).fill(false));
  expect([...exchange.ready()]).toEqual([]);
  bare.ledger.halt('BTC', 'test', 'found broken');
  expect(waits()).toEqual(Array(5).fill(undefined));
  bare.liftHalt('BTC');
  expect(markRest(bare, 1)).toEqual([1, 1]);
  expect(waits()).toEqual(Array(5).fill(undefined));
  expect([...exchange.ready()]).toEqual(stops);
});

it('SPOT-989 an order waits while more orders are expired than one step may end, and its own step ends at most that number', async () => {
  const bare = await BareExchange.open(24);
  const expireAt = bare.now + 1_000;
  for (let at = 0; at < MOST + 1; at += 1)
    bare.place(4 + (at % 20), { side: 'buy', price: '45000', amount: '0.01', timeInForce: 'GTT', expireAt });
  const waiting = () => postponed(bare.exchange, bare.market, bare.now);
  expect(waiting()).toBeUndefined();
  bare.now = later(bare.now, 1_000);
  const postponement = waiting();
  expect(postponement?.isOver()).toBe(false);
  expect(bare.expire(1)).toBe(1);
  expect(postponement?.isOver()).toBe(true);
  expect(waiting()).toBeUndefined();
  bare.place(0, { side: 'buy', price: '45000', amount: '0.01' });
  expect(bare.expire()).toBe(0);
  expect(bare.market.expiries.size).toBe(0);
});

it('SPOT-1064 the positions of trailing stops are stored 256 per step, for all of them except those that ended', async () => {
  const owners = 200;
  const bare = await BareExchange.open(owners + 4);
  bare.tradeAt('50000');
  const stops = Array.from({ length: 1_000 }, (_, at) =>
    bare.place(4 + (at % owners), { side: 'sell', type: 'trailing', trail: '0.01', amount: '0.001' }),
  );
  bare.mostMarked = MOST;
  // Simulates ten thousand trades since trailing stops were last stored.
  bare.market.stops.storedTrailing = -10_000;
  const cancelled = stops.filter((_, at) => at % 10 === 0);
  const placedAt = new Map(stops.map(({ id, stop }) => [id, stop!.tradeSequence]));
  const storedIn: number[] = [];
  const trade = (at: number) => {
    bare.tradeAt(String(50_001 + at));
    storedIn.push(stops.filter(({ stop }) => stop!.tradeSequence === bare.exchange.tradeSequence).length);
  };
  trade(0);
  expect(stops.filter(({ id, stop }) => stop!.tradeSequence !== placedAt.get(id))).toHaveLength(MOST);
  for (const order of cancelled) bare.cancel((stops.indexOf(order) % owners) + 4, order);
  for (let at = 1; at < 6; at += 1) trade(at);
  const stillOpen = stops.filter(({ state }) => state === 'open');
  expect(stillOpen.every(({ id, stop }) => stop!.tradeSequence > placedAt.get(id)!)).toBe(true);
  expect(Math.max(...storedIn)).toBe(MOST);
  expect(storedIn.at(-1)).toBe(0);
  expect(bare.problems()).toEqual([]);
});
