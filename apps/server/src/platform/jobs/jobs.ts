import type { Instant } from '@exchange/core/time.ts';
import type { Log } from '../log.ts';
import { POOL_SIZES } from '../database/connection-counts.ts';
import type { Database, Tx } from '../database/database.ts';
import { breakDeadConnections } from '../database/dead-connections.ts';
import {
  admissionOf,
  clientOptions,
  connectTimeoutMs,
  idleTimeoutMs,
  type DatabaseConnection,
} from '../database/pool.ts';
import { sql } from 'kysely';
import pg from 'pg';
import type * as Worker from 'graphile-worker';
import { PeriodicTask } from './periodic-task.ts';

/** Processes a job's payload. It must be idempotent, because it may be called several times for the same job. */
export type JobHandler = (payload: unknown) => Promise<void>;

export interface JobSchedule {
  /** Times at which the job runs, as a crontab expression in UTC: minute, hour, day, month and weekday. */
  readonly cron: string;
  /**
   * Interval in milliseconds at which the handler is also called in this process, for work that cannot wait for the
   * next minute. These runs are not jobs of the queue: a failed run is logged and not repeated before the next
   * interval. A run may overlap with a run from the queue, unless the handler prevents it.
   */
  readonly everyMs?: number;
}

/**
 * Lanes of the job queue, each with its own slots for running jobs: `urgent` for short jobs for which users wait, such
 * as mailed codes; `background` for long jobs for which nobody waits; `outside` for jobs that wait for servers outside
 * the exchange; `ordinary` for all other jobs.
 */
export type JobLane = 'ordinary' | 'urgent' | 'background' | 'outside';

export interface AddOptions {
  /**
   * Deduplication key, unique among the jobs of all names. Only one job per key is pending. Adding another
   * job with the same key replaces the pending one, but not one that is already running.
   */
  readonly key?: string;
  readonly maxAttempts?: number;
  /** Priority of the job. Of the pending jobs, those with lower numbers run first; default 0. */
  readonly priority?: number;
  /** Time before which the job does not run; if absent, it runs as soon as possible. */
  readonly runAt?: Instant;
}

/** A durable job queue. Jobs run after the commit that adds them, also if the server restarts in between. */
export interface Jobs {
  /** Registers a job's handler. It must be called before `start`. */
  define(name: string, handler: JobHandler, schedule?: JobSchedule, lane?: JobLane): void;
  /** Adds a job to the queue inside a transaction. The job exists only if the transaction commits. */
  add(tx: Tx, name: string, payload: unknown, options?: AddOptions): Promise<void>;
}

export interface JobRunnerOptions {
  readonly connection: DatabaseConnection;
  readonly database: Database;
  readonly log: Log;
  /**
   * Whether scheduled jobs run at their times and intervals; default true. Jobs that are added to the queue run in any
   * case.
   */
  readonly runsSchedule?: boolean;
  /**
   * Maximum number of the queue's database connections; default `POOL_SIZES.jobs`. Each lane uses one of them to listen
   * for jobs.
   */
  readonly connections?: number | undefined;
  /**
   * Returns whether this process runs the jobs with the given name, from the queue and at intervals; by default it runs
   * all jobs. Other jobs can be added to the queue here, and run in the process that runs them.
   */
  readonly isRunHere?: ((name: string) => boolean) | undefined;
}

const SLOTS = { ordinary: 2, urgent: 1, background: 1, outside: 2 } as const satisfies Record<
  JobLane,
  number
>;
const LANES = ['ordinary', 'urgent', 'background', 'outside'] as const satisfies readonly JobLane[];
/**
 * Minimum number of connections of a job queue: one per lane, which listens for jobs, and one for all other queries.
 */
export const JOB_CONNECTIONS_MIN = LANES.length + 1;
const POLL_MS = 2_000;
const RESTART_INITIAL_MS = 500;
const RESTART_MAX_MS = 15_000;
/** Number up to which due jobs are counted, so that counting a long queue does not take long. */
const COUNTED_MAX = 10_000;

/**
 * The job queue: runs graphile-worker in this process with its own database connections. The package is loaded when it
 * is first needed, so that it does not delay the server's start.
 */
export class JobRunner implements Jobs {
  private readonly options: JobRunnerOptions;
  private readonly handlers = new Map<string, JobHandler>();
  private readonly schedules: Worker.CronItem[] = [];
  private readonly intervals = new Map<string, number>();
  private periodicTasks: readonly PeriodicTask[] = [];
  private pool: pg.Pool | undefined;
  private readonly lanes = new Map<string, JobLane>();
  private runners: readonly Worker.Runner[] = [];
  private supervision: Promise<void> | undefined;
  private restartMs = RESTART_INITIAL_MS;
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
    if (schedule?.everyMs !== undefined) this.intervals.set(name, schedule.everyMs);
  }

  /** The names of all defined jobs, also of those that other processes run. */
  get names(): readonly string[] {
    return [...this.handlers.keys()];
  }

  /** The handlers of scheduled jobs, by the job's name. */
  get scheduled(): ReadonlyMap<string, () => Promise<void>> {
    return new Map(this.schedules.map(({ task }) => [task, () => this.handlers.get(task)!({})]));
  }

  async add(tx: Tx, name: string, payload: unknown, options: AddOptions = {}): Promise<void> {
    if (!this.lanes.has(name)) throw new Error(`the job ${name} is not defined`);
    await sql`select graphile_worker.add_job(
      identifier => ${name}::text,
      payload => ${JSON.stringify(payload)}::json,
      max_attempts => ${options.maxAttempts ?? null}::int,
      priority => ${options.priority ?? null}::int,
      run_at => ${options.runAt === undefined ? null : new Date(options.runAt).toISOString()}::timestamptz,
      job_key => ${options.key ?? null}::text
    )`.execute(tx);
  }

  /** Loads graphile-worker in advance, e.g. on a standby, because it takes a quarter of a second. */
  readAhead(): void {
    // If this load fails, the error is ignored here, because `start` loads the package again and reports the error.
    void load().catch(() => undefined);
  }

  /**
   * Starts processing jobs, and resumes this after the database was lost. Also starts the tasks that run at intervals,
   * unless `runsSchedule` is false. A second call has no effect. Call this after all jobs are defined.
   */
  start(): void {
    if (this.supervision !== undefined) return;
    this.supervision = this.supervise();
    if (this.options.runsSchedule === false) return;
    this.periodicTasks = [...this.intervals]
      .filter(([name]) => this.isRunHere(name))
      .map(([name, everyMs]) => this.periodicTask(name, everyMs));
    for (const task of this.periodicTasks) task.start();
  }

  /** Waits for the running jobs, then closes the job queue's database connections. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const task of this.periodicTasks) await task.stop();
    await this.stopRunners();
    await this.supervision;
    await this.pool?.end();
    this.pool = undefined;
    // graphile-worker stores the options of every queue until the process ends. The handlers are removed, so
    // that these options no longer refer to modules.
    this.handlers.clear();
  }

  /**
   * Returns the number of jobs that this process runs and that are due but not running, counted up to
   * `COUNTED_MAX`. Jobs that wait for their next attempt after a failure are not due.
   */
  async countDue(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
      select from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
      where task.identifier = any(${this.namesRunHere}) and job.is_available and job.run_at <= now() limit ${COUNTED_MAX}
    ) due`.execute(this.options.database.own);
    return rows[0]!.count;
  }

  private isRunHere(name: string): boolean {
    return this.options.isRunHere?.(name) ?? true;
  }

  /** Names of the jobs that this process runs. */
  private get namesRunHere(): string[] {
    return [...this.handlers.keys()].filter((name) => this.isRunHere(name));
  }

  /** Creates the task that calls a job's handler at an interval. */
  private periodicTask(name: string, everyMs: number): PeriodicTask {
    return new PeriodicTask(() => this.handlers.get(name)!({}), {
      everyMs,
      onError: (cause) => this.options.log.warn('jobs.interval_failed', { job: name, cause }),
    });
  }

  private async supervise(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.runOnce();
      } catch (cause) {
        // The job queue has ended, probably because the database was lost. Jobs are durable, so processing starts again
        // after a pause.
        if (!this.stopping.signal.aborted) {
          this.options.log.warn('jobs.interrupted', { cause, waitMs: this.restartMs });
        }
      }
      await pause(this.restartMs, this.stopping.signal);
      this.restartMs = Math.min(this.restartMs * 2, RESTART_MAX_MS);
    }
  }

  private async runOnce(): Promise<void> {
    await this.unlockAbandoned();
    const used = new Set(this.namesRunHere.map((name) => this.lanes.get(name)));
    const lanes = LANES.filter((lane) => used.has(lane));
    this.runners = [];
    try {
      // The lanes are started one after another. If all started at once, they would open connections that are not
      // needed later.
      for (const lane of lanes) {
        const runner = await this.startLane(lane);
        // If this lane fails while the next one starts, its error is ignored here, because the race below reports it.
        runner.promise.catch(() => undefined);
        this.runners = [...this.runners, runner];
      }
      this.restartMs = RESTART_INITIAL_MS;
      if (this.stopping.signal.aborted) return;
      // When a lane ends, all lanes are stopped and restarted.
      await Promise.race(this.runners.map(({ promise }) => promise));
    } finally {
      await this.stopRunners();
      await Promise.allSettled(this.runners.map(({ promise }) => promise));
    }
  }

  private async stopRunners(): Promise<void> {
    // Stopping a runner that has ended by itself rejects. This error is ignored, because `runOnce` reports the reason
    // of the end.
    await Promise.allSettled(this.runners.map((runner) => runner.stop()));
  }

  private async startLane(lane: JobLane): Promise<Worker.Runner> {
    const { run, parseCronItems } = await load();
    const schedules = this.options.runsSchedule === false ? [] : this.schedules;
    const isInLane = (name: string) => this.lanes.get(name) === lane && this.isRunHere(name);
    return run({
      pgPool: this.openPool(),
      noHandleSignals: true,
      // Completed and failed jobs are stored in batches: without batches, graphile-worker does not handle an
      // error when it stores the end of a job, and the loss of the database would end the process.
      preset: {
        worker: {
          concurrentJobs: SLOTS[lane],
          pollInterval: POLL_MS,
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
      parsedCronItems: parseCronItems(schedules.filter(({ task }) => isInLane(task))),
      logger: await this.logger(),
      taskList: tasksOf(this.handlers, [...this.handlers.keys()].filter(isInLane)),
    });
  }

  /**
   * Unlocks jobs that were running when a process or the database ended, because they would remain locked for hours.
   * Only this process runs jobs with these names, and none is running now, so no lock is in use.
   */
  private async unlockAbandoned(): Promise<void> {
    await sql`select graphile_worker.force_unlock_workers(array_agg(distinct job.locked_by))
      from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
      where job.locked_by is not null and task.identifier = any(${this.namesRunHere})`.execute(
      this.options.database.store,
    );
  }

  private openPool(): pg.Pool {
    if (this.pool !== undefined) return this.pool;
    // The job queue package expects the database driver's default conversion of values, not that of the exchange's
    // pools.
    const { types: _, ...settings } = clientOptions(this.options.connection, 'exchange jobs');
    const pool = new pg.Pool({
      ...settings,
      ...admissionOf(this.options.connection),
      max: this.options.connections ?? POOL_SIZES.jobs,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
    });
    logLosses(pool, this.options.log);
    // graphile-worker removes its error listener from released connections. Without a listener, the loss of such a
    // connection would end the process.
    pool.on('connect', (client) => client.on('error', () => undefined));
    breakDeadConnections(pool, clientOptions(this.options.connection, 'exchange jobs probe'));
    this.pool = pool;
    return pool;
  }

  private async logger(): Promise<Worker.Logger> {
    const { Logger } = await load();
    return loggerInto(Logger, this.options.log);
  }
}

// graphile-worker stores the functions and options that it receives until the process ends. They are created outside
// the class, so that they do not refer to the runner.

/** Returns the tasks of graphile-worker for the jobs with these names. */
function tasksOf(
  handlers: ReadonlyMap<string, JobHandler>,
  names: readonly string[],
): Record<string, (payload: unknown) => Promise<void>> {
  return Object.fromEntries(names.map((name) => [name, (payload: unknown) => handlers.get(name)!(payload)]));
}

function logLosses(pool: pg.Pool, log: Log): void {
  pool.on('error', (error) => log.warn('jobs.connection_lost', { reason: error.message }));
}

function loggerInto(Logger: typeof Worker.Logger, log: Log): Worker.Logger {
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
