import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/seconds.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { byForm } from '../../../tools/test-form.ts';
import { createPlayer, openSecondsMarket, ticket } from '../src/modules/seconds/testing/players.ts';
import { eventually } from './eventually.ts';
import { anExchange, type TestExchange } from './exchange.ts';

const ROUNDS = byForm(3, 30);
/**
 * Milliseconds for which the server's thread is blocked. This is longer than the duration of a seconds position. At the
 * end of the stall, quotes from before it are stale.
 */
const STALL_MS = 5_000;

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await anExchange({ asksVenues: true, hasIndexThread: true });
  await eventually(() => expect(exchange.doors.market.indexPrice('btcusdt')).toBeDefined());
  await openSecondsMarket(exchange);
});
afterAll(() => exchange.close());

/**
 * Blocks the server's main thread, which answers all requests, for `STALL_MS`. A flood of requests would block it as
 * well.
 */
function stall(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
}

/** Returns the times, in milliseconds UTC, of the lines of BTC/USDT on the index tape, in order. */
async function secondsOnTape(): Promise<number[]> {
  const { rows } = await exchange.database.pool.query<{ t: bigint }>(
    "select t from market_tape where symbol = 'btcusdt' order by seq",
  );
  return rows.map(({ t }) => Number(t));
}

const missingOf = (seconds: readonly number[]) =>
  seconds.filter((t, at) => at > 0 && t - seconds[at - 1]! !== SECOND_MS);

it('CON-720 MKT-722 while the thread that answers requests is blocked, no second is missing and no position is void', async () => {
  const player = await createPlayer(exchange, '1000');
  const results: string[] = [];
  const { market } = exchange.doors;
  const published: number[] = [];
  market.onPoints(() => published.push(market.latestPoint('btcusdt')!.t));
  for (let round = 0; round < ROUNDS; round += 1) {
    const opened = await eventually(async () => {
      const answer = await player.call(wire.openSeconds, ticket(round % 2 === 0 ? 'up' : 'down', '10'));
      // Right after a stall the server refuses positions, because the newest index point is too old. The attempt is
      // then repeated.
      expect(answer.code).toBe(1);
      return answer.data;
    });
    stall();
    await eventually(async () => {
      const { status, result } = await player.request(wire.secondsDetail, { id: opened.id });
      expect(status).not.toBe(0);
      results.push(result!);
    });
  }
  expect(results).toHaveLength(ROUNDS);
  expect(results).not.toContain('void');
  const seconds = await secondsOnTape();
  expect(seconds.length).toBeGreaterThan((ROUNDS * STALL_MS) / SECOND_MS);
  expect(missingOf(seconds)).toEqual([]);
  // When the thread continues, the server has published each second of the index, in order and once.
  expect(missingOf(published)).toEqual([]);
  // Index points that arrived late count as delays. They do not count as missing seconds.
  const { missing, longestMs } = market.indexDelays(seconds[0] as Instant, seconds.at(-1) as Instant);
  expect(missing).toBe(0);
  expect(longestMs).toBeGreaterThan(STALL_MS / 2);
});
