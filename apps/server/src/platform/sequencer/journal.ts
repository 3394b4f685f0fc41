import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { clientOptions, type DatabaseConnection } from '../database/pool.ts';
import { errorMessage } from '../error-message.ts';
import type { Log } from '../log.ts';
import type { SealedRows } from './batch.ts';
import { SqlChanges } from './sql-changes.ts';
import {
  endSilentWriter,
  isWriterLockHeld,
  LEASE_CHECKED_EVERY_MS,
  RENEW_EVERY_MS,
  renewLease,
  WRITER_LOCK,
  WRITER_NAME,
} from './writer-lease.ts';

/** Error: another process has become the writer, so this process must stop. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/**
 * Error: the connection broke, or the database has confirmed a commit that is not replicated. Whether a running commit
 * was stored can only be read from the database.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/**
 * Error: the database lacks steps that it had confirmed, e.g. after a failover to an asynchronous replica, or a restore
 * while the server ran. No process may write until an operator has decided which data are valid.
 */
export class HeadBehind extends Error {
  override readonly name = 'HeadBehind';
}

/** Error: a batch was refused, by the database or for a broken invariant, and nothing of it was stored. */
export class BatchRejected extends Error {
  override readonly name = 'BatchRejected';
}

const FENCED_STATE = 'EX001';
const RECONNECT_PAUSE_MS = 100;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Time limit in milliseconds for the database's answer. A statement that takes longer is abandoned, because the
 * connection may be broken, and its outcome is read from the database.
 */
const ANSWER_TIMEOUT_MS = 6_000;
const LOCK_POLL_MS = 100;
/**
 * Milliseconds that a standby waits after it has found the writer's lock free, before it tries to acquire it. A writer
 * that reloads its state or loses its connection frees the lock only briefly, and then acquires it again first.
 */
const LOCK_FREE_MS = 300;
const LEASE_CHECKED_EVERY_POLLS = LEASE_CHECKED_EVERY_MS / LOCK_POLL_MS;
/**
 * Milliseconds that a standby waits after it has reconnected to an unreachable database, before it tries to acquire the
 * writer's lock. The running writer, whose state is loaded, should reconnect first.
 */
const HEAD_START_MS = 2_000;
/**
 * SQLSTATEs of the notices that PostgreSQL sends with a successful commit that is stored on its own disk only, because
 * the wait for a synchronous standby was cancelled (01000) or the session is being ended (57P01).
 */
const UNREPLICATED_STATES = new Set(['01000', '57P01']);
const WRITER_SETTINGS: readonly string[] = [
  'synchronous_commit = on',
  // Batches find their rows by key. These settings prevent query plans that scan whole tables, which PostgreSQL would
  // make for an empty table and keep when the table grows.
  'plan_cache_mode = force_generic_plan',
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  // If this machine fails, keepalives make the database release the writer's lock within seconds instead of hours.
  'tcp_keepalives_idle = 5',
  'tcp_keepalives_interval = 2',
  'tcp_keepalives_count = 3',
];

export interface Head {
  readonly epoch: bigint;
  readonly sequence: number;
}

/** Callbacks of a standby that waits for the writer's lock. Each may be called many times. */
export interface Waiting {
  /** Called when another process holds the writer's lock. */
  readonly onHeld?: () => void;
  /** Called when no process holds the writer's lock. This process then tries to acquire it after a short pause. */
  readonly onFree?: () => void;
}

/**
 * The columns of the writer's row: its epoch, the writer process's id, the number of the last stored step,
 * and the number of the last step that a process has found to be lost, or null if none was lost.
 */
interface WriterRow {
  readonly epoch: bigint;
  readonly holder: string | null;
  readonly sequence: bigint;
  readonly lost_sequence: bigint | null;
}

const WRITER_ROW = 'select epoch, holder, sequence, lost_sequence from writer where id = 1';

/** A database session: its process id and start time, because process ids are reused. */
interface Backend {
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * The writer process's own database connection. It acquires the writer's lock, checks with every commit that this
 * process is still the writer, and reads the number of the last stored step after a broken connection. A standby waits
 * here until the lock is free.
 */
export class Journal {
  private readonly connection: DatabaseConnection;
  private readonly log: Log;
  private readonly onLost: (cause: Error) => void;
  private client: pg.Client | undefined;
  private sql: Kysely<unknown> | undefined;
  private epoch: bigint | undefined;
  /** Random id of this process, by which the writer's row identifies it. */
  private readonly holder = randomUUID();
  private backend: Backend | undefined;
  private closed = false;
  /** The connection that holds the writer's lock from `lock` until `takeOver`; otherwise undefined. */
  private locked: pg.Client | undefined;
  private standsBy = false;
  private waiting: Waiting = {};
  /**
   * Whether this process, which has never been the writer, was a standby when it lost its connection. It then waits
   * `HEAD_START_MS` after reconnecting, so that the running writer can reconnect first.
   */
  private yieldsToWriter = false;
  /** Whether this connection has opened the current epoch, i.e. belongs to the writer. */
  private holdsLease = false;
  private isInTransaction = false;
  private statementsUnderWay = 0;
  private renewing: NodeJS.Timeout | undefined;
  /**
   * The running renewal of the writer's lease. Other statements wait for it, because a connection runs one statement at
   * a time.
   */
  private renewal: Promise<void> | undefined;
  /** Number of renewals that became due while the running one was not answered. */
  private missedRenewals = 0;
  /** PostgreSQL's notice that the running statement's commit is not replicated; undefined if there is none. */
  private unreplicated: string | undefined;
  /**
   * Number of the last stored step: the one that this process read when it became the writer, or a later one whose
   * commit the database has confirmed.
   */
  private storedSequence = 0;
  /** Prepared statements by the set of tables that a batch writes. */
  private readonly statements = new Map<string, { name: string; text: string }>();

  /**
   * `onLost` is called if the writer's connection breaks, or if a renewal of the lease fails, e.g. because another
   * epoch has started or confirmed steps are missing. A running statement then fails too. A commit that detects one of
   * these only throws.
   */
  constructor(connection: DatabaseConnection, log: Log, onLost: (cause: Error) => void = () => undefined) {
    this.connection = connection;
    this.log = log;
    this.onLost = onLost;
  }

  /** Records whether the current step's SQL changed rows. It is reset before each step. */
  readonly sqlChanges = new SqlChanges();

  /** Query builder that runs SQL inside the writer's open transaction. Throws `OutcomeUnknown` without a connection. */
  get transaction(): Kysely<unknown> {
    if (this.sql === undefined) throw new OutcomeUnknown('not connected');
    return this.sql;
  }

  /** Whether this process waits for the writer's lock, which another process holds. */
  get isStandby(): boolean {
    return this.standsBy;
  }

  /**
   * Connects and waits until this process holds the writer's lock. Failed connections are retried without limit.
   * Rejects with `OutcomeUnknown` if `close` is called first. Reads no table, because a new database has none yet.
   */
  async lock(waiting: Waiting = {}): Promise<void> {
    this.waiting = waiting;
    this.locked = await this.retryUntilConnected(() => this.connectAndLock());
  }

  /**
   * Becomes the writer: opens a new epoch and resolves to it and the number of the last stored step. Waits for the
   * writer's lock unless `lock` was called. Throws `Fenced` if another process has been the writer since this one was,
   * and `HeadBehind` if the database lacks confirmed steps. Opening the epoch is a commit that also waits for
   * synchronous standbys, and commits are replicated in order, so all data that are read afterwards are replicated.
   */
  async takeOver(): Promise<Head> {
    return this.retryUntilConnected(() => this.tryTakeOver());
  }

  private async retryUntilConnected<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (cause) {
        // A standby that was never the writer waits for `HEAD_START_MS` after it has reconnected, so that the
        // running writer can reconnect first.
        this.yieldsToWriter ||= this.standsBy && this.epoch === undefined;
        this.standsBy = false;
        // The attempt to obtain the lock or to become the writer is repeated, because an unreachable or
        // restarting database becomes available again. `Fenced` and `HeadBehind` are final.
        if (cause instanceof Fenced || cause instanceof HeadBehind) throw cause;
        // `close` has ended the connection, so no further attempt is made.
        if (this.closed) throw new OutcomeUnknown('closed before it was the writer', { cause });
        this.log.warn('journal.unreachable', { cause: String(cause) });
        await this.disconnect();
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_PAUSE_MS));
      }
    }
  }

  async begin(): Promise<void> {
    this.isInTransaction = true;
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
    this.isInTransaction = false;
  }

  /**
   * Writes a batch's rows inside the open transaction, without the check that this process is still the writer (the
   * fence), and without storing the batch's sequence number.
   */
  async write(rows: SealedRows): Promise<void> {
    if (rows.statements.length > 0)
      await this.query(this.statementFor(rows, false), ['1', '1', '1', ...rows.values]);
  }

  /**
   * Stores a batch. A single statement writes the rows and checks that this process is still the writer. If
   * `inTransaction` is true, COMMIT follows. Otherwise the statement is its own transaction. Resolves when the batch is
   * durable, also on synchronous standbys. Throws `BatchRejected` if the database refuses the statement, and
   * `OutcomeUnknown` if it does not answer or the commit is not replicated. If this process is not the writer any more,
   * throws the error that `whyFenced` returns.
   */
  async commit(rows: SealedRows, previous: number, last: number, inTransaction: boolean): Promise<void> {
    const fence = [String(last), String(this.epoch), String(previous)];
    try {
      await this.query(this.statementFor(rows, true), [...fence, ...rows.values]);
      if (inTransaction) await this.query({ text: 'commit' });
    } catch (cause) {
      throw cause instanceof Fenced ? await this.whyFenced(cause) : cause;
    }
    this.isInTransaction = false;
    this.storedSequence = last;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.renewing);
    await this.disconnect();
  }

  private statementFor(rows: SealedRows, fenced: boolean): { name: string; text: string } {
    const key = `${fenced ? 'fenced' : 'plain'} ${rows.name}`;
    let statement = this.statements.get(key);
    if (statement === undefined) {
      const parts = rows.statements.map((insert, index) => `w${index} as (${insert})`);
      const fence = fenced
        ? 'fence as (update writer set sequence = $1::bigint, alive_at = clock_timestamp() where id = 1 ' +
          'and epoch = $2::bigint and sequence = $3::bigint and lost_sequence is null returning 1)'
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
    if (this.renewal !== undefined) await this.renewal;
    const client = this.client;
    if (client === undefined) throw new OutcomeUnknown('not connected');
    this.statementsUnderWay += 1;
    try {
      await this.confirmed(() =>
        client.query(values === undefined ? statement : { ...statement, values: [...values] }),
      );
    } catch (cause) {
      throw classified(cause);
    } finally {
      this.statementsUnderWay -= 1;
    }
  }

  /** Runs a statement. Throws `OutcomeUnknown` if PostgreSQL reports that its commit is not replicated. */
  private async confirmed<T>(run: () => Promise<T>): Promise<T> {
    this.unreplicated = undefined;
    const result = await run();
    // If the commit is not replicated, PostgreSQL has sent its notice before the statement's result, so it is known
    // here.
    const unreplicated = this.unreplicated as string | undefined;
    if (unreplicated !== undefined) throw new OutcomeUnknown(unreplicated);
    return result;
  }

  private async connectAndLock(): Promise<pg.Client> {
    const previous = this.backend;
    await this.disconnect();
    const client = new pg.Client({
      ...clientOptions(this.connection, WRITER_NAME),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    client.on('error', (cause) => this.connectionLost(client, cause));
    client.on('notice', ({ code, message }) => {
      if (UNREPLICATED_STATES.has(code ?? '')) this.unreplicated = `${code} ${message}`;
    });
    await client.connect();
    this.client = client;
    for (const setting of WRITER_SETTINGS) await client.query(`set ${setting}`);
    // Ends this process's previous session, which may still exist in the database and hold the lock.
    if (previous !== undefined) {
      const ownSession = 'pid = $1 and backend_start = $2::timestamptz and pid <> pg_backend_pid()';
      const values = [previous.pid, previous.startedAt];
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where ${ownSession}`,
        values,
      );
    }
    const session = await client.query<Backend>(
      'select pid, backend_start::text as "startedAt" from pg_stat_activity where pid = pg_backend_pid()',
    );
    this.backend = session.rows[0];
    if (this.yieldsToWriter) await new Promise((resolve) => setTimeout(resolve, HEAD_START_MS));
    this.yieldsToWriter = false;
    await this.waitForLock(client);
    return client;
  }

  private async tryTakeOver(): Promise<Head> {
    const client = this.locked ?? (await this.connectAndLock());
    this.locked = undefined;
    const before = await client.query<WriterRow>(`${WRITER_ROW} for update`);
    const writer = before.rows[0];
    if (writer === undefined) throw new Error('the writer row is missing');
    await this.requireWhole(client, writer);
    this.requireOwn(writer.holder);
    const epoch = writer.epoch + 1n;
    const update = await this.confirmed(() =>
      client.query(
        `update writer set epoch = $1, holder = $2, alive_at = clock_timestamp(), backend = pg_backend_pid(),
           backend_started_at = (select backend_start from pg_stat_activity where pid = pg_backend_pid())
         where id = 1 and epoch = $3 and lost_sequence is null`,
        [String(epoch), this.holder, String(writer.epoch)],
      ),
    );
    if (update.rowCount !== 1) throw new Error('the writer row changed during the takeover');
    this.epoch = epoch;
    this.storedSequence = Number(writer.sequence);
    this.sql = kyselyOver(client, this.sqlChanges);
    this.isInTransaction = false;
    this.holdsLease = true;
    this.renewing ??= setInterval(() => this.renewWhenIdle(), RENEW_EVERY_MS).unref();
    return { epoch, sequence: this.storedSequence };
  }

  /**
   * Polls until this session holds the writer's lock. Waiting inside the database instead would prevent a
   * replaced writer from detecting its replacement. A standby also ends the session of a writer whose lease
   * has expired. For a former writer throws `Fenced` or `HeadBehind` (see `requireStillOurs`). Throws
   * `OutcomeUnknown` if `close` is called first.
   */
  private async waitForLock(client: pg.Client): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      if (await this.tryLock(client)) break;
      // Only a former writer can have been replaced. For other processes the table may not even exist yet.
      if (this.epoch !== undefined) await this.requireStillOurs(client);
      if (this.closed) throw new OutcomeUnknown('closed before it was the writer');
      if (attempt === 0) this.log.info('journal.waiting_as_standby');
      this.standsBy = true;
      if (this.epoch === undefined) this.waiting.onHeld?.();
      if (attempt % LEASE_CHECKED_EVERY_POLLS === 0) {
        const ended = await endSilentWriter(client);
        if (ended !== undefined) this.log.warn('journal.silent_writer_ended', { session: ended });
      }
      await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
    }
    this.standsBy = false;
  }

  private async tryLock(client: pg.Client): Promise<boolean> {
    if (this.standsBy && this.epoch === undefined) {
      if (await isWriterLockHeld(client)) return false;
      this.waiting.onFree?.();
      await new Promise((resolve) => setTimeout(resolve, LOCK_FREE_MS));
    }
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
      String(WRITER_LOCK),
    ]);
    return rows[0]?.got === true;
  }

  /**
   * Throws `Fenced` if another process has become the writer after this process was the writer, and `HeadBehind` if the
   * database lacks steps that it had confirmed to this process.
   */
  private async requireStillOurs(client: pg.Client): Promise<void> {
    const { rows } = await client.query<WriterRow>(WRITER_ROW);
    const writer = rows[0];
    if (writer === undefined) return;
    await this.requireWhole(client, writer);
    this.requireOwn(writer.holder);
  }

  /**
   * Throws `HeadBehind` if the database lacks steps that it had confirmed to this process, or if another process has
   * recorded such a loss. Before it throws, it records the loss in the writer's row, so that no other process writes.
   */
  private async requireWhole(client: pg.Client, writer: WriterRow): Promise<void> {
    const { epoch, storedSequence } = this;
    const sequence = Number(writer.sequence);
    const isBehind = epoch !== undefined && (sequence < storedSequence || writer.epoch < epoch);
    if (!isBehind && writer.lost_sequence === null) return;
    const lostStep = Math.max(storedSequence, Number(writer.lost_sequence ?? 0));
    const message = `the database ends with step ${sequence}, but step ${lostStep} had been stored in it`;
    if (isBehind) await this.markLost(client, lostStep);
    throw new HeadBehind(message);
  }

  private async markLost(client: pg.Client, sequence: number): Promise<void> {
    try {
      await client.query('update writer set lost_sequence = greatest(lost_sequence, $1) where id = 1', [
        String(sequence),
      ]);
    } catch (cause) {
      // If the database was restored to an older schema, the column `lost_sequence` is missing, so the loss
      // of steps is not recorded. This process halts nevertheless.
      this.log.error('journal.loss_not_marked', { cause });
    }
  }

  /** Throws `Fenced` if another process has been the writer between two takeovers of this process. */
  private requireOwn(holder: string | null): void {
    // Epochs are not compared, because this process's own takeover may have been stored without an answer arriving.
    if (this.epoch !== undefined && holder !== this.holder) throw new Fenced(`the writer is ${holder}`);
  }

  /**
   * Returns the reason why a commit's check that this process is still the writer (the fence) has failed: `HeadBehind`
   * if the database lacks confirmed steps, `OutcomeUnknown` if the database does not answer, otherwise `fenced`.
   */
  private async whyFenced(fenced: Fenced): Promise<Error> {
    const { client } = this;
    if (client === undefined) return fenced;
    try {
      if (this.isInTransaction) await client.query('rollback');
      const { rows } = await client.query<WriterRow>(WRITER_ROW);
      if (rows[0] !== undefined) await this.requireWhole(client, rows[0]);
      return fenced;
    } catch (cause) {
      // If the database does not answer, the loss of steps cannot be detected here; the next takeover detects it.
      if (!(cause instanceof HeadBehind)) return new OutcomeUnknown(fenced.message, { cause });
      this.holdsLease = false;
      return cause;
    }
  }

  /** Milliseconds, in whole seconds, for which the database has not answered the running renewal of the lease. */
  get unansweredMs(): number {
    return this.missedRenewals * RENEW_EVERY_MS;
  }

  /**
   * Renews the lease if this process is the writer and no statement, transaction or other renewal is running.
   * A running statement shows as well that this process is alive.
   */
  private renewWhenIdle(): void {
    const { client, epoch } = this;
    if (this.renewal !== undefined) this.missedRenewals += 1;
    const isIdle = this.statementsUnderWay === 0 && !this.isInTransaction && this.renewal === undefined;
    if (client === undefined || epoch === undefined || !this.holdsLease || !isIdle) return;
    this.renewal = this.renew(client, epoch).finally(() => {
      this.missedRenewals = 0;
      this.renewal = undefined;
    });
  }

  private async renew(client: pg.Client, epoch: bigint): Promise<void> {
    let lossCause: Error;
    try {
      if (await renewLease(client, epoch, this.storedSequence)) return;
      lossCause = await this.whyFenced(new Fenced('another epoch has begun'));
    } catch (cause) {
      lossCause = classified(cause);
    }
    if (client === this.client) this.onLost(lossCause);
  }

  private connectionLost(client: pg.Client, cause: Error): void {
    this.log.warn('journal.connection_lost', { cause: String(cause) });
    if (client === this.client && this.holdsLease) this.onLost(new OutcomeUnknown(cause.message, { cause }));
  }

  private async disconnect(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.locked = undefined;
    this.sql = undefined;
    this.holdsLease = false;
    this.isInTransaction = false;
    // The connection may be broken, so an error when it is ended is ignored.
    await client?.end().catch(() => undefined);
  }
}

function classified(cause: unknown): Error {
  const state = (cause as { code?: unknown }).code;
  const message = errorMessage(cause);
  if (state === FENCED_STATE) return new Fenced(message);
  // SQLSTATEs 57P… (shutdown) and 08… (connection) mean that the connection ended, and so does an error without an
  // SQLSTATE, such as a timeout. With any other SQLSTATE the database has refused the statement.
  const isSqlState = typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state);
  if (isSqlState && !state.startsWith('57P') && !state.startsWith('08')) {
    return new BatchRejected(`${state} ${message}`, { cause });
  }
  return new OutcomeUnknown(message, { cause });
}

/** Creates a Kysely instance over the writer's connection that records in `changes` whether statements change rows. */
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

/**
 * Returns whether any process holds the writer's lock on a database. Returns false if the database cannot be reached.
 */
export async function hasWriter(connection: DatabaseConnection): Promise<boolean> {
  const client = new pg.Client({
    ...clientOptions(connection, 'exchange supervisor'),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await isWriterLockHeld(client);
  } catch {
    // The database is stopping or unreachable, so it cannot be determined whether the lock is held. The lock counts as
    // free.
    return false;
  } finally {
    // The connection is discarded in any case, so a failure to end it is ignored.
    await client.end().catch(() => undefined);
  }
}
