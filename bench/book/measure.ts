/**
 * Runs a single measurement of an order book in its own process, so that no book profits from another book's heap or
 * compiled code. The arguments are the name of the measurement and its parameters. Prints one line of JSON.
 */
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { contestant, type Contestant, type ContestantName } from './contestants.ts';
import { makeResting, makeStream, MIXES, type Mix, type Stream } from './streams.ts';

const SEED = 20_240_917;
const STREAM_LENGTH = 1_000_000;
const BATCH = 1_000;
const OPERATIONS_PER_TURN = 64;

const [measurement, first = '', second = '', third = '', fourth = ''] = process.argv.slice(2);
if (measurement === 'speed')
  speed(first as ContestantName, second, Number(third), Number(fourth || STREAM_LENGTH));
else if (measurement === 'totals') totalsAfter(first, Number(second));
else if (measurement === 'memory') memory(first as ContestantName, Number(second));
else if (measurement === 'stall') await stall(Number(first), Number(second));
else throw new Error(`nothing to measure called ${measurement}`);

/**
 * Prints how many thousand operations per second an order book executes over the first `most` operations of a
 * stream, or until `budgetMs` has passed, whichever is earlier, and the totals of the book then.
 */
function speed(name: ContestantName, mixName: string, budgetMs: number, most: number): void {
  const mix = mixNamed(mixName);
  const count = STREAM_LENGTH;
  // The compiler warms up with another stream and another book. Their memory is freed before the measurement.
  const warmup = 20_000;
  contestant(name, makeStream(mix, warmup, SEED + 1)).run(0, warmup);
  const book = contestant(name, makeStream(mix, count, SEED));
  collectGarbage();
  const startMs = performance.now();
  let done = 0;
  let elapsedMs = 0;
  while (done < Math.min(count, most) && elapsedMs < budgetMs) {
    book.run(done, done + BATCH);
    done += BATCH;
    elapsedMs = performance.now() - startMs;
  }
  print({ operations: done, elapsedMs, kiloPerSecond: done / elapsedMs, totals: book.totals() });
}

/**
 * Prints the number of trades, lots and resting orders of the exchange's order book after the first `operations`
 * operations. The caller compares them with those of a book that was stopped before the end of the stream.
 */
function totalsAfter(mixName: string, operations: number): void {
  const book = contestant('ours', makeStream(mixNamed(mixName), STREAM_LENGTH, SEED));
  book.run(0, operations);
  print({ totals: book.totals() });
}

function mixNamed(name: string): Mix {
  const mix = MIXES.find((candidate) => candidate.name === name);
  if (mix === undefined) throw new Error(`no mix called ${name}`);
  return mix;
}

/** Prints the heap bytes per resting order of an order book. */
function memory(name: ContestantName, orders: number): void {
  const stream = makeResting(orders, 500, SEED);
  const half = orders / 2;
  const book = contestant(name, stream);
  // Only the memory of the second half of the orders is measured, so that tables and compiled code that exist once for
  // each book do not count.
  book.run(0, half);
  const before = heapUsed();
  book.run(half, orders);
  const bytesPerOrder = (heapUsed() - before) / (orders - half);
  print({ bytesPerOrder, resting: book.totals().resting });
}

/**
 * Prints the duration in milliseconds of the longest turns of the event loop: one while the exchange's order
 * book grows to `orders` resting orders, and one while it then executes `operations` operations.
 */
async function stall(orders: number, operations: number): Promise<void> {
  const initial = makeResting(orders, 50_000, SEED);
  const work = makeStream(mixNamed('wide'), operations, SEED + 2);
  const book = contestant('ours', concatenated(initial, work));
  const growing = await longestTurn(book, 0, orders);
  const loaded = await longestTurn(book, orders, orders + operations);
  print({ resting: book.totals().resting, growingMs: growing, loadedMs: loaded });
}

async function longestTurn(book: Contestant, from: number, to: number): Promise<number> {
  let longest = 0;
  let before = performance.now();
  for (let at = from; at < to; at += OPERATIONS_PER_TURN) {
    book.run(at, Math.min(at + OPERATIONS_PER_TURN, to));
    await nextTurn();
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
  }
  return longest;
}

function concatenated(first: Stream, second: Stream): Stream {
  const prefix = (ids: string[]): string[] => ids.map((id) => `w${id}`);
  return {
    kinds: Uint8Array.from([...first.kinds, ...second.kinds]),
    ids: [...first.ids, ...prefix(second.ids)],
    owners: [...first.owners, ...second.owners],
    isBuy: Uint8Array.from([...first.isBuy, ...second.isBuy]),
    prices: Int32Array.from([...first.prices, ...second.prices]),
    lots: Int32Array.from([...first.lots, ...second.lots]),
  };
}

function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  globalThis.gc();
}

function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
