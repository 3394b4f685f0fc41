import { resultOf, settlementSeconds, windowOf, type Direction } from '@exchange/core/seconds.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Market } from '../market/index.ts';
import type { SecondsCommands, SettleInput } from './commands.ts';
import { dueBuckets, intervalsToRefund, oldestDue, openInBucket } from './records-repository.ts';
import { lossesIn, type BucketKey, type Interval, type LossPlace } from './repository.ts';

/** How long a step may take with its commit, and how many positions it has at first and at least or most. */
const STEP_MS = 15;
const CHUNK = { first: 100, least: 25, most: 150 };
/** Positions that are looked up at a time: see bench/seconds.ts. */
const LOOKED_UP = 3_000;
const BUCKETS = 200;
/** Void intervals that are looked up at a time. */
const INTERVALS = 100;
/** Longer overdue than this is late: an asset is halted, or there is no index. */
const LATE_MS = 30 * SECOND_MS;
/** The comparison below only decides who comes first; real prices have fewer digits. */
const ANY_DIGITS = 18;

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly bulkheads: Bulkheads;
  readonly database: Pick<Database, 'store'>;
  readonly market: Pick<Market, 'latestPoint' | 'onPoints' | 'tapeReader' | 'indexDelays'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: SecondsCommands;
  /** Called after each bucket of which positions were settled. */
  readonly onSettled: () => void;
}

/**
 * Settles what has expired as soon as the tape has passed its expiry, in small steps between which orders of spot pass.
 * It reads the points and hands them to the step, and chooses nothing: of a second the tape has one point, or none for
 * ever. Those who lost come first, so that what they staked pays those who won and the reserve is never exceeded.
 */
export class Settling {
  /** Positions of a bucket that are looked up at a time. */
  lookedUp = LOOKED_UP;
  private readonly deps: Deps;
  private running: Promise<void> | undefined;
  private isOpen = false;
  private isAskedAgain = false;
  private chunk = CHUNK.first;

  constructor(deps: Deps) {
    this.deps = deps;
    deps.market.onPoints(() => this.wake());
  }

  start(): void {
    this.isOpen = true;
    this.wake();
  }

  /** Ends with what is under way. */
  async stop(): Promise<void> {
    this.isOpen = false;
    await this.running?.catch(() => undefined);
  }

  /** Does all that is due now; whoever asks meanwhile waits for the same. */
  settle(): Promise<void> {
    this.running ??= this.settleDue().finally(() => {
      this.running = undefined;
      if (this.isAskedAgain) this.wake();
    });
    return this.running;
  }

  /** Since when the position that waits longest has waited, where that is late. */
  async lateSince(): Promise<Instant | undefined> {
    const oldest = await oldestDue(this.deps.database.store);
    return oldest !== undefined && this.deps.clock.now() - oldest > LATE_MS ? oldest : undefined;
  }

  private wake(): void {
    if (!this.isOpen) return;
    this.isAskedAgain = this.running !== undefined;
    if (this.isAskedAgain) return;
    // The next second tries again.
    this.settle().catch((cause: unknown) => this.deps.log.error('seconds.not_settled', { cause }));
  }

  private async settleDue(): Promise<void> {
    const { clock, database } = this.deps;
    let behind: BucketKey | undefined;
    for (;;) {
      const buckets = await dueBuckets(database.store, clock.now(), behind, BUCKETS);
      await this.deps.bulkheads.of('seconds buckets').each(
        buckets,
        ({ symbol, entryAt, expireAt }) => `${symbol} ${entryAt} ${expireAt}`,
        (bucket) => this.settleBucket(bucket),
      );
      behind = buckets.at(-1);
      if (behind === undefined || buckets.length < BUCKETS) return;
    }
  }

  /**
   * Refunds losses in intervals that were declared void after their settlement, in steps as small as settlements. What the
   * house cannot pay yet fails on its own and is tried again by its bulkhead.
   */
  async refund(): Promise<void> {
    const { database, sequencer, commands, bulkheads } = this.deps;
    const refund = async (interval: Interval): Promise<void> => {
      for (let behind: LossPlace | undefined; ;) {
        const lost = await lossesIn(database.store, interval, behind, Math.min(CHUNK.first, this.lookedUp));
        behind = lost.at(-1);
        if (behind === undefined) break;
        const { done, tried } = await bulkheads.of('seconds refunds').together(
          lost,
          ({ id }) => id,
          (due, actor) => {
            const orders = due.map(({ id, owner }) => ({ id, owner }));
            return sequencer.execute(commands.refundLost, { intervalId: interval.id, orders }, { actor });
          },
        );
        // All losses of an interval are in one coin: what the house cannot return now it cannot return for the next either.
        // Losses that all pause say nothing of those behind them.
        if (done === 0 && tried > 0) break;
      }
      const [waiting] = await lossesIn(database.store, interval, undefined, 1);
      if (waiting === undefined) await sequencer.execute(commands.finishRefund, { intervalId: interval.id });
    };
    for (let behind: string | undefined; ;) {
      const intervals: readonly Interval[] = await intervalsToRefund(database.store, behind, INTERVALS);
      for (const interval of intervals) await refund(interval);
      behind = intervals.at(-1)?.id;
      if (behind === undefined || intervals.length < INTERVALS) return;
    }
  }

  private async settleBucket(key: BucketKey): Promise<void> {
    const { market, database } = this.deps;
    const { symbol, entryAt, expireAt } = key;
    const passed = market.latestPoint(symbol)?.t;
    // Until the tape has passed the expiry its line may still be written.
    if (passed === undefined || passed < expireAt) return;
    const seconds = settlementSeconds(expireAt, windowOf((expireAt - entryAt) / SECOND_MS));
    const found = await market.tapeReader.points(symbol, [entryAt, ...seconds]);
    const points: SettleInput['points'] = {
      entry: found.get(entryAt) ?? null,
      window: seconds.map((t) => found.get(t) ?? null),
    };
    const isVoid = points.entry === null || points.window.includes(null);
    const loser: Direction = resultOf('up', points, ANY_DIGITS).result === 'lose' ? 'up' : 'down';
    let settled = 0;
    for (const direction of [loser, loser === 'up' ? 'down' : 'up'] as const) {
      for (let behind: string | undefined; ;) {
        const orders = await openInBucket(database.store, key, direction, behind, this.lookedUp);
        settled += await this.settleOrders(key, points, orders);
        // Positions that fail or pause stay open and are passed by.
        behind = orders.at(-1)?.id;
        if (behind === undefined || orders.length < this.lookedUp) break;
      }
    }
    if (settled > 0) this.deps.onSettled();
    if (isVoid && settled > 0) this.logVoid(key, settled);
  }

  /** Settles open positions of a bucket in small steps; resolves to how many were settled. */
  private async settleOrders(
    key: BucketKey,
    points: SettleInput['points'],
    orders: readonly { readonly id: string; readonly owner: UserId }[],
  ): Promise<number> {
    const { clock, sequencer, commands, bulkheads } = this.deps;
    let settled = 0;
    for (let at = 0; at < orders.length;) {
      const chunk = orders.slice(at, at + this.chunk);
      at += chunk.length;
      const beganMs = clock.monotonicMs();
      const { done } = await bulkheads.of('seconds positions').together(
        chunk,
        ({ id }) => id,
        (due, actor) => sequencer.execute(commands.settle, { ...key, points, orders: [...due] }, { actor }),
      );
      settled += done;
      this.learn(chunk.length, clock.monotonicMs() - beganMs);
    }
    return settled;
  }

  /**
   * An alarm: stakes went back for want of a price. The delays say whether this exchange was busy or its sources silent.
   * A warning where this process did not run in all of the interval, as after a restart: the gap is that of the outage.
   */
  private logVoid({ symbol, entryAt, expireAt }: BucketKey, positions: number): void {
    const { market, log } = this.deps;
    const { missing, longestMs, isFollowed } = market.indexDelays(entryAt, expireAt);
    log[isFollowed ? 'error' : 'warn']('seconds.voided', {
      symbol,
      entryAt,
      expireAt,
      positions,
      missingSeconds: missing,
      longestDelayMs: longestMs,
    });
  }

  /** Sizes the next step by what the last full one took: orders of spot wait for it, and the positions of a second too. */
  private learn(count: number, tookMs: number): void {
    if (count < this.chunk) return;
    const fitting = Math.round((count * STEP_MS) / Math.max(tookMs, 1));
    const next = Math.min(Math.max(fitting, Math.ceil(count * 0.7)), Math.ceil(count * 1.2));
    this.chunk = Math.min(Math.max(next, CHUNK.least), CHUNK.most);
  }
}
