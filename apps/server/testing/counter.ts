import type pg from 'pg';
import { eventKind } from '../src/platform/events.ts';
import { rowWriter } from '../src/platform/sequencer/row-writer.ts';
import type { Step } from '../src/platform/sequencer/step.ts';

/** Event with the counter's new value, published after each commit. */
export const counted = eventKind<number>('test.counted');

export const COUNTER_TABLE =
  'create table test_counter (name text primary key, value bigint not null check (value < 1000000))';

const counterWriter = rowWriter<{ name: string; value: number }>({
  table: 'test_counter',
  columns: { name: 'text', value: 'bigint' },
  cells: ({ name, value }) => [name, value],
  upsert: { key: ['name'], keyOf: ({ name }) => name, update: ['value'] },
});

/**
 * A minimal sequencer participant (state in memory that the sequencer loads and reloads): a counter that caches one
 * table row. After `broken` was set, the next `verify` reports a problem, as the ledger does for an inconsistent state.
 */
export class Counter {
  readonly name = 'counter';
  value = 0;
  loads = 0;
  broken = false;
  private readonly pool: Pick<pg.Pool, 'query'>;

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.pool = pool;
  }

  async load(): Promise<void> {
    this.value = await storedCount(this.pool);
    this.loads += 1;
  }

  verify(): string[] {
    const problems = this.broken ? ['C1'] : [];
    this.broken = false;
    return problems;
  }

  add(step: Step, amount: number): number {
    const previous = this.value;
    this.value += amount;
    step.onUndo(() => {
      this.value = previous;
    });
    step.write(counterWriter, { name: 'c', value: this.value });
    step.publish(counted, this.value);
    return this.value;
  }
}

/** Returns the stored value of the test counter; zero before the first step. */
export async function storedCount(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ value: bigint }>(`select value from test_counter where name = 'c'`);
  return Number(rows[0]?.value ?? 0);
}
