import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/seconds.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inForm } from '../../../tools/test-form.ts';
import { aPlayer, openSecondsMarket, ticket } from '../src/modules/seconds/testing/players.ts';
import { eventually } from './eventually.ts';
import { anExchange, type TestExchange } from './exchange.ts';

const ROUNDS = inForm(3, 30);
/** A position of two seconds opens and expires within it, and no quote from before it counts at its end. */
const STALL_MS = 5_000;

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await anExchange({ asksVenues: true, hasIndexThread: true });
  await eventually(() => expect(exchange.doors.market.indexPrice('btcusdt')).toBeDefined());
  await openSecondsMarket(exchange);
});
afterAll(() => exchange.close());

/** Stops this thread, which answers all requests, as a flood does. */
function stall(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
}

/** The seconds of a pair on the tape. */
async function secondsOnTape(): Promise<number[]> {
  const { rows } = await exchange.database.pool.query<{ t: bigint }>(
    "select t from market_tape where symbol = 'btcusdt' order by seq",
  );
  return rows.map(({ t }) => Number(t));
}

const missingOf = (seconds: readonly number[]) =>
  seconds.filter((t, at) => at > 0 && t - seconds[at - 1]! !== SECOND_MS);

it('CON-720 MKT-722 while the thread that answers requests stands still no second is missing, and no position is void', async () => {
  const player = await aPlayer(exchange, '1000');
  const results: string[] = [];
  const { market } = exchange.doors;
  const published: number[] = [];
  market.onPoints(() => published.push(market.latestPoint('btcusdt')!.t));
  for (let round = 0; round < ROUNDS; round += 1) {
    const opened = await eventually(async () => {
      const answer = await player.call(wire.openSeconds, ticket(round % 2 === 0 ? 'up' : 'down', '10'));
      // Just after a stall the newest point is old, and a position is refused.
      expect(answer.code).toBe(1);
      return answer.data;
    });
    stall();
    await eventually(async () => {
      const { status, result } = await player.ask(wire.secondsDetail, { id: opened.id });
      expect(status).not.toBe(0);
      results.push(result!);
    });
  }
  expect(results).toHaveLength(ROUNDS);
  expect(results).not.toContain('void');
  const seconds = await secondsOnTape();
  expect(seconds.length).toBeGreaterThan((ROUNDS * STALL_MS) / SECOND_MS);
  expect(missingOf(seconds)).toEqual([]);
  // After the thread woke, seconds came in their order, each once.
  expect(missingOf(published)).toEqual([]);
  // What was late is known, and nothing was missing.
  const { missing, longestMs } = market.indexDelays(seconds[0] as Instant, seconds.at(-1) as Instant);
  expect(missing).toBe(0);
  expect(longestMs).toBeGreaterThan(STALL_MS / 2);
});
