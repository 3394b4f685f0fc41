import pg from 'pg';

/** Tables whose rows come with users, orders, or time, and stay. */
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

/** A query as it was sent, and by what: a call, or a part of the server. */
export interface RecordedQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly by: string;
}

/** A node of a plan as EXPLAIN describes it in JSON. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Records each different query of this process, with its first values, until the returned function is called. */
export function recordQueries(recorded: Map<string, RecordedQuery>, by: string): () => void {
  const prototype = pg.Client.prototype as unknown as { query: (...sent: unknown[]) => unknown };
  const original = prototype.query;
  prototype.query = function record(this: unknown, ...sent: unknown[]): unknown {
    const [first, second] = sent;
    const query = typeof first === 'string' ? { text: first, values: second } : first;
    const { text, values } = (query ?? {}) as { text?: unknown; values?: unknown };
    if (typeof text === 'string' && /^\s*(select|with)/i.test(text) && !recorded.has(text))
      recorded.set(text, { text, values: Array.isArray(values) ? values : [], by });
    return original.apply(this, sent);
  };
  return () => {
    prototype.query = original;
  };
}

/**
 * The plan of a query where reading a whole table, and joining by one, are the last resort: a plan that still does has no
 * index to use. Undefined for what cannot be explained, e.g. a query on a temporary table.
 */
export async function plansOf(
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

/** Nodes that pass rows on as they come, so that a limit above ends the reading below. */
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

/** Collects which queries read a growing table as a whole. */
export class GrowingTables {
  readonly readWhole: string[] = [];
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
      this.readWhole.push(
        `${query.by}: ${node['Relation Name'] ?? node['Index Name']} in ${query.text.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
      );
    for (const child of node.Plans ?? []) this.visit(child, query, limited);
  }

  private readsAll(node: PlanNode): boolean {
    const type = node['Node Type'];
    const isOfIndex = type === 'Index Scan' || type === 'Index Only Scan';
    if (type !== 'Seq Scan' && !isOfIndex) return false;
    if (!GROWING.has(node['Relation Name'] ?? '')) return false;
    if (!isOfIndex) return true;
    // Of an empty table any index is as good as another, also where one fits.
    if (this.empty.has(node['Relation Name'] ?? '')) return false;
    return node['Index Cond'] === undefined && !this.partial.has(node['Index Name'] ?? '');
  }
}

/** What judging plans takes of a database. */
export interface Catalogue {
  /** Indexes that have some rows of their table only, such as the open ones. */
  readonly partial: readonly string[];
  /** Tables without rows. */
  readonly empty: readonly string[];
}

/** Reads the catalogue of a database whose statistics are up to date. */
export async function catalogueOf(client: pg.Client): Promise<Catalogue> {
  const names = async (query: string) =>
    (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
  return {
    partial: await names('select indexrelid::regclass::text as name from pg_index where indpred is not null'),
    empty: await names(`select relname as name from pg_class where relkind = 'r' and reltuples <= 0`),
  };
}
