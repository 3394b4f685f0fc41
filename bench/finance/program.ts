/**
 * Measures a payday in its own process. The arguments are `prepare` or `measure`, the database as JSON, and for
 * `measure` the number of running orders of fixed-term products. The last line of the output is JSON.
 */
import { Bulkheads } from '../../apps/server/src/platform/jobs/bulkheads.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, instant, startOfDay } from '@exchange/core/time.ts';
import pg from 'pg';
import { createAssets } from '../../apps/server/src/modules/assets/index.ts';
import { financeCommands } from '../../apps/server/src/modules/finance/commands.ts';
import { financeJobs } from '../../apps/server/src/modules/finance/jobs.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { clientOptions, openDatabase } from '../../apps/server/src/platform/database/pool.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { percentile, round } from '../measuring/statistics.ts';
import { benchLog, openExchange, type RunningExchange } from '../orders/exchange.ts';
import { placeUntil } from '../orders/place-until.ts';
import { prepareDatabase } from '../orders/fixtures.ts';

export interface PaydayFigures {
  readonly seconds: number;
  readonly credited: number;
  /**
   * Milliseconds for which a single step (executed command) of the payday occupied the sequencer: median, 99th
   * percentile and maximum.
   */
  readonly stepP50Ms: number;
  readonly stepP99Ms: number;
  readonly stepMostMs: number;
  /**
   * Milliseconds until the exchange answers a spot order: median and 99th percentile. The figures with `Quiet` were
   * measured without other work, the others during a payday.
   */
  readonly orderQuietP50Ms: number;
  readonly orderQuietP99Ms: number;
  readonly orderP50Ms: number;
  readonly orderP99Ms: number;
  readonly orders: number;
}

const QUIET_MS = 5_000;
/** Every fifth running order of a fixed-term product receives its income daily, the others at maturity. */
const DAILY_OF = 5;
const OWNERS = 10_000;
const bulkheads = new Bulkheads({ clock: systemClock, log: benchLog });
const [mode, databaseText = '{}', count = '0'] = process.argv.slice(2);
const connection = JSON.parse(databaseText) as BenchDatabase;

if (mode === 'prepare') {
  await prepareDatabase(connection);
  print({});
} else print(await measure(Number(count)));
process.exit(0);

async function measure(orders: number): Promise<PaydayFigures> {
  const exchange = await openExchange(connection);
  const pool = openDatabase({ connection, log: () => undefined });
  const database = databaseOver(pool);
  const steps: number[] = [];
  const definitions = financeCommands(exchange.ledger, createAssets({ mode: 'live' }).coins);
  const { run } = definitions.accrue;
  const accrue: typeof definitions.accrue = {
    ...definitions.accrue,
    run: async (step, input) => {
      const startMs = performance.now();
      const outcome = await run(step, input);
      steps.push(performance.now() - startMs);
      return outcome;
    },
  };
  const commands = { ...definitions, accrue };
  exchange.sequencer.register(Object.values(commands));
  await insertOrders(exchange, commands, orders);
  const jobs = financeJobs({
    clock: systemClock,
    log: benchLog,
    database,
    sequencer: exchange.sequencer,
    commands,
    bulkheads,
    identity: { addressees: () => Promise.resolve(new Map()) },
    messages: { send: () => Promise.resolve(), announce: () => Promise.resolve() },
  });
  const quiet = await placeUntil(exchange, new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  const startMs = performance.now();
  let seconds = 0;
  const payday = jobs.settle().then(() => {
    seconds = (performance.now() - startMs) / 1_000;
  });
  const busy = await placeUntil(exchange, payday);
  const { rows } = await pool.query<{ n: bigint }>('select count(*) as n from finance_income');
  await exchange.stop();
  await pool.end();
  return {
    seconds: round(seconds, 1),
    credited: Number(rows[0]!.n),
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

/**
 * Inserts running orders of fixed-term products for which one day of income is due, with a product of each pay mode.
 * Also funds the accounts that pay the income.
 */
async function insertOrders(
  { sequencer }: RunningExchange,
  commands: ReturnType<typeof financeCommands>,
  orders: number,
): Promise<void> {
  const wanted = Decimal.parse('1000000000');
  await sequencer.execute(commands.fund, { asset: 'USDT', wanted, from: 'demo' as const });
  const client = new pg.Client({ ...clientOptions(connection, 'bench finance'), statement_timeout: 0 });
  await client.connect();
  const now = systemClock.now();
  const today = startOfDay(now);
  for (const payMode of ['maturity', 'daily'] as const) {
    const { id: product } = await sequencer.execute(commands.publish, {
      terms: {
        code: `bench-${payMode}`,
        name: { 'en-US': 'Bench', 'zh-CN': 'Bench' },
        source: { 'en-US': 'Bench', 'zh-CN': 'Bench' },
        asset: 'USDT',
        period: 30,
        dailyRate: Decimal.parse('0.0002'),
        payMode,
        isManual: false,
        startAmount: Decimal.parse('10'),
        maxAmount: Decimal.parse('1000000'),
        capacity: Decimal.parse('1000000000'),
        opensAt: instant(today - DAY_MS),
        closesAt: undefined,
        agreementVersion: '1',
      },
      by: 'bench',
      reason: 'a payday',
    });
    const share = payMode === 'daily' ? orders / DAILY_OF : orders - orders / DAILY_OF;
    await client.query(
      `insert into finance_order (id, owner, product, product_version, asset, principal, daily_rate, daily_interest,
         period, pay_mode, is_manual, bought_at, start_at, end_at, next_at)
       select gen_random_uuid(), ('00000000-0000-7000-9000-' || lpad(to_hex(n % ${OWNERS}), 12, '0'))::uuid, $1, 1,
         'USDT', 1000, 0.0002, 0.2, 30, $2, false, $3::bigint, $4::bigint, $4::bigint + 30 * ${DAY_MS}::bigint, $5::bigint
       from generate_series(1, $6::int) as n`,
      [product, payMode, today - 2 * DAY_MS, today - DAY_MS, today, Math.round(share)],
    );
  }
  await client.query('analyze finance_order');
  await client.end();
}

function print(outcome: object): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
