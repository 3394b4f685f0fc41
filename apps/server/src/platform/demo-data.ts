import { Refused } from '@exchange/core/refusal.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import type { Demo } from './demo.ts';
import type { ComponentHealth } from './health/health.ts';
import type { Log } from './log.ts';

/**
 * Milliseconds to wait before a part of the demo data is created again after a transient failure, one number per
 * attempt; three minutes in total.
 */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 60_000];
/** Maximum time in milliseconds that `waitUntil` waits, e.g. for the first prices on a slow machine. */
const WAIT_MOST_MS = 300_000;
const WAIT_EVERY_MS = 100;
/** Maximum number of failed parts of the demo data that the health check names. */
const NAMED = 5;
/** Limit of the query for the recorded parts of the demo data. A demo has far fewer parts. */
const PARTS_MOST = 10_000;
/**
 * Name of a recorded part that stands for all parts. A migration inserted it into demos that were created before parts
 * were recorded one by one.
 */
const ALL_PARTS = '*';

/** A large part of the demo data, e.g. the data of a product. */
export interface DemoPart {
  readonly name: string;
  readonly make: () => Promise<unknown>;
}

type DemoPartTables = Record<'demo_part', { name: string; made_at: bigint }>;

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Pick<Database, 'store'>;
  /** Returns the parts of the demo data in the order of their creation. It is called once, after the ports are open. */
  readonly parts: () => readonly DemoPart[];
}

/**
 * Creates the demo data one part after another while the ports are already open. A part that is refused or fails is
 * logged, and tried again at the next start. After a transient failure it is also tried again soon afterwards. A
 * failure never prevents the server from starting.
 */
export class DemoData {
  private readonly deps: Deps;
  private readonly failed: string[] = [];
  private recorded: Set<string> | undefined;
  private making: Promise<void> | undefined;
  private progress = { made: 0, of: 0, isOver: false };
  private isStopping = false;
  private wake: (() => void) | undefined;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /** Starts creating the parts of the demo data. Call this when the ports are open. */
  start(): void {
    this.making ??= this.makeAll();
  }

  /**
   * Resolves to the names of the failed parts, including those that a part creates by `attempt` or `once`, when every
   * part was tried or `stop` has ended the creation. Never rejects.
   */
  async whenMade(): Promise<readonly string[]> {
    await this.making;
    return this.failed;
  }

  /** Prevents further parts from starting, and waits until the current part has ended. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.wake?.();
    await this.making;
  }

  /**
   * Returns the health of the demo data. It is down only if parts have failed, not while parts are being
   * created.
   */
  health(): ComponentHealth {
    const { made, of, isOver } = this.progress;
    const facts = { made: isOver ? 'all tried' : `${made} of ${of}`, missing: this.failed.length };
    if (this.failed.length === 0) return { isUp: true, facts };
    const names = this.failed.slice(0, NAMED).join(', ');
    return { isUp: false, reason: `could not be made, and are tried at the next start: ${names}`, facts };
  }

  readonly attempt: Demo['attempt'] = async (part, make) => {
    for (let tries = 0; !this.isStopping; tries += 1) {
      try {
        await make();
        // Waiting requests to the server are served before the next part is created.
        await new Promise((resolve) => setImmediate(resolve));
        return true;
      } catch (cause) {
        if (this.isStopping) break;
        const pauseMs = isTransient(cause) ? PAUSES_MS[tries] : undefined;
        if (pauseMs === undefined) {
          this.failed.push(part);
          this.deps.log.warn('demo.part_not_made', { part, cause });
          return false;
        }
        this.deps.log.info('demo.part_waits', { part, pauseMs, cause: String(cause) });
        await this.pause(pauseMs);
      }
    }
    return false;
  };

  readonly once: Demo['once'] = (part, make) =>
    this.attempt(part, async () => {
      const recorded = await this.recordedParts();
      if (recorded.has(part) || recorded.has(ALL_PARTS)) return;
      await make();
      await this.record(part);
      recorded.add(part);
    });

  /** Resolves to true when `isThere` returns true, or to false after `WAIT_MOST_MS` or when the server stops. */
  async waitUntil(isThere: () => boolean): Promise<boolean> {
    const { clock } = this.deps;
    const deadlineMs = clock.monotonicMs() + WAIT_MOST_MS;
    while (!isThere()) {
      if (this.isStopping || clock.monotonicMs() > deadlineMs) return false;
      await this.pause(WAIT_EVERY_MS);
    }
    return true;
  }

  private async makeAll(): Promise<void> {
    const { clock, log, parts } = this.deps;
    const beganMs = clock.monotonicMs();
    const all = parts();
    this.progress.of = all.length;
    for (const { name, make } of all) {
      if (this.isStopping) return;
      await this.attempt(name, make);
      this.progress.made += 1;
      const { made, of } = this.progress;
      log.info('demo.part_tried', { part: name, made, of, ms: Math.round(clock.monotonicMs() - beganMs) });
    }
    this.progress.isOver = true;
  }

  private async recordedParts(): Promise<Set<string>> {
    if (this.recorded === undefined) {
      const rows = await this.tables.selectFrom('demo_part').select('name').limit(PARTS_MOST).execute();
      this.recorded = new Set(rows.map(({ name }) => name));
    }
    return this.recorded;
  }

  private async record(name: string): Promise<void> {
    await this.tables
      .insertInto('demo_part')
      .values({ name, made_at: BigInt(this.deps.clock.now()) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  private get tables() {
    return this.deps.database.store.withTables<DemoPartTables>();
  }

  private async pause(ms: number): Promise<void> {
    if (this.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }
}

/**
 * Returns whether a failure is transient: the exchange is in maintenance or busy, an index price is missing, or a time
 * limit was exceeded.
 */
function isTransient(cause: unknown): boolean {
  if (cause instanceof Refused) {
    const { kind, key } = cause.refusal;
    return kind === 'maintenance' || key === 'l.no_index';
  }
  return cause instanceof Error && /timeout|timed out/i.test(cause.message);
}
