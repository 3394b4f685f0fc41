import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { Counter, COUNTER_TABLE, storedCount } from '../../../testing/counter.ts';
import { runSql, EmbeddedSandbox } from '../../../testing/embedded-sandbox.ts';
import { eventually } from '../../../testing/eventually.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { ReplicationClient } from '../../../testing/replication-client.ts';
import { runSqlStep, runStep } from '../../../testing/run-step.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { bringUpToDate } from '../bring-up-to-date.ts';
import { CommitWaits } from '../database/commit-waits.ts';
import { knownDatabases } from '../database/known-databases.ts';
import { embeddedRuntimeUser } from '../database/embedded/settings.ts';
import { createKysely, openDatabase } from '../database/pool.ts';
import type { EmbeddedPostgres } from '../database/embedded/supervisor.ts';
import { Events } from '../events.ts';
import { sequencerHealth } from './sequencer-health.ts';
import { Sequencer } from './sequencer.ts';
import { WRITER_NAME } from './writer-lease.ts';

const directory = fileURLToPath(new URL('../../../migrations', import.meta.url));
const WAITING = `application_name = '${WRITER_NAME}' and wait_event = 'SyncRep'`;

/** These tests need their own PostgreSQL, because synchronous standbys are a setting of the whole server. */
describe('a missing synchronous standby', () => {
  const sandbox = new EmbeddedSandbox();
  let server: EmbeddedPostgres;
  let pool: pg.Pool;
  let sequencer: Sequencer;
  let counter: Counter;
  let clock: FakeClock;
  let waits: CommitWaits;
  const log = recordingLog();

  beforeAll(async () => {
    server = await sandbox.start();
    const owner = server.connection;
    await bringUpToDate({ owner, runtimeRole: embeddedRuntimeUser, directory, log: () => undefined });
    pool = openDatabase({ connection: owner, log: () => undefined, name: 'test', size: 4 });
    await pool.query(COUNTER_TABLE);
    await pool.query(`grant all on test_counter to ${embeddedRuntimeUser}`);
  });

  afterAll(async () => {
    await pool.end();
    await sandbox.clear();
  });

  beforeEach(async () => {
    clock = new FakeClock();
    counter = new Counter(pool);
    const connection = { ...server.connection, user: embeddedRuntimeUser };
    sequencer = new Sequencer({
      connection,
      reader: createKysely<unknown>(pool),
      secret: new Uint32Array([1, 2, 3, 4]),
      clock,
      events: new Events(log),
      log,
      onFenced: () => log.error('test.fenced'),
    });
    sequencer.join(counter);
    await sequencer.start();
    const runtime = openDatabase({ connection, log: () => undefined, name: 'test runtime', size: 1 });
    runtimes.push(runtime);
    waits = new CommitWaits({ pool: runtime, clock, log, writer: WRITER_NAME });
  });

  const runtimes: pg.Pool[] = [];

  afterEach(async () => {
    await standbys('');
    await sequencer.stop();
    for (const runtime of runtimes.splice(0)) await runtime.end();
  });

  /**
   * Changes the list of synchronous standbys. The statements need no commit, because a commit would wait for the
   * standby.
   */
  async function standbys(names: string): Promise<void> {
    await runSql(server.connection, `alter system set synchronous_standby_names = '${names}'`);
    await runSql(server.connection, 'select pg_reload_conf()');
    await eventually(async () => {
      const [row] = await runSql<{ names: string }>(
        server.connection,
        `select current_setting('synchronous_standby_names') as names`,
      );
      expect(row?.names).toBe(names);
    });
  }

  /**
   * Waits until a statement of the writer waits for the standby, and cancels or terminates the statement's session.
   * Skips statements in `interrupted`, to which it adds the statement.
   */
  async function interrupt(command: 'pg_cancel_backend' | 'pg_terminate_backend', interrupted: Set<string>) {
    await eventually(async () => {
      const waiting = await runSql<{ pid: number; statement: string }>(
        server.connection,
        `select pid, pid || ' ' || query_start as statement from pg_stat_activity where ${WAITING}`,
      );
      const next = waiting.find(({ statement }) => !interrupted.has(statement));
      if (next === undefined) throw new Error('nothing else waits');
      interrupted.add(next.statement);
      await runSql(server.connection, `select ${command}(${next.pid})`);
    });
  }

  const addOne = () => runStep(sequencer, 'count', {}, (step) => counter.add(step, 1));
  const addOneWithSql = () => runSqlStep(sequencer, 'count', {}, async (step) => counter.add(step, 1));

  it.each([
    ['pg_cancel_backend', 'a batch', () => addOne()],
    ['pg_terminate_backend', 'a batch', () => addOne()],
    ['pg_cancel_backend', 'a transaction with SQL', () => addOneWithSql()],
  ] as const)(
    'SEQ-642 %s: nobody learns of %s that is stored on one machine only',
    async (command, _, add) => {
      const before = counter.value;
      await standbys('s1');
      let answer: unknown;
      const answering = add().then(
        (value) => (answer = value),
        (cause: unknown) => (answer = cause),
      );
      const interrupted = new Set<string>();
      await interrupt(command, interrupted);
      // The commit is stored and visible on the primary's own machine, as the writer finds when it has reconnected.
      await eventually(async () => expect(await storedCount(pool)).toBe(before + 1));
      // The commit that opens the new epoch also waits for the standby, so the test may have to interrupt it several
      // times.
      await interrupt(command, interrupted);
      await interrupt(command, interrupted);
      expect(answer).toBeUndefined();
      await standbys('');
      await answering;
      expect(answer).toBe(before + 1);
      expect(await storedCount(pool)).toBe(before + 1);
    },
  );

  it('SEQ-644 health names the standby that commits wait for, and since when it is missing', async () => {
    expect(await sequencerHealth(sequencer, waits)).toEqual({ isUp: true, facts: { waiting: 0 } });
    expect((await waits.poll()).standbys.size).toBe(0);
    clock.advance(180_000);
    await standbys('FIRST 1 (s1, "my standby")');
    const missing = await waits.poll();
    expect([...missing.standbys]).toEqual([
      ['s1', 'gone since 2026-01-05 12:03 UTC'],
      ['my standby', 'gone since 2026-01-05 12:03 UTC'],
    ]);
    clock.advance(600_000);
    const answering = runStep(sequencer, 'count', {}, (step) => counter.add(step, 1));
    await eventually(async () => {
      const { isUp, reason } = await sequencerHealth(sequencer, waits);
      expect(isUp).toBe(false);
      expect(reason).toBe(
        'commits wait for standby s1, gone since 2026-01-05 12:03 UTC; my standby, gone since 2026-01-05 12:03 UTC',
      );
    });
    expect(log.lines.some(({ event }) => event === 'database.standby_gone')).toBe(true);
    await standbys('');
    await answering;
    await eventually(async () => expect((await sequencerHealth(sequencer, waits)).isUp).toBe(true));
  });

  it('CLU-102 operators see the copies of the database, how far they are behind, and which are gone', async () => {
    const copy = new ReplicationClient(server.connection, 's2');
    const rowsOf = async (from: pg.Pool, replica?: pg.Pool) =>
      (await knownDatabases({ pool: from, replica, commitWaits: waits })).map(
        ({ name, state, bytesBehind, commits }) => ({
          name,
          state,
          bytesBehind,
          commits,
        }),
      );
    const primary = {
      name: 'primary',
      state: 'commits',
      bytesBehind: undefined,
      commits: 'are stored here first',
    };
    expect(await rowsOf(pool)).toEqual([primary]);
    await copy.start();
    await pool.query('select pg_logical_emit_message(false, $1, repeat($1, 5000))', ['x']);
    await eventually(async () => {
      const [, row] = await rowsOf(pool);
      expect(row).toMatchObject({ name: 's2', state: 'streaming', commits: 'do not wait for this copy' });
      expect(row!.bytesBehind).toBeGreaterThan(5_000);
    });
    await eventually(async () => {
      copy.apply();
      expect((await rowsOf(pool))[1]).toMatchObject({ bytesBehind: 0 });
    });
    // The server's role may not read replication statistics. The operators' list nevertheless contains the name of a
    // connected copy, and the synchronous standby that is not connected.
    await standbys('s1');
    const runtime = runtimes.at(-1)!;
    const ended = openDatabase({
      connection: server.connection,
      log: () => undefined,
      name: 'ended',
      size: 1,
    });
    await ended.end();
    expect(await rowsOf(runtime, ended)).toEqual([
      primary,
      {
        name: 's2',
        state: 'not known',
        bytesBehind: undefined,
        commits: 'the role of the server may not see replication',
      },
      {
        name: 's1',
        state: 'gone',
        bytesBehind: undefined,
        commits: expect.stringMatching(/^wait for this copy, gone since /) as string,
      },
      {
        name: 'large lists and exports',
        state: 'not answering',
        bytesBehind: undefined,
        commits: 'large lists and exports fail',
      },
    ]);
    await copy.end();
    await eventually(async () =>
      expect((await rowsOf(runtime, pool)).slice(1)).toMatchObject([
        {
          name: 's1',
          state: 'gone',
          commits: expect.stringMatching(/^wait for this copy, gone since /) as string,
        },
        { name: 'large lists and exports', state: 'reads', commits: 'reads are from a primary' },
      ]),
    );
  });
});
