import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import type pg from 'pg';
import { withRuntimeRole, testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { collectingLog } from '../../../testing/edge.ts';
import { databaseOver, type Database } from '../database/database.ts';
import { openDatabase } from '../database/pool.ts';
import { installJobQueue, NEWEST_QUEUE_MIGRATION } from './install.ts';
import { JobRunner } from './jobs.ts';

describe('jobs', () => {
  let testDb: TestDatabase;
  let database: Database;
  let pool: pg.Pool;
  let runner: JobRunner | undefined;

  beforeAll(async () => {
    testDb = await testDatabase();
    pool = openDatabase({ connection: withRuntimeRole(testDb.connection), log: () => undefined });
    database = databaseOver(pool);
  });
  afterEach(() => runner?.stop());
  afterAll(async () => {
    await pool.end();
    await testDb.drop();
  });

  const startRunner = async (handler: (payload: unknown) => Promise<void>) => {
    const log = collectingLog();
    runner = new JobRunner({ connection: withRuntimeRole(testDb.connection), database, log });
    runner.define('test.work', handler, { cron: '0 4 1 1 *' });
    runner.start();
    return { jobs: runner, log };
  };

  it('JOB-001 a job added in a transaction runs after the commit and never after a rollback', async () => {
    const done: unknown[] = [];
    const { jobs } = await startRunner((payload) => Promise.resolve(void done.push(payload)));
    await database
      .transaction(async (tx) => {
        await jobs.add(tx, 'test.work', { n: 1 });
        throw new Error('undone');
      })
      .catch(() => undefined);
    await database.transaction((tx) => jobs.add(tx, 'test.work', { n: 2 }));
    await eventually(() => expect(done).toEqual([{ n: 2 }]));
  });

  it('JOB-791 a stopped queue keeps nothing alive that its handlers refer to', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const workOnce = async () => {
      const modules = { done: 0 };
      const { jobs } = await startRunner(() => Promise.resolve(void (modules.done += 1)));
      await database.transaction((tx) => jobs.add(tx, 'test.work', {}));
      await eventually(() => expect(modules.done).toBe(1));
      await jobs.stop();
      runner = undefined;
      return new WeakRef(modules);
    };
    const modules = await workOnce();
    await eventually(() => {
      collect();
      expect(modules.deref()).toBeUndefined();
    });
  });

  it('JOB-790 an urgent job runs while ordinary jobs occupy all their slots', async () => {
    const log = collectingLog();
    const jobs = new JobRunner({ connection: withRuntimeRole(testDb.connection), database, log });
    runner = jobs;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let working = 0;
    const done: unknown[] = [];
    jobs.define('test.long', () => {
      working += 1;
      return released;
    });
    jobs.define('test.code', (payload) => Promise.resolve(void done.push(payload)), undefined, 'urgent');
    jobs.start();
    await database.transaction(async (tx) => {
      for (let n = 0; n < 6; n += 1) await jobs.add(tx, 'test.long', { n });
    });
    await eventually(() => expect(working).toBe(2));
    await database.transaction((tx) => jobs.add(tx, 'test.code', { n: 1 }));
    await eventually(() => expect(done).toEqual([{ n: 1 }]));
    expect(working).toBe(2);
    release();
    await eventually(() => expect(working).toBe(6));
  });

  it('WRK-020 each process runs its own jobs only, and its start leaves the running jobs of the other alone', async () => {
    const done: string[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const runnerOf = (isRunHere: (name: string) => boolean, place: string) => {
      const connection = withRuntimeRole(testDb.connection);
      const jobs = new JobRunner({ connection, database, log: collectingLog(), isRunHere });
      jobs.define('split.long', async () => {
        done.push(`long begins at ${place}`);
        await released;
        done.push(`long ends at ${place}`);
      });
      jobs.define('split.short', () => Promise.resolve(void done.push(`short at ${place}`)));
      return jobs;
    };
    const worker = runnerOf((name) => name === 'split.long', 'the worker');
    runner = runnerOf((name) => name === 'split.short', 'the writer');
    try {
      worker.start();
      await database.transaction((tx) => runner!.add(tx, 'split.long', {}, { key: 'long' }));
      await eventually(() => expect(done).toEqual(['long begins at the worker']));
      runner.start();
      await database.transaction((tx) => worker.add(tx, 'split.short', {}));
      await eventually(() => expect(done).toEqual(['long begins at the worker', 'short at the writer']));
      const { rows } = await testDb.pool.query<{ locked: boolean }>(
        `select locked_by is not null as locked from graphile_worker._private_jobs where key = 'long'`,
      );
      expect(rows).toEqual([{ locked: true }]);
      await database.transaction((tx) => runner!.add(tx, 'split.long', {}, { key: 'second' }));
      expect([await worker.countDue(), await runner.countDue()]).toEqual([expect.any(Number), 0]);
      release();
      await eventually(() =>
        expect(done.filter((line) => line === 'long ends at the worker')).toHaveLength(2),
      );
      expect(done.filter((line) => line.startsWith('long begins'))).toHaveLength(2);
      expect(await worker.countDue()).toBe(0);
    } finally {
      release();
      await worker.stop();
    }
  });

  it('JOB-002 of jobs with the same key only one runs; an undefined job cannot be added', async () => {
    const done: unknown[] = [];
    const { jobs } = await startRunner((payload) => Promise.resolve(void done.push(payload)));
    await database.transaction(async (tx) => {
      for (let n = 0; n < 5; n += 1) await jobs.add(tx, 'test.work', { n }, { key: 'same' });
    });
    await eventually(() => expect(done).toEqual([{ n: 4 }]));
    await expect(database.transaction((tx) => jobs.add(tx, 'nothing', {}))).rejects.toThrow('not defined');
  });

  it('JOB-003 processing continues after all database connections were lost', async () => {
    const done: unknown[] = [];
    const { jobs } = await startRunner((payload) => Promise.resolve(void done.push(payload)));
    await database.transaction((tx) => jobs.add(tx, 'test.work', { n: 1 }));
    await eventually(() => expect(done).toHaveLength(1));
    for (let round = 0; round < 3; round += 1) {
      const { rowCount } = await testDb.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'exchange jobs'`,
      );
      expect(rowCount).toBeGreaterThan(0);
      await database.transaction((tx) => jobs.add(tx, 'test.work', { round }));
      await eventually(() => expect(done).toContainEqual({ round }));
    }
  });

  it('JOB-005 a job that was running when its process died is run by the next process', async () => {
    const done: unknown[] = [];
    const first = await startRunner((payload) => Promise.resolve(void done.push(payload)));
    await first.jobs.stop();
    await database.transaction((tx) => first.jobs.add(tx, 'test.work', { n: 'abandoned' }));
    await testDb.pool.query(
      `update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now(), attempts = 1`,
    );
    await startRunner((payload) => Promise.resolve(void done.push(payload)));
    await eventually(() => expect(done).toEqual([{ n: 'abandoned' }]));
  });

  it('JOB-1251 a job with an interval runs again after a failure, and only where schedules run', async () => {
    const runs = { scheduled: 0, unscheduled: 0 };
    const log = collectingLog();
    const connection = withRuntimeRole(testDb.connection);
    const unscheduled = new JobRunner({ connection, database, log, runsSchedule: false });
    const scheduled = new JobRunner({ connection, database, log });
    runner = scheduled;
    const yearly = { cron: '0 4 1 1 *', everyMs: 10 };
    unscheduled.define('test.never', () => Promise.resolve(void (runs.unscheduled += 1)), yearly);
    const fail = () => {
      runs.scheduled += 1;
      return Promise.reject(new Error('the database is unavailable'));
    };
    scheduled.define('test.work', fail, yearly);
    try {
      unscheduled.start();
      scheduled.start();
      await eventually(() => expect(runs.scheduled).toBeGreaterThan(2));
      const message = JSON.stringify(log.events);
      expect(message).toContain('jobs.interval_failed');
      expect(message).toContain('test.work');
    } finally {
      await unscheduled.stop();
    }
    await scheduled.stop();
    const stopped = runs.scheduled;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(runs).toEqual({ scheduled: stopped, unscheduled: 0 });
  });

  it('JOB-004 stopping waits for running jobs and leaves no connection open', async () => {
    let finished = false;
    let hasStarted = false;
    const { jobs } = await startRunner(async () => {
      hasStarted = true;
      await new Promise((resolve) => setTimeout(resolve, 300));
      finished = true;
    });
    await database.transaction((tx) => jobs.add(tx, 'test.work', {}));
    await eventually(() => expect(hasStarted).toBe(true));
    await jobs.stop();
    runner = undefined;
    expect(finished).toBe(true);
    await eventually(async () => {
      const { rows: left } = await testDb.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and application_name = 'exchange jobs'`,
      );
      expect(left).toEqual([]);
    });
  });

  it('JOB-006 the installed queue is complete, and the runtime role stores the schedule', async () => {
    const fresh = await testDatabase({ withSchema: false });
    await installJobQueue(fresh.connection, () => undefined);
    const newest = 'select max(id) as id from graphile_worker.migrations';
    expect((await fresh.pool.query<{ id: number }>(newest)).rows[0]?.id).toBe(NEWEST_QUEUE_MIGRATION);
    await fresh.drop();

    const { log } = await startRunner(() => Promise.resolve());
    const knownCrontabs = 'select from graphile_worker._private_known_crontabs';
    await eventually(async () => expect((await testDb.pool.query(knownCrontabs)).rowCount).toBe(1));
    expect(log.events.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
