import { randomUUID } from 'node:crypto';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { Counter, counted, COUNTER_TABLE, storedCount } from '../../../testing/counter.ts';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { runSqlStep, runStep } from '../../../testing/run-step.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { createKysely } from '../database/pool.ts';
import { Events } from '../events.ts';
import { command } from './command.ts';
import { Sequencer } from './sequencer.ts';

describe('the sequencer', () => {
  let database: TestDatabase;
  let running: Sequencer[];

  beforeEach(async () => {
    database = await testDatabase();
    await database.pool.query(COUNTER_TABLE);
    running = [];
  });

  afterEach(async () => {
    for (const sequencer of running) await sequencer.stop();
    await database.drop();
  });

  async function start() {
    const log = recordingLog();
    const events = new Events(log);
    const published: number[] = [];
    events.on(counted, (value) => published.push(value));
    const counter = new Counter(database.pool);
    const fenced: string[] = [];
    const clock = new FakeClock();
    const sequencer = new Sequencer({
      connection: database.connection,
      reader: createKysely<unknown>(database.pool),
      secret: new Uint32Array([1, 2, 3, 4]),
      clock,
      events,
      log,
      onFenced: () => fenced.push('fenced'),
    });
    sequencer.join(counter);
    await sequencer.start();
    running.push(sequencer);
    return { sequencer, counter, published, fenced, log, clock };
  }

  const rowsOf = async (query: string) => (await database.pool.query<Record<string, unknown>>(query)).rows;
  const storedValue = () => storedCount(database.pool);

  it('SEQ-001 answers are given after the commit, and facts are published after it', async () => {
    const { sequencer, counter, published } = await start();
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => runStep(sequencer, 'count', {}, (step) => counter.add(step, 1))),
    );
    expect(answers).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
    expect(await storedValue()).toBe(500);
    expect(published).toEqual(answers);
    const committed = await database.pool.query<{ sequence: bigint }>('select sequence from writer');
    expect(Number(committed.rows[0]!.sequence)).toBe(500);
  });

  it('SEQ-002 a refused step leaves no trace and does not affect others', async () => {
    const { sequencer, counter, published } = await start();
    const refusing = runStep(sequencer, 'refuse', {}, (step) => {
      counter.add(step, 100);
      throw new Refused(refusal('closed', 'l.pair_closed'));
    });
    const [refused, counts] = await Promise.all([
      refusing.catch((cause: unknown) => cause),
      runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)),
    ]);
    expect(refused).toBeInstanceOf(Refused);
    expect(counts).toBe(1);
    expect(published).toEqual([1]);
    expect(await storedValue()).toBe(1);
  });

  it('SPOT-988 postponed steps run in order when their awaited work is done, while others run in between; a stop refuses them', async () => {
    const { sequencer } = await start();
    const executed: string[] = [];
    let isLeft = true;
    const named = (name: string, isPostponed: boolean) =>
      command({
        name,
        input: z.object({ name: z.string() }),
        ...(isPostponed
          ? { postponed: () => (isLeft ? { key: 'pair', isOver: () => !isLeft } : undefined) }
          : {}),
        run: (_step, { name: stepName }: { name: string }) => {
          executed.push(stepName);
          if (stepName === 'finish') isLeft = false;
        },
      });
    const [postponable, immediate] = [named('test.waits', true), named('test.passes', false)];
    sequencer.register([postponable, immediate]);
    await Promise.all([
      sequencer.execute(postponable, { name: 'first' }),
      sequencer.execute(postponable, { name: 'second' }),
      sequencer.execute(immediate, { name: 'other' }),
      sequencer.execute(immediate, { name: 'finish' }),
      sequencer.execute(immediate, { name: 'last' }),
    ]);
    expect(executed).toEqual(['other', 'finish', 'first', 'second', 'last']);
    isLeft = true;
    const stranded = sequencer.execute(postponable, { name: 'stranded' }).catch((cause: unknown) => cause);
    await sequencer.stop();
    running.length = 0;
    expect(await stranded).toBeInstanceOf(Refused);
  });

  it('SPOT-988 a step that waits too long is refused', async () => {
    const { sequencer, clock, counter } = await start();
    const waits = command({
      name: 'test.waits',
      input: z.object({}),
      postponed: () => ({ key: 'pair', isOver: () => false }),
      run: () => undefined,
    });
    sequencer.register([waits]);
    const turnedAway = sequencer.execute(waits, {}).catch((cause: unknown) => cause);
    await runStep(sequencer, 'count', {}, (step) => counter.add(step, 1));
    clock.advance(3_001);
    await runStep(sequencer, 'count', {}, (step) => counter.add(step, 1));
    expect(await turnedAway).toBeInstanceOf(Refused);
    expect(sequencer.queueLength).toBe(0);
  });

  it('SEQ-620 a refusal after a change that cannot be undone is a bug: state is reloaded and the step leaves nothing', async () => {
    const { sequencer, counter, published, log } = await start();
    const { loads } = counter;
    const late = runStep(sequencer, 'late', {}, (step) => {
      step.forbidRefusal();
      counter.value += 100;
      throw new Refused(refusal('closed', 'l.asset_halted'));
    });
    const [cause, count] = await Promise.all([
      late.catch((thrown: unknown) => thrown),
      runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)),
    ]);
    expect(cause).not.toBeInstanceOf(Refused);
    expect(String(cause)).toContain('refused after a change that cannot be undone');
    expect([count, counter.value, counter.loads]).toEqual([1, 1, loads + 1]);
    expect(published).toEqual([1]);
    expect(await storedValue()).toBe(1);
    expect(log.lines.some(({ event }) => event === 'sequencer.step_failed')).toBe(true);
    const withSql = runSqlStep(sequencer, 'late', {}, async (step) => {
      await sql`insert into test_counter values ('x', 1)`.execute(step.sql);
      step.forbidRefusal();
      throw new Refused(refusal('closed', 'l.asset_halted'));
    });
    await expect(withSql).rejects.toThrow('refused after a change that cannot be undone');
    expect(await rowsOf(`select 1 from test_counter where name = 'x'`)).toEqual([]);
    await eventually(() => expect(counter.loads).toBe(loads + 2));
  });

  it('SEQ-621 a step without changes is answered and not stored, with or without SQL; a step with a key is stored', async () => {
    const { sequencer, counter } = await start();
    await runStep(sequencer, 'count', {}, (step) => counter.add(step, 1));
    const journalState = () =>
      rowsOf(`select (select sequence::int from writer) as sequence, count(*)::int as batches,
        sum(length(steps))::int as characters from step_journal`);
    const before = await journalState();
    expect(before).toMatchObject([{ sequence: 1, batches: 1 }]);
    expect(await runStep(sequencer, 'look', { input: 'x'.repeat(1_000) }, () => counter.value)).toBe(1);
    const reading = runSqlStep(sequencer, 'look', { input: 'x'.repeat(1_000) }, async ({ sql: within }) => {
      await sql`update test_counter set value = 7 where name = 'nobody'`.execute(within);
      const { rows } = await sql<{ value: bigint }>`select value from test_counter for update`.execute(
        within,
      );
      return Number(rows[0]!.value);
    });
    expect(await reading).toBe(1);
    expect(await journalState()).toEqual(before);

    await runSqlStep(sequencer, 'change', {}, async ({ sql: within }) => {
      await sql`with made as (insert into test_counter values ('y', 1) returning 1) select * from made`.execute(
        within,
      );
    });
    expect(await rowsOf(`select 1 from test_counter where name = 'y'`)).toHaveLength(1);
    expect(await journalState()).toMatchObject([{ sequence: 2, batches: 2 }]);
    await runStep(sequencer, 'look', { actor: randomUUID(), key: 'k', input: 1 }, () => counter.value);
    expect(await journalState()).toMatchObject([{ sequence: 3, batches: 3 }]);
  });

  it('SEQ-621 an answer without changes is given when the state it was read from is stored', async () => {
    const { sequencer, counter } = await start();
    const answers: string[] = [];
    const adding = runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)).then(() =>
      answers.push('count'),
    );
    const reading = runStep(sequencer, 'look', {}, () => counter.value).then(async (value) => {
      answers.push('look');
      expect(await storedValue()).toBe(value);
    });
    await Promise.all([adding, reading]);
    expect(answers).toEqual(['count', 'look']);
  });

  it('SEQ-003 the same key has one effect and one answer: concurrently, later, and after a restart', async () => {
    const first = await start();
    const actor = randomUUID();
    const count = (instance: typeof first, input: unknown = { amount: 1 }) =>
      runStep(instance.sequencer, 'count', { actor, key: 'k1', input }, (step) => ({
        value: instance.counter.add(step, 1),
      }));
    const together = await Promise.all(Array.from({ length: 50 }, () => count(first)));
    expect(new Set(together.map(({ value }) => value))).toEqual(new Set([1]));
    expect(await count(first)).toEqual({ value: 1 });
    await first.sequencer.stop();
    const second = await start();
    expect(await count(second)).toEqual({ value: 1 });
    expect(await storedValue()).toBe(1);
    await expect(count(second, { amount: 2 })).rejects.toThrow('l.duplicate_key');
  });

  it('SEQ-004 a refusal does not use the key up', async () => {
    const { sequencer, counter } = await start();
    const options = { actor: randomUUID(), key: 'k', input: 1 };
    const refusing = () => {
      throw new Refused(refusal('closed', 'l.pair_closed'));
    };
    await expect(runStep(sequencer, 'count', options, refusing)).rejects.toThrow(Refused);
    expect(await runStep(sequencer, 'count', options, (step) => counter.add(step, 1))).toBe(1);
  });

  it('SEQ-005 a step with SQL sees rows of earlier steps, and a refusal is undone in SQL too', async () => {
    const { sequencer, counter } = await start();
    const plain = runStep(sequencer, 'count', {}, (step) => counter.add(step, 7));
    const read = runSqlStep(sequencer, 'read', {}, async (step) => {
      const result = await sql<{ value: bigint }>`select value from test_counter where name = 'c'`.execute(
        step.sql,
      );
      counter.add(step, 1);
      return Number(result.rows[0]?.value);
    });
    const refused = runSqlStep(sequencer, 'refuse', {}, async (step) => {
      await sql`insert into test_counter values ('other', 1)`.execute(step.sql);
      counter.add(step, 50);
      throw new Refused(refusal('closed', 'l.pair_closed'));
    }).catch((cause: unknown) => cause);
    const after = runSqlStep(sequencer, 'read', {}, async (step) => {
      const result = await sql<{ name: string }>`select name from test_counter`.execute(step.sql);
      return result.rows.map(({ name }) => name);
    });
    expect(await plain).toBe(7);
    expect(await read).toBe(7);
    expect(await refused).toBeInstanceOf(Refused);
    expect(await after).toEqual(['c']);
    expect(await storedValue()).toBe(8);
  });

  it('SEQ-006 a bug fails only its own step: state is reloaded and other steps continue', async () => {
    const { sequencer, counter, log } = await start();
    await runStep(sequencer, 'count', {}, (step) => counter.add(step, 1));
    const outcomes = await Promise.allSettled([
      runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)),
      runStep(sequencer, 'bug', {}, () => {
        counter.value = 999;
        throw new TypeError('a bug');
      }),
      runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await storedValue()).toBe(3);
    expect(counter.value).toBe(3);
    expect(log.lines.some(({ event }) => event === 'sequencer.step_failed')).toBe(true);
  });

  /**
   * Locks the writer's row and runs the step `first`, whose commit therefore waits in the database until
   * `release`. Steps that are executed meanwhile share the next batch.
   */
  async function holdCommit({ sequencer, counter }: Awaited<ReturnType<typeof start>>) {
    const client = await database.pool.connect();
    await client.query('begin; select 1 from writer for update');
    const first = runStep(sequencer, 'count', {}, (step) => counter.add(step, 1));
    await new Promise(setImmediate);
    return {
      first,
      release: async () => {
        await client.query('rollback');
        client.release();
      },
    };
  }

  const withKey = (key: string) => ({ actor: '00000000-0000-4000-8000-000000000001', key, input: 1 });

  it('SEQ-006 a bug discards its batch, and the other steps run again, including refused ones', async () => {
    const parts = await start();
    const { sequencer, counter, published } = parts;
    const { first, release } = await holdCommit(parts);
    const runs: string[] = [];
    const before = runStep(sequencer, 'count', withKey('before'), (step) => {
      return { step: step.sequence, value: counter.add(step, 10) };
    });
    await eventually(() => expect(counter.value).toBe(11));
    const settled = sequencer.settled();
    const submitted = [
      before,
      runStep(sequencer, 'refuse', withKey('refused'), (step) => {
        runs.push(`refused after ${counter.value}`);
        counter.add(step, 50);
        throw new Refused(refusal('closed', 'l.pair_closed'));
      }),
      runStep(sequencer, 'bug', withKey('bug'), (step) => {
        counter.add(step, 999);
        throw new TypeError('a bug');
      }),
      runStep(sequencer, 'count', withKey('after'), (step) => {
        return { step: step.sequence, value: counter.add(step, 100) };
      }),
    ];
    const outcomes = Promise.allSettled([first, ...submitted, settled]);
    await eventually(() => expect(sequencer.isRunning).toBe(false));
    await release();
    expect(await outcomes).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: { step: 2, value: 11 } },
      { status: 'rejected', reason: { refusal: { key: 'l.pair_closed' } } },
      { status: 'rejected', reason: { message: 'a bug' } },
      { status: 'fulfilled', value: { step: 3, value: 111 } },
      { status: 'rejected', reason: { refusal: { key: 'l.maintenance' } } },
    ]);
    expect(runs).toEqual(['refused after 11', 'refused after 11']);
    expect(published).toEqual([1, 11, 111]);
    expect([counter.value, await storedValue()]).toEqual([111, 111]);
    expect(await rowsOf('select sequence::int from writer')).toEqual([{ sequence: 3 }]);
    expect(await rowsOf('select key from idempotency order by key')).toEqual([
      { key: 'after' },
      { key: 'before' },
    ]);
    expect(JSON.stringify(await rowsOf('select steps from step_journal'))).not.toContain('bug');
    expect(await runStep(sequencer, 'bug', withKey('bug'), (step) => counter.add(step, 1))).toBe(112);
  });

  it('SEQ-006 a bug in a step with SQL rolls its transaction back, and the other steps run again', async () => {
    const { sequencer, counter, published } = await start();
    const write = (name: string, amount: number, cause?: Error) =>
      runSqlStep(sequencer, 'write', {}, async (step) => {
        await sql`insert into test_counter values (${name}, 1)`.execute(step.sql);
        const value = counter.add(step, amount);
        if (cause !== undefined) throw cause;
        return value;
      });
    const outcomes = await Promise.allSettled([
      write('one', 1),
      write('two', 10, new Refused(refusal('closed', 'l.pair_closed'))),
      write('three', 100, new TypeError('a bug')),
      write('four', 1_000),
    ]);
    expect(outcomes).toMatchObject([
      { value: 1 },
      { reason: { refusal: { key: 'l.pair_closed' } } },
      { reason: { message: 'a bug' } },
      { value: 1_001 },
    ]);
    expect(published).toEqual([1, 1_001]);
    expect(await rowsOf('select name from test_counter order by name')).toEqual(
      ['c', 'four', 'one'].map((name) => ({ name })),
    );
    expect(await storedValue()).toBe(1_001);
  });

  it('SEQ-006 a step that fails only in its rerun is answered as failed, and no other step is', async () => {
    const { sequencer, counter } = await start();
    let runs = 0;
    const outcomes = await Promise.allSettled([
      runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)),
      runStep(sequencer, 'second', {}, (step) => {
        counter.add(step, 10);
        runs += 1;
        if (runs > 1) throw new TypeError('a second bug');
      }),
      runStep(sequencer, 'bug', {}, () => {
        throw new TypeError('a bug');
      }),
      runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)),
    ]);
    expect(outcomes).toMatchObject([
      { value: 1 },
      { reason: { message: 'a second bug' } },
      { reason: { message: 'a bug' } },
      { value: 2 },
    ]);
    expect(await storedValue()).toBe(2);
  });

  it('SEQ-036 a caller that repeats a bug is refused for a minute, and other steps do not wait forever', async () => {
    const { sequencer, counter, clock } = await start();
    let runs = 0;
    const fail = (actor?: string) =>
      runStep(sequencer, 'bug', { actor }, (step) => {
        runs += 1;
        counter.add(step, 1);
        throw new TypeError('a bug');
      }).catch(String);
    const annasCalls = Array.from({ length: 8 }, () => fail('anna'));
    const queuedStep = runStep(sequencer, 'count', {}, (step) => counter.add(step, 1));
    expect((await Promise.all(annasCalls)).map((text) => text.includes('a bug'))).toEqual([
      true,
      true,
      true,
      ...Array<boolean>(5).fill(false),
    ]);
    expect(await queuedStep).toBe(1);
    expect([runs, counter.loads]).toEqual([3, 4]);
    expect(await fail('bert')).toContain('a bug');
    const isRunning = () => eventually(() => expect(sequencer.isRunning).toBe(true));
    await isRunning();
    clock.advance(59_000);
    expect(await fail('anna')).toContain('l.maintenance');
    clock.advance(1_000);
    expect(await fail('anna')).toContain('a bug');
    expect(await fail('anna')).toContain('l.maintenance');
    await isRunning();
    // A step that was run again too often is refused, so that its caller does not wait forever.
    const patient = runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)).catch(String);
    const others = ['c', 'd', 'e', 'f', 'g'].map((actor) => fail(actor));
    await Promise.all(others);
    expect(await patient).toContain('l.maintenance');
    expect(await storedValue()).toBe(1);
  });

  it('SEQ-037 after failStop a running commit is answered by its outcome, and nothing else is stored', async () => {
    const parts = await start();
    const { sequencer, counter, published } = parts;
    const { first, release } = await holdCommit(parts);
    const executed = runStep(sequencer, 'count', {}, (step) => counter.add(step, 10)).catch(String);
    await eventually(() => expect(counter.value).toBe(11));
    const queued = runSqlStep(sequencer, 'count', {}, async (step) => counter.add(step, 100)).catch(String);
    await new Promise(setImmediate);
    sequencer.failStop();
    const late = runStep(sequencer, 'count', {}, (step) => counter.add(step, 1_000)).catch(String);
    const refused = await Promise.all([executed, queued, late]);
    for (const answer of refused) expect(answer).toContain('l.maintenance');
    const stopped = sequencer.stop();
    await release();
    expect(await first).toBe(1);
    await stopped;
    expect(published).toEqual([1]);
    expect(await storedValue()).toBe(1);
  });

  it('SEQ-037 failStop during a step with SQL stores nothing of it', async () => {
    const { sequencer, counter } = await start();
    let resume = (): void => undefined;
    const waitingStep = runSqlStep(sequencer, 'count', {}, async (step) => {
      counter.add(step, 1);
      await sql`insert into test_counter values ('other', 1)`.execute(step.sql);
      await new Promise<void>((resolve) => (resume = resolve));
    }).catch(String);
    await eventually(() => expect(counter.value).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    sequencer.failStop();
    resume();
    expect(await waitingStep).toContain('l.maintenance');
    expect(await rowsOf('select * from test_counter')).toEqual([]);
  });

  it('SEQ-007 a batch that the database rejects is refused, and memory is restored', async () => {
    const { sequencer, counter } = await start();
    await runStep(sequencer, 'count', {}, (step) => counter.add(step, 5));
    await expect(runStep(sequencer, 'count', {}, (step) => counter.add(step, 2_000_000))).rejects.toThrow(
      'l.maintenance',
    );
    expect(await runStep(sequencer, 'count', {}, (step) => counter.add(step, 1))).toBe(6);
    expect(await storedValue()).toBe(6);
  });

  it('SEQ-015 a refusal is answered when the steps it depends on are stored, and is void when they are lost', async () => {
    const { sequencer, counter } = await start();
    const refuseAbove = (most: number) => {
      if (counter.value > most) throw new Refused(refusal('closed', 'l.pair_closed'));
    };
    const answers: string[] = [];
    const recordAnswer = (name: string, outcome: Promise<unknown>) =>
      outcome.then(
        () => answers.push(`${name} done`),
        (cause: unknown) => answers.push(`${name} ${(cause as Refused).refusal.key}`),
      );
    await Promise.all([
      recordAnswer(
        'count',
        runStep(sequencer, 'count', {}, (step) => counter.add(step, 5)),
      ),
      recordAnswer(
        'refusal',
        runStep(sequencer, 'refuse', {}, () => refuseAbove(4)),
      ),
    ]);
    expect(answers.splice(0)).toEqual(['count done', 'refusal l.pair_closed']);

    // The database rejects this batch, so a refusal that depends on the batch's state must not be answered.
    const lost = recordAnswer(
      'count',
      runStep(sequencer, 'count', {}, (step) => counter.add(step, 2_000_000)),
    );
    const inSameBatch = recordAnswer(
      'refusal',
      runStep(sequencer, 'refuse', {}, () => refuseAbove(5)),
    );
    await new Promise(setImmediate);
    expect(counter.value).toBe(2_000_005);
    const whileStoring = recordAnswer(
      'later refusal',
      runStep(sequencer, 'refuse', {}, () => refuseAbove(5)),
    );
    const settledAnswer = recordAnswer('look', sequencer.settled());
    await Promise.all([lost, inSameBatch, whileStoring, settledAnswer]);
    const lostAnswers = ['count l.maintenance', 'refusal l.maintenance', 'look l.maintenance'];
    expect(answers).toEqual(expect.arrayContaining(lostAnswers));
    // The later step may be refused, but also may have been executed successfully after the recovery.
    expect(answers.join()).not.toContain('l.pair_closed');
    await runStep(sequencer, 'refuse', {}, () => refuseAbove(5));
    await sequencer.settled();
  });

  it('SEQ-008 a batch that breaks an invariant is not stored', async () => {
    const { sequencer, counter } = await start();
    counter.broken = true;
    await expect(runStep(sequencer, 'count', {}, (step) => counter.add(step, 1))).rejects.toThrow(
      'l.maintenance',
    );
    expect(await storedValue()).toBe(0);
    expect(await runStep(sequencer, 'count', {}, (step) => counter.add(step, 1))).toBe(1);
  });

  it('SEQ-009 every answer agrees with the database after the connection is cut during work', async () => {
    const { sequencer, counter } = await start();
    const outcomes: Promise<number | undefined>[] = [];
    const cutting = setInterval(() => {
      void database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'exchange-writer' and datname = current_database()`,
      );
    }, 40);
    for (let round = 0; round < 60; round += 1) {
      for (let index = 0; index < 20; index += 1) {
        outcomes.push(runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)).catch(() => undefined));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    clearInterval(cutting);
    const answers = (await Promise.all(outcomes)).filter((answer) => answer !== undefined);
    expect(answers.length).toBeGreaterThan(0);
    expect(counter.loads).toBeGreaterThan(1);
    // Each acknowledged increment is stored exactly once, and no refused increment is stored.
    expect(new Set(answers).size).toBe(answers.length);
    expect(await storedValue()).toBe(answers.length);
  });

  it('SEQ-010 a standby waits for the lock and takes over, and the old writer is fenced', async () => {
    const old = await start();
    expect(await runStep(old.sequencer, 'count', {}, (step) => old.counter.add(step, 1))).toBe(1);
    const standby = start();
    const early = await Promise.race([
      standby.then(() => 'up'),
      new Promise((resolve) => setTimeout(resolve, 150, 'waiting')),
    ]);
    expect(early).toBe('waiting');
    await database.pool.query('update writer set epoch = epoch + 1, holder = gen_random_uuid()');
    await expect(runStep(old.sequencer, 'count', {}, (step) => old.counter.add(step, 1))).rejects.toThrow(
      'l.maintenance',
    );
    expect(old.fenced).toEqual(['fenced']);
    await old.sequencer.stop();
    const { sequencer, counter } = await standby;
    expect(await runStep(sequencer, 'count', {}, (step) => counter.add(step, 1))).toBe(2);
  });

  it('SEQ-011 ids of steps are unique, ordered by time and reproducible in a replay', async () => {
    const { sequencer } = await start();
    const clock = new FakeClock();
    const ids = await runStep(sequencer, 'ids', {}, (step) =>
      Array.from({ length: 6_000 }, () => step.newId()),
    );
    expect(new Set(ids).size).toBe(6_000);
    expect(
      ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true);
    expect(Number.parseInt(ids[0]!.replace('-', '').slice(0, 12), 16)).toBe(clock.now());
  });

  it('SEQ-012 no other step runs during a step that waits for SQL, and ids are unique', async () => {
    const { sequencer, counter } = await start();
    const waitingStep = runSqlStep(sequencer, 'refuse', {}, async (step) => {
      counter.add(step, 50);
      await sql`select pg_sleep(0.1)`.execute(step.sql);
      throw new Refused(refusal('closed', 'l.pair_closed'));
    }).catch((cause: unknown) => cause);
    await new Promise((resolve) => setTimeout(resolve, 40));
    const counting = Array.from({ length: 10 }, () =>
      runStep(sequencer, 'count', {}, (step) => ({ id: step.newId(), value: counter.add(step, 1) })),
    );
    const during = await Promise.all(counting);
    expect(await waitingStep).toBeInstanceOf(Refused);
    const after = await runStep(sequencer, 'count', {}, (step) => ({ id: step.newId() }));
    expect(during.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set([...during, after].map(({ id }) => id)).size).toBe(11);
    expect(await storedValue()).toBe(10);
  });

  it('SEQ-013 steps with SQL are all answered correctly when the connection is cut', async () => {
    const { sequencer, counter } = await start();
    const outcomes: Promise<boolean>[] = [];
    const cutting = setInterval(() => {
      void database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'exchange-writer' and datname = current_database()`,
      );
    }, 30);
    for (let round = 0; round < 80; round += 1) {
      outcomes.push(
        runSqlStep(sequencer, 'count', {}, async (step) => {
          await sql`select 1`.execute(step.sql);
          counter.add(step, 1);
        })
          .then(() => true)
          .catch(() => false),
      );
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    clearInterval(cutting);
    const done = (await Promise.all(outcomes)).filter((isDone) => isDone).length;
    expect(counter.loads).toBeGreaterThan(1);
    expect(await storedValue()).toBe(done);
  });

  it('SEQ-016 a caller whose commit was cut and cannot be looked up reads that the outcome is unknown', async () => {
    const parts = await start();
    const { sequencer, counter } = parts;
    const rival = await database.pool.connect();
    try {
      const { first, release } = await holdCommit(parts);
      const sent = first.catch(String);
      const later = runStep(sequencer, 'count', {}, (step) => counter.add(step, 10)).catch(String);
      await eventually(() => expect(counter.value).toBe(11));
      const lockTaken = rival.query('select pg_advisory_lock(7301441882)');
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'exchange-writer' and datname = current_database()`,
      );
      await lockTaken;
      await release();
      await eventually(() => expect(sequencer.isRunning).toBe(false));
      await sequencer.stop();
      expect(await sent).toContain('l.outcome_to_check');
      expect(await later).toContain('l.maintenance');
    } finally {
      rival.release(true);
    }
  });

  it('SEQ-014 the sequencer stops cleanly while it waits to become the writer again', async () => {
    const { sequencer, counter, fenced } = await start();
    const rival = await database.pool.connect();
    try {
      const lockTaken = rival.query('select pg_advisory_lock(7301441882)');
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'exchange-writer' and datname = current_database()`,
      );
      await lockTaken;
      const waiting = runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)).catch(String);
      const queued = runSqlStep(sequencer, 'count', {}, async (step) => counter.add(step, 1)).catch(String);
      await eventually(() => expect(sequencer.isRunning).toBe(false));
      await sequencer.stop();
      expect(await Promise.all([waiting, queued])).toEqual(
        Array(2).fill(expect.stringContaining('l.maintenance')),
      );
      expect(fenced).toEqual([]);
      expect(await storedValue()).toBe(0);
    } finally {
      rival.release(true);
    }
  });
});
