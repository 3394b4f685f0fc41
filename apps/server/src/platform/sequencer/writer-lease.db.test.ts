import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Counter, COUNTER_TABLE, storedCount } from '../../../testing/counter.ts';
import { testDatabase, withRuntimeRole, type TestDatabase } from '../../../testing/database.ts';
import { eventually } from '../../../testing/eventually.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { runStep } from '../../../testing/run-step.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { clientOptions, createKysely } from '../database/pool.ts';
import { Events } from '../events.ts';
import { HeadBehind } from './journal.ts';
import { Sequencer } from './sequencer.ts';
import { endSilentWriter, WRITER_NAME } from './writer-lease.ts';

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const script = fileURLToPath(new URL('../../../testing/writer-child.ts', import.meta.url));
const WRITER_SESSIONS = `from pg_stat_activity where application_name = '${WRITER_NAME}' and datname = current_database()`;

/** A writer in a child process, which can be frozen with SIGSTOP. */
class WriterProcess {
  readonly acknowledged: number[] = [];
  isFenced = false;
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;

  constructor({ connection }: TestDatabase, pace: number | 'idle') {
    const values = [JSON.stringify(connection), String(pace)];
    this.child = spawn(process.execPath, ['--import', tsx, script, ...values], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.exited = once(this.child, 'exit');
    createInterface(this.child.stdout!).on('line', (line) => {
      if (line === 'fenced') this.isFenced = true;
      else this.acknowledged.push(Number(line));
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves to the exit code once the process has ended; to null if a signal ended it. */
  async ended(): Promise<number | null> {
    await this.exited;
    return this.child.exitCode;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

let database: TestDatabase;
let running: Sequencer[];
let children: WriterProcess[];

beforeEach(async () => {
  database = await testDatabase();
  await database.pool.query(COUNTER_TABLE);
  running = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) await child.kill();
  for (const sequencer of running) await sequencer.stop();
  await database.drop();
});

function createSequencer() {
  const log = recordingLog();
  const counter = new Counter(database.pool);
  const fenced: string[] = [];
  const sequencer = new Sequencer({
    connection: database.connection,
    reader: createKysely<unknown>(database.pool),
    secret: new Uint32Array([1, 2, 3, 4]),
    clock: new FakeClock(),
    events: new Events(log),
    log,
    onFenced: () => fenced.push('fenced'),
  });
  sequencer.join(counter);
  running.push(sequencer);
  const count = () => runStep(sequencer, 'count', {}, (step) => counter.add(step, 1));
  const hasLogged = (event: string) => log.lines.some((line) => line.event === event);
  return { sequencer, counter, fenced, log, count, hasLogged };
}

async function startSequencer() {
  const parts = createSequencer();
  await parts.sequencer.start();
  return parts;
}

const cutWriters = () => database.pool.query(`select pg_terminate_backend(pid) ${WRITER_SESSIONS}`);
const lostSequence = async () =>
  (await database.pool.query<{ lost: string | null }>('select lost_sequence::text as lost from writer'))
    .rows[0]!.lost;

describe('the lease of the writer', () => {
  it.each([
    ['works', 10],
    ['is idle', 'idle'],
  ] as const)(
    'SEQ-640 a frozen writer that %s is replaced without losing acknowledged steps, and stops when it resumes',
    async (_, pace) => {
      const old = new WriterProcess(database, pace);
      children.push(old);
      await eventually(() => expect(old.acknowledged.length).toBeGreaterThan(pace === 'idle' ? 0 : 20));
      const standby = createSequencer();
      const starting = standby.sequencer.start();
      await eventually(() => expect(standby.hasLogged('journal.waiting_as_standby')).toBe(true));
      old.signal('SIGSTOP');
      await starting;
      expect(standby.hasLogged('journal.silent_writer_ended')).toBe(true);
      const takenOverValue = standby.counter.value;
      expect(takenOverValue).toBeGreaterThanOrEqual(old.acknowledged.at(-1)!);
      expect(await standby.count()).toBe(takenOverValue + 1);
      old.signal('SIGCONT');
      expect(await old.ended()).toBe(0);
      expect(old.isFenced).toBe(true);
      // An answer that was sent before the process was frozen may arrive later, and is correct. The frozen writer has
      // stored nothing after that.
      expect(Math.max(...old.acknowledged)).toBeLessThanOrEqual(takenOverValue);
      expect(new Set(old.acknowledged).size).toBe(old.acknowledged.length);
      expect(await storedCount(database.pool)).toBe(takenOverValue + 1);
    },
  );

  it('SEQ-640 a writer that was frozen without a waiting standby continues normally', async () => {
    const alone = new WriterProcess(database, 10);
    children.push(alone);
    await eventually(() => expect(alone.acknowledged.length).toBeGreaterThan(5));
    alone.signal('SIGSTOP');
    await database.pool.query(`update writer set alive_at = clock_timestamp() - interval '1 hour'`);
    alone.signal('SIGCONT');
    const acknowledgedBefore = alone.acknowledged.length;
    await eventually(() => expect(alone.acknowledged.length).toBeGreaterThan(acknowledgedBefore + 5));
    expect(alone.isFenced).toBe(false);
  });

  it('SEQ-640 an idle writer renews its lease, and notices without a step that it was replaced', async () => {
    const { sequencer, fenced } = await startSequencer();
    const aliveAt = async () =>
      (await database.pool.query<{ at: string }>('select alive_at::text as at from writer')).rows[0]!.at;
    const first = await aliveAt();
    await eventually(async () => expect(await aliveAt()).not.toBe(first));
    await database.pool.query('update writer set epoch = epoch + 1, holder = gen_random_uuid()');
    await eventually(() => expect(fenced).toEqual(['fenced']));
    expect(sequencer.isRunning).toBe(false);
  });

  it('SEQ-640 an idle writer whose connection is cut becomes the writer again by itself', async () => {
    const { sequencer, counter, count } = await startSequencer();
    await cutWriters();
    await eventually(() => expect(counter.loads).toBe(2));
    await eventually(() => expect(sequencer.isRunning).toBe(true));
    expect(await count()).toBe(1);
  });

  it('SEQ-641 only sessions for which PostgreSQL does not work are ended: a slow database does not cost the lease', async () => {
    const { count } = await startSequencer();
    await count();
    const standby = new pg.Client(clientOptions(database.connection, 'a standby'));
    await standby.connect();
    const blocker = await database.pool.connect();
    try {
      // With a lease of zero length, this writer counts as silent at once. But its session is not ended, because
      // PostgreSQL is working for it: its commit waits for a row lock.
      await blocker.query('begin');
      await blocker.query('select from writer for update');
      const waiting = count();
      await eventually(async () => {
        const { rows } = await database.pool.query(`select wait_event_type ${WRITER_SESSIONS}`);
        expect(rows).toEqual([{ wait_event_type: 'Lock' }]);
      });
      expect(await endSilentWriter(standby, 0)).toBeUndefined();
      await blocker.query('commit');
      expect(await waiting).toBe(2);
      // The writer's session is idle. But the writer's row contains another start time than the session with the same
      // process id, so the row means another session, and none is ended.
      await database.pool.query(`update writer set backend_started_at = backend_started_at - interval '1 s'`);
      expect(await endSilentWriter(standby, 0)).toBeUndefined();
      await database.pool.query(`update writer set backend_started_at = backend_started_at + interval '1 s'`);
      await eventually(async () => expect(await endSilentWriter(standby, 0)).toBeDefined());
    } finally {
      blocker.release(true);
      await standby.end();
    }
  });

  it('SEQ-641 CLU-078 a database before its migration, or before rights are granted, has no lease', async () => {
    const empty = await testDatabase({ withSchema: false });
    const refused = new pg.Client(clientOptions(withRuntimeRole(empty.connection), 'a standby'));
    try {
      const client = await empty.pool.connect();
      expect(await endSilentWriter(client)).toBeUndefined();
      await client.query(
        `create table writer (backend int, backend_started_at timestamptz, alive_at timestamptz, lost_sequence bigint)`,
      );
      client.release();
      await refused.connect();
      await expect(refused.query('select from writer')).rejects.toMatchObject({ code: '42501' });
      expect(await endSilentWriter(refused)).toBeUndefined();
    } finally {
      await refused.end();
      await empty.drop();
    }
  });

  it.each([
    ['the lock alone became free', 290, false],
    ['the database was away', 1_990, true],
  ])('SEQ-641 a standby gives the running writer a head start after %s', async (_, leastMs, isAway) => {
    const writer = await database.pool.connect();
    await writer.query('select pg_advisory_lock(7301441882)');
    const standby = createSequencer();
    const starting = standby.sequencer.start();
    await eventually(() => expect(standby.hasLogged('journal.waiting_as_standby')).toBe(true));
    const freeMs = performance.now();
    if (isAway) await cutWriters();
    writer.release(true);
    await starting;
    expect(performance.now() - freeMs).toBeGreaterThan(leastMs);
  });
});

describe('a database that has forgotten steps', () => {
  const loseSteps = (epoch = 'epoch', holder = 'holder') =>
    database.pool.query(
      `begin; set local session_replication_role = replica; delete from step_journal where sequence > 2;
       update writer set sequence = 2, epoch = ${epoch}, holder = ${holder};
       update test_counter set value = 2; commit`,
    );

  async function afterFiveSteps() {
    const parts = await startSequencer();
    for (let step = 1; step <= 5; step += 1) expect(await parts.count()).toBe(step);
    return parts;
  }

  /**
   * Waits until the sequencer has halted. Returns the reason, whether the alarm is in the log, the answer to
   * a further step, the calls of `onFenced`, the recorded lost step, and the stored count.
   */
  async function haltOf({ sequencer, count, fenced, hasLogged }: Awaited<ReturnType<typeof startSequencer>>) {
    await eventually(() => expect(sequencer.haltedBecause).toBeDefined());
    return {
      why: sequencer.haltedBecause,
      isAlarmed: hasLogged('journal.head_behind'),
      answer: await count().catch(String),
      fenced,
      lost: await lostSequence(),
      stored: await storedCount(database.pool),
    };
  }
  const HALTED = {
    why: 'the database ends with step 2, but step 5 had been stored in it',
    isAlarmed: true,
    answer: expect.stringContaining('l.maintenance') as unknown,
    fenced: [],
    lost: '5',
    stored: 2,
  };

  it('SEQ-643 a database that lost steps in a failover halts this process, other processes and the next start', async () => {
    const parts = await afterFiveSteps();
    await loseSteps();
    await cutWriters();
    expect(await haltOf(parts)).toEqual(HALTED);
    await parts.sequencer.stop();
    const { sequencer } = createSequencer();
    await expect(sequencer.start()).rejects.toThrow(HeadBehind);
    await sequencer.stop();
    // Deletes the mark of lost steps, as an operator does after confirming that the data are correct.
    await database.pool.query('update writer set lost_sequence = null');
    const next = await startSequencer();
    expect(await next.count()).toBe(3);
  });

  it.each([
    ['the next batch', true],
    ['an idle writer', false],
  ])('SEQ-643 a database restored under a running server is detected by %s', async (_, hasStep) => {
    const parts = await afterFiveSteps();
    await loseSteps();
    // The step is refused because the sequencer halts, which `haltOf` checks.
    if (hasStep) await parts.count().catch(() => undefined);
    expect(await haltOf(parts)).toEqual(HALTED);
  });

  it('SEQ-643 a database from before this process was the writer counts as behind, not as taken over', async () => {
    const parts = await afterFiveSteps();
    await loseSteps('epoch - 1', 'gen_random_uuid()');
    await cutWriters();
    expect(await haltOf(parts)).toEqual(HALTED);
  });

  it('SEQ-643 another process that already writes to a database with lost steps is halted as well', async () => {
    const parts = await afterFiveSteps();
    await loseSteps();
    await parts.sequencer.stop();
    const otherProcess = await startSequencer();
    expect(await otherProcess.count()).toBe(3);
    await database.pool.query('update writer set lost_sequence = 5');
    await expect(otherProcess.count()).rejects.toThrow('l.maintenance');
    await eventually(() => expect(otherProcess.sequencer.haltedBecause).toBeDefined());
    expect(otherProcess.fenced).toEqual([]);
  });
});
