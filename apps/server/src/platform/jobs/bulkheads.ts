import { Refused } from '@exchange/core/refusal.ts';
import { HOUR_MS, later, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import { errorMessage } from '../error-message.ts';
import type { ComponentHealth } from '../health/health.ts';
import type { Log } from '../log.ts';

/**
 * Pause in milliseconds after the first failure of an item of due work. It doubles with each further failure, up to
 * `MAX_PAUSE_MS`.
 */
const INITIAL_PAUSE_MS = 30 * SECOND_MS;
const MAX_PAUSE_MS = HOUR_MS;
/**
 * Milliseconds after the end of its pause within which a failed item must be tried again. Otherwise it counts as no
 * longer due, and its failures are forgotten.
 */
const FORGOTTEN_AFTER_MS = 10 * MINUTE_MS;
/**
 * Maximum number of failing items that are recorded per kind of due work. If there are more, the item whose last
 * failure is the oldest is forgotten, so that it is tried again without a pause.
 */
const FAILING_MOST = 1_000;
/** Maximum number of failing items that the health check lists. */
const NAMED_MOST = 20;

/** An item of due work whose last attempt failed. */
export interface FailingItem {
  readonly work: string;
  readonly key: string;
  readonly failures: number;
  readonly since: Instant;
  readonly retryAt: Instant;
  readonly cause: string;
}

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * All bulkheads of the process. A bulkhead isolates the items of one kind of due work, so that the failure of an item
 * does not stop others. Provides their health and metrics.
 */
export class Bulkheads {
  private readonly parts: Parts;
  private readonly works = new Map<string, Bulkhead>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Returns the bulkhead of a kind of due work, e.g. `finance interest`. It is the same object at each call. */
  bulkheadOf(work: string): Bulkhead {
    const existing = this.works.get(work);
    if (existing !== undefined) return existing;
    const bulkhead = new Bulkhead(work, this.parts);
    this.works.set(work, bulkhead);
    return bulkhead;
  }

  /** Returns all failing items of due work, the longest failing first. */
  failing(): FailingItem[] {
    const items = [...this.works.values()].flatMap((bulkhead) => bulkhead.failing());
    return items.toSorted((left, right) => left.since - right.since);
  }

  /** Returns the number of failing items per kind of due work, including kinds with 0. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.works].map(([work, bulkhead]) => [work, bulkhead.failing().length]));
  }

  /**
   * Returns the health of due work. It is down while any item fails. It lists at most `NAMED_MOST` items, the
   * longest failing first, with their last error and next attempt.
   */
  health(): ComponentHealth {
    const items = this.failing();
    const facts = { failing: items.length };
    const [first] = items;
    if (first === undefined) return { isUp: true, facts };
    return {
      isUp: false,
      reason: `${items.length} due items fail, the oldest is ${first.work} ${first.key}: ${first.cause}`,
      facts,
      rows: items.slice(0, NAMED_MOST).map(({ work, key, failures, since, retryAt, cause }) => ({
        work,
        item: key,
        failures: String(failures),
        since: new Date(since).toISOString(),
        retry: new Date(retryAt).toISOString(),
        cause,
      })),
    };
  }
}

/**
 * Isolates the items of a kind of due work: a failing item is reported and paused, for longer with each failure, while
 * other items are processed. Errors of the whole exchange, such as an unreachable database, are not attributed to an
 * item and are thrown. Pauses are stored in memory only, so after a restart all items are tried again.
 */
export class Bulkhead {
  private readonly work: string;
  private readonly parts: Parts;
  private readonly items = new Map<string, FailingItem>();

  constructor(work: string, parts: Parts) {
    this.work = work;
    this.parts = parts;
  }

  /** Returns the failing items of due work that still count as due. */
  failing(): FailingItem[] {
    const now = this.parts.clock.now();
    for (const [key, { retryAt }] of this.items)
      if (now - retryAt > FORGOTTEN_AFTER_MS) this.items.delete(key);
    return [...this.items.values()];
  }

  /** Ends the pause of a failed item, because its circumstances have changed. The next run tries it again. */
  retryNow(key: string): void {
    const item = this.items.get(key);
    if (item !== undefined) this.items.set(key, { ...item, retryAt: this.parts.clock.now() });
  }

  /**
   * Calls `run` for each item that is not paused, one after another. The failure of an item is recorded; only errors of
   * the whole exchange are thrown.
   */
  async each<Item>(
    items: readonly Item[],
    keyOf: (item: Item) => string,
    run: (item: Item) => Promise<unknown>,
  ): Promise<void> {
    for (const item of items) {
      const key = keyOf(item);
      if (this.isPausing(key)) continue;
      try {
        await run(item);
        this.succeeded(key);
      } catch (cause) {
        this.failed(key, cause);
      }
    }
  }

  /**
   * Runs items together in one step. If the step fails, splits them in halves until the failing items are alone. Errors
   * of the whole exchange, such as an unreachable database, are thrown instead. Items that failed before are run alone.
   * `actor`, undefined for the first step, identifies the attempt to the sequencer, which refuses actors that fail
   * repeatedly. Resolves to the numbers of items that `run` reports as processed (`done`) and of tried ones, and to the
   * items that remain due because they failed or are paused (`left`). Callers that read further due items must skip
   * those in `left`, which are still due.
   */
  async together<Item>(
    items: readonly Item[],
    keyOf: (item: Item) => string,
    run: (items: readonly Item[], actor: string | undefined) => Promise<{ readonly done: number }>,
  ): Promise<{ readonly done: number; readonly tried: number; readonly left: readonly Item[] }> {
    const due = items.filter((item) => !this.isPausing(keyOf(item)));
    const failedBefore = due.filter((item) => this.items.has(keyOf(item)));
    const untried = due.filter((item) => !this.items.has(keyOf(item)));
    let done = await this.runInHalves(untried, keyOf, run, undefined);
    for (const item of failedBefore)
      done += await this.runInHalves([item], keyOf, run, this.actorOf(keyOf(item)));
    // The remaining items are those that have failed just now, and those that were not tried. Both are paused after a
    // failure.
    return { done, tried: due.length, left: items.filter((item) => this.isPausing(keyOf(item))) };
  }

  private async runInHalves<Item>(
    items: readonly Item[],
    keyOf: (item: Item) => string,
    run: (items: readonly Item[], actor: string | undefined) => Promise<{ readonly done: number }>,
    actor: string | undefined,
  ): Promise<number> {
    const [first] = items;
    if (first === undefined) return 0;
    try {
      const { done } = await run(items, actor);
      for (const item of items) this.succeeded(keyOf(item));
      return done;
    } catch (cause) {
      if (items.length === 1) {
        this.failed(keyOf(first), cause);
        return 0;
      }
      if (isOutage(cause)) throw cause;
      const middle = Math.ceil(items.length / 2);
      let done = 0;
      for (const half of [items.slice(0, middle), items.slice(middle)])
        done += await this.runInHalves(half, keyOf, run, this.actorOf(`${keyOf(half[0]!)} ${half.length}`));
      return done;
    }
  }

  private actorOf(key: string): string {
    return `${this.work} ${key}`;
  }

  private isPausing(key: string): boolean {
    const item = this.items.get(key);
    return item !== undefined && this.parts.clock.now() < item.retryAt;
  }

  private succeeded(key: string): void {
    const item = this.items.get(key);
    if (item === undefined) return;
    this.items.delete(key);
    this.parts.log.info('due_work.recovered', { work: this.work, item: key, failures: item.failures });
  }

  private failed(key: string, cause: unknown): void {
    if (isOutage(cause)) throw cause;
    const { clock, log } = this.parts;
    const now = clock.now();
    const previous = this.items.get(key);
    const failures = (previous?.failures ?? 0) + 1;
    const pauseMs = Math.min(INITIAL_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
    const item = {
      work: this.work,
      key,
      failures,
      since: previous?.since ?? now,
      retryAt: later(now, pauseMs),
      cause: errorMessage(cause),
    };
    this.items.delete(key);
    const [oldest] = this.items.keys();
    if (this.items.size >= FAILING_MOST && oldest !== undefined) this.items.delete(oldest);
    this.items.set(key, item);
    log.error('due_work.item_failed', { work: this.work, item: key, failures, pauseMs, cause });
  }
}

const OUTAGE_KEYS: ReadonlySet<string> = new Set(['l.maintenance', 'l.busy']);
const OUTAGE_NAMES: ReadonlySet<string> = new Set(['Fenced', 'OutcomeUnknown']);
/**
 * Matches error codes of an outage: SQLSTATE classes of a lost connection, a database shutdown and
 * insufficient resources, and the operating system's codes of failed connections.
 */
const OUTAGE_CODE = /^(57P|08|53|ECONN|ENOTFOUND|EPIPE|ETIMEDOUT)/;

/**
 * Returns whether an error concerns the whole exchange, e.g. because the database is down, so that the item is not at
 * fault.
 */
function isOutage(cause: unknown): boolean {
  if (cause instanceof Refused) return OUTAGE_KEYS.has(cause.refusal.key);
  if (!(cause instanceof Error)) return false;
  const { code } = cause as { code?: unknown };
  return OUTAGE_NAMES.has(cause.name) || (typeof code === 'string' && OUTAGE_CODE.test(code));
}
