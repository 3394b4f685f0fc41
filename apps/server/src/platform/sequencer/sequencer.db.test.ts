import { randomUUID } from 'node:crypto';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { keptLog } from '../../../testing/silent-log.ts';
import { createKysely } from '../database/pool.ts';
import { eventKind, Events } from '../events.ts';
import { rowWriter } from './row-writer.ts';
import { Sequencer } from './sequencer.ts';
import type { Step } from './step.ts';

const counted = eventKind<number>('test.counted');
const counterWriter = rowWriter<{ name: string; value: number }>({
  table: 'test_counter',
  columns: { name: 'text', value: 'bigint' },
  cells: ({ name, value }) => [name, value],
  upsert: { key: ['name'], keyOf: ({ name }) => name, update: ['value'] },
});

/** A counter in memory whose state is a cache of one table: the smallest thing that can go wrong like a ledger. */
class Counter {
  readonly name = 'counter';
  value = 0;
  loads = 0;
  broken = false;
  private readonly database: TestDatabase;

  constructor(database: TestDatabase) {
    this.database = database;
  }

  async load(): Promise<void> {
    const found = await this.database.pool.query<{ value: bigint }>(
      `select value from test_counter where name = 'c'`,
    );
    this.value = Number(found.rows[0]?.value ?? 0);
    this.loads += 1;
  }

  verify(): string[] {
    const broken = this.broken ? ['C1'] : [];
    this.broken = false;
    return broken;
  }

  add(step: Step, amount: number): number {
    const before = this.value;
    this.value += amount;
    step.onUndo(() => {
      this.value = before;
    });
    step.write(counterWriter, { name: 'c', value: this.value });
    step.tell(counted, this.value);
    return this.value;
  }
}

describe('the sequencer', () => {
  let database: TestDatabase;
  let running: Sequencer[];

  beforeEach(async () => {
    database = await testDatabase();
    await database.pool.query(
      'create table test_counter (name text primary key, value bigint not null check (value < 1000000))',
    );
    running = [];
  });

  afterEach(async () => {
    for (const sequencer of running) await sequencer.stop();
    await database.drop();
  });

  async function start() {
    const log = keptLog();
    const events = new Events(log);
    const told: number[] = [];
    events.on(counted, (value) => told.push(value));
    const counter = new Counter(database);
    const fenced: string[] = [];
    const sequencer = new Sequencer({
      connection: database.connection,
      reader: createKysely<unknown>(database.pool),
      secret: new Uint32Array([1, 2, 3, 4]),
      clock: new FakeClock(),
      events,
      log,
      onFenced: () => fenced.push('fenced'),
    });
    sequencer.join(counter);
    await sequencer.start();
    running.push(sequencer);
    return { sequencer, counter, told, fenced, log };
  }

  const storedValue = async (): Promise<number> => {
    const found = await database.pool.query<{ value: bigint }>(
      `select value from test_counter where name = 'c'`,
    );
    return Number(found.rows[0]?.value ?? 0);
  };

  it('SEQ-001 answers only what is stored, and publishes only after the commit', async () => {
    const { sequencer, counter, told } = await start();
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => sequencer.run('count', {}, (step) => counter.add(step, 1))),
    );
    expect(answers).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
    expect(await storedValue()).toBe(500);
    expect(told).toEqual(answers);
    const committed = await database.pool.query<{ sequence: bigint }>('select sequence from writer');
    expect(Number(committed.rows[0]!.sequence)).toBe(500);
  });

  it('SEQ-002 a refused step leaves no trace and hinders no other', async () => {
    const { sequencer, counter, told } = await start();
    const refusing = sequencer.run('refuse', {}, (step) => {
      counter.add(step, 100);
      throw new Refused(refusal('closed', 'l.pair_closed'));
    });
    const [refused, counts] = await Promise.all([
      refusing.catch((cause: unknown) => cause),
      sequencer.run('count', {}, (step) => counter.add(step, 1)),
    ]);
    expect(refused).toBeInstanceOf(Refused);
    expect(counts).toBe(1);
    expect(told).toEqual([1]);
    expect(await storedValue()).toBe(1);
  });

  it('SEQ-003 the same key has one effect and one answer: at once, later, and after a restart', async () => {
    const first = await start();
    const actor = randomUUID();
    const ask = (from: typeof first, input: unknown = { amount: 1 }) =>
      from.sequencer.run('count', { actor, key: 'k1', input }, (step) => ({
        value: from.counter.add(step, 1),
      }));
    const together = await Promise.all(Array.from({ length: 50 }, () => ask(first)));
    expect(new Set(together.map(({ value }) => value))).toEqual(new Set([1]));
    expect(await ask(first)).toEqual({ value: 1 });
    await first.sequencer.stop();
    const second = await start();
    expect(await ask(second)).toEqual({ value: 1 });
    expect(await storedValue()).toBe(1);
    await expect(ask(second, { amount: 2 })).rejects.toThrow('l.duplicate_key');
  });

  it('SEQ-004 a refusal does not use the key up', async () => {
    const { sequencer, counter } = await start();
    const options = { actor: randomUUID(), key: 'k', input: 1 };
    const refusing = () => {
      throw new Refused(refusal('closed', 'l.pair_closed'));
    };
    await expect(sequencer.run('count', options, refusing)).rejects.toThrow(Refused);
    expect(await sequencer.run('count', options, (step) => counter.add(step, 1))).toBe(1);
  });

  it('SEQ-005 a step with SQL sees what earlier steps wrote, and its refusal is undone in SQL too', async () => {
    const { sequencer, counter } = await start();
    const plain = sequencer.run('count', {}, (step) => counter.add(step, 7));
    const seen = sequencer.runWithSql('read', {}, async (step) => {
      const found = await sql<{ value: bigint }>`select value from test_counter where name = 'c'`.execute(
        step.sql,
      );
      counter.add(step, 1);
      return Number(found.rows[0]?.value);
    });
    const refused = sequencer
      .runWithSql('refuse', {}, async (step) => {
        await sql`insert into test_counter values ('other', 1)`.execute(step.sql);
        counter.add(step, 50);
        throw new Refused(refusal('closed', 'l.pair_closed'));
      })
      .catch((cause: unknown) => cause);
    const after = sequencer.runWithSql('read', {}, async (step) => {
      const found = await sql<{ name: string }>`select name from test_counter`.execute(step.sql);
      return found.rows.map(({ name }) => name);
    });
    expect(await plain).toBe(7);
    expect(await seen).toBe(7);
    expect(await refused).toBeInstanceOf(Refused);
    expect(await after).toEqual(['c']);
    expect(await storedValue()).toBe(8);
  });

  it('SEQ-006 a bug fails alone: memory is read anew and the rest goes on', async () => {
    const { sequencer, counter, log } = await start();
    await sequencer.run('count', {}, (step) => counter.add(step, 1));
    const outcomes = await Promise.allSettled([
      sequencer.run('count', {}, (step) => counter.add(step, 1)),
      sequencer.run('bug', {}, () => {
        counter.value = 999;
        throw new TypeError('a bug');
      }),
      sequencer.run('count', {}, (step) => counter.add(step, 1)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await storedValue()).toBe(3);
    expect(counter.value).toBe(3);
    expect(log.lines.some(({ event }) => event === 'sequencer.step_failed')).toBe(true);
  });

  it('SEQ-007 a batch the database refuses is answered as not done, and nothing of it stays in memory', async () => {
    const { sequencer, counter } = await start();
    await sequencer.run('count', {}, (step) => counter.add(step, 5));
    await expect(sequencer.run('count', {}, (step) => counter.add(step, 2_000_000))).rejects.toThrow(
      'l.maintenance',
    );
    expect(await sequencer.run('count', {}, (step) => counter.add(step, 1))).toBe(6);
    expect(await storedValue()).toBe(6);
  });

  it('SEQ-015 a refusal that rests on a step is told when that step is stored, and never when it is lost', async () => {
    const { sequencer, counter } = await start();
    const refuseAbove = (most: number) => {
      if (counter.value > most) throw new Refused(refusal('closed', 'l.pair_closed'));
    };
    const told: string[] = [];
    const hear = (name: string, outcome: Promise<unknown>) =>
      outcome.then(
        () => told.push(`${name} done`),
        (cause: unknown) => told.push(`${name} ${(cause as Refused).refusal.key}`),
      );
    await Promise.all([
      hear(
        'count',
        sequencer.run('count', {}, (step) => counter.add(step, 5)),
      ),
      hear(
        'refusal',
        sequencer.run('refuse', {}, () => refuseAbove(4)),
      ),
    ]);
    expect(told.splice(0)).toEqual(['count done', 'refusal l.pair_closed']);

    // The database refuses the batch: what was refused because of it was refused for nothing.
    const lost = hear(
      'count',
      sequencer.run('count', {}, (step) => counter.add(step, 2_000_000)),
    );
    const inSameBatch = hear(
      'refusal',
      sequencer.run('refuse', {}, () => refuseAbove(5)),
    );
    await new Promise(setImmediate);
    expect(counter.value).toBe(2_000_005);
    const whileStoring = hear(
      'later refusal',
      sequencer.run('refuse', {}, () => refuseAbove(5)),
    );
    const look = hear('look', sequencer.settled());
    await Promise.all([lost, inSameBatch, whileStoring, look]);
    const taken = ['count l.maintenance', 'refusal l.maintenance', 'look l.maintenance'];
    expect(told).toEqual(expect.arrayContaining(taken));
    // The later one may also have been carried out after the recovery, when nothing stood in its way any more.
    expect(told.join()).not.toContain('l.pair_closed');
    await sequencer.run('refuse', {}, () => refuseAbove(5));
    await sequencer.settled();
  });

  it('SEQ-008 a batch that breaks an invariant is not stored', async () => {
    const { sequencer, counter } = await start();
    counter.broken = true;
    await expect(sequencer.run('count', {}, (step) => counter.add(step, 1))).rejects.toThrow('l.maintenance');
    expect(await storedValue()).toBe(0);
    expect(await sequencer.run('count', {}, (step) => counter.add(step, 1))).toBe(1);
  });

  it('SEQ-009 after its connection is cut in mid-work, every answer agrees with what is stored', async () => {
    const { sequencer, counter } = await start();
    const outcomes: Promise<number | undefined>[] = [];
    const cutting = setInterval(() => {
      void database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'exchange-writer' and datname = current_database()`,
      );
    }, 40);
    for (let round = 0; round < 60; round += 1) {
      for (let index = 0; index < 20; index += 1) {
        outcomes.push(sequencer.run('count', {}, (step) => counter.add(step, 1)).catch(() => undefined));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    clearInterval(cutting);
    const answers = (await Promise.all(outcomes)).filter((answer) => answer !== undefined);
    expect(answers.length).toBeGreaterThan(0);
    expect(counter.loads).toBeGreaterThan(1);
    // Every acknowledged count is there once, and nothing that was refused.
    expect(new Set(answers).size).toBe(answers.length);
    expect(await storedValue()).toBe(answers.length);
  });

  it('SEQ-010 a standby waits for the lock, takes over, and the old writer is fenced', async () => {
    const old = await start();
    expect(await old.sequencer.run('count', {}, (step) => old.counter.add(step, 1))).toBe(1);
    const standby = start();
    const early = await Promise.race([
      standby.then(() => 'up'),
      new Promise((resolve) => setTimeout(resolve, 150, 'waiting')),
    ]);
    expect(early).toBe('waiting');
    await database.pool.query('update writer set epoch = epoch + 1, holder = gen_random_uuid()');
    await expect(old.sequencer.run('count', {}, (step) => old.counter.add(step, 1))).rejects.toThrow(
      'l.maintenance',
    );
    expect(old.fenced).toEqual(['fenced']);
    await old.sequencer.stop();
    const { sequencer, counter } = await standby;
    expect(await sequencer.run('count', {}, (step) => counter.add(step, 1))).toBe(2);
  });

  it('SEQ-011 ids made in steps are unique, ordered by time and the same in a replay', async () => {
    const { sequencer } = await start();
    const clock = new FakeClock();
    const ids = await sequencer.run('ids', {}, (step) => Array.from({ length: 6_000 }, () => step.newId()));
    expect(new Set(ids).size).toBe(6_000);
    expect(
      ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true);
    expect(Number.parseInt(ids[0]!.replace('-', '').slice(0, 12), 16)).toBe(clock.now());
  });

  it('SEQ-012 nobody runs in the middle of a step that waits for SQL, and no id comes twice', async () => {
    const { sequencer, counter } = await start();
    const halfWay = sequencer
      .runWithSql('refuse', {}, async (step) => {
        counter.add(step, 50);
        await sql`select pg_sleep(0.1)`.execute(step.sql);
        throw new Refused(refusal('closed', 'l.pair_closed'));
      })
      .catch((cause: unknown) => cause);
    await new Promise((resolve) => setTimeout(resolve, 40));
    const counting = Array.from({ length: 10 }, () =>
      sequencer.run('count', {}, (step) => ({ id: step.newId(), value: counter.add(step, 1) })),
    );
    const during = await Promise.all(counting);
    expect(await halfWay).toBeInstanceOf(Refused);
    const after = await sequencer.run('count', {}, (step) => ({ id: step.newId() }));
    expect(during.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set([...during, after].map(({ id }) => id)).size).toBe(11);
    expect(await storedValue()).toBe(10);
  });

  it('SEQ-013 steps with SQL are all answered, and truly, when the connection is cut in their midst', async () => {
    const { sequencer, counter } = await start();
    const outcomes: Promise<boolean>[] = [];
    const cutting = setInterval(() => {
      void database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'exchange-writer' and datname = current_database()`,
      );
    }, 30);
    for (let round = 0; round < 80; round += 1) {
      outcomes.push(
        sequencer
          .runWithSql('count', {}, async (step) => {
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

  it('SEQ-014 stops in order while it waits to become the writer again', async () => {
    const { sequencer, counter, fenced } = await start();
    const rival = await database.pool.connect();
    try {
      const taken = rival.query('select pg_advisory_lock(7301441882)');
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'exchange-writer' and datname = current_database()`,
      );
      await taken;
      const waiting = sequencer.run('count', {}, (step) => counter.add(step, 1)).catch(String);
      const queued = sequencer.runWithSql('count', {}, async (step) => counter.add(step, 1)).catch(String);
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
