import { Refused } from '@exchange/core/refusal.ts';
import { HOUR_MS, later, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import type { ComponentHealth } from '../health/health.ts';
import type { Log } from '../log.ts';

/** The pause after the first failure of an item; it doubles with each one that follows, up to the longest. */
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = HOUR_MS;
/** An item that nobody tried for so long after its pause is not due any more. */
const FORGOTTEN_AFTER_MS = 10 * MINUTE_MS;
/** Failing items that one work remembers; of more, the oldest is forgotten and tried without a pause. */
const FAILING_MOST = 1_000;
/** Failing items that health names. */
const NAMED_MOST = 20;

/** An item of due work that failed the last time it was tried. */
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

/** The bulkheads of all due work of the process, for health and metrics. */
export class Bulkheads {
  private readonly parts: Parts;
  private readonly works = new Map<string, Bulkhead>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The bulkhead of one kind of due work, e.g. `finance interest`; the same for the same name. */
  of(work: string): Bulkhead {
    const present = this.works.get(work);
    if (present !== undefined) return present;
    const bulkhead = new Bulkhead(work, this.parts);
    this.works.set(work, bulkhead);
    return bulkhead;
  }

  /** What fails at present, the longest first. */
  failing(): FailingItem[] {
    const items = [...this.works.values()].flatMap((bulkhead) => bulkhead.failing());
    return items.toSorted((one, other) => one.since - other.since);
  }

  /** How many items fail, by work; works without any are named with 0. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.works].map(([work, bulkhead]) => [work, bulkhead.failing().length]));
  }

  /** Not up while any item fails; names the items with their last error and next attempt. */
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
 * Keeps the items of one due work apart: an item that fails is reported and paused, longer with each failure, and the
 * items behind it go on. What fails because the exchange cannot execute anything at present is no item's fault and is
 * thrown. Pauses are in memory: after a restart everything is tried once more.
 */
export class Bulkhead {
  private readonly work: string;
  private readonly parts: Parts;
  private readonly items = new Map<string, FailingItem>();

  constructor(work: string, parts: Parts) {
    this.work = work;
    this.parts = parts;
  }

  /** What fails at present and is still due as far as anybody knows. */
  failing(): FailingItem[] {
    const now = this.parts.clock.now();
    for (const [key, { retryAt }] of this.items)
      if (now - retryAt > FORGOTTEN_AFTER_MS) this.items.delete(key);
    return [...this.items.values()];
  }

  /** Ends the pause of an item whose circumstances somebody has just changed: the next run tries it again. */
  retryNow(key: string): void {
    const item = this.items.get(key);
    if (item !== undefined) this.items.set(key, { ...item, retryAt: this.parts.clock.now() });
  }

  /** Runs each item on its own, one after another, leaving out what pauses. Throws only where nothing can be executed. */
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
   * Runs items in one step; where that fails, in halves, until the items that fail stand alone. `actor` names the attempt
   * to the sequencer, which turns a caller away that fails again and again. Resolves to how much was done, how many items
   * were tried, and the items that stay due because they failed or pause: whoever looks up more has to pass them by.
   */
  async together<Item>(
    items: readonly Item[],
    keyOf: (item: Item) => string,
    run: (items: readonly Item[], actor: string | undefined) => Promise<{ readonly done: number }>,
  ): Promise<{ readonly done: number; readonly tried: number; readonly left: readonly Item[] }> {
    const due = items.filter((item) => !this.isPausing(keyOf(item)));
    const failedBefore = due.filter((item) => this.items.has(keyOf(item)));
    const others = due.filter((item) => !this.items.has(keyOf(item)));
    let done = await this.halved(others, keyOf, run, undefined);
    for (const item of failedBefore) done += await this.halved([item], keyOf, run, this.actorOf(keyOf(item)));
    // What has failed pauses now, as what was not tried does.
    return { done, tried: due.length, left: items.filter((item) => this.isPausing(keyOf(item))) };
  }

  private async halved<Item>(
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
        done += await this.halved(half, keyOf, run, this.actorOf(`${keyOf(half[0]!)} ${half.length}`));
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
    this.parts.log.info('due_work.recovered', { work: this.work, key, failures: item.failures });
  }

  private failed(key: string, cause: unknown): void {
    if (isOutage(cause)) throw cause;
    const { clock, log } = this.parts;
    const now = clock.now();
    const before = this.items.get(key);
    const failures = (before?.failures ?? 0) + 1;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    const item = {
      work: this.work,
      key,
      failures,
      since: before?.since ?? now,
      retryAt: later(now, pauseMs),
      cause: String(cause),
    };
    this.items.delete(key);
    const [oldest] = this.items.keys();
    if (this.items.size >= FAILING_MOST && oldest !== undefined) this.items.delete(oldest);
    this.items.set(key, item);
    log.error('due_work.item_failed', { work: this.work, key, failures, pauseMs, cause });
  }
}

const OUTAGE_KEYS: ReadonlySet<string> = new Set(['l.maintenance', 'l.busy']);
const OUTAGE_NAMES: ReadonlySet<string> = new Set(['Fenced', 'OutcomeUnknown']);
/** SQLSTATE classes of a lost connection and of a database that shuts down, and the system's own codes. */
const OUTAGE_CODE = /^(57P|08|53|ECONN|ENOTFOUND|EPIPE|ETIMEDOUT)/;

/** Whether nothing can be executed at present, whatever is tried: the item that met it has not failed. */
function isOutage(cause: unknown): boolean {
  if (cause instanceof Refused) return OUTAGE_KEYS.has(cause.refusal.key);
  if (!(cause instanceof Error)) return false;
  const { code } = cause as { code?: unknown };
  return OUTAGE_NAMES.has(cause.name) || (typeof code === 'string' && OUTAGE_CODE.test(code));
}
