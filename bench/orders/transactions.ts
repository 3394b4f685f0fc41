import pg from 'pg';
import { clientOptions } from '../../apps/server/src/platform/database/pool.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';
import { percentile } from '../measuring/statistics.ts';
import type { CapturedBatch } from './capture.ts';

const WARM_SHARE = 0.2;
const FENCE_PARAMETERS = 3;
const ROW_PARAMETER = /\$(\d+)::/g;

interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

/**
 * What the database does to store one order in the compared design, in which each order has its own
 * transaction: the ledger accounts that it locks first, and the SQL statements that it then executes.
 */
interface Transaction {
  /** The ids of the ledger accounts to lock, as an SQL array literal. */
  readonly accounts: string;
  readonly writes: readonly Prepared[];
}

/**
 * Measures the usual design, which stores each order in its own transaction, with the rows of the captured
 * `batches` on many connections. Only the rows of batches with a single step are stored. A transaction locks
 * its accounts, writes and commits. Accounts are locked in the order of their ids, which avoids deadlocks.
 */
export async function runTransactions(
  database: BenchDatabase,
  batches: readonly CapturedBatch[],
  connections: number,
): Promise<{ perSecond: number; p50Ms: number; p99Ms: number }> {
  const transactions = batches.filter(({ steps }) => steps === 1).map(transactionOf);
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client(clientOptions(database, 'bench'));
      await client.connect();
      return client;
    }),
  );
  const warmUpCount = Math.floor(transactions.length * WARM_SHARE);
  const latenciesMs: number[] = [];
  let next = 0;
  let measurementStartMs = 0;
  const work = async (client: pg.Client) => {
    for (let at = next; at < transactions.length; at = next) {
      next += 1;
      if (at === warmUpCount) measurementStartMs = performance.now();
      const startMs = performance.now();
      const transaction = transactions[at];
      if (transaction !== undefined) await execute(client, transaction);
      if (at >= warmUpCount) latenciesMs.push(performance.now() - startMs);
    }
  };
  await Promise.all(clients.map(work));
  const seconds = (performance.now() - measurementStartMs) / 1_000;
  await Promise.all(clients.map((client) => client.end()));
  return {
    perSecond: (transactions.length - warmUpCount) / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

async function execute(client: pg.Client, { accounts, writes }: Transaction): Promise<void> {
  await client.query('begin');
  await client.query({
    name: 'lock',
    text: 'select id, balance from ledger_account where id = any($1::bigint[]) order by id for update',
    values: [accounts],
  });
  for (const write of writes) await client.query({ ...write });
  await client.query('commit');
}

function transactionOf({ rows }: CapturedBatch): Transaction {
  const names = rows.name.split(',');
  let position = 0;
  let accounts = '{}';
  const writes = rows.statements.map((statement, index) => {
    const count = statement.match(ROW_PARAMETER)?.length ?? 0;
    const values = rows.values.slice(position, position + count);
    if (names[index] === 'ledger_account_change') accounts = values[0] ?? '{}';
    // Each SQL statement is sent alone, so its parameters are numbered from 1.
    const offset = FENCE_PARAMETERS + position;
    const text = statement.replace(ROW_PARAMETER, (_, number: string) => `$${Number(number) - offset}::`);
    position += count;
    return { name: names[index] ?? '', text, values };
  });
  return { accounts, writes };
}
