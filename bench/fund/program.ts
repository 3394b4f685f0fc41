/**
 * Checks leveraged positions every second, in its own process. The arguments are `prepare` or `measure`, the database
 * as JSON, and for `measure` the number of positions. The last line of the output is JSON.
 */
import { Bulkheads } from '../../apps/server/src/platform/jobs/bulkheads.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { instant, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import { createAssets } from '../../apps/server/src/modules/assets/index.ts';
import { fundCommands } from '../../apps/server/src/modules/fund/commands.ts';
import { fundTerms } from '../../apps/server/src/modules/fund/testing/funds.ts';
import { FundWatch } from '../../apps/server/src/modules/fund/watch.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { openDatabase } from '../../apps/server/src/platform/database/pool.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { percentile, round } from '../measuring/statistics.ts';
import { benchLog, openExchange, type RunningExchange } from '../orders/exchange.ts';
import { placeUntil } from '../orders/place-until.ts';
import { prepareDatabase, userOf } from '../orders/fixtures.ts';
import { TRADERS } from '../orders/workload.ts';

export interface JudgingFigures {
  readonly positions: number;
  /** Milliseconds from an index price until all positions are checked, if none is liquidated: median and maximum. */
  readonly calmP50Ms: number;
  readonly calmMostMs: number;
  /**
   * Milliseconds of a check that liquidates every tenth position. `stepP99Ms` is the 99th percentile of the
   * milliseconds for which a single step (executed command) of this check occupied the sequencer.
   */
  readonly fallMs: number;
  readonly liquidated: number;
  readonly stepP99Ms: number;
  /**
   * 99th percentile of the milliseconds until a spot order is answered: `orderQuietP99Ms` without other work,
   * `orderP99Ms` while positions are checked.
   */
  readonly orderQuietP99Ms: number;
  readonly orderP99Ms: number;
}

const QUIET_MS = 5_000;
const CALM_SECONDS = 30;
const AT_ONCE = 200;
const d = (text: string): Decimal => Decimal.parse(text);
const [mode, databaseText = '{}', count = '0'] = process.argv.slice(2);
const connection = JSON.parse(databaseText) as BenchDatabase;

/** Source of index prices that are set by the benchmark. */
class Points {
  t: Instant = instant(Math.floor(systemClock.now() / SECOND_MS) * SECOND_MS);
  private price = d('50000');
  private listener: () => void = () => undefined;
  readonly market = {
    onPoints: (listener: () => void) => {
      this.listener = listener;
    },
    latestPoint: () => ({ t: this.t, price: this.price, flags: [] }) as never,
    tapeReader: { lines: () => Promise.resolve([]) } as never,
  };

  next(price: string): void {
    this.t = later(this.t, SECOND_MS);
    this.price = d(price);
    this.listener();
  }
}

// oxlint-disable-next-line max-statements -- one measurement from its set-up to its end, read from top to bottom
async function measure(positions: number): Promise<JudgingFigures> {
  const exchange = await openExchange(connection);
  const { ledger, sequencer } = exchange;
  const pool = openDatabase({ connection, log: () => undefined });
  const database = databaseOver(pool);
  const { coins, pairs } = createAssets({ mode: 'live' });
  const definitions = fundCommands({ ledger, coins, pairs });
  const steps: number[] = [];
  const { run } = definitions.judge;
  const judge: typeof definitions.judge = {
    ...definitions.judge,
    run: async (step, input) => {
      const startMs = performance.now();
      const outcome = await run(step, input);
      steps.push(performance.now() - startMs);
      return outcome;
    },
  };
  const commands = { ...definitions, judge };
  sequencer.register(Object.values(commands));
  const points = new Points();
  const ignoredEvents = { publish: () => undefined, notify: () => undefined };
  const { market } = points;
  const parts = { clock: systemClock, log: benchLog, database, ledger, market, sequencer, commands };
  const bulkheads = new Bulkheads({ clock: systemClock, log: benchLog });
  const watch = new FundWatch({ ...parts, ...ignoredEvents, bulkheads });
  await openPositions(exchange, commands, positions);
  await watch.start();
  points.t = later(instant(Math.floor(systemClock.now() / SECOND_MS) * SECOND_MS), SECOND_MS);
  points.next('50000');
  await watch.waitUntilJudged();
  steps.length = 0;
  const before = await placeUntil(exchange, new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  const calm: number[] = [];
  const passSecond = async (price: string) => {
    const startMs = performance.now();
    points.next(price);
    await watch.waitUntilJudged();
    return performance.now() - startMs;
  };
  let fallMs = 0;
  const judging = (async () => {
    for (let n = 0; n < CALM_SECONDS; n += 1) {
      calm.push(await passSecond(String(50_000 + n)));
      await new Promise((resolve) => setTimeout(resolve, SECOND_MS / 4));
    }
    fallMs = await passSecond('30000');
  })();
  const busy = await placeUntil(exchange, judging);
  const { rows } = await pool.query<{ n: bigint }>(
    'select count(*) as n from fund_position where status = 3',
  );
  await watch.stop();
  await exchange.stop();
  await pool.end();
  return {
    positions,
    calmP50Ms: round(percentile(calm, 0.5), 1),
    calmMostMs: round(Math.max(...calm), 1),
    fallMs: round(fallMs, 0),
    liquidated: Number(rows[0]!.n),
    stepP99Ms: round(percentile(steps, 0.99), 1),
    orderQuietP99Ms: round(percentile(before, 0.99), 1),
    orderP99Ms: round(percentile(busy, 0.99), 1),
  };
}

/** Opens fund positions for all traders: every tenth has leverage 3, the others 2. */
async function openPositions(
  { ledger, sequencer }: RunningExchange,
  commands: ReturnType<typeof fundCommands>,
  positions: number,
): Promise<void> {
  const reasonFields = { by: 'bench', reason: 'a benchmark' };
  const constituents = [{ symbol: 'btcusdt', weight: d('0.2') }];
  const { id: fund } = await sequencer.execute(commands.publish, {
    terms: fundTerms('bench', { constituents }),
    ...reasonFields,
  });
  for (const account of ['fund', 'insurance'] as const) {
    const wanted = d('100000000');
    await sequencer.execute(commands.fund, { account, asset: 'USDT', wanted, from: 'demo' as const });
  }
  await ledger.prepareAll(Array.from({ length: TRADERS }, (_, trader) => userOf(trader)));
  const buy = (n: number) =>
    sequencer.execute(commands.buy, {
      owner: userOf(n % TRADERS),
      fund,
      margin: d('100'),
      leverage: n % 10 === 0 ? 3 : 2,
    });
  for (let n = 0; n < positions; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, positions - n) }, (_, offset) => buy(n + offset)),
    );
}

if (mode === 'prepare') {
  await prepareDatabase(connection);
  process.stdout.write('{}\n');
} else process.stdout.write(`${JSON.stringify(await measure(Number(count)))}\n`);
process.exit(0);
