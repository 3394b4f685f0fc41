import { createHash, createPublicKey, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  levelsOf,
  LEAVES_PER_USER,
  sumOf,
  sumsText,
  type SumNode,
  type Sums,
} from '@exchange/core/proofs.ts';
import { proofKeys } from '@exchange/wire/proof.ts';
import { liabilities } from '@exchange/wire/proofs.ts';
import { dayOf, dayText } from '../../src/modules/proofs/domain.ts';
import { leavesOf } from '../../src/modules/proofs/snapshot-taking.ts';
import { openServerSecret } from '../../src/platform/secrets/server-secret.ts';
import { withRuntimeRole, urlOf } from '../database.ts';
import type { TestExchange } from '../exchange.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const POLL_MS = 2;
const TIMEOUT_MS = 120_000;
/**
 * Number of kills of which one happens when all rows of the liability snapshot are stored, about when the
 * server publishes it.
 */
const PUBLISHING_KILL_INTERVAL = 4;
const PUBLISHING_MS = 4;

export interface SnapshotKill {
  /** Number of snapshot rows stored when the server was killed. */
  readonly done: number;
  readonly whole: number;
  readonly isPublished: boolean;
}

/** Funds `count` user ids, for which there are no user accounts, with amounts of BTC, ETH and USDT. */
export async function fundOwners({ doors }: TestExchange, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, at) => {
      const owner = `00000000-0000-7000-9000-${at.toString(16).padStart(12, '0')}` as UserId;
      const amount = Decimal.parse(`${1 + (at % 977)}.${1 + (at % 89)}`);
      return doors.faucet.fund(
        owner,
        ['BTC', 'ETH', 'USDT'].map((asset) => ({ asset, amount })),
      );
    }),
  );
}

/**
 * Stops the exchange, lets the built server take today's liability snapshot, and kills the server when a random share
 * of the rows is stored, or during publication. After each kill the exchange starts again, and the caller's function
 * `published` or `unpublished` checks it. A published snapshot is deleted, except after the last kill, so that the
 * day's snapshot can be taken again. Returns an item for each kill.
 */
export async function killOverSnapshot(
  exchange: TestExchange,
  {
    kills,
    random,
    published,
    unpublished,
  }: {
    readonly kills: number;
    readonly random: SeededRandom;
    readonly published: () => Promise<void>;
    readonly unpublished: () => Promise<void>;
  },
): Promise<readonly SnapshotKill[]> {
  const { connection } = exchange.database;
  const totalRows = rowsOf((await balances(exchange)).size);
  const snapshotKills: SnapshotKill[] = [];
  const { guard } = guardedFolder();
  const kill = async (target: number, pauseMs: number) => {
    const within = { dataDirectory: exchange.dataDirectory, guard };
    const urls = { databaseUrl: urlOf(withRuntimeRole(connection)), databaseOwnerUrl: urlOf(connection) };
    const server = await ServerProcess.prepare({ ...urls, within });
    try {
      const sinceXid = await enqueueJob(exchange);
      server.launch();
      await waitForRows(exchange, server, sinceXid, target);
      await sleep(pauseMs);
      await server.killServer();
      await waitForSessionsToEnd(exchange);
      await deleteJob(exchange);
      snapshotKills.push({ ...(await storedSince(exchange, sinceXid)), whole: totalRows });
    } finally {
      await server.close();
    }
  };
  try {
    for (let index = 0; index < kills; index += 1) {
      const isPublishing = index % PUBLISHING_KILL_INTERVAL === PUBLISHING_KILL_INTERVAL - 1;
      await exchange.restart(() =>
        isPublishing ? kill(totalRows, random.whole(0, PUBLISHING_MS)) : kill(random.whole(1, totalRows), 0),
      );
      const { isPublished } = snapshotKills.at(-1)!;
      await (isPublished ? published() : unpublished());
      if (isPublished && index < kills - 1) await deleteSnapshot(exchange);
    }
  } finally {
    await guard.cleanUp();
  }
  return snapshotKills;
}

/**
 * Returns the faults of today's liability snapshot: no snapshot or several ones, a wrong signature, or
 * differences from a snapshot that is recomputed from the ledger's balances. Empty if there are none.
 */
export async function snapshotFaults(exchange: TestExchange): Promise<readonly string[]> {
  const day = dayText(today(exchange));
  const list = (await exchange.call(liabilities, { pageSize: '100' })).data.list.filter(
    (row) => row.day === day,
  );
  const [snapshot] = list;
  if (snapshot === undefined || list.length > 1) return [`${list.length} snapshots of ${day}`];
  const { receipt, ...statement } = snapshot;
  const { keys } = (await exchange.call(proofKeys)).data;
  const key = keys.find(({ id }) => id === receipt.key)!;
  const text = Buffer.from(`liabilities|${canonicalText(statement)}`);
  const isSigned = verify(
    null,
    text,
    createPublicKey(key.publicKey),
    Buffer.from(receipt.signature, 'base64'),
  );
  const balancesByOwner = await balances(exchange);
  const secret = await openServerSecret({ dataDirectory: exchange.dataDirectory, mustExist: true });
  const leaves = [...balancesByOwner].flatMap(([owner, amounts]) => leavesOf(secret, day, owner, amounts));
  const root = rootOf(day, leaves);
  const totals = statement.totals
    .filter(({ owed: amount }) => amount !== '0')
    .map(({ currency, owed: amount }) => `${currency}:${amount}`);
  const storedCounts = await rowCounts(exchange);
  const expected = {
    owed: balancesByOwner.size,
    leaves: leaves.length,
    unplaced: 0,
    nodes: rowsOf(balancesByOwner.size) - balancesByOwner.size - leaves.length,
  };
  return [
    ...(isSigned ? [] : ['the signature does not hold']),
    ...(root.hash === statement.root ? [] : [`the root is ${statement.root}, not ${root.hash}`]),
    ...(statement.leaves === leaves.length ? [] : [`${statement.leaves} leaves, not ${leaves.length}`]),
    ...(totals.join() === sumsText(root.sums)
      ? []
      : [`the totals are ${totals.join()}, not ${sumsText(root.sums)}`]),
    ...(canonicalText(storedCounts) === canonicalText(expected)
      ? []
      : [`kept are ${JSON.stringify(storedCounts)}, not ${JSON.stringify(expected)}`]),
  ];
}

/**
 * Enqueues the hourly snapshot job for the server that starts next. Returns the transaction id
 * after which its rows are written.
 */
async function enqueueJob({ database }: TestExchange): Promise<string> {
  await database.pool.query(`select graphile_worker.add_job('proofs.take', '{}'::json)`);
  const { rows } = await database.pool.query<{ since: string }>('select pg_current_xact_id()::text as since');
  return rows[0]!.since;
}

/**
 * Deletes the unfinished snapshot job of a killed server. Otherwise the exchange that checks the result would continue
 * the job.
 */
async function deleteJob({ database }: TestExchange): Promise<void> {
  await database.pool.query(
    `delete from graphile_worker._private_jobs where task_id in
       (select id from graphile_worker._private_tasks where identifier = 'proofs.take')`,
  );
}

async function waitForRows(
  exchange: TestExchange,
  server: ServerProcess,
  since: string,
  target: number,
): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { done, isPublished } = await storedSince(exchange, since);
    if (done >= target || isPublished) return;
    if (server.hasEnded || performance.now() > deadline)
      throw new Error(`${done} of ${target} rows are stored:\n${server.output.join('\n')}`);
    await sleep(POLL_MS);
  }
}

/**
 * Counts the rows of today's snapshot that were written after transaction `since`, so that the rows of
 * earlier attempts do not count. Also returns whether today's snapshot is published.
 */
async function storedSince(
  exchange: TestExchange,
  since: string,
): Promise<Pick<SnapshotKill, 'done' | 'isPublished'>> {
  const { rows } = await exchange.database.pool.query<{ done: number; isPublished: boolean }>(
    `select (
       (select count(*) from proof_owed where day = $1 and xmin::text::bigint > $2::bigint)
       + (select count(*) from proof_leaf where day = $1 and place is not null and xmin::text::bigint > $2::bigint)
       + (select count(*) from proof_node where day = $1 and xmin::text::bigint > $2::bigint)
     )::int as done, exists (select 1 from proof_snapshot where day = $1) as "isPublished"`,
    [today(exchange), since],
  );
  return rows[0]!;
}

/**
 * Waits until the database has ended the sessions of the killed server, which may still execute their last statement.
 */
async function waitForSessionsToEnd({ database }: TestExchange): Promise<void> {
  for (;;) {
    const { rowCount } = await database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and usename <> current_user`,
    );
    if (rowCount === 0) return;
    await sleep(POLL_MS);
  }
}

/**
 * Deletes a published liability snapshot. A database trigger forbids this to servers, so the test disables the trigger
 * for the deletion.
 */
async function deleteSnapshot(exchange: TestExchange): Promise<void> {
  await exchange.database.pool.query(
    `begin; alter table proof_snapshot disable trigger user; delete from proof_snapshot where day = ${today(exchange)};
     alter table proof_snapshot enable trigger user; commit`,
  );
}

async function balances({ database, doors }: TestExchange): Promise<ReadonlyMap<UserId, Sums>> {
  const house = await doors.identity.systemUsers();
  const { rows } = await database.pool.query<{ owner: UserId; asset: string; amount: string }>(
    `select owner, asset, sum(balance)::text as amount from ledger_account
     where owner is not null and owner <> all($1) and asset not like '%:%' group by 1, 2 having sum(balance) <> 0`,
    [house],
  );
  const sumsByOwner = new Map<UserId, Sums>();
  for (const { owner, asset, amount } of rows)
    sumsByOwner.set(
      owner,
      sumOf(sumsByOwner.get(owner) ?? new Map(), new Map([[asset, Decimal.parse(amount)]])),
    );
  return sumsByOwner;
}

/**
 * Computes the root of the Merkle tree level by level in memory, independent of the snapshot's own
 * builder.
 */
function rootOf(day: string, leaves: readonly SumNode[]): SumNode {
  let nodes = leaves.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  for (let level = 0; nodes.length > 1; level += 1) {
    const padding = { hash: sha256(`padding|${day}|${level}`), sums: new Map() };
    nodes = Array.from({ length: Math.ceil(nodes.length / 2) }, (_, at) => {
      const [left, right] = [nodes[2 * at]!, nodes[2 * at + 1] ?? padding];
      const text = [left, right].map(({ hash, sums }) => `${hash}|${sumsText(sums)}`).join('|');
      return { hash: sha256(`node|${text}`), sums: sumOf(left.sums, right.sums) };
    });
  }
  return nodes[0]!;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function rowCounts(exchange: TestExchange) {
  const { rows } = await exchange.database.pool.query<
    Record<'owed' | 'leaves' | 'unplaced' | 'nodes', number>
  >(
    `select (select count(*)::int from proof_owed where day = $1) as owed,
       (select count(*)::int from proof_leaf where day = $1) as leaves,
       (select count(*)::int from proof_leaf where day = $1 and place is null) as unplaced,
       (select count(*)::int from proof_node where day = $1) as nodes`,
    [today(exchange)],
  );
  return rows[0]!;
}

/** Returns the number of rows of a liability snapshot: one for each owner, leaf and inner node. */
function rowsOf(owners: number): number {
  return owners + levelsOf(owners * LEAVES_PER_USER).reduce((total, count) => total + count, 0);
}

function today({ clock }: TestExchange): number {
  return dayOf(clock.now());
}
