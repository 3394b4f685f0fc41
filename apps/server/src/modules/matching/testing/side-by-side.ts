import { createHash } from 'node:crypto';
import type { OrderBook, Placement } from '../domain/book/contract.ts';
import type { Command, RandomCommands } from './random-commands.ts';

const READ_EVERY = 64;

export interface Comparison {
  /** What differed first, as a sentence; null when the books agreed throughout. */
  readonly difference: string | null;
  /** How often each outcome came, to show that a run visited them all. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/**
 * Gives two books the same random commands and compares each answer, and every 64 commands all they show:
 * full depth, best, every resting order in priority order, and their own `validate()`.
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
    const problem = mismatch(
      () => run(real, command),
      () => run(reference, command),
      (answer) => countOutcome(outcomes, command, answer),
    );
    if (problem !== null) return differs(`step ${step}, ${show(command)}: ${problem}`);
    if (step % READ_EVERY === 0 || step === count) {
      const seen = readingMismatch(real, reference);
      if (seen !== null) return differs(`after step ${step}, ${show(command)}: ${seen}`);
    }
  }
  return { difference: null, outcomes };
}

/** A digest of every resting order of both sides in priority order. */
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

/** Null when both answer the same or both throw a `RangeError`; any other error is a difference. */
function mismatch(
  real: () => unknown,
  reference: () => unknown,
  onAnswer?: (answer: unknown) => void,
): string | null {
  const ours = attempt(real);
  const theirs = attempt(reference);
  onAnswer?.(theirs);
  return same(ours, theirs) ? null : `${show(ours)} instead of ${show(theirs)}`;
}

function attempt(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    // A refused order is an answer as good as any; everything else is told apart by its message.
    return error instanceof RangeError ? 'RangeError' : String(error);
  }
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function countOutcome(outcomes: Map<string, number>, command: Command, answer: unknown): void {
  const key = `${command.kind} ${nameOf(answer)}`;
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
}

/** A placement by its outcome and reason; else whether a cancel found something or the order was refused. */
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
