import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, withRuntimeRole, type TestDatabase } from '../../../testing/database.ts';
import { eventually } from '../../../testing/eventually.ts';
import { collectingLog } from '../../../testing/edge.ts';
import { openDatabase } from '../database/pool.ts';
import { leadingWorker, workerHealth, WORKER_NAME, WorkerLease } from './worker-lease.ts';

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const script = fileURLToPath(new URL('../../../testing/worker-child.ts', import.meta.url));

let database: TestDatabase;
let leases: WorkerLease[];
let child: ChildProcess | undefined;

beforeEach(async () => {
  database = await testDatabase();
  leases = [];
});

afterEach(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  child = undefined;
  for (const lease of leases) await lease.stop();
  await database.drop();
});

function createLease() {
  const log = collectingLog();
  const replaced: string[] = [];
  const connection = withRuntimeRole(database.connection);
  const lease = new WorkerLease({ connection, log, onReplaced: () => replaced.push('replaced') });
  leases.push(lease);
  const isLogged = (event: string) => log.events.some((entry) => entry.event === event);
  return { lease, replaced, isLogged, connection };
}

/**
 * Counts the rows that the program `worker-child.ts` has stored in an epoch, over a connection of the
 * database's owner.
 */
async function rowsOf(epoch: number): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from worked where epoch = $1',
    [epoch],
  );
  return rows[0]!.count;
}

describe('the lease of workers', () => {
  it('WRK-010 one worker leads, the other waits and takes over in the next epoch', async () => {
    const [first, second] = [createLease(), createLease()];
    expect(await leadingWorker(database.pool)).toMatchObject({ isLeading: false, epoch: 0n });
    expect((await workerHealth(database.pool)).reason).toContain('none has led yet');
    await first.lease.acquire();
    expect(first.lease.health()).toEqual({ isUp: true, facts: { epoch: '1' } });
    expect(await workerHealth(database.pool)).toMatchObject({ isUp: true, facts: { epoch: '1' } });
    const waiting = second.lease.acquire();
    await eventually(() => expect(second.isLogged('worker.waiting_as_standby')).toBe(true));
    expect(second.lease.health()).toMatchObject({ isUp: false, isStandby: true });
    expect(second.lease.epoch).toBeUndefined();
    await first.lease.stop();
    await waiting;
    expect(second.lease.epoch).toBe(2n);
    expect(await leadingWorker(database.pool)).toMatchObject({ isLeading: true, epoch: 2n });
    expect(first.replaced).toEqual([]);
  });

  it('WRK-010 a worker that stops while it waits leaves nothing behind', async () => {
    const [first, second] = [createLease(), createLease()];
    await first.lease.acquire();
    const waiting = second.lease.acquire();
    await eventually(() => expect(second.isLogged('worker.waiting_as_standby')).toBe(true));
    await second.lease.stop();
    await expect(waiting).rejects.toThrow('the worker stops');
    expect(await leadingWorker(database.pool)).toMatchObject({ isLeading: true, epoch: 1n });
  });

  it('WRK-012 a worker whose connection is lost goes on in its epoch, unless another has led meanwhile', async () => {
    const { lease, replaced, isLogged, connection } = createLease();
    await lease.acquire();
    const pool = openDatabase({ connection: { ...connection, fence: lease.fence }, log: () => undefined });
    try {
      expect((await pool.query<{ n: number }>('select 1 as n')).rows).toEqual([{ n: 1 }]);
      const ending = `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = $1 and datname = current_database()`;
      await database.pool.query(ending, [WORKER_NAME]);
      await eventually(() => expect(isLogged('worker.leads_again')).toBe(true));
      expect([lease.epoch, replaced]).toEqual([1n, []]);
      await pool.query('select 1');
      await database.pool.query('update worker set epoch = 7, holder = gen_random_uuid()');
      await eventually(() => expect(replaced).toEqual(['replaced']));
    } finally {
      await pool.end();
    }
  });

  it('WRK-011 a suspended worker is replaced within seconds, and when it continues it stores nothing', async () => {
    await database.pool.query('create table worked (epoch bigint not null, number integer not null)');
    await database.pool.query('grant all on worked to public');
    const { lease, connection, isLogged } = createLease();
    child = spawn(process.execPath, ['--import', tsx, script, JSON.stringify(connection)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    createInterface(child.stdout!).on('line', (line) => lines.push(line));
    await eventually(() => expect(lines.length).toBeGreaterThan(5));
    const waiting = lease.acquire();
    await eventually(() => expect(isLogged('worker.waiting_as_standby')).toBe(true));
    child.kill('SIGSTOP');
    const stoppedMs = performance.now();
    await waiting;
    expect(performance.now() - stoppedMs).toBeLessThan(30_000);
    expect(isLogged('worker.silent_worker_ended')).toBe(true);
    expect(lease.epoch).toBe(2n);
    const stored = await rowsOf(1);
    const said = lines.length;
    child.kill('SIGCONT');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    const later = lines.slice(said);
    expect(later).toContain('fenced');
    expect(later).toContain('refused');
    await sleep(100);
    expect(await rowsOf(1)).toBe(stored);
    // The replaced process reports a row as committed only if the row is stored. After its suspension it can report at
    // most a commit whose confirmation had arrived but was not read before.
    expect(lines.filter((line) => /^\d+$/.test(line)).length).toBeLessThanOrEqual(stored);
  });
});
