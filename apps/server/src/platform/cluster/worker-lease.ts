import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { errorMessage } from '../error-message.ts';
import {
  endSilentHolder,
  isLeaseLockHeld,
  isNotMigrated,
  LEASE_CHECKED_EVERY_MS,
  RENEW_EVERY_MS,
  type LeaseKind,
} from '../database/lease.ts';
import { clientOptions, type DatabaseConnection } from '../database/pool.ts';
import type { SessionFence } from '../database/session-fence.ts';
import type { ComponentHealth } from '../health/health.ts';
import type { Log } from '../log.ts';

/** Application name of the session that holds the workers' lock. */
export const WORKER_NAME = 'exchange-worker';
/** Beginning of the application names of all other sessions of a worker; the worker's own mark follows. */
const MARK = 'exchange worker ';
const WORKER_LEASE: LeaseKind = {
  table: 'worker',
  // Number of the advisory lock: arbitrary, and not used for any other lock.
  lock: 7_301_441_883n,
  session: WORKER_NAME,
  isEndable: 'true',
};
const LOCK_POLL_MS = 250;
const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 15_000;
/**
 * Milliseconds within which the database must have ended the sessions of earlier workers. Otherwise this worker does
 * not lead yet, and tries again.
 */
const ENDED_WITHIN_MS = 5_000;
const RETRY_MS = 1_000;
/**
 * Milliseconds without a renewal after which the leading worker no longer counts as leading. Renewals are due every
 * second.
 */
const SILENT_MS = 10_000;

const OWN_BACKEND = `alive_at = clock_timestamp(), backend = pg_backend_pid(),
  backend_started_at = (select backend_start from pg_stat_activity where pid = pg_backend_pid())`;
const NEXT_EPOCH = `update worker set epoch = epoch + 1, holder = $1, ${OWN_BACKEND} where id = 1 returning epoch`;
const SAME_EPOCH = `update worker set ${OWN_BACKEND} where id = 1 and epoch = $2 and holder = $1 returning epoch`;
const RENEWAL = 'update worker set alive_at = clock_timestamp() where id = 1 and epoch = $2 and holder = $1';
const IS_OWN = 'select from worker where id = 1 and epoch = $2 and holder = $1';
const ENDING_EARLIER = `select pg_terminate_backend(pid, $2) as ended from pg_stat_activity
  where datname = current_database() and starts_with(application_name, '${MARK}')
    and not starts_with(application_name, $1)`;

/** Error: another worker leads, so this process must not write any more. */
class WorkerReplaced extends Error {
  override readonly name = 'Fenced';
}

export interface WorkerLeaseOptions {
  readonly connection: DatabaseConnection;
  readonly log: Log;
  /** Called once when another worker has replaced this one. The process must then end. */
  readonly onReplaced: () => void;
}

/**
 * The lease of the leading worker: at most one process runs the jobs of workers. It holds an advisory lock and renews
 * its row in the table `worker`. A worker that takes over opens an epoch, and then ends all database sessions of
 * earlier workers before it begins to work. Sessions of a worker are admitted in its own epoch only. So a worker that
 * was suspended and continues after its replacement writes nothing, even if it was suspended during a statement or
 * transaction.
 */
export class WorkerLease {
  /** Marks and admits the sessions with which this worker writes. */
  readonly fence: SessionFence;
  private readonly options: WorkerLeaseOptions;
  /** Random id of this process. The lease's row contains the id of the process that leads. */
  private readonly holder = randomUUID();
  private readonly mark = `${MARK}${this.holder.slice(0, 8)} `;
  private client: pg.Client | undefined;
  private ownEpoch: bigint | undefined;
  private renewing: NodeJS.Timeout | undefined;
  /** Whether this process waits for the lock, for the first time or after the loss of its connection. */
  private isWaiting = true;
  private problem: string | undefined;
  private isClosed = false;
  private isReplaced = false;
  private regaining: Promise<void> | undefined;

  constructor(options: WorkerLeaseOptions) {
    this.options = options;
    this.fence = { mark: this.mark, admit: (client) => this.admit(client) };
  }

  /** Number of the epoch in which this process leads; undefined before it has led. */
  get epoch(): bigint | undefined {
    return this.ownEpoch;
  }

  /** Resolves when this process leads. Rejects if `stop` is called before. */
  async acquire(): Promise<void> {
    await this.lead();
    this.renewing = setInterval(() => void this.renew(), RENEW_EVERY_MS).unref();
  }

  /** Releases the lock. Call this after the last write. */
  async stop(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.renewing);
    await this.disconnect();
    await this.regaining;
  }

  /**
   * Returns the health of the lease: up while this process leads, on standby while another worker leads,
   * otherwise down with the reason why this process could not acquire the lease.
   */
  health(): ComponentHealth {
    const facts = this.ownEpoch === undefined ? {} : { epoch: String(this.ownEpoch) };
    if (this.problem !== undefined) return { isUp: false, reason: this.problem, facts };
    if (!this.isWaiting) return { isUp: true, facts };
    return { isUp: false, isStandby: true, reason: 'another worker leads', facts };
  }

  private async lead(): Promise<void> {
    for (;;) {
      if (this.isClosed) throw new Error('the worker stops');
      try {
        await this.tryToLead();
        this.isWaiting = false;
        this.problem = undefined;
        return;
      } catch (cause) {
        await this.disconnect();
        if (cause instanceof WorkerReplaced) throw cause;
        if (this.isClosed) continue;
        this.noteProblem(cause);
        await pause(RETRY_MS);
      }
    }
  }

  private noteProblem(cause: unknown): void {
    // Before the writer has migrated the database, the lease's row does not exist or may not be read yet.
    // This state is reported as waiting, not as a database error.
    const problem = isNotMigrated(cause) ? 'waits for the schema of this version' : errorMessage(cause);
    if (problem === this.problem) return;
    this.problem = problem;
    this.options.log.warn('worker.waits', { reason: problem });
  }

  private async tryToLead(): Promise<void> {
    const client = await this.connect();
    await this.waitForLock(client);
    const isFirst = this.ownEpoch === undefined;
    const { rows } = await client.query<{ epoch: bigint }>(
      isFirst ? NEXT_EPOCH : SAME_EPOCH,
      isFirst ? [this.holder] : [this.holder, String(this.ownEpoch)],
    );
    const [row] = rows;
    if (row === undefined) throw new WorkerReplaced('another worker has led');
    await this.endEarlierSessions(client);
    this.ownEpoch = row.epoch;
  }

  private async endEarlierSessions(client: pg.Client): Promise<void> {
    const problem = 'the database did not end the sessions of an earlier worker';
    let isEnded: boolean;
    try {
      const { rows } = await client.query<{ ended: boolean }>(ENDING_EARLIER, [this.mark, ENDED_WITHIN_MS]);
      isEnded = rows.every(({ ended }) => ended);
    } catch (cause) {
      // The database role may not end the sessions, e.g. because the earlier worker has connected with
      // another role. This worker then does not become the leader.
      throw new Error(`${problem}: ${errorMessage(cause)}`, { cause });
    }
    if (!isEnded) throw new Error(problem);
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...clientOptions(this.options.connection, WORKER_NAME),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    this.client = client;
    await client.connect();
    client.on('end', () => this.connectionLost(client));
    return client;
  }

  /**
   * Polls until this session holds the lock. Ends the session of a worker whose lease has expired. Throws after `stop`,
   * and, if this process has led before, when another worker has led since then.
   */
  private async waitForLock(client: pg.Client): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      if (this.isClosed) throw new Error('the worker stops');
      const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
        String(WORKER_LEASE.lock),
      ]);
      if (rows[0]?.got === true) return;
      if (this.ownEpoch !== undefined && !(await this.isOwn(client)))
        throw new WorkerReplaced('another worker leads');
      if (attempt === 0) this.options.log.info('worker.waiting_as_standby');
      this.isWaiting = true;
      this.problem = undefined;
      if (attempt % (LEASE_CHECKED_EVERY_MS / LOCK_POLL_MS) === 0) {
        const ended = await endSilentHolder(client, WORKER_LEASE);
        if (ended !== undefined) this.options.log.warn('worker.silent_worker_ended', { session: ended });
      }
      await pause(LOCK_POLL_MS);
    }
  }

  private async isOwn(client: pg.ClientBase): Promise<boolean> {
    const { rowCount } = await client.query(IS_OWN, [this.holder, String(this.ownEpoch)]);
    return rowCount === 1;
  }

  private async admit(client: pg.ClientBase): Promise<void> {
    if (await this.isOwn(client)) return;
    this.replaced();
    throw new WorkerReplaced('another worker leads');
  }

  private async renew(): Promise<void> {
    const { client } = this;
    if (client === undefined || this.isWaiting) return;
    try {
      const { rowCount } = await client.query(RENEWAL, [this.holder, String(this.ownEpoch)]);
      if (rowCount !== 1) this.replaced();
    } catch (cause) {
      // If the connection is lost, the client emits `end`, and its listener acquires the lock again.
      this.options.log.warn('worker.lease_not_renewed', { cause });
    }
  }

  private connectionLost(client: pg.Client): void {
    if (client !== this.client || this.isWaiting || this.isClosed || this.isReplaced) return;
    this.options.log.warn('worker.connection_lost');
    this.isWaiting = true;
    this.regaining = this.lead().then(
      () => this.options.log.info('worker.leads_again', { epoch: String(this.ownEpoch) }),
      () => {
        if (!this.isClosed) this.replaced();
      },
    );
  }

  private replaced(): void {
    if (this.isReplaced || this.isClosed) return;
    this.isReplaced = true;
    this.options.onReplaced();
  }

  private async disconnect(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    // The connection may be broken, so an error when it is ended is ignored.
    await client?.end().catch(() => undefined);
  }
}

/** State of the leading worker as read from the database. */
export interface LeadingWorker {
  readonly isLeading: boolean;
  readonly epoch: bigint;
  /** Milliseconds since the last renewal of the lease; undefined if no worker has led yet. */
  readonly silentMs: number | undefined;
}

/** Reads whether a worker leads: it holds the lock, and has renewed its lease within ten seconds. */
export async function leadingWorker(pool: Pick<pg.Pool, 'connect'>): Promise<LeadingWorker> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ epoch: bigint; silent: number | null }>(
      `select epoch, (extract(epoch from clock_timestamp() - alive_at) * 1000)::float8 as silent
       from worker where id = 1`,
    );
    const { epoch, silent } = rows[0]!;
    const isHeld = await isLeaseLockHeld(client, WORKER_LEASE);
    return {
      isLeading: isHeld && silent !== null && silent < SILENT_MS,
      epoch,
      silentMs: silent === null ? undefined : Math.round(silent),
    };
  } finally {
    client.release();
  }
}

/** Returns the health of the workers as the writer reports it: down while no worker leads. */
export async function workerHealth(pool: Pick<pg.Pool, 'connect'>): Promise<ComponentHealth> {
  const { isLeading, epoch, silentMs } = await leadingWorker(pool);
  const facts = { epoch: String(epoch), ...(silentMs === undefined ? {} : { silentMs }) };
  if (isLeading) return { isUp: true, facts };
  const since = silentMs === undefined ? 'none has led yet' : `none for ${Math.round(silentMs / 1_000)} s`;
  return { isUp: false, reason: `no worker leads (${since}), so mails and pushes wait`, facts };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
