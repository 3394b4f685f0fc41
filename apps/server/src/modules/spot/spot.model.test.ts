import { instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { NaiveBook } from '../matching/testing/naive-book.ts';
import { byForm } from '../../../../../tools/test-form.ts';
import { play, type PassedRun } from './testing/playing.ts';
import { RealExchange } from './testing/real-exchange.ts';

const COMMANDS = byForm(1_200, 5_000);
/** Number of random seeds, and of commands per seed, that also run on the slow reference order book. */
const NAIVE_BOOK_SEEDS = byForm(1, 8);
const NAIVE_BOOK_COMMANDS = 1_500;

async function played(...game: Parameters<typeof play>): Promise<PassedRun> {
  const result = await play(...game);
  if ('difference' in result) throw new Error(result.difference);
  return result;
}

/** Runs the commands of a journal on a new exchange. */
async function replay(journal: readonly string[]): Promise<RealExchange> {
  const exchange = await RealExchange.create();
  for (const line of journal) {
    const [sequence, now, operation, input] = JSON.parse(line) as [number, number, string, unknown];
    const { refused } = exchange.runRecorded(sequence, instant(now), operation, input);
    if (refused !== undefined) throw new Error(`${line} is refused: ${refused}`);
  }
  return exchange;
}

const parsed = (line: string): unknown => JSON.parse(line);

describe('the spot core without a database', () => {
  it('SPOT-021 SPOT-202 the same commands lead to the same state, different commands to a different state', async () => {
    const [first, second, other] = [
      await played(42, COMMANDS),
      await played(42, COMMANDS),
      await played(43, COMMANDS),
    ];
    expect(first.real.openOrders().length).toBeGreaterThan(5);
    expect(first.real.hash()).toBe(second.real.hash());
    expect(first.real.journal).toEqual(second.real.journal);
    expect(first.real.hash()).not.toBe(other.real.hash());
  }, 180_000);

  it('SPOT-022 has the same answers, orders and balances with the naive book', async () => {
    const withNaiveBook = () => RealExchange.create(() => new NaiveBook());
    for (let seed = 201; seed < 201 + NAIVE_BOOK_SEEDS; seed += 1) {
      const naive = await played(seed, NAIVE_BOOK_COMMANDS, withNaiveBook);
      const real = await played(seed, NAIVE_BOOK_COMMANDS);
      expect(naive.real.hash()).toBe(real.real.hash());
    }
  }, 180_000);

  it('SPOT-203 replaying the journal leads to the same state, with any restarts in between', async () => {
    for (const seed of byForm([301], [301, 302, 303])) {
      const { real, coverage } = await played(seed, COMMANDS);
      expect(coverage.counts.get('restart')).toBeGreaterThan(0);
      const replayedExchange = await replay(real.journal);
      expect(replayedExchange.hash()).toBe(real.hash());
      expect(replayedExchange.journal.map(parsed)).toEqual(real.journal.map(parsed));
    }
  }, 180_000);
});
