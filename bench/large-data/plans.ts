import pg from 'pg';

/** Tables whose number of rows grows with users, orders or time. */
const GROWING = new Set([
  'user_account',
  'user_session',
  'ledger_account',
  'ledger_entry',
  'ledger_movement',
  'spot_order',
  'spot_trade',
  'spot_amendment',
  'spot_day_volume',
  'deposit',
  'withdrawal',
  'message',
  'security_event',
  'mail_outbox',
  'step_journal',
  'idempotency',
  'market_tape',
  'seconds_order',
  'seconds_transfer',
  'finance_order',
  'finance_income',
  'mining_order',
  'mining_income',
  'fund_position',
  'fund_sell',
  'convert_quote',
  'invite_reward',
  'operator_audit',
  'portfolio_value',
  'support_request',
  'kyc_submission',
]);

/**
 * A recorded SQL query with the values of its parameters. `by` names the API call or the part of the server that sent
 * the query.
 */
export interface RecordedQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly by: string;
}

/** A node of a query plan in the JSON format of EXPLAIN. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Adds to `recorded`, by its text, each distinct query of this process that begins with SELECT or WITH, with
 * the values of its first call. The returned function stops the recording.
 */
export function recordQueries(recorded: Map<string, RecordedQuery>, by: string): () => void {
  const prototype = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown };
  const original = prototype.query;
  prototype.query = function record(this: unknown, ...parameters: unknown[]): unknown {
    const [first, second] = parameters;
    const query = typeof first === 'string' ? { text: first, values: second } : first;
    const { text, values } = (query ?? {}) as { text?: unknown; values?: unknown };
    if (typeof text === 'string' && /^\s*(select|with)/i.test(text) && !recorded.has(text))
      recorded.set(text, { text, values: Array.isArray(values) ? values : [], by });
    return original.apply(this, parameters);
  };
  return () => {
    prototype.query = original;
  };
}

/**
 * Returns the plan of an SQL query for a planner that avoids sequential scans, hash joins and merge joins where it can.
 * If the plan still contains a sequential scan, the query has no usable index. Returns undefined if the query cannot be
 * explained, for example because it uses a temporary table. The settings of the planner remain in force for the session
 * of `client`.
 */
export async function planOf(
  client: pg.Client,
  { text, values }: RecordedQuery,
): Promise<PlanNode | undefined> {
  await client.query('set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off');
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
      `explain (format json) ${text}`,
      [...values],
    );
    return rows[0]?.['QUERY PLAN'][0].Plan;
  } catch {
    return undefined;
  }
}

/**
 * Types of query plan nodes that return each row before they read the next one. If a node above such a node limits the
 * number of rows, the reading below the node therefore also stops early.
 */
const STREAMING = new Set([
  'Limit',
  'Subquery Scan',
  'Nested Loop',
  'Result',
  'Append',
  'Merge Append',
  'LockRows',
  'Unique',
  'Memoize',
]);

/** Collects the SQL queries that read all rows of a growing table. */
export class GrowingTables {
  readonly fullReads: string[] = [];
  private readonly partial: ReadonlySet<string>;
  private readonly empty: ReadonlySet<string>;

  constructor({ partial, empty }: Catalogue) {
    this.partial = new Set(partial);
    this.empty = new Set(empty);
  }

  check(query: RecordedQuery, plan: PlanNode | undefined): void {
    if (plan !== undefined) this.visit(plan, query, false);
  }

  private visit(node: PlanNode, query: RecordedQuery, isLimited: boolean): void {
    const limited =
      node['Node Type'] === 'Limit' ||
      (isLimited && (STREAMING.has(node['Node Type']) || node.Plans === undefined));
    if (!limited && this.readsAll(node))
      this.fullReads.push(
        `${query.by}: ${node['Relation Name'] ?? node['Index Name']} in ${query.text.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
      );
    for (const child of node.Plans ?? []) this.visit(child, query, limited);
  }

  private readsAll(node: PlanNode): boolean {
    const type = node['Node Type'];
    const isIndexScan = type === 'Index Scan' || type === 'Index Only Scan';
    if (type !== 'Seq Scan' && !isIndexScan) return false;
    if (!GROWING.has(node['Relation Name'] ?? '')) return false;
    if (!isIndexScan) return true;
    // The index that the planner uses for an empty table is arbitrary, even if another index suits the query, so a full
    // index scan of an empty table is not counted.
    if (this.empty.has(node['Relation Name'] ?? '')) return false;
    return node['Index Cond'] === undefined && !this.partial.has(node['Index Name'] ?? '');
  }
}

/** Information about the tables and indexes of a database for checking query plans. */
export interface Catalogue {
  /** Names of the partial indexes. A partial index contains only some rows of its table, e.g. those of open orders. */
  readonly partial: readonly string[];
  /** Names of the tables that have no rows according to their statistics. */
  readonly empty: readonly string[];
}

/** Reads the information about tables and indexes from a database whose statistics are up to date. */
export async function catalogueOf(client: pg.Client): Promise<Catalogue> {
  const names = async (query: string) =>
    (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
  return {
    partial: await names('select indexrelid::regclass::text as name from pg_index where indpred is not null'),
    empty: await names(`select relname as name from pg_class where relkind = 'r' and reltuples <= 0`),
  };
}
