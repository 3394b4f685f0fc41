import pg from 'pg';
import { AUDIT_CHECKS, HOLDS } from '../../src/money.ts';
import { audit } from '../../src/modules/ledger/index.ts';
import { databaseOver } from '../../src/platform/database/database.ts';
import { clientOptions, type DatabaseConnection } from '../../src/platform/database/pool.ts';
import type { CheckOptions, TraderFacts, AcknowledgedFacts } from './acknowledged-facts.ts';
import { orderProblems } from './order-checks.ts';

export interface CheckReport {
  readonly problems: readonly string[];
  readonly acknowledged: number;
  readonly entries: number;
  readonly trades: number;
  /** Number of stop orders that were triggered. */
  readonly triggered: number;
}

/**
 * Compares the results that the server acknowledged with the stored orders, checks that the trades are numbered without
 * gaps, and audits the ledger while the server runs. The report lists every difference as a problem.
 */
export async function checkStored(
  connection: DatabaseConnection,
  heard: readonly TraderFacts[],
  options: CheckOptions,
): Promise<CheckReport> {
  const pool = new pg.Pool({ ...clientOptions(connection, 'reliability checks'), max: 2 });
  try {
    const report = await audit(databaseOver(pool).reader, HOLDS, AUDIT_CHECKS);
    const problems = report.problems.map(({ invariant, detail }) => `${invariant}: ${detail}`);
    problems.push(...(await orderProblems(pool, heard, options)));
    const trades = await pool.query<{ count: bigint; last: bigint }>(
      'select count(*) as count, coalesce(max(sequence), 0) as last from spot_trade',
    );
    const { count, last } = trades.rows[0]!;
    if (count !== last) problems.push(`${count} trades are numbered up to ${last}`);
    const stops = await pool.query<{ count: bigint }>(
      `select count(*) as count from spot_order_terms where stop_status = 'triggered'`,
    );
    const triggered = Number(stops.rows[0]!.count);
    const acknowledged = heard.reduce((sum, { facts }) => sum + answerCount(facts), 0);
    return { problems, acknowledged, entries: report.entries, trades: Number(count), triggered };
  } finally {
    await pool.end();
  }
}

/** Returns the number of open orders by owner. */
export async function openCounts(connection: DatabaseConnection): Promise<Map<string, number>> {
  const client = new pg.Client(clientOptions(connection, 'reliability checks'));
  await client.connect();
  try {
    const result = await client.query<{ owner: string; count: bigint }>(
      `select owner, count(*) as count from spot_order where status = 'open' group by owner`,
    );
    return new Map(result.rows.map(({ owner, count }) => [owner, Number(count)]));
  } finally {
    await client.end();
  }
}

function answerCount({ placed, ended, amended }: AcknowledgedFacts): number {
  let amendments = 0;
  for (const count of amended.values()) amendments += count;
  return placed.size + ended.size + amendments;
}
