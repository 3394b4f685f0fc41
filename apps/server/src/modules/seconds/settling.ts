import { resultOf, settlementSeconds, windowOf, type Direction } from '@exchange/core/seconds.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Market } from '../market/index.ts';
import type { SecondsCommands, SettleInput } from './commands.ts';
import { dueBuckets, intervalsToRefund, oldestDue, openInBucket } from './records-repository.ts';
import { lossesIn, type BucketKey, type Interval, type LossPlace } from './repository.ts';

/**
 * The target duration in milliseconds of a settlement command including its commit, and the initial,
 * minimum and maximum number of positions per command.
 */
const STEP_MS = 15;
const CHUNK = { first: 100, least: 25, most: 150 };
/** Maximum number of positions per query; measured in bench/seconds.ts. */
const PAGE_SIZE = 3_000;
const BUCKET_PAGE = 200;
/** Maximum number of void intervals per query. */
const INTERVAL_PAGE = 100;
/**
 * The health check fails while a position is unsettled this many milliseconds after its expiry. Possible causes
 * are a halted coin, a missing index, and failing settlements.
 */
const LATE_MS = 30 * SECOND_MS;
/**
 * Decimal places for comparing prices, more than any price has. The comparison only decides which direction is settled
 * first.
 */
const ANY_DIGITS = 18;

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly bulkheads: Bulkheads;
  readonly database: Pick<Database, 'store'>;
  readonly market: Pick<Market, 'latestPoint' | 'onPoints' | 'tapeReader' | 'indexDelays'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: SecondsCommands;
  /** Called after each bucket of which at least one position was settled. */
  readonly onSettled: () => void;
}

/**
 * Settles positions as soon as the index tape has passed their expiry. It uses small commands, so that
 * other commands run in between, and passes them the tape's prices, which never change. The losing
 * direction is settled first, so that its stakes pay the winners and the reserve is never exceeded.
 */
export class Settling {
  /** Maximum number of positions per query; tests set a smaller one. */
  pageSize = PAGE_SIZE;
  private readonly deps: Deps;
  private readonly runs = new SerialRuns(() => this.settleDue());
  private isOpen = false;
  private chunk = CHUNK.first;

  constructor(deps: Deps) {
    this.deps = deps;
    deps.market.onPoints(() => this.wake());
  }

  start(): void {
    this.isOpen = true;
    this.wake();
  }

  /** Stops reacting to index points and resolves when the settlement in progress has ended. */
  async stop(): Promise<void> {
    this.isOpen = false;
    await this.runs.whenIdle();
  }

  /**
   * Settles the positions whose expiry the index tape has passed, except those of halted coins and those paused after a
   * failure.
   */
  settle(): Promise<void> {
    return this.runs.run();
  }

  /** The earliest expiry of an unsettled position if that is more than `LATE_MS` ago; otherwise undefined. */
  async lateSince(): Promise<Instant | undefined> {
    const oldest = await oldestDue(this.deps.database.store);
    return oldest !== undefined && this.deps.clock.now() - oldest > LATE_MS ? oldest : undefined;
  }

  private wake(): void {
    if (!this.isOpen || this.runs.isWaiting) return;
    // A failed settlement is only logged, because it is retried at the next index point.
    this.settle().catch((cause: unknown) => this.deps.log.error('seconds.not_settled', { cause }));
  }

  private async settleDue(): Promise<void> {
    const { clock, database } = this.deps;
    let behind: BucketKey | undefined;
    for (;;) {
      const buckets = await dueBuckets(database.store, clock.now(), behind, BUCKET_PAGE);
      await this.deps.bulkheads.bulkheadOf('seconds buckets').each(
        buckets,
        ({ symbol, entryAt, expireAt }) => `${symbol} ${entryAt} ${expireAt}`,
        (bucket) => this.settleBucket(bucket),
      );
      behind = buckets.at(-1);
      if (behind === undefined || buckets.length < BUCKET_PAGE) return;
    }
  }

  /**
   * Refunds the lost positions in intervals that were declared void after their settlement, in small commands. A refund
   * that the exchange cannot pay yet is retried by a later run and does not hold up others.
   */
  async refund(): Promise<void> {
    const { database, sequencer, commands, bulkheads } = this.deps;
    const refund = async (interval: Interval): Promise<void> => {
      for (let behind: LossPlace | undefined; ;) {
        const lost = await lossesIn(database.store, interval, behind, Math.min(CHUNK.first, this.pageSize));
        behind = lost.at(-1);
        if (behind === undefined) break;
        const { done, tried } = await bulkheads.bulkheadOf('seconds refunds').together(
          lost,
          ({ id }) => id,
          (due, actor) => {
            const orders = due.map(({ id, owner }) => ({ id, owner }));
            return sequencer.execute(commands.refundLost, { intervalId: interval.id, orders }, { actor });
          },
        );
        // All losses of an interval are in one coin. If none of a batch could be refunded, the coin is probably
        // halted or its funds are too low, so the rest waits for a later run. If no refund of the batch was tried,
        // because all of them are paused after failures, the next batch is tried.
        if (done === 0 && tried > 0) break;
      }
      const [unrefunded] = await lossesIn(database.store, interval, undefined, 1);
      if (unrefunded === undefined)
        await sequencer.execute(commands.finishRefund, { intervalId: interval.id });
    };
    for (let behind: string | undefined; ;) {
      const intervals: readonly Interval[] = await intervalsToRefund(database.store, behind, INTERVAL_PAGE);
      for (const interval of intervals) await refund(interval);
      behind = intervals.at(-1)?.id;
      if (behind === undefined || intervals.length < INTERVAL_PAGE) return;
    }
  }

  private async settleBucket(key: BucketKey): Promise<void> {
    const { market, database } = this.deps;
    const { symbol, entryAt, expireAt } = key;
    const latestAt = market.latestPoint(symbol)?.t;
    // Before the index tape has passed the expiry, the recorded index prices of the settlement seconds may still be
    // missing.
    if (latestAt === undefined || latestAt < expireAt) return;
    const seconds = settlementSeconds(expireAt, windowOf((expireAt - entryAt) / SECOND_MS));
    const prices = await market.tapeReader.points(symbol, [entryAt, ...seconds]);
    const points: SettleInput['points'] = {
      entry: prices.get(entryAt) ?? null,
      window: seconds.map((t) => prices.get(t) ?? null),
    };
    const isVoid = points.entry === null || points.window.includes(null);
    const loser: Direction = resultOf('up', points, ANY_DIGITS).result === 'lose' ? 'up' : 'down';
    let settled = 0;
    for (const direction of [loser, loser === 'up' ? 'down' : 'up'] as const) {
      for (let behind: string | undefined; ;) {
        const orders = await openInBucket(database.store, key, direction, behind, this.pageSize);
        settled += await this.settleOrders(key, points, orders);
        // The next page starts behind the last position, because failed and paused positions stay open.
        behind = orders.at(-1)?.id;
        if (behind === undefined || orders.length < this.pageSize) break;
      }
    }
    if (settled > 0) this.deps.onSettled();
    if (isVoid && settled > 0) this.logVoid(key, settled);
  }

  /**
   * Settles open positions of one bucket (same pair, entry and expiry) in small commands. Resolves to the
   * number of settled positions.
   */
  private async settleOrders(
    key: BucketKey,
    points: SettleInput['points'],
    orders: readonly { readonly id: string; readonly owner: UserId }[],
  ): Promise<number> {
    const { clock, sequencer, commands, bulkheads } = this.deps;
    let settled = 0;
    for (let offset = 0; offset < orders.length;) {
      const chunk = orders.slice(offset, offset + this.chunk);
      offset += chunk.length;
      const startedMs = clock.monotonicMs();
      const { done } = await bulkheads.bulkheadOf('seconds positions').together(
        chunk,
        ({ id }) => id,
        (due, actor) => sequencer.execute(commands.settle, { ...key, points, orders: [...due] }, { actor }),
      );
      settled += done;
      this.adjustChunk(chunk.length, clock.monotonicMs() - startedMs);
    }
    return settled;
  }

  /**
   * Logs that positions became void because prices are missing, with the measured delays of the index. It is an
   * error, because this process or its price sources were too slow, but only a warning if this process did not
   * follow the index from entry to expiry, e.g. after a restart.
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

  /**
   * Adjusts the number of positions of the next command to the duration of the last full one. Small commands let
   * other commands run sooner; large commands settle all positions sooner.
   */
  private adjustChunk(count: number, tookMs: number): void {
    if (count < this.chunk) return;
    const fitting = Math.round((count * STEP_MS) / Math.max(tookMs, 1));
    const next = Math.min(Math.max(fitting, Math.ceil(count * 0.7)), Math.ceil(count * 1.2));
    this.chunk = Math.min(Math.max(next, CHUNK.least), CHUNK.most);
  }
}
