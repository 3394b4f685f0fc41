/**
 * Settles a token sale with many participants in its own process. The arguments are `prepare` or `measure`, the
 * database as JSON, and for `measure` the number of participants. The last line of the output is JSON.
 */
import { Bulkheads } from '../../apps/server/src/platform/jobs/bulkheads.ts';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later, type Instant } from '@exchange/core/time.ts';
import pg from 'pg';
import { subscriptionCommands } from '../../apps/server/src/modules/subscription/commands.ts';
import { SubscriptionJobs } from '../../apps/server/src/modules/subscription/jobs.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { clientOptions, openDatabase } from '../../apps/server/src/platform/database/pool.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { percentile, round } from '../measuring/statistics.ts';
import { benchLog, openExchange } from '../orders/exchange.ts';
import { placeUntil } from '../orders/place-until.ts';
import { prepareDatabase } from '../orders/fixtures.ts';

export interface SaleFigures {
  /** Seconds to read all commitments, to write and hash the file of commitments, and to announce the hash. */
  readonly announceS: number;
  /** Seconds to read the commitments again, to allocate the tokens, and to write and hash the result. */
  readonly allocateS: number;
  readonly settleS: number;
  readonly settled: number;
  readonly stepP50Ms: number;
  readonly stepP99Ms: number;
  /** The longest times in milliseconds for which the event loop was blocked, before the settlement and during it. */
  readonly stallMs: number;
  readonly settleStallMs: number;
  /**
   * Milliseconds until a spot order is answered, as median, 99th percentile or maximum: without other work, during the
   * computation, and during the settlement.
   */
  readonly orderQuietP99Ms: number;
  readonly orderComputeP99Ms: number;
  readonly orderComputeMostMs: number;
  readonly orderSettleP50Ms: number;
  readonly orderSettleP99Ms: number;
}

const QUIET_MS = 5_000;
const MINUTES_AGO = 10 * 60_000;
const OWNER = `('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))`;
const AMOUNT = '10 + (n * 7919) % 90';
let notifyAllocated = (): void => undefined;
const bulkheads = new Bulkheads({ clock: systemClock, log: benchLog });
const [mode, databaseText = '{}', count = '0'] = process.argv.slice(2);
const connection = JSON.parse(databaseText) as BenchDatabase;

if (mode === 'prepare') {
  await prepareDatabase(connection);
  print({});
} else print(await measure(Number(count)));
process.exit(0);

async function measure(participants: number): Promise<SaleFigures> {
  const endAt = later(systemClock.now(), -MINUTES_AGO);
  // The accounts are inserted before the exchange starts, because it reads accounts only at its start.
  await insertAccounts(participants);
  const exchange = await openExchange(connection);
  const { ledger, sequencer } = exchange;
  const pool = openDatabase({ connection, log: () => undefined });
  const database = databaseOver(pool);
  const steps: number[] = [];
  const commands = withTimedSettlement(subscriptionCommands(ledger), steps);
  sequencer.register(Object.values(commands));
  const { id } = await sequencer.execute(commands.publish, {
    terms: termsOf(endAt),
    by: 'bench',
    reason: 'a sale',
  });
  await insertCommitments(id, participants);
  const storedAt = new Map<string, number>();
  const jobs = new SubscriptionJobs({
    clock: systemClock,
    log: benchLog,
    database,
    sequencer: recordingTimes(sequencer, storedAt),
    commands,
    bulkheads,
    ledger,
    assets: { list: () => undefined },
    identity: { addressees: () => Promise.resolve(new Map()) },
    messages: { send: () => Promise.resolve(), announce: () => Promise.resolve() },
  });
  const quiet = await placeUntil(exchange, new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startMs = performance.now();
  let endMs = 0;
  let stallMs = 0;
  const allocated = new Promise<void>((resolve) => {
    notifyAllocated = () => {
      stallMs = delay.max / 1e6;
      delay.reset();
      resolve();
    };
  });
  const work = jobs.executeDue(0).then(() => {
    endMs = performance.now();
  });
  const computing = await placeUntil(exchange, allocated);
  const settling = await placeUntil(exchange, work);
  const { rows } = await pool.query<{ n: bigint }>(
    'select count(*) as n from subscription_commitment where settled_at is not null',
  );
  const settleStallMs = delay.max / 1e6;
  await exchange.stop();
  await pool.end();
  const announcedMs = storedAt.get('subscription.announce')!;
  const allocatedMs = storedAt.get('subscription.allocate')!;
  return {
    announceS: round((announcedMs - startMs) / 1_000, 1),
    allocateS: round((allocatedMs - announcedMs) / 1_000, 1),
    settleS: round((endMs - allocatedMs) / 1_000, 1),
    settled: Number(rows[0]!.n),
    stepP50Ms: round(percentile(steps, 0.5), 1),
    stepP99Ms: round(percentile(steps, 0.99), 1),
    stallMs: round(stallMs, 0),
    settleStallMs: round(settleStallMs, 0),
    orderQuietP99Ms: round(percentile(quiet, 0.99), 1),
    orderComputeP99Ms: round(percentile(computing, 0.99), 1),
    orderComputeMostMs: round(Math.max(...computing), 1),
    orderSettleP50Ms: round(percentile(settling, 0.5), 1),
    orderSettleP99Ms: round(percentile(settling, 0.99), 1),
  };
}

/** Returns the commands with a settlement command that adds the milliseconds of each step to `steps`. */
function withTimedSettlement(
  definitions: ReturnType<typeof subscriptionCommands>,
  steps: number[],
): typeof definitions {
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
  return { ...definitions, settle };
}

/**
 * Returns an object whose `execute` records the time at which each kind of command was last stored, and reports the
 * stored allocation to `notifyAllocated`.
 */
function recordingTimes(
  sequencer: Awaited<ReturnType<typeof openExchange>>['sequencer'],
  storedAt: Map<string, number>,
): Pick<typeof sequencer, 'execute'> {
  return {
    execute: async (command, input, options) => {
      const outcome = await sequencer.execute(command, input, options);
      storedAt.set(command.name, performance.now());
      if (command.name === 'subscription.allocate') notifyAllocated();
      return outcome;
    },
  };
}

/**
 * Returns the terms of a sale of ten million tokens at a price of 0.1 USDT. With 100,000 participants, the commitments
 * are more than five times the price of all tokens for sale.
 */
function termsOf(endAt: Instant) {
  const d = (text: string) => Decimal.parse(text);
  const text = { 'en-US': 'Bench', 'zh-CN': 'Bench' };
  return {
    code: 'bench',
    symbol: 'BENCH',
    name: text,
    about: text,
    tokenomics: text,
    whitepaper: text,
    totalSupply: d('100000000'),
    issueAmount: d('10000000'),
    ratio: d('10'),
    hardCapUser: d('500'),
    tokenDigits: 2,
    quote: 'USDT',
    quoteDigits: 8,
    minAmount: d('10'),
    maxAmount: d('1000'),
    softCap: undefined,
    startAt: later(endAt, -DAY_MS),
    endAt,
    listAt: later(endAt, DAY_MS),
    lockDays: 10,
    linearDays: 10,
    agreementVersion: '1',
  };
}

/**
 * Inserts the ledger accounts that hold the participants' commitments, with the committed USDT as balance.
 */
async function insertAccounts(participants: number): Promise<void> {
  await runStatements([
    [
      `insert into ledger_account (id, address, asset, owner, balance)
       select (select max(id) from ledger_account) + n, 'user:' || ${OWNER} || ':subscription:frozen', 'USDT',
         ${OWNER}::uuid, ${AMOUNT} from generate_series(1, $1::int) as n`,
      [participants],
    ],
  ]);
}

async function insertCommitments(project: string, participants: number): Promise<void> {
  await runStatements([
    [
      `insert into subscription_commitment (id, project, owner, salt, amount)
       select gen_random_uuid(), $1, ${OWNER}::uuid, md5(n::text), ${AMOUNT} from generate_series(1, $2::int) as n`,
      [project, participants],
    ],
    [
      `update subscription_project set participants = $2::int,
         committed = (select sum(amount) from subscription_commitment where project = $1) where id = $1`,
      [project, participants],
    ],
    ['analyze subscription_commitment', []],
  ]);
}

async function runStatements(
  statements: readonly (readonly [text: string, values: unknown[]])[],
): Promise<void> {
  const client = new pg.Client({ ...clientOptions(connection, 'bench subscription'), statement_timeout: 0 });
  await client.connect();
  for (const [text, values] of statements) await client.query(text, values);
  await client.end();
}

function print(outcome: object): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
