import pg from 'pg';
import { audit } from '../../src/modules/ledger/index.ts';
import { openHolds } from '../../src/modules/spot/repository.ts';
import { databaseOver } from '../../src/platform/database/database.ts';
import { clientOptions, type DatabaseConnection } from '../../src/platform/database/pool.ts';
import type { CrashTrader, Told } from './crash-trader.ts';

export interface CrashChecked {
  readonly problems: readonly string[];
  readonly acknowledged: number;
  readonly entries: number;
  readonly trades: number;
}

/** What the traders had been told at one moment; they go on while it is compared with the database. */
export function heardSoFar(traders: readonly CrashTrader[]): { owner: string; told: Told }[] {
  return traders.map(({ id, told }) => ({
    owner: id,
    told: { placed: new Map(told.placed), refused: new Set(told.refused), ended: new Set(told.ended) },
  }));
}

/** Compares what was acknowledged with what is stored, and audits the ledger, while the server runs. */
export async function checkStored(
  connection: DatabaseConnection,
  heard: ReturnType<typeof heardSoFar>,
): Promise<CrashChecked> {
  const pool = new pg.Pool({ ...clientOptions(connection, 'crash checks'), max: 2 });
  try {
    const { reader } = databaseOver(pool);
    const report = await audit(reader, [{ name: 'spot', openHolds }]);
    const problems = report.problems.map(({ invariant, detail }) => `${invariant}: ${detail}`);
    problems.push(...(await orderProblems(pool, heard)));
    const trades = await pool.query<{ count: bigint; last: bigint }>(
      'select count(*) as count, coalesce(max(sequence), 0) as last from spot_trade',
    );
    const { count, last } = trades.rows[0]!;
    if (count !== last) problems.push(`${count} trades are numbered up to ${last}`);
    const acknowledged = heard.reduce((sum, { told }) => sum + told.placed.size + told.ended.size, 0);
    return { problems, acknowledged, entries: report.entries, trades: Number(count) };
  } finally {
    await pool.end();
  }
}

/** How many orders of each owner are open. */
export async function openCounts(connection: DatabaseConnection): Promise<Map<string, number>> {
  const client = new pg.Client(clientOptions(connection, 'crash checks'));
  await client.connect();
  try {
    const found = await client.query<{ owner: string; count: bigint }>(
      `select owner, count(*) as count from spot_order where status = 'open' group by owner`,
    );
    return new Map(found.rows.map(({ owner, count }) => [owner, Number(count)]));
  } finally {
    await client.end();
  }
}

interface StoredOrder {
  id: string;
  owner: string;
  client_id: string;
  status: string;
}

async function orderProblems(pool: pg.Pool, heard: ReturnType<typeof heardSoFar>): Promise<string[]> {
  const owners = heard.map(({ owner }) => owner);
  const { rows } = await pool.query<StoredOrder>(
    'select id, owner, client_id, status from spot_order where owner = any($1::uuid[])',
    [owners],
  );
  const problems: string[] = [];
  const byIntent = new Map<string, StoredOrder>();
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    const intent = `${row.owner} ${row.client_id}`;
    if (byIntent.has(intent)) problems.push(`request ${row.client_id} made two orders`);
    byIntent.set(intent, row);
  }
  for (const { owner, told } of heard) {
    for (const [clientId, id] of told.placed) {
      const stored = byIntent.get(`${owner} ${clientId}`);
      if (stored?.id !== id) problems.push(`order ${id} was acknowledged, stored is ${stored?.id ?? 'none'}`);
    }
    for (const clientId of told.refused)
      if (byIntent.has(`${owner} ${clientId}`))
        problems.push(`request ${clientId} was refused and is stored`);
    for (const id of told.ended)
      if (byId.get(id)?.status === 'open') problems.push(`order ${id} was said to have ended and is open`);
  }
  return problems;
}
