import { createHash } from 'node:crypto';
import type { OrderBook, Placement } from '../domain/book/contract.ts';
import type { Command, RandomCommands } from './random-commands.ts';

const READ_EVERY = 64;

export interface Comparison {
  /**
   * A description of the first difference between two order books; null when they agreed on
   * everything.
   */
  readonly difference: string | null;
  /** How often each result occurred, so that a test can require that all of them occurred. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/**
 * Runs the same random commands on two books. Compares each result, the open amounts at the prices of each command, the
 * quotes of some orders and, every 64 commands and at the end, the complete state: depth, best prices, all resting
 * orders in priority order, and `validate()`.
 */
export function compareBooks(
  real: OrderBook,
  reference: OrderBook,
  commands: RandomCommands,
  count: number,
): Comparison {
  const outcomes = new Map<string, number>();
  const differs = (difference: string): Comparison => ({ difference, outcomes });
  for (let step = 1; step <= count; step += 1) {
    const command = commands.next(reference.size);
    const quoted = command.kind === 'place' && step % 4 === 0;
    if (quoted) {
      const problem = mismatch(
        () => real.quote(command.order),
        () => reference.quote(command.order),
      );
      if (problem !== null) return differs(`step ${step}, quote ${show(command)}: ${problem}`);
    }
    const prices = pricesOf(reference, command);
    const problem = mismatch(
      () => run(real, command),
      () => run(reference, command),
      (answer) => countOutcome(outcomes, command, answer),
    );
    if (problem !== null) return differs(`step ${step}, ${show(command)}: ${problem}`);
    const amountProblem = mismatch(
      () => amountsAt(real, prices),
      () => amountsAt(reference, prices),
    );
    if (amountProblem !== null)
      return differs(`amounts after step ${step}, ${show(command)}: ${amountProblem}`);
    if (step % READ_EVERY === 0 || step === count) {
      const difference = readingMismatch(real, reference);
      if (difference !== null) return differs(`after step ${step}, ${show(command)}: ${difference}`);
    }
  }
  return { difference: null, outcomes };
}

/** A digest of all resting orders of both sides in priority order. */
export function stateHash(book: OrderBook): string {
  const hash = createHash('sha256');
  for (const side of ['buy', 'sell'] as const) {
    for (const { id, owner, price, amount } of book.resting(side)) {
      hash.update(`${side} ${id} ${owner} ${price} ${amount}\n`);
    }
  }
  return hash.digest('hex');
}

function run(book: OrderBook, command: Command): unknown {
  if (command.kind === 'place') return book.place(command.order);
  if (command.kind === 'cancel') return book.cancel(command.id);
  return book.amend(command.id, command.change);
}

/** The prices in ticks at which a command may add or remove an order: its own price and that of its resting order. */
function pricesOf(book: OrderBook, command: Command): readonly bigint[] {
  const prices =
    command.kind === 'place'
      ? [command.order.price]
      : [book.get(command.id)?.price, command.kind === 'amend' ? command.change.price : undefined];
  return prices.filter((price) => price !== undefined && price !== null);
}

function amountsAt(book: OrderBook, prices: readonly bigint[]): unknown {
  return prices.map((price) => [book.amountAt('buy', price), book.amountAt('sell', price)]);
}

function readingMismatch(real: OrderBook, reference: OrderBook): string | null {
  const problems = [...real.validate(), ...reference.validate()];
  if (problems.length > 0) return problems.join('; ');
  return mismatch(
    () => readAll(real),
    () => readAll(reference),
  );
}

function readAll(book: OrderBook): unknown {
  const bids = [...book.resting('buy')];
  return {
    size: book.size,
    depth: book.depth(Number.MAX_SAFE_INTEGER),
    top: book.depth(5),
    bestBid: book.best('buy'),
    bestAsk: book.best('sell'),
    bids,
    asks: [...book.resting('sell')],
    got: bids.length === 0 ? null : book.get(bids[0]!.id),
  };
}

/**
 * Null when both calls return the same, both throw a `RangeError`, or both throw another error with the same
 * text; otherwise a description of the difference.
 */
function mismatch(
  real: () => unknown,
  reference: () => unknown,
  onAnswer?: (answer: unknown) => void,
): string | null {
  const actual = resultOf(real);
  const expected = resultOf(reference);
  onAnswer?.(expected);
  return isEqual(actual, expected) ? null : `${show(actual)} instead of ${show(expected)}`;
}

function resultOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    // All `RangeError`s count as the same result, whatever their messages. If only one book throws one, the results
    // differ. Other errors are compared by their text.
    return error instanceof RangeError ? 'RangeError' : String(error);
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!isEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function countOutcome(outcomes: Map<string, number>, command: Command, answer: unknown): void {
  const key = `${command.kind} ${nameOf(answer)}`;
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
}

/**
 * Names the result of a command for counting: outcome and reason of a placement or amendment, `done` or `unknown` for a
 * cancellation that found its order or not, `refused` for an error.
 */
function nameOf(answer: unknown): string {
  if (answer === null) return 'unknown';
  if (typeof answer !== 'object') return 'refused';
  const { outcome, reason } = answer as Partial<Placement>;
  if (outcome === undefined) return 'done';
  return reason === null || reason === undefined ? outcome : `${outcome}/${reason}`;
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}
