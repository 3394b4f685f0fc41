import { describe, expect, it } from 'vitest';
import { byForm } from '../../../../../../../tools/test-form.ts';
import { NaiveBook } from '../../testing/naive-book.ts';
import { NumberedIcebergs } from '../../testing/numbered-icebergs.ts';
import { RandomCommands } from '../../testing/random-commands.ts';
import { DEEP, SHAPES } from '../../testing/shapes.ts';
import { compareBooks, stateHash } from '../../testing/side-by-side.ts';
import { PriceTimeBook } from './price-time-book.ts';

const COMMANDS = byForm(40_000, 1_000_000);
const SEEDS_PER_SHAPE = 10;
const COMMANDS_PER_RUN = COMMANDS / SEEDS_PER_SHAPE / SHAPES.length;

/**
 * Every result that a command of the order book can have; a run is valid only when each of them
 * occurred.
 */
const ALL_ANSWERS = [
  'place rested',
  'place filled',
  'place partly/noLiquidity',
  'place partly/limitReached',
  'place partly/guardReached',
  'place partly/selfTrade',
  'place cancelled/noLiquidity',
  'place cancelled/limitReached',
  'place cancelled/guardReached',
  'place cancelled/selfTrade',
  'place cancelled/totalTooSmall',
  'place rejected/wouldCross',
  'place rejected/cannotFill',
  'place rejected/selfTrade',
  'place rejected/totalTooSmall',
  'place refused',
  'amend rested',
  'amend filled',
  'amend partly/selfTrade',
  'amend cancelled/selfTrade',
  'amend rejected/wouldCross',
  'amend rejected/unknownOrder',
  'amend refused',
  'cancel done',
  'cancel unknown',
];

describe('the book compared with the naive book', () => {
  it('MATCH-019 both return the same results, depth and queues over random commands, a million in the long form', () => {
    const occurred = new Set<string>();
    for (const shape of SHAPES) {
      for (let seed = 1; seed <= SEEDS_PER_SHAPE; seed += 1) {
        const commands = new RandomCommands(shape, seed);
        const run = compareBooks(new PriceTimeBook(), new NaiveBook(), commands, COMMANDS_PER_RUN);
        expect(run.difference, `${shape.name}, seed ${seed}`).toBeNull();
        for (const answer of run.outcomes.keys()) occurred.add(answer);
      }
    }
    expect([...occurred]).toEqual(expect.arrayContaining(ALL_ANSWERS));
  }, 120_000);

  it('MATCH-019 both agree on a book of thousands of levels', () => {
    const commands = new RandomCommands(DEEP, 77);
    const real = new PriceTimeBook();
    const reference = new NaiveBook();
    for (let count = 0; count < DEEP.mostOrders; count += 1) {
      const order = commands.passive();
      if (real.get(order.id) !== null) continue;
      real.restore(order);
      reference.restore(order);
    }
    expect(real.depth(DEEP.mostOrders).asks.length).toBeGreaterThan(1_000);
    expect(compareBooks(real, reference, commands, 4_000).difference).toBeNull();
  }, 60_000);

  it('ALGO-036 MATCH-019 both replace filled orders by the next slices of icebergs, and quote what they would trade', () => {
    for (const shape of SHAPES) {
      for (let seed = 1; seed <= SEEDS_PER_SHAPE; seed += 1) {
        const [real, reference] = [new PriceTimeBook(), new NaiveBook()];
        real.replenishFrom(new NumberedIcebergs());
        reference.replenishFrom(new NumberedIcebergs());
        const run = compareBooks(
          real,
          reference,
          new RandomCommands(shape, 500 + seed),
          COMMANDS_PER_RUN / 2,
        );
        expect(run.difference, `${shape.name}, seed ${seed}`).toBeNull();
      }
    }
  }, 120_000);

  it('MATCH-020 the same commands lead to the same state, different commands to a different state', () => {
    const hashAfter = (seed: number): string => {
      const book = new PriceTimeBook();
      const commands = new RandomCommands(SHAPES[2]!, seed);
      for (let count = 0; count < 5_000; count += 1) {
        const command = commands.next(book.size);
        try {
          if (command.kind === 'place') book.place(command.order);
          else if (command.kind === 'cancel') book.cancel(command.id);
          else book.amend(command.id, command.change);
        } catch (error) {
          // The stream contains invalid orders, which the book refuses with a `RangeError`; any other error fails the
          // test.
          if (!(error instanceof RangeError)) throw error;
        }
      }
      expect(book.size).toBeGreaterThan(20);
      return stateHash(book);
    };
    expect(hashAfter(5)).toBe(hashAfter(5));
    expect(hashAfter(5)).not.toBe(hashAfter(6));
  });
});
