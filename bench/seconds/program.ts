/**
 * Settles positions that expire in the same second, in its own process. The arguments are `prepare` or `measure`, the
 * database as JSON, and for `measure` the number of positions. The last line of the output is JSON.
 */
import { Bulkheads } from '../../apps/server/src/platform/jobs/bulkheads.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { instant, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import { createAssets } from '../../apps/server/src/modules/assets/index.ts';
import { userAddress, worldAddress } from '../../apps/server/src/modules/ledger/index.ts';
import { secondsCommands } from '../../apps/server/src/modules/seconds/commands.ts';
import { Settling } from '../../apps/server/src/modules/seconds/settling.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { openDatabase } from '../../apps/server/src/platform/database/pool.ts';
import { runStep } from '../../apps/server/testing/run-step.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { percentile, round } from '../measuring/statistics.ts';
import { benchLog, openExchange, type RunningExchange } from '../orders/exchange.ts';
import { placeUntil } from '../orders/place-until.ts';
import { prepareDatabase, userOf } from '../orders/fixtures.ts';
import { SYMBOL, TRADERS } from '../orders/workload.ts';

export interface SettlementFigures {
  /** Milliseconds from the start of the settlement until the last position is settled. */
  readonly ms: number;
  readonly settled: number;
  /**
   * Milliseconds for which a step (executed command) of the settlement occupied the sequencer: median, 99th percentile
   * and maximum.
   */
  readonly stepP50Ms: number;
  readonly stepP99Ms: number;
  readonly stepMostMs: number;
  /**
   * Milliseconds until the exchange answers a spot order: median and 99th percentile. The figures with `Quiet` were
   * measured without other work, the others during a settlement.
   */
  readonly orderQuietP50Ms: number;
  readonly orderQuietP99Ms: number;
  readonly orderP50Ms: number;
  readonly orderP99Ms: number;
  readonly orders: number;
}

const QUIET_MS = 5_000;
const SECONDS = 30;
const AT_ONCE = 200;
const STAKE = Decimal.parse('10');
const ENTRY = Decimal.parse('60000');
const bulkheads = new Bulkheads({ clock: systemClock, log: benchLog });
const [mode, databaseText = '{}', count = '0'] = process.argv.slice(2);
const connection = JSON.parse(databaseText) as BenchDatabase;

if (mode === 'prepare') {
  await prepareDatabase(connection);
  print({});
} else print(await measure(Number(count)));
process.exit(0);

/** A stand-in for the index that publishes no prices and has no delays. */
const QUIET_INDEX = {
  onPoints: () => () => undefined,
  indexDelays: () => ({ missing: 0, longestMs: 0, isFollowed: true }),
};

async function measure(positions: number): Promise<SettlementFigures> {
  // The clock is stopped while positions are opened, so that all of them expire in the same second.
  let fixedTime: Instant | undefined;
  const clock = { ...systemClock, now: () => fixedTime ?? systemClock.now() };
  const exchange = await openExchange(connection, clock);
  const { ledger, sequencer } = exchange;
  const pool = openDatabase({ connection, log: () => undefined });
  const database = databaseOver(pool);
  const { coins, pairs } = createAssets({ mode: 'live' });
  const steps: number[] = [];
  const definitions = secondsCommands({ ledger, coins, pairs });
  const { run } = definitions.settle;
  const settle: typeof definitions.settle = {
    ...definitions.settle,
    run: async (step, input) => {
      const startMs = performance.now();
      const outcome = await run(step, input);
      steps.push(performance.now() - startMs);
      return outcome;
    },
  };
  const commands = { ...definitions, settle };
  sequencer.register(Object.values(commands));
  const entryAt = instant(Math.floor(systemClock.now() / SECOND_MS) * SECOND_MS + SECOND_MS);
  const expireAt = later(entryAt, SECONDS * SECOND_MS);
  fixedTime = instant(entryAt - 1);
  await openPositions(exchange, commands, { positions, at: fixedTime });
  fixedTime = undefined;
  const settling = new Settling({
    onSettled: () => undefined,
    clock,
    log: benchLog,
    database,
    sequencer,
    commands,
    bulkheads,
    market: indexOf(entryAt, expireAt),
  });
  const quiet = await placeUntil(exchange, new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  // A timer may fire slightly early, so this loop waits until the clock has reached the expiry of the
  // positions.
  while (systemClock.now() < expireAt)
    await new Promise((resolve) => setTimeout(resolve, expireAt - systemClock.now() + 1));
  const startMs = performance.now();
  let ms = 0;
  const settlement = settling.settle().then(() => {
    ms = performance.now() - startMs;
  });
  const busy = await placeUntil(exchange, settlement);
  const { rows } = await pool.query<{ n: bigint }>(
    'select count(*) as n from seconds_order where result is not null',
  );
  await exchange.stop();
  await pool.end();
  return {
    ms: round(ms, 0),
    settled: Number(rows[0]!.n),
    stepP50Ms: round(percentile(steps, 0.5), 1),
    stepP99Ms: round(percentile(steps, 0.99), 1),
    stepMostMs: round(Math.max(...steps), 1),
    orderQuietP50Ms: round(percentile(quiet, 0.5), 1),
    orderQuietP99Ms: round(percentile(quiet, 0.99), 1),
    orderP50Ms: round(percentile(busy, 0.5), 1),
    orderP99Ms: round(percentile(busy, 0.99), 1),
    orders: busy.length,
  };
}

/** Creates a stand-in for the index that has a price at the entry and a higher price at the expiry. */
function indexOf(entryAt: Instant, expireAt: Instant) {
  const points = new Map([
    [entryAt, ENTRY],
    [expireAt, ENTRY.plus(Decimal.one)],
  ]);
  return {
    latestPoint: () => ({ t: expireAt }) as never,
    ...QUIET_INDEX,
    tapeReader: { points: () => Promise.resolve(points) } as never,
  };
}

/**
 * Opens positions of the seconds contract, after funding the reserve that covers them. The traders open positions in
 * turn. The direction (up or down) changes each time all traders have opened one more.
 */
async function openPositions(
  { ledger, sequencer }: RunningExchange,
  commands: ReturnType<typeof secondsCommands>,
  { positions, at }: { readonly positions: number; readonly at: Instant },
): Promise<void> {
  await sequencer.execute(commands.publish, {
    terms: {
      isOpen: true,
      symbols: [SYMBOL],
      blockedCountries: [],
      openCountries: [],
      durations: [{ second: SECONDS, rate: Decimal.parse('0.8'), minimum: Decimal.one }],
      feeRate: Decimal.parse('0.01'),
      maxStake: Decimal.parse('500'),
    },
    by: 'bench',
    reason: 'a settlement',
  });
  await sequencer.execute(commands.fund, {
    asset: 'USDT',
    wanted: Decimal.parse('1000000'),
    from: 'demo' as const,
  });
  for (let trader = 0; trader < TRADERS; trader += 1) {
    const user = userOf(trader);
    await ledger.prepare(user);
    const posting = {
      source: worldAddress('USDT', 'bench'),
      destination: userAddress(user, 'seconds', 'available'),
      asset: 'USDT',
      amount: Decimal.parse('1000000'),
    };
    await runStep(sequencer, 'bench.fund', {}, (step) =>
      ledger.post(step, 'deposit.credited', null, [posting]),
    );
  }
  const open = (n: number) =>
    sequencer.execute(commands.open, {
      owner: userOf(n % TRADERS),
      symbol: SYMBOL,
      stake: STAKE,
      seconds: SECONDS,
      direction: Math.floor(n / TRADERS) % 2 === 0 ? ('up' as const) : ('down' as const),
      point: { t: at, isGood: true },
      sourcesHash: 'bench',
      origin: `bench:${n}`,
    });
  for (let n = 0; n < positions; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, positions - n) }, (_, offset) => open(n + offset)),
    );
}

function print(outcome: object): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
