/**
 * A snapshot of what many users are owed, in a process of its own. Arguments: `prepare` or `measure`, the database as
 * JSON, for `measure` how many users and how many earlier snapshots; the last line it prints is JSON.
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
import { median, percentile, rounded } from '../measuring/statistics.ts';
import { benchLog, openExchange } from '../orders/exchange.ts';
import { placedUntil } from '../orders/placed-until.ts';
import { prepareStage } from '../orders/stage.ts';

export interface ProofFigures {
  readonly users: number;
  readonly leaves: number;
  /** From its beginning until the snapshot is published. */
  readonly snapshotS: number;
  /** The same hashes one after another, and the same rows copied within the database: what no snapshot can beat. */
  readonly bareS: number;
  /** Of the whole process, megabytes: before, at most while it is taken, and how much of the heap was then in use. */
  readonly memoryBeforeMb: number;
  readonly memoryMostMb: number;
  readonly heapMostMb: number;
  /** The longest that the process did nothing else. */
  readonly stallMs: number;
  /** What a spot order waited for its answer: in quiet, and while the snapshot was taken. */
  readonly orderQuietP99Ms: number;
  readonly orderQuietMostMs: number;
  readonly orderP50Ms: number;
  readonly orderP99Ms: number;
  readonly orderMostMs: number;
  /** A user's own proof, with one snapshot and with earlier ones behind it. */
  readonly ownMs: number;
  readonly ownWithHistoryMs: number;
}

const COINS = ['BTC', 'ETH', 'USDT'];
const QUIET_MS = 8_000;
const LOOK_MS = 10;
const READS = 200;
const OWNER = `('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))`;
/** Digits of every length, as balances are. */
const AMOUNT = `((n * 7919) % 1000003) / (10 ^ (1 + n % 8))::numeric + 0.00000001`;
const [mode, databaseText = '{}', users = '0', earlier = '0'] = process.argv.slice(2);
const connection = JSON.parse(databaseText) as BenchDatabase;

if (mode === 'prepare') {
  await prepareStage(connection);
  print({});
} else print(await measure(Number(users), Number(earlier)));
process.exit(0);

async function measure(count: number, history: number): Promise<ProofFigures> {
  // Before the exchange begins: it reads the accounts as they stand.
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
  const quiet = await placedUntil(exchange, new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  const memory = watchedMemory();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const beganMs = performance.now();
  let endedMs = 0;
  const taken = liabilities.takeDue().then(() => {
    endedMs = performance.now();
  });
  const waited = await placedUntil(exchange, taken);
  delay.disable();
  const most = memory();
  const { list } = await liabilities.list({ pageNo: 1, pageSize: 1 });
  if (list[0] === undefined) throw new Error('no snapshot was published');
  const own = await ownProof(liabilities, count);
  const bareS = (hashedS(list[0].leaves) + (await copiedS())) / 1_000;
  await insertHistory(history);
  const ownWithHistory = await ownProof(liabilities, count);
  await exchange.stop();
  for (const one of pools) await one.end();
  return {
    users: count,
    leaves: list[0].leaves,
    snapshotS: rounded((endedMs - beganMs) / 1_000, 1),
    bareS: rounded(bareS, 1),
    ...most,
    stallMs: rounded(delay.max / 1e6, 0),
    orderQuietP99Ms: rounded(percentile(quiet, 0.99), 1),
    orderQuietMostMs: rounded(Math.max(...quiet), 1),
    orderP50Ms: rounded(percentile(waited, 0.5), 1),
    orderP99Ms: rounded(percentile(waited, 0.99), 1),
    orderMostMs: rounded(
      waited.reduce((longest, one) => Math.max(longest, one), 0),
      1,
    ),
    ownMs: rounded(own, 2),
    ownWithHistoryMs: rounded(ownWithHistory, 2),
  };
}

/** Looks at the process's memory every few milliseconds; the function that it gives ends that and tells the most. */
function watchedMemory(): () => Pick<ProofFigures, 'memoryBeforeMb' | 'memoryMostMb' | 'heapMostMb'> {
  const before = memoryUsage();
  let [rss, heap] = [before.rss, before.heapUsed];
  const timer = setInterval(() => {
    const now = memoryUsage();
    rss = Math.max(rss, now.rss);
    heap = Math.max(heap, now.heapUsed);
  }, LOOK_MS);
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

/** Milliseconds, the middle of some users' own proofs. */
async function ownProof(liabilities: Liabilities, count: number): Promise<number> {
  const times: number[] = [];
  for (let read = 0; read < READS; read += 1) {
    const nth = 1 + ((read * 7919) % count);
    const user = `00000000-0000-7000-9000-${nth.toString(16).padStart(12, '0')}` as UserId;
    const beganMs = performance.now();
    const { leaf } = await liabilities.own(user);
    times.push(performance.now() - beganMs);
    if (leaf?.leaves.length !== LEAVES_PER_USER) throw new Error(`${user} has no proof`);
  }
  return median(times);
}

/** Milliseconds for as many hashes as a tree needs: per leaf its own, that of a node, and its part of its user's. */
function hashedS(leaves: number): number {
  const perUser = 1 + COINS.length;
  const hashes = 2 * leaves + (perUser * leaves) / LEAVES_PER_USER;
  const text = 'x'.repeat(190);
  const beganMs = performance.now();
  for (let at = 0; at < hashes; at += 1) createHash('sha256').update(`${text}${at}`).digest('hex');
  return performance.now() - beganMs;
}

/** Milliseconds in which the database writes the same rows with the same indexes in three statements. */
async function copiedS(): Promise<number> {
  const tables = ['proof_owed', 'proof_leaf', 'proof_node'];
  await written(tables.map((table) => [`create table bare_${table} (like ${table} including all)`, []]));
  const beganMs = performance.now();
  await written(tables.map((table) => [`insert into bare_${table} select * from ${table}`, []]));
  return performance.now() - beganMs;
}

/** Snapshots of earlier days that were as large as the newest. */
async function insertHistory(days: number): Promise<void> {
  const earlierDays = 'generate_series(1, $1::int) as back';
  await written([
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

/** Each user has every coin on an account of their own; where it came from is below zero by as much. */
async function insertAccounts(count: number): Promise<void> {
  await written([
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

async function written(statements: readonly (readonly [text: string, values: unknown[]])[]): Promise<void> {
  const client = new pg.Client({ ...clientOptions(connection, 'bench proofs'), statement_timeout: 0 });
  await client.connect();
  for (const [text, values] of statements) await client.query(text, values);
  await client.end();
}

function print(outcome: object): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
