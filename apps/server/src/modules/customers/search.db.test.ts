import { randomUUID } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { recordQuery, type RecordSource } from '../../platform/console/records.ts';
import type { Reader } from '../../platform/database/database.ts';
import { apiKeyRecords } from '../api-keys/repository.ts';
import { originsOfTransactions } from '../chains/void-repository.ts';
import { convertRecords } from '../convert/repository.ts';
import { depositRecords } from '../deposits/repository.ts';
import { financeRecords } from '../finance/records-repository.ts';
import { fundRecords } from '../fund/records-repository.ts';
import { securityRecords, usersBeginning } from '../identity/desk-repository.ts';
import { kycRecords } from '../kyc/repository.ts';
import { miningRecords } from '../mining/records-repository.ts';
import { secondsRecords } from '../seconds/records-repository.ts';
import { spotRecords } from '../spot/history-repository.ts';
import { subscriptionRecords } from '../subscription/repository.ts';
import { supportRecords } from '../support/repository.ts';
import { withdrawalRecords } from '../withdrawals/repository.ts';

const ROWS = 2_000;
/** Id of the account to which every second filler row of the test tables belongs. */
const OWNER = '01a20bb7-1aa9-7299-bdac-58d95d508edb' as UserId;
/** Tables that the search or a timeline reads. */
const TABLES = [
  'user_account',
  'security_event',
  'deposit',
  'deposit_proof',
  'deposit_address',
  'withdrawal',
  'withdrawal_address',
  'chain_sending',
  'chain_variant',
  'spot_order',
  'spot_trade',
  'seconds_order',
  'finance_order',
  'mining_order',
  'fund_position',
  'subscription_commitment',
  'convert_quote',
  'support_request',
  'api_key',
  'kyc_submission',
];
const OWNERS: ReadonlySet<string> = new Set(['owner', 'user_id', 'taker']);
/** SQL expressions for the values of filler rows, by type of the column; `n` is the number of the row. */
const FILLERS: Readonly<Record<string, (column: string) => string>> = {
  uuid: (column) =>
    OWNERS.has(column)
      ? `case when n % 2 = 0 then '${OWNER}'::uuid else gen_random_uuid() end`
      : 'gen_random_uuid()',
  text: (column) => `'${column} ' || n`,
  bytea: () => `sha256(convert_to(n::text, 'UTF8'))`,
  boolean: () => 'false',
  jsonb: () => `'{}'`,
  ARRAY: () => `'{}'`,
  numeric: () => '1',
  smallint: () => '1',
  integer: () => 'n',
  bigint: () => 'n',
  xid8: () => `'1'`,
};

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly Plan[];
}

let database: TestDatabase;
let reader: Reader;
const queries: CompiledQuery[] = [];
beforeAll(async () => {
  database = await testDatabase();
  for (const table of TABLES) await fill(table);
  reader = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void queries.push(query),
  });
});
afterAll(() => database.drop());

/**
 * Fills a table with rows of arbitrary values. The check and foreign key constraints of the table are
 * dropped, because they do not matter for a query plan.
 */
async function fill(table: string): Promise<void> {
  const { pool } = database;
  const rules = await pool.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype in ('c', 'f')`,
    [table],
  );
  for (const { name } of rules.rows) await pool.query(`alter table ${table} drop constraint "${name}"`);
  // Drops partial unique indexes, such as the one that allows one review per owner, because the filler rows would
  // violate them.
  const { rows: indexes } = await pool.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where indrelid = $1::regclass and indisunique and indpred is not null`,
    [table],
  );
  for (const { name } of indexes) await pool.query(`drop index ${name}`);
  const { rows: columns } = await pool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const values = columns.map(({ name, type }) => FILLERS[type]?.(name) ?? `'${type}'`);
  await pool.query(`alter table ${table} disable trigger all`);
  await pool.query(
    `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')})
     select ${values.join(', ')} from generate_series(1, ${ROWS}) n`,
  );
  await pool.query(`analyze ${table}`);
}

/** Greatest number of rows that a query plan may sort, as the planner estimates it. */
const SORTED_MAX = 200;

/**
 * The nodes of a query plan whose cost grows with the size of the table: reads without an index condition,
 * and sorts of more than `SORTED_MAX` rows.
 */
function scansIn(plan: Plan): string[] {
  const isRead = plan['Node Type'].includes('Scan') && plan['Relation Name'] !== undefined;
  const isBitmap = plan['Node Type'] === 'Bitmap Heap Scan';
  const isOpen = isRead && !isBitmap && plan['Index Cond'] === undefined;
  const name = `${plan['Node Type']} of ${plan['Relation Name']}`;
  const isLongSort = plan['Node Type'] === 'Sort' && (plan.Plans?.[0]?.['Plan Rows'] ?? 0) > SORTED_MAX;
  return [...(isOpen ? [name] : []), ...(isLongSort ? ['Sort'] : []), ...(plan.Plans ?? []).flatMap(scansIn)];
}

/**
 * Disables sequential scans, which the planner prefers for small tables. A plan that contains one nevertheless lacks an
 * index.
 */
const WITHOUT_SCANS = 'set local enable_seqscan = off';
/** Also disables sorts: the rows of a timeline must be read in order, not sorted. */
const AS_IF_LARGE = `${WITHOUT_SCANS}; set local enable_sort = off`;

async function scansOf(read: () => Promise<unknown>, settings = ''): Promise<readonly string[]> {
  queries.length = 0;
  await read();
  expect(queries.length).toBeGreaterThan(0);
  const found: string[] = [];
  const client = await database.pool.connect();
  try {
    await client.query(`begin; ${settings}`);
    for (const { sql, parameters } of queries.slice()) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (format json) ${sql}`,
        [...parameters],
      );
      found.push(...scansIn(rows[0]!['QUERY PLAN'][0].Plan));
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
  return found;
}

const sources = (): readonly RecordSource[] => {
  const key = Buffer.alloc(16, 1);
  return [
    securityRecords(reader),
    ...spotRecords(reader, () => ({ base: 'BTC', quote: 'USDT' })),
    kycRecords(reader, () => ({ number: Buffer.alloc(32, 1), names: [[key, key], [key]] })),
    financeRecords(reader),
    miningRecords(reader),
    fundRecords(reader),
    secondsRecords(reader),
    subscriptionRecords(reader),
    convertRecords(reader),
    ...depositRecords(reader),
    ...withdrawalRecords(reader, async (transactions) => {
      await originsOfTransactions(reader, transactions);
      return [randomUUID()];
    }),
    supportRecords(reader, undefined),
    apiKeyRecords(reader),
  ];
};

it('OPS-1145 every way in which a search finds a record reads an index, whatever the size of the tables', async () => {
  const texts = [randomUUID(), 'AB'.repeat(32), 'anna@example.com', 'Maria Lee', '12345678'];
  let searched = 0;
  for (const text of texts) {
    const query = recordQuery(text)!;
    expect([text, await scansOf(() => usersBeginning(reader, query.text, 10), WITHOUT_SCANS)]).toEqual([
      text,
      [],
    ]);
    for (const { kind, find } of sources()) {
      if (find === undefined) continue;
      // A record source sends no query for a text that cannot be the id of any of its records.
      queries.length = 0;
      await find(query, 11);
      if (queries.length === 0) continue;
      searched += 1;
      expect([kind, text, await scansOf(() => find(query, 11), WITHOUT_SCANS)]).toEqual([kind, text, []]);
    }
  }
  expect(searched).toBeGreaterThan(25);
});

it('OPS-1147 every page of a timeline and every opened record reads an index, whatever the length of the history', async () => {
  const cursors: Readonly<Record<string, string>> = {
    security: `5_${randomUUID()}`,
    fill: '5_5',
  };
  for (const { kind, page, open } of sources()) {
    for (const before of [undefined, cursors[kind] ?? randomUUID()])
      for (const [from, to] of [[undefined, undefined] as const, [1, 1_800_000_000_000] as const]) {
        if (page === undefined) continue;
        const range = { before, from, to, limit: 51 };
        expect([kind, await scansOf(() => page(OWNER, range), AS_IF_LARGE)]).toEqual([kind, []]);
      }
    if (open === undefined) continue;
    expect([kind, await scansOf(() => open(randomUUID()))]).toEqual([kind, []]);
  }
  // Verifies the test itself: without their indexes, the searches and timelines of deposits are reported as reading the
  // whole table.
  await database.pool.query('drop index deposit_transaction; drop index deposit_owner');
  const [deposits] = depositRecords(reader);
  const query = recordQuery('AB'.repeat(32))!;
  const range = { before: undefined, from: undefined, to: undefined, limit: 51 };
  expect(await scansOf(() => deposits!.find!(query, 11))).toContain('Seq Scan of deposit');
  expect(await scansOf(() => deposits!.page!(OWNER, range), AS_IF_LARGE)).not.toEqual([]);
});
