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
import { leavesOf } from '../../src/modules/proofs/taking.ts';
import { openServerSecret } from '../../src/platform/secrets/server-secret.ts';
import { asRuntime, urlOf } from '../database.ts';
import type { TestExchange } from '../exchange.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const POLL_MS = 2;
const TIMEOUT_MS = 120_000;
/** Of so many kills one comes when everything is stored and the snapshot is about to be published. */
const PUBLISHING_EACH = 4;
const PUBLISHING_MS = 4;

export interface SnapshotKill {
  /** How many of the rows were stored. */
  readonly done: number;
  readonly whole: number;
  readonly isPublished: boolean;
}

/** Gives so many owners a balance of each of three coins. */
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
 * Stops the exchange, lets the built server take today's snapshot, and kills it with SIGKILL when a random share of its
 * rows is stored, or while it is published. After each kill the exchange starts again and is looked at by `published` or
 * `unpublished`; what was published is taken away after all but the last, so that the day can be taken once more.
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
  const whole = rowsOf((await balances(exchange)).size);
  const made: SnapshotKill[] = [];
  const { guard } = guardedFolder();
  const kill = async (target: number, pauseMs: number) => {
    const within = { dataDirectory: exchange.dataDirectory, guard };
    const urls = { databaseUrl: urlOf(asRuntime(connection)), databaseOwnerUrl: urlOf(connection) };
    const server = await ServerProcess.prepare({ ...urls, within });
    try {
      const since = await hourIsThere(exchange);
      server.launch();
      await eventuallyStored(exchange, server, since, target);
      await sleep(pauseMs);
      await server.killServer();
      await sessionsEnded(exchange);
      await hourIsOver(exchange);
      made.push({ ...(await stored(exchange, since)), whole });
    } finally {
      await server.close();
    }
  };
  try {
    for (let turn = 0; turn < kills; turn += 1) {
      const isPublishing = turn % PUBLISHING_EACH === PUBLISHING_EACH - 1;
      await exchange.restart(() =>
        isPublishing ? kill(whole, random.whole(0, PUBLISHING_MS)) : kill(random.whole(1, whole), 0),
      );
      const { isPublished } = made.at(-1)!;
      await (isPublished ? published() : unpublished());
      if (isPublished && turn < kills - 1) await takeAway(exchange);
    }
  } finally {
    await guard.act();
  }
  return made;
}

/** What is wrong with today's snapshot, each part of it made once more from the balances of the ledger. */
export async function snapshotFaults(exchange: TestExchange): Promise<readonly string[]> {
  const day = dayText(today(exchange));
  const list = (await exchange.call(liabilities, { pageSize: '100' })).data.list.filter(
    (one) => one.day === day,
  );
  const [snapshot] = list;
  if (snapshot === undefined || list.length > 1) return [`${list.length} snapshots of ${day}`];
  const { receipt, ...said } = snapshot;
  const { keys } = (await exchange.call(proofKeys)).data;
  const key = keys.find(({ id }) => id === receipt.key)!;
  const text = Buffer.from(`liabilities|${canonicalText(said)}`);
  const isSigned = verify(
    null,
    text,
    createPublicKey(key.publicKey),
    Buffer.from(receipt.signature, 'base64'),
  );
  const owed = await balances(exchange);
  const secret = await openServerSecret({ dataDirectory: exchange.dataDirectory, mustExist: true });
  const leaves = [...owed].flatMap(([owner, amounts]) => leavesOf(secret, day, owner, amounts));
  const root = rootOf(day, leaves);
  const totals = said.totals
    .filter(({ owed: amount }) => amount !== '0')
    .map(({ currency, owed: amount }) => `${currency}:${amount}`);
  const kept = await rowCounts(exchange);
  const expected = {
    owed: owed.size,
    leaves: leaves.length,
    unplaced: 0,
    nodes: rowsOf(owed.size) - owed.size - leaves.length,
  };
  return [
    ...(isSigned ? [] : ['the signature does not hold']),
    ...(root.hash === said.root ? [] : [`the root is ${said.root}, not ${root.hash}`]),
    ...(said.leaves === leaves.length ? [] : [`${said.leaves} leaves, not ${leaves.length}`]),
    ...(totals.join() === sumsText(root.sums)
      ? []
      : [`the totals are ${totals.join()}, not ${sumsText(root.sums)}`]),
    ...(canonicalText(kept) === canonicalText(expected)
      ? []
      : [`kept are ${JSON.stringify(kept)}, not ${JSON.stringify(expected)}`]),
  ];
}

/** The job of the hour waits for the server that is started next. Gives the transaction after which its rows come. */
async function hourIsThere({ database }: TestExchange): Promise<string> {
  await database.pool.query(`select graphile_worker.add_job('proofs.take', '{}'::json)`);
  const { rows } = await database.pool.query<{ since: string }>('select pg_current_xact_id()::text as since');
  return rows[0]!.since;
}

/** The job of a killed server is taken up again by whichever starts next, which here would be the exchange that looks. */
async function hourIsOver({ database }: TestExchange): Promise<void> {
  await database.pool.query(
    `delete from graphile_worker._private_jobs where task_id in
       (select id from graphile_worker._private_tasks where identifier = 'proofs.take')`,
  );
}

async function eventuallyStored(
  exchange: TestExchange,
  server: ServerProcess,
  since: string,
  target: number,
): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { done, isPublished } = await stored(exchange, since);
    if (done >= target || isPublished) return;
    if (server.hasEnded || performance.now() > deadline)
      throw new Error(`${done} of ${target} rows are stored:\n${server.output.join('\n')}`);
    await sleep(POLL_MS);
  }
}

/** Rows that were written since a transaction, not those which an earlier attempt left. */
async function stored(
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

/** A statement that a killed server has sent may still be carried out. */
async function sessionsEnded({ database }: TestExchange): Promise<void> {
  for (;;) {
    const { rowCount } = await database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and usename <> current_user`,
    );
    if (rowCount === 0) return;
    await sleep(POLL_MS);
  }
}

/** No server can do this: a snapshot is there for ever. */
async function takeAway(exchange: TestExchange): Promise<void> {
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
  const owed = new Map<UserId, Sums>();
  for (const { owner, asset, amount } of rows)
    owed.set(owner, sumOf(owed.get(owner) ?? new Map(), new Map([[asset, Decimal.parse(amount)]])));
  return owed;
}

/** Level by level, all of it in memory, unlike the snapshot's own builder. */
function rootOf(day: string, leaves: readonly SumNode[]): SumNode {
  let nodes = leaves.toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
  for (let level = 0; nodes.length > 1; level += 1) {
    const padding = { hash: hashed(`padding|${day}|${level}`), sums: new Map() };
    nodes = Array.from({ length: Math.ceil(nodes.length / 2) }, (_, at) => {
      const [left, right] = [nodes[2 * at]!, nodes[2 * at + 1] ?? padding];
      const text = [left, right].map(({ hash, sums }) => `${hash}|${sumsText(sums)}`).join('|');
      return { hash: hashed(`node|${text}`), sums: sumOf(left.sums, right.sums) };
    });
  }
  return nodes[0]!;
}

function hashed(text: string): string {
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

/** Rows of owners, leaves and nodes above them. */
function rowsOf(owners: number): number {
  return owners + levelsOf(owners * LEAVES_PER_USER).reduce((all, count) => all + count, 0);
}

function today({ clock }: TestExchange): number {
  return dayOf(clock.now());
}
