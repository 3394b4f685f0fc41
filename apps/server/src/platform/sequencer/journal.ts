import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { clientOptions, type DatabaseConnection } from '../database/pool.ts';
import type { Log } from '../log.ts';
import type { SealedRows } from './batch.ts';
import { SqlChanges } from './sql-changes.ts';

/** Another process has become the writer: this one must stop. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** The connection broke while a commit was under way: only the journal knows whether it happened. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** The database refused a batch: nothing of it was stored. */
export class BatchRejected extends Error {
  override readonly name = 'BatchRejected';
}

const FENCED_STATE = 'EX001';
/** One writer per database; any fixed number that nothing else uses. */
const WRITER_LOCK = 7_301_441_882n;
const WRITER_NAME = 'exchange-writer';
const RECONNECT_PAUSE_MS = 100;
const CONNECT_TIMEOUT_MS = 5_000;
/** A dead line tells nobody: what takes longer than this is given up, and the journal asked what became of it. */
const ANSWER_TIMEOUT_MS = 6_000;
const LOCK_POLL_MS = 100;
const WRITER_SETTINGS: readonly string[] = [
  'synchronous_commit = on',
  // Batches find their rows by key. A plan made while a table was empty would go on reading all of it.
  'plan_cache_mode = force_generic_plan',
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  // When this machine vanishes, the database lets go of the writer's lock in seconds and not in hours.
  'tcp_keepalives_idle = 5',
  'tcp_keepalives_interval = 2',
  'tcp_keepalives_count = 3',
];

export interface Head {
  readonly epoch: bigint;
  readonly sequence: number;
}

/**
 * The writer's own connection: takes the writer's lock, advances the fence with every commit, and after a
 * broken connection establishes anew what is stored. A standby waits here until the lock is free.
 */
export class Journal {
  private readonly connection: DatabaseConnection;
  private readonly log: Log;
  private client: pg.Client | undefined;
  private sql: Kysely<unknown> | undefined;
  private epoch: bigint | undefined;
  /** Names this process in the writer's row. */
  private readonly holder = randomUUID();
  private backendPid: number | undefined;
  private closed = false;
  /** Connected and with the lock, but not yet the writer. */
  private locked: pg.Client | undefined;
  private standsBy = false;
  /** Statement by the set of tables that a batch writes; each is prepared once per connection. */
  private readonly statements = new Map<string, { name: string; text: string }>();

  constructor(connection: DatabaseConnection, log: Log) {
    this.connection = connection;
    this.log = log;
  }

  /** Whether SQL of the present step changed rows; whoever runs a step resets it before. */
  readonly sqlChanges = new SqlChanges();

  /** SQL inside the writer's open transaction. */
  get transaction(): Kysely<unknown> {
    if (this.sql === undefined) throw new OutcomeUnknown('not connected');
    return this.sql;
  }

  /** Whether it waits because another process has the writer's lock. */
  get isStandby(): boolean {
    return this.standsBy;
  }

  /** Connects and waits for the writer's lock. Touches no table: a fresh database has none yet. */
  async lock(): Promise<void> {
    this.locked = await this.insisting(() => this.connectAndLock());
  }

  /**
   * Opens a new epoch, with the writer's lock, which it waits for unless `lock` has. Gives the last stored
   * sequence. Throws `Fenced` when, since this process was the writer, another one has been.
   */
  async takeOver(): Promise<Head> {
    return this.insisting(() => this.tryTakeOver());
  }

  private async insisting<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (cause) {
        // A database that is away or restarting comes back; being fenced does not.
        if (cause instanceof Fenced) throw cause;
        // Whatever it was amid, its connection was ended under it.
        if (this.closed) throw new OutcomeUnknown('closed before it was the writer', { cause });
        this.log.warn('journal.unreachable', { cause: String(cause) });
        await this.disconnect();
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_PAUSE_MS));
      }
    }
  }

  async begin(): Promise<void> {
    await this.query({ text: 'begin' });
  }

  async savepoint(): Promise<void> {
    await this.query({ text: 'savepoint step' });
  }

  async rollBackToSavepoint(): Promise<void> {
    await this.query({ text: 'rollback to savepoint step' });
  }

  async rollBack(): Promise<void> {
    await this.query({ text: 'rollback' });
  }

  /** Writes rows inside an open transaction without moving the fence. */
  async write(rows: SealedRows): Promise<void> {
    if (rows.statements.length > 0)
      await this.query(this.statementFor(rows, false), ['1', '1', '1', ...rows.values]);
  }

  /**
   * Stores a batch: rows and fence in one statement, then COMMIT when a transaction is open (else the
   * statement is its own transaction). Resolves once it is durable.
   */
  async commit(rows: SealedRows, previous: number, last: number, inTransaction: boolean): Promise<void> {
    const fence = [String(last), String(this.epoch), String(previous)];
    await this.query(this.statementFor(rows, true), [...fence, ...rows.values]);
    if (inTransaction) await this.query({ text: 'commit' });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.disconnect();
  }

  private statementFor(rows: SealedRows, fenced: boolean): { name: string; text: string } {
    const key = `${fenced ? 'fenced' : 'plain'} ${rows.name}`;
    let statement = this.statements.get(key);
    if (statement === undefined) {
      const parts = rows.statements.map((insert, index) => `w${index} as (${insert})`);
      const fence = fenced
        ? 'fence as (update writer set sequence = $1::bigint where id = 1 and epoch = $2::bigint and sequence = $3::bigint returning 1)'
        : 'fence as (select $1::bigint, $2::bigint, $3::bigint)';
      const text =
        `with ${[fence, ...parts].join(', ')} ` +
        'select case when exists (select 1 from fence) then 1 else refuse_fenced_writer() end';
      statement = { name: `batch_${this.statements.size}`, text };
      this.statements.set(key, statement);
    }
    return statement;
  }

  private async query(statement: { name?: string; text: string }, values?: readonly string[]): Promise<void> {
    const client = this.client;
    if (client === undefined) throw new OutcomeUnknown('not connected');
    try {
      await client.query(values === undefined ? statement : { ...statement, values: [...values] });
    } catch (cause) {
      throw classified(cause);
    }
  }

  private async connectAndLock(): Promise<pg.Client> {
    const previousPid = this.backendPid;
    await this.disconnect();
    const client = new pg.Client({
      ...clientOptions(this.connection, WRITER_NAME),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    client.on('error', (cause) => this.log.warn('journal.connection_lost', { cause: String(cause) }));
    await client.connect();
    this.client = client;
    for (const setting of WRITER_SETTINGS) await client.query(`set ${setting}`);
    // A connection of ours that only looks alive from the other end must not hold the lock against us.
    if (previousPid !== undefined) {
      const own = 'pid = $1 and application_name = $2 and pid <> pg_backend_pid()';
      const values = [previousPid, WRITER_NAME];
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${own}`, values);
    }
    this.backendPid = (client as unknown as { processID: number }).processID;
    await this.waitForLock(client);
    return client;
  }

  private async tryTakeOver(): Promise<Head> {
    const client = this.locked ?? (await this.connectAndLock());
    this.locked = undefined;
    const before = await client.query<{ epoch: bigint; holder: string | null; sequence: bigint }>(
      'select epoch, holder, sequence from writer where id = 1 for update',
    );
    const found = before.rows[0];
    if (found === undefined) throw new Error('the writer row is missing');
    this.requireOwn(found.holder);
    const epoch = found.epoch + 1n;
    const taken = await client.query(
      'update writer set epoch = $1, holder = $2 where id = 1 and epoch = $3',
      [String(epoch), this.holder, String(found.epoch)],
    );
    if (taken.rowCount !== 1) throw new Error('the writer row changed during the takeover');
    this.epoch = epoch;
    this.sql = kyselyOver(client, this.sqlChanges);
    return { epoch, sequence: Number(found.sequence) };
  }

  /** Asks again and again instead of waiting in the database: whoever has been replaced must notice it and end. */
  private async waitForLock(client: pg.Client): Promise<void> {
    // Who has not been the writer has nothing to compare, and perhaps no table to look into.
    const holder =
      this.epoch === undefined ? 'null::uuid as holder' : '(select holder from writer) as holder';
    try {
      for (let attempt = 0; ; attempt += 1) {
        const { rows } = await client.query<{ got: boolean; holder: string | null }>(
          `select pg_try_advisory_lock($1) as got, ${holder}`,
          [String(WRITER_LOCK)],
        );
        if (rows[0]?.got === true) return;
        this.requireOwn(rows[0]?.holder ?? null);
        if (this.closed) throw new OutcomeUnknown('closed before it was the writer');
        if (attempt === 0) this.log.info('journal.waiting_as_standby');
        this.standsBy = true;
        await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
      }
    } finally {
      this.standsBy = false;
    }
  }

  /** Between two takeovers of this process nobody else may have written. */
  private requireOwn(holder: string | null): void {
    // The epoch alone would not do: it may have been stored by us, with the answer lost.
    if (this.epoch !== undefined && holder !== this.holder) throw new Fenced(`the writer is ${holder}`);
  }

  private async disconnect(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.locked = undefined;
    this.sql = undefined;
    // A connection that is already broken cannot be ended politely, and need not be.
    await client?.end().catch(() => undefined);
  }
}

function classified(cause: unknown): Error {
  const state = (cause as { code?: unknown }).code;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (state === FENCED_STATE) return new Fenced(message);
  // SQLSTATE class 57 (shutdown) and 08 (connection) end the connection; everything else was answered by the database.
  const isSqlState = typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state);
  if (isSqlState && !state.startsWith('57P') && !state.startsWith('08')) {
    return new BatchRejected(`${state} ${message}`, { cause });
  }
  return new OutcomeUnknown(message, { cause });
}

/** Kysely over the one connection of the writer; notes in `changes` what its statements change. */
function kyselyOver(client: pg.Client, changes: SqlChanges): Kysely<unknown> {
  const query = async (text: string, values: unknown[]): Promise<PostgresQueryResult<unknown>> => {
    const answer = (await client.query(text, values)) as PostgresQueryResult<unknown>;
    changes.note(text, answer);
    return answer;
  };
  const lent = { query: query as PostgresPoolClient['query'], release: () => undefined };
  const pool = { connect: () => Promise.resolve(lent), end: () => Promise.resolve() };
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}

/** Whether any process has the writer's lock on a database; false where the database cannot be asked. */
export async function writerIsThere(connection: DatabaseConnection): Promise<boolean> {
  const client = new pg.Client({
    ...clientOptions(connection, 'exchange supervisor'),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>(
      `select exists (
         select from pg_locks where locktype = 'advisory' and granted
           and (classid::bigint << 32 | objid::bigint) = $1::bigint and pid <> pg_backend_pid()
           and database = (select oid from pg_database where datname = current_database())
       ) as held`,
      [String(WRITER_LOCK)],
    );
    return rows[0]?.held ?? false;
  } catch {
    // It is on its way down or gone already: nobody writes on it.
    return false;
  } finally {
    await client.end().catch(() => undefined); // the connection is given up either way
  }
}
