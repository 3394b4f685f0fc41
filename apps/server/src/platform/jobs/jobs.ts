import type { Log } from '../log.ts';
import type { Database, Tx } from '../database/database.ts';
import { breakDeadConnections } from '../database/dead-connections.ts';
import { clientOptions, type DatabaseConnection } from '../database/pool.ts';
import { sql } from 'kysely';
import pg from 'pg';
import type * as Worker from 'graphile-worker';

/** What a job is handed: the payload it was added with. It may be called twice for one, so it must not mind. */
export type JobHandler = (payload: unknown) => Promise<void>;

export interface JobSchedule {
  /** Minute, hour, day, month and weekday in UTC, as in a crontab. */
  readonly cron: string;
}

/**
 * `urgent` has a slot of its own, for short work that somebody waits for, such as mail with a code; `background` has one for
 * long work that nobody waits for.
 */
export type JobLane = 'ordinary' | 'urgent' | 'background';

export interface AddOptions {
  /** Of jobs with the same key only one waits; adding it again replaces it. */
  readonly key?: string;
  readonly maxAttempts?: number;
  /** Of waiting jobs that with the lowest number is done first; 0 unless told. */
  readonly priority?: number;
}

/** Work that is done after the answer and survives a restart. */
export interface Jobs {
  /** Names a job and says what it does; before `start`. */
  define(name: string, handler: JobHandler, schedule?: JobSchedule, lane?: JobLane): void;
  /** Adds a job within a transaction: it exists if and only if that commits. */
  add(tx: Tx, name: string, payload: unknown, options?: AddOptions): Promise<void>;
}

export interface JobRunnerOptions {
  readonly connection: DatabaseConnection;
  readonly database: Database;
  readonly log: Log;
}

const SLOTS = { ordinary: 2, urgent: 1, background: 1 } as const satisfies Record<JobLane, number>;
const LANES = ['ordinary', 'urgent', 'background'] as const satisfies readonly JobLane[];
/** Four jobs at work, a connection of each lane that listens, one for the schedule. */
const POOL_SIZE = 8;
const POLL_MS = 2_000;
const RESTART_FIRST_MS = 500;
const RESTART_LONGEST_MS = 15_000;

/**
 * The job queue: graphile-worker in this process, on connections of its own. The package is loaded only
 * when it is needed, so that the server listens without waiting for it.
 */
export class JobRunner implements Jobs {
  private readonly options: JobRunnerOptions;
  private readonly handlers = new Map<string, JobHandler>();
  private readonly schedules: Worker.CronItem[] = [];
  private pool: pg.Pool | undefined;
  private readonly lanes = new Map<string, JobLane>();
  private runners: readonly Worker.Runner[] = [];
  private supervision: Promise<void> | undefined;
  private restartMs = RESTART_FIRST_MS;
  private readonly stopping = new AbortController();

  constructor(options: JobRunnerOptions) {
    this.options = options;
  }

  define(name: string, handler: JobHandler, schedule?: JobSchedule, lane: JobLane = 'ordinary'): void {
    if (this.handlers.has(name)) throw new Error(`the job ${name} is defined twice`);
    if (this.supervision !== undefined) throw new Error(`the job ${name} is defined after the start`);
    this.handlers.set(name, handler);
    this.lanes.set(name, lane);
    if (schedule !== undefined)
      this.schedules.push({ task: name, match: schedule.cron, options: { maxAttempts: 3 } });
  }

  /** What the schedule begins, by name. */
  get scheduled(): ReadonlyMap<string, () => Promise<void>> {
    return new Map(this.schedules.map(({ task }) => [task, () => this.handlers.get(task)!({})]));
  }

  async add(tx: Tx, name: string, payload: unknown, options: AddOptions = {}): Promise<void> {
    if (!this.handlers.has(name)) throw new Error(`the job ${name} is not defined`);
    await sql`select graphile_worker.add_job(
      identifier => ${name}::text,
      payload => ${JSON.stringify(payload)}::json,
      max_attempts => ${options.maxAttempts ?? null}::int,
      priority => ${options.priority ?? null}::int,
      job_key => ${options.key ?? null}::text
    )`.execute(tx);
  }

  /** After the server listens: begins to work, and keeps working through losses of the database. */
  start(): void {
    this.supervision ??= this.supervise();
  }

  /** Lets the jobs at work finish, then closes the connections. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.stopRunners();
    await this.supervision;
    await this.pool?.end();
    this.pool = undefined;
  }

  private async supervise(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.runOnce();
      } catch (cause) {
        // Whatever ended it, most likely a lost database: the queue is durable, so begin again.
        if (!this.stopping.signal.aborted) {
          this.options.log.warn('jobs.interrupted', { cause, waitMs: this.restartMs });
        }
      }
      await pause(this.restartMs, this.stopping.signal);
      this.restartMs = Math.min(this.restartMs * 2, RESTART_LONGEST_MS);
    }
  }

  private async runOnce(): Promise<void> {
    await this.unlockAbandoned();
    const used = new Set(this.lanes.values());
    const lanes = LANES.filter((lane) => used.has(lane));
    const starting = await Promise.allSettled(lanes.map((lane) => this.runLane(lane)));
    this.runners = starting.flatMap((started) => (started.status === 'fulfilled' ? [started.value] : []));
    try {
      const failed = starting.find((started) => started.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      this.restartMs = RESTART_FIRST_MS;
      if (this.stopping.signal.aborted) return;
      // When one lane has ended, all begin again.
      await Promise.race(this.runners.map(({ promise }) => promise));
    } finally {
      await this.stopRunners();
      await Promise.allSettled(this.runners.map(({ promise }) => promise));
    }
  }

  private async stopRunners(): Promise<void> {
    // One that had stopped by itself refuses, which supervision reports.
    await Promise.allSettled(this.runners.map((runner) => runner.stop()));
  }

  private async runLane(lane: JobLane): Promise<Worker.Runner> {
    const { run, parseCronItems } = await load();
    const isOfLane = (name: string) => this.lanes.get(name) === lane;
    return run({
      pgPool: this.openPool(),
      noHandleSignals: true,
      // Without batches the package leaves the promise of a job's completion to nobody: a database that is
      // lost at that moment would end the process.
      preset: {
        worker: {
          concurrentJobs: SLOTS[lane],
          pollInterval: POLL_MS,
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
      parsedCronItems: parseCronItems(this.schedules.filter(({ task }) => isOfLane(task))),
      logger: await this.logger(),
      taskList: Object.fromEntries(
        [...this.handlers]
          .filter(([name]) => isOfLane(name))
          .map(([name, handler]) => [name, (payload: unknown) => handler(payload)]),
      ),
    });
  }

  /**
   * Jobs that were at work when a process died, or when the database did, are locked for hours. This
   * process is the only one that works on them, so whatever is locked before it begins is abandoned.
   */
  private async unlockAbandoned(): Promise<void> {
    await sql`select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker._private_jobs where locked_by is not null`.execute(this.options.database.store);
  }

  private openPool(): pg.Pool {
    if (this.pool !== undefined) return this.pool;
    // The package expects the driver's own reading of values, not ours.
    const { types: _, ...settings } = clientOptions(this.options.connection, 'exchange jobs');
    const pool = new pg.Pool({ ...settings, max: POOL_SIZE, connectionTimeoutMillis: 5_000 });
    pool.on('error', (error) => this.options.log.warn('jobs.connection_lost', { reason: error.message }));
    // The package removes its own listener from connections it is given back; without one a lost
    // connection would end the process.
    pool.on('connect', (client) => client.on('error', () => undefined));
    breakDeadConnections(pool, clientOptions(this.options.connection, 'exchange jobs probe'));
    this.pool = pool;
    return pool;
  }

  private async logger() {
    const { Logger } = await load();
    const { log } = this.options;
    return new Logger((scope) => (level: string, message: string) => {
      const fields = {
        message,
        ...(scope.taskIdentifier === undefined ? {} : { job: scope.taskIdentifier }),
      };
      if (level === 'error') log.error('jobs.failed', fields);
      else if (level === 'warning') log.warn('jobs.warned', fields);
      else log.debug('jobs.told', fields);
    });
  }
}

async function load(): Promise<typeof Worker> {
  return import('graphile-worker');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
