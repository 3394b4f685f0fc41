/**
 * Measures a snapshot of liabilities for many users in its own process. The arguments are `prepare` or `measure`, the
 * database as JSON, and for `measure` the numbers of users and of earlier snapshots. The last line of the output is
 * JSON.
 */
import { createHash } from 'node:crypto';
import { memoryUsage } from 'node:process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LEAVES_PER_USER } from '@exchange/core/proofs.ts';
import type { UserId } from '@exchange/core/ids.ts';
import pg from 'pg';
import { Liabilities } from '../../apps/server/src/modules/proofs/service.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { clientOptions, openDatabase } from '../../apps/server/src/platform/database/pool.ts';
import { ServerSecret } from '../../apps/server/src/platform/secrets/server-secret.ts';
import { SigningKey } from '../../apps/server/src/platform/secrets/signing-key.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { median, percentile, round } from '../measuring/statistics.ts';
import { benchLog, openExchange } from '../orders/exchange.ts';
import { placeUntil } from '../orders/place-until.ts';
import { prepareDatabase } from '../orders/fixtures.ts';

export interface ProofFigures {
  readonly users: number;
  readonly leaves: number;
  /** Seconds from the start until the snapshot is published. */
  readonly snapshotS: number;
  /**
   * Lower bound of `snapshotS` in seconds: the time to compute one after another as many hashes as the snapshot has, of
   * texts of a fixed size, and to copy the rows of the snapshot within the database.
   */
  readonly bareS: number;
  /**
   * Memory of the process in megabytes: the resident memory before the snapshot, its maximum during the snapshot, and
   * the maximum of the used heap.
   */
  readonly memoryBeforeMb: number;
  readonly memoryMostMb: number;
  readonly heapMostMb: number;
  /** The longest time in which the event loop was blocked, in milliseconds. */
  readonly stallMs: number;
  /**
   * Milliseconds until the exchange answers a spot order: median, 99th percentile and maximum. The figures with `Quiet`
   * were measured without other work, the others during a snapshot.
   */
  readonly orderQuietP99Ms: number;
  readonly orderQuietMostMs: number;
  readonly orderP50Ms: number;
  readonly orderP99Ms: number;
  readonly orderMostMs: number;
  /**
   * Milliseconds to read a user's own proof of liabilities. For `ownMs` the database contains one snapshot, for
   * `ownWithHistoryMs` also the snapshots of earlier days.
   */
  readonly ownMs: number;
  readonly ownWithHistoryMs: number;
}

const COINS = ['BTC', 'ETH', 'USDT'];
const QUIET_MS = 8_000;
const SAMPLE_MS = 10;
const READS = 200;
const OWNER = `('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))`;
/** SQL expression for test balances that have different numbers of digits, like real balances. */
const AMOUNT = `((n * 7919) % 1000003) / (10 ^ (1 + n % 8))::numeric + 0.00000001`;
const [mode, databaseText = '{}', users = '0', earlier = '0'] = process.argv.slice(2);
const connection = JSON.parse(databaseText) as BenchDatabase;

if (mode === 'prepare') {
  await prepareDatabase(connection);
  print({});
} else print(await measure(Number(users), Number(earlier)));
process.exit(0);

async function measure(count: number, history: number): Promise<ProofFigures> {
  // The accounts are inserted before the exchange starts, because it reads accounts only at its start.
  await insertAccounts(count);
  const exchange = await openExchange(connection);
  const pools = [
    openDatabase({ connection, log: () => undefined }),
    openDatabase({ connection, log: () => undefined, isReadOnly: true }),
  ] as const;
  const [pool, reader] = pools;
  const secret = new ServerSecret(Buffer.alloc(32, 7));
  const liabilities = new Liabilities({
    clock: systemClock,
    log: benchLog,
    secret,
    database: databaseOver(pool, { reader }),
    signingKey: new SigningKey(secret.key('bench')),
    systemUsers: () => Promise.resolve([]),
  });
  const quiet = await placeUntil(exchange, new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  const memory = watchMemory();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startMs = performance.now();
  let endMs = 0;
  const snapshot = liabilities.takeDue().then(() => {
    endMs = performance.now();
  });
  const latenciesMs = await placeUntil(exchange, snapshot);
  delay.disable();
  const most = memory();
  const { list } = await liabilities.list({ pageNo: 1, pageSize: 1 });
  if (list[0] === undefined) throw new Error('no snapshot was published');
  const own = await ownProof(liabilities, count);
  const bareS = (hashingMs(list[0].leaves) + (await copyingMs())) / 1_000;
  await insertHistory(history);
  const ownWithHistory = await ownProof(liabilities, count);
  await exchange.stop();
  for (const openPool of pools) await openPool.end();
  return {
    users: count,
    leaves: list[0].leaves,
    snapshotS: round((endMs - startMs) / 1_000, 1),
    bareS: round(bareS, 1),
    ...most,
    stallMs: round(delay.max / 1e6, 0),
    orderQuietP99Ms: round(percentile(quiet, 0.99), 1),
    orderQuietMostMs: round(Math.max(...quiet), 1),
    orderP50Ms: round(percentile(latenciesMs, 0.5), 1),
    orderP99Ms: round(percentile(latenciesMs, 0.99), 1),
    orderMostMs: round(
      latenciesMs.reduce((longest, latencyMs) => Math.max(longest, latencyMs), 0),
      1,
    ),
    ownMs: round(own, 2),
    ownWithHistoryMs: round(ownWithHistory, 2),
  };
}

/**
 * Samples the memory of the process every few milliseconds. The returned function ends the sampling and
 * returns, in megabytes, the resident memory at the start and the maxima of the resident memory and of the
 * used heap.
 */
function watchMemory(): () => Pick<ProofFigures, 'memoryBeforeMb' | 'memoryMostMb' | 'heapMostMb'> {
  const before = memoryUsage();
  let [rss, heap] = [before.rss, before.heapUsed];
  const timer = setInterval(() => {
    const now = memoryUsage();
    rss = Math.max(rss, now.rss);
    heap = Math.max(heap, now.heapUsed);
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    const megabytes = (bytes: number) => Math.round(bytes / 1e6);
    return {
      memoryBeforeMb: megabytes(before.rss),
      memoryMostMb: megabytes(rss),
      heapMostMb: megabytes(heap),
    };
  };
}

/** Returns the median milliseconds to read a user's own proof. Throws if a user's proof lacks leaves. */
async function ownProof(liabilities: Liabilities, count: number): Promise<number> {
  const times: number[] = [];
  for (let read = 0; read < READS; read += 1) {
    const nth = 1 + ((read * 7919) % count);
    const user = `00000000-0000-7000-9000-${nth.toString(16).padStart(12, '0')}` as UserId;
    const startMs = performance.now();
    const { leaf } = await liabilities.proofOf(user);
    times.push(performance.now() - startMs);
    if (leaf?.leaves.length !== LEAVES_PER_USER) throw new Error(`${user} has no proof`);
  }
  return median(times);
}

/**
 * Returns the milliseconds to compute as many hashes as a snapshot's Merkle tree has: two for each leaf (that of the
 * leaf and that of a node), one for each user, and one for each coin of a user.
 */
function hashingMs(leaves: number): number {
  const perUser = 1 + COINS.length;
  const hashes = 2 * leaves + (perUser * leaves) / LEAVES_PER_USER;
  const text = 'x'.repeat(190);
  const startMs = performance.now();
  for (let at = 0; at < hashes; at += 1) createHash('sha256').update(`${text}${at}`).digest('hex');
  return performance.now() - startMs;
}

/** Returns the milliseconds in which the database copies the rows of a snapshot to tables with the same indexes. */
async function copyingMs(): Promise<number> {
  const tables = ['proof_owed', 'proof_leaf', 'proof_node'];
  await runStatements(
    tables.map((table) => [`create table bare_${table} (like ${table} including all)`, []]),
  );
  const startMs = performance.now();
  await runStatements(tables.map((table) => [`insert into bare_${table} select * from ${table}`, []]));
  return performance.now() - startMs;
}

/** Inserts liability snapshots of earlier days that are as large as the newest. */
async function insertHistory(days: number): Promise<void> {
  const earlierDays = 'generate_series(1, $1::int) as back';
  await runStatements([
    [
      `insert into proof_snapshot select day - back, at, entry, leaves, root, totals, key, signature from proof_snapshot, ${earlierDays}`,
      [days],
    ],
    [`insert into proof_owed select day - back, owner, amounts from proof_owed, ${earlierDays}`, [days]],
    [`insert into proof_leaf select day - back, hash, place, sums from proof_leaf, ${earlierDays}`, [days]],
    [
      `insert into proof_node select day - back, level, place, hash, sums from proof_node, ${earlierDays}`,
      [days],
    ],
    ['vacuum analyze proof_owed, proof_leaf, proof_node', []],
  ]);
}

/** Inserts an account of every coin for each user, and accounts of the outside world with the opposite balances. */
async function insertAccounts(count: number): Promise<void> {
  await runStatements([
    ...COINS.map((coin): [string, unknown[]] => [
      `insert into ledger_account (id, address, asset, owner, balance)
       select (select max(id) from ledger_account) + n, 'user:' || ${OWNER} || ':finance:available', $2::text,
         ${OWNER}::uuid, ${AMOUNT} from generate_series(1, $1::int) as n`,
      [count, coin],
    ]),
    [
      `insert into ledger_account (id, address, asset, balance)
       select (select max(id) from ledger_account) + row_number() over (), 'world:proofs', asset, -sum(balance)
       from ledger_account where address like '%:finance:available' group by asset`,
      [],
    ],
    ['vacuum analyze ledger_account', []],
  ]);
}

async function runStatements(
  statements: readonly (readonly [text: string, values: unknown[]])[],
): Promise<void> {
  const client = new pg.Client({ ...clientOptions(connection, 'bench proofs'), statement_timeout: 0 });
  await client.connect();
  for (const [text, values] of statements) await client.query(text, values);
  await client.end();
}

function print(outcome: object): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
