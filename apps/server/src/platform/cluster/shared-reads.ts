import type { Clock } from '../clock.ts';
import { RecentTimes } from '../recent-times.ts';
import type { TextAnswer } from './commands.ts';

/** A caller that waits for an answer. */
interface Waiting<Caller> {
  readonly caller: Caller;
  resolve(answer: TextAnswer): void;
  reject(cause: unknown): void;
}

/** The answers to a command for several callers. */
export interface SharedAnswer {
  readonly first: TextAnswer;
  /**
   * The answer of each other caller, in the order in which they were sent; undefined if the writer has executed the
   * command for the first caller only.
   */
  readonly others: readonly TextAnswer[] | undefined;
}

/**
 * Sends a command for `first` that reads, and names the other callers. Rejects if the writer does not answer.
 */
export type SendShared<Caller> = (first: Caller, others: readonly Caller[]) => Promise<SharedAnswer>;

export interface SharedReadsOptions<Caller> {
  readonly send: SendShared<Caller>;
  /** Returns the address group of a caller. */
  readonly groupOf: (caller: Caller) => string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Called with the number of callers that were answered by the command of another. */
  readonly onShared: ((count: number) => void) | undefined;
}

/** Maximum number of callers of a command. It bounds the size of the message and of its answer. */
const CALLERS_MAX = 256;
/**
 * Milliseconds after a refusal of an address group in which its callers are named after others, because the refusal of
 * the first caller is not for the others.
 */
const LAST_AFTER_REFUSAL_MS = 10_000;
const REFUSED_GROUPS_MAX = 10_000;
const OK = 200;

/**
 * Sends identical reads of several callers to the writer as one command. While a command of a key is unanswered, further
 * callers wait, and the next command reads for all of them. A caller gets only an answer to a command that was sent
 * after its call arrived, so nobody gets an older answer than without sharing; a call waits at most for the
 * answer to one earlier command.
 */
export class SharedReads<Caller> {
  private readonly options: SharedReadsOptions<Caller>;
  /** The callers that wait for the next command of a key. A key is present while a command of it is unanswered. */
  private readonly waiting = new Map<string, Waiting<Caller>[]>();
  /** Monotonic times in milliseconds at which callers of an address group were last refused. */
  private readonly refusedAt = new RecentTimes(REFUSED_GROUPS_MAX);

  constructor(options: SharedReadsOptions<Caller>) {
    this.options = options;
  }

  /** Resolves to the answer to a read. Calls with the same `key` must have the same answer at the same moment. */
  read(key: string, caller: Caller): Promise<TextAnswer> {
    return new Promise((resolve, reject) => {
      const entry = { caller, resolve, reject };
      const waiting = this.waiting.get(key);
      if (waiting !== undefined) {
        waiting.push(entry);
        return;
      }
      this.waiting.set(key, []);
      void this.run(key, [entry]);
    });
  }

  private async run(key: string, entries: readonly Waiting<Caller>[]): Promise<void> {
    try {
      await this.readFor(entries);
    } catch (cause) {
      // Without an answer within the time of a command, those that wait are not made to wait as long once more.
      const waiting = this.waiting.get(key) ?? [];
      this.waiting.delete(key);
      for (const entry of [...entries, ...waiting]) entry.reject(cause);
      return;
    }
    const waiting = this.waiting.get(key) ?? [];
    if (waiting.length === 0) {
      this.waiting.delete(key);
      return;
    }
    this.waiting.set(key, waiting.slice(CALLERS_MAX));
    void this.run(key, waiting.slice(0, CALLERS_MAX));
  }

  /** Sends one command for all callers. Callers to whom its answer does not apply get a command each. */
  private async readFor(entries: readonly Waiting<Caller>[]): Promise<void> {
    const [first, ...others] = this.refusedLast(entries);
    if (first === undefined) return;
    const { send, onShared } = this.options;
    const answer = await send(
      first.caller,
      others.map(({ caller }) => caller),
    );
    this.resolve(first, answer.first);
    if (others.length === 0) return;
    if (answer.others === undefined || answer.others.length !== others.length) {
      await Promise.all(others.map((entry) => this.readFor([entry])));
      return;
    }
    for (const [index, other] of answer.others.entries()) {
      const entry = others[index];
      if (entry !== undefined) this.resolve(entry, other);
    }
    onShared?.(others.length);
  }

  private resolve(entry: Waiting<Caller>, answer: TextAnswer): void {
    const { groupOf, clock } = this.options;
    if (answer.status !== OK) this.refusedAt.set(groupOf(entry.caller), clock.monotonicMs());
    entry.resolve(answer);
  }

  private refusedLast(entries: readonly Waiting<Caller>[]): readonly Waiting<Caller>[] {
    const { groupOf, clock } = this.options;
    const sinceMs = clock.monotonicMs() - LAST_AFTER_REFUSAL_MS;
    const wasRefused = ({ caller }: Waiting<Caller>) =>
      (this.refusedAt.get(groupOf(caller)) ?? sinceMs) > sinceMs;
    if (entries.length === 1 || !entries.some(wasRefused)) return entries;
    return [...entries.filter((entry) => !wasRefused(entry)), ...entries.filter(wasRefused)];
  }
}
