import { CANDLE_SECONDS } from '@exchange/core/candle.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { AlertSource, AlertWindow } from '@exchange/core/price-alert.ts';
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Log } from '../../platform/log.ts';
import type { Assets } from '../assets/index.ts';
import { dealt, type Deal, type DealsSince, type Market } from '../market/index.ts';
import type { AlertRepository, IndexMinute } from './repository.ts';
import type { AlertNotifier } from './alert-notifier.ts';
import type { AlertOrders } from './alert-orders.ts';
import type { AlertProgress, PriceAlert } from './domain/alert.ts';
import { AlertWatch } from './domain/alert-watch.ts';
import { closeOf, CrossWatch, type CandleSeriesName, type ClosedCandle } from './domain/cross-watch.ts';
import { minuteOf } from './domain/price-windows.ts';

const TICK_MS = 1_000;
const SAVE_EVERY_MS = 5_000;
const CATCH_UP_PAGE = 1_000;
/**
 * Closed candles are checked for crossings this many milliseconds after their close, because then their last trades are
 * committed.
 */
const CANDLE_SETTLES_MS = 2_000;
/** Maximum number of candles of a pair and interval that the market keeps in memory. */
const CANDLES_MAX = 2_000;
const MINUTES_OF_WINDOWS = 1_441;

export interface AlertMonitorDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly events: Events;
  readonly assets: Assets;
  readonly market: Pick<Market, 'indexPrice' | 'lastPrice' | 'pastCandles'>;
  readonly repository: AlertRepository;
  readonly notifier: AlertNotifier;
  readonly orders: Pick<AlertOrders, 'placeDue'>;
}

/**
 * Checks every committed trade, every closed candle and, once a second, the index prices against the price alerts. The
 * progress of checking trades and candles is stored only after the changes that they caused, so that after a crash the
 * remaining ones are checked again: none of their crossings triggers twice and none is lost.
 */
export class AlertMonitor {
  private readonly deps: AlertMonitorDeps;
  private readonly watch = new AlertWatch({ pricesPersist: true });
  /** Alerts on the index price. While the process runs, the index price of every second is compared with them. */
  private readonly indexWatch = new AlertWatch({ pricesPersist: false });
  private readonly crossWatch = new CrossWatch();
  private sequence = 0;
  private saved: AlertProgress = { sequence: 0, windowSequence: 0, candlesAt: instant(0) };
  /**
   * The minute of the latest trade (minutes since 1970), and the sequence number of the last trade before
   * that minute, from which a restart reads the trades again.
   */
  private minute = 0;
  private minuteSequence = 0;
  private candlesAt = instant(0);
  /** The lowest and highest index prices of minutes that have ended and are not stored yet. */
  private endedMinutes: IndexMinute[] = [];
  private isCaughtUp = false;
  private readonly earlyDeals: Deal[] = [];
  private readonly ticks = new PeriodicTask(() => this.tick(), { everyMs: TICK_MS });
  private readonly saves = new PeriodicTask(() => this.saveProgress(), { everyMs: SAVE_EVERY_MS });

  constructor(deps: AlertMonitorDeps) {
    this.deps = deps;
    deps.events.on(dealt, (deal) => {
      if (this.isCaughtUp) this.checkDeal(deal);
      else this.earlyDeals.push(deal);
    });
  }

  /** Sequence number of the latest trade that was compared with the price alerts. */
  get latestDeal(): number {
    return this.sequence;
  }

  /**
   * Loads the price alerts and checks the trades and candles since the stored progress, then watches new ones. Starts
   * placing the due orders of alerts.
   */
  async start(dealsSince: DealsSince): Promise<void> {
    const { repository, clock, log, market, assets, notifier, orders } = this.deps;
    this.saved = await repository.progress();
    this.sequence = this.saved.sequence;
    this.candlesAt = this.saved.candlesAt;
    const stored = await repository.watching();
    const deals = await this.catchUp(
      dealsSince,
      stored.filter(({ source, average }) => source === 'last' && average === undefined),
    );
    await this.restoreIndex();
    for (const alert of stored)
      if (alert.source === 'index') this.watchFrom(alert, clock.now());
      else if (alert.average !== undefined) this.crossWatch.add(alert, this.candlesOf(alert, this.candlesAt));
    this.isCaughtUp = true;
    for (const deal of this.earlyDeals.splice(0)) this.checkDeal(deal);
    for (const { pair } of assets.pairs) {
      const price = market.lastPrice(pair.symbol);
      const point = price && { price, at: clock.now(), sequence: this.sequence };
      if (point !== undefined) notifier.enqueue(this.watch.updatePrice(pair.symbol, point));
    }
    this.checkCandles(clock.now());
    void orders.placeDue();
    log.info('watchlist.alerts_loaded', {
      alerts: this.watch.size + this.indexWatch.size + this.crossWatch.size,
      deals,
    });
    this.ticks.start();
    this.saves.start();
  }

  /**
   * Checks the trades after the stored progress. It also reads the trades before that in the same minute, which only
   * fill the windows of price moves. Returns the number of checked trades.
   */
  private async catchUp(dealsSince: DealsSince, stored: readonly PriceAlert[]): Promise<number> {
    const { clock, notifier } = this.deps;
    const alerts = stored.values();
    let next = alerts.next();
    const watchAlertsBefore = (sequence: number, at: Instant) => {
      for (; next.done !== true && next.value.sequence < sequence; next = alerts.next())
        this.watchFrom(next.value, at);
    };
    const startSequence = this.sequence;
    let last = Math.min(this.saved.windowSequence, startSequence);
    this.minuteSequence = last;
    let isRestored = false;
    for (;;) {
      const page = await dealsSince(last, CATCH_UP_PAGE);
      if (!isRestored) this.restoreWindows(page[0]?.at);
      isRestored = true;
      for (const deal of page) {
        last = deal.sequence;
        if (deal.sequence <= startSequence) {
          this.followMinute(deal.at, last - 1);
          this.watch.recordPrice(deal.symbol, deal);
          continue;
        }
        // Two successive trades may be far apart in time. Between them, cooldowns of alerts may have ended and
        // minutes may have left the windows.
        notifier.enqueue(this.watch.advanceTime(deal.at, this.sequence));
        // The stored state of a price alert already includes the trades up to its sequence number. So the alert is
        // watched only from the first trade after that number on.
        watchAlertsBefore(deal.sequence, deal.at);
        this.checkDeal(deal);
      }
      if (page.length < CATCH_UP_PAGE) break;
    }
    notifier.enqueue(this.watch.advanceTime(clock.now(), this.sequence));
    watchAlertsBefore(Number.POSITIVE_INFINITY, clock.now());
    return this.sequence - startSequence;
  }

  /**
   * Fills the windows of traded prices with the minutes before `firstDeal`, the first trade that is read
   * again after the start; with all minutes if no trade is read again.
   */
  private restoreWindows(firstDeal: Instant | undefined): void {
    const { assets, market } = this.deps;
    const end = firstDeal === undefined ? Number.POSITIVE_INFINITY : minuteOf(firstDeal);
    for (const { pair } of assets.pairs) {
      const ranges = [];
      let before: bigint | undefined;
      for (const { opened, low, high, close } of market.pastCandles(
        pair.symbol,
        '1min',
        MINUTES_OF_WINDOWS,
      )) {
        const minute = minuteOf(instant(opened * SECOND_MS));
        if (minute >= end) break;
        const [least, most, last] = [low.atoms, high.atoms, close.atoms];
        // Until the first trade of a minute, the last price of the minute before is in force.
        const standing = before ?? last;
        ranges.push({
          minute,
          low: standing < least ? standing : least,
          high: standing > most ? standing : most,
          last,
        });
        before = last;
      }
      this.watch.windowsOf(pair.symbol).restore(ranges);
    }
  }

  /** Fills the windows of index prices with the stored minutes of the last 24 hours. */
  private async restoreIndex(): Promise<void> {
    const { repository, clock } = this.deps;
    const minutes = await repository.indexMinutes(minuteOf(later(clock.now(), -DAY_MS)));
    for (const { symbol, minute, low, high } of minutes)
      this.indexWatch.windowsOf(symbol).restore([{ minute, low, high, last: high }]);
  }

  /**
   * Stops the checks and stores the progress up to which all changes are stored. The next start checks everything after
   * it again.
   */
  async stop(): Promise<void> {
    await this.ticks.stop();
    await this.saves.stop();
    await this.deps.notifier.stop();
    for (const { pair } of this.deps.assets.pairs) this.endIndexMinute(pair.symbol, Number.POSITIVE_INFINITY);
    await this.saveProgress();
  }

  /**
   * Returns the candles of a pair and interval that closed at least `CANDLE_SETTLES_MS` ago, so that they can
   * be compared with averages: those among the newest `CANDLES_MAX`, oldest first.
   */
  closedCandles(name: CandleSeriesName): readonly ClosedCandle[] {
    return this.candlesUpTo(name, later(this.deps.clock.now(), -CANDLE_SETTLES_MS));
  }

  /**
   * Starts watching a price alert. The alert is stored already, or its insert is still running: `inserted` then
   * resolves to whether it succeeded.
   */
  add(alert: PriceAlert, inserted?: Promise<boolean>): void {
    if (inserted !== undefined) this.deps.notifier.delayUntilInserted(alert.id, inserted);
    this.watchFrom(alert, this.deps.clock.now());
  }

  /**
   * Returns the greatest rise or fall to the current price (of trades or of the index) within the last
   * `minutes` minutes, in per cent; undefined if there are no prices.
   */
  moveWithin(symbol: string, source: AlertSource, minutes: AlertWindow): Decimal | undefined {
    const watch = source === 'last' ? this.watch : this.indexWatch;
    const move = watch.windowsOf(symbol).moveWithin(minutes);
    return move && Decimal.ofAtoms(move.percentAtoms);
  }

  /** Stops watching a price alert; does nothing if it is not watched. */
  remove(id: string): void {
    this.watch.remove(id);
    this.indexWatch.remove(id);
    this.crossWatch.remove(id);
  }

  private watchFrom(alert: PriceAlert, at: Instant): void {
    if (alert.average !== undefined) {
      this.crossWatch.add(alert, this.candlesOf(alert, later(at, -CANDLE_SETTLES_MS)));
      return;
    }
    if (alert.source === 'last') {
      this.deps.notifier.enqueue(this.watch.add(alert, at, this.sequence));
      return;
    }
    // The index price of a pair is only followed while an alert watches it, so the last known price may be old. It is
    // updated before the alert is added.
    const { pair } = this.deps.assets.findPair(alert.symbol) ?? {};
    if (pair !== undefined) this.checkIndexOf(pair, at);
    this.deps.notifier.enqueue(this.indexWatch.add(alert, at, this.sequence));
  }

  private checkDeal({ symbol, price, at, sequence }: Deal): void {
    if (sequence <= this.sequence) return;
    this.followMinute(at, this.sequence);
    this.sequence = sequence;
    const changes = this.watch.updatePrice(symbol, { price, at, sequence });
    if (changes.length > 0) this.deps.notifier.enqueue(changes);
  }

  /**
   * Remembers the last trade before the minute of the trade at `at`; `before` is the sequence number of the preceding
   * trade.
   */
  private followMinute(at: Instant, before: number): void {
    if (minuteOf(at) <= this.minute) return;
    // At the first call after a start, trades up to `before` may belong to the same minute, so `minuteSequence` does
    // not change then.
    if (this.minute > 0) this.minuteSequence = before;
    this.minute = minuteOf(at);
  }

  private tick(): void {
    const { notifier, clock, orders } = this.deps;
    notifier.retry();
    notifier.enqueue(this.watch.advanceTime(clock.now(), this.sequence));
    this.checkIndex();
    this.checkCandles(clock.now());
    void orders.placeDue();
  }

  /** Compares the current index prices with the alerts; a pair without a reliable index price is left out. */
  private checkIndex(): void {
    const { notifier, clock, assets } = this.deps;
    const at = clock.now();
    for (const { pair } of assets.pairs) this.endIndexMinute(pair.symbol, minuteOf(at));
    notifier.enqueue(this.indexWatch.advanceTime(at, this.sequence));
    for (const { pair } of assets.pairs) this.checkIndexOf(pair, at);
  }

  private checkIndexOf({ symbol, priceDigits }: Pair, at: Instant): void {
    const { market, notifier } = this.deps;
    const price = market.indexPrice(symbol)?.price.rounded(priceDigits, 'halfEven');
    if (price === undefined) return;
    notifier.enqueue(this.indexWatch.updatePrice(symbol, { price, at, sequence: this.sequence }));
  }

  /** Queues the index range of a pair's current minute for storing if that minute is before `minute`. */
  private endIndexMinute(symbol: string, minute: number): void {
    const range = this.indexWatch.windowsOf(symbol).present;
    if (range === undefined || range.minute >= minute) return;
    this.endedMinutes.push({ symbol, minute: range.minute, low: range.low, high: range.high });
    // If the price ranges of ended minutes cannot be stored for a long time, minutes that no window needs any
    // more are dropped.
    const most = MINUTES_OF_WINDOWS * this.deps.assets.pairs.length;
    if (this.endedMinutes.length > 2 * most) this.endedMinutes = this.endedMinutes.slice(-most);
  }

  /** Compares the candles that have closed since the last call with the indicators of alerts. */
  private checkCandles(at: Instant): void {
    const settled = later(at, -CANDLE_SETTLES_MS);
    for (const { newest, ...name } of this.crossWatch.watched()) {
      // The next candle opens when the newest one closes, and closes one interval later.
      if (newest !== undefined && closeOf(name.timer, closeOf(name.timer, newest)) > settled) continue;
      for (const candle of this.candlesUpTo(name, settled, newest)) {
        this.deps.notifier.enqueue(this.crossWatch.addCandle(name, candle, this.sequence));
      }
    }
    let checkedUntil = instant(Math.floor(settled / MINUTE_MS) * MINUTE_MS);
    for (const { newest, timer } of this.crossWatch.watched()) {
      // If the next candle has closed, it may not be in memory yet, so the progress ends at the close of the newest
      // candle in memory.
      if (newest === undefined || closeOf(timer, closeOf(timer, newest)) > checkedUntil) continue;
      checkedUntil = closeOf(timer, newest);
    }
    this.candlesAt = instant(Math.max(this.candlesAt, checkedUntil));
  }

  private candlesOf({ symbol, average }: PriceAlert, until: Instant): readonly ClosedCandle[] {
    return average === undefined ? [] : this.candlesUpTo({ symbol, timer: average.timer }, until);
  }

  /**
   * Returns the candles of a pair and interval that closed at `until` or before, oldest first; with `newest`
   * only those that opened after it.
   */
  private candlesUpTo(
    { symbol, timer }: CandleSeriesName,
    until: Instant,
    newest?: Instant,
  ): readonly ClosedCandle[] {
    const lengthMs = CANDLE_SECONDS[timer] * SECOND_MS;
    // The quotient is the number of candles that have closed by `until`, from the one that opened at `newest` on. Two
    // more are read, because the market's last candles also contain the open one, and maybe one that closed after
    // `until`.
    const missing = newest === undefined ? CANDLES_MAX : Math.floor((until - newest) / lengthMs) + 2;
    const candles: ClosedCandle[] = [];
    for (const { opened, close } of this.deps.market.pastCandles(
      symbol,
      timer,
      Math.min(missing, CANDLES_MAX),
    )) {
      const at = instant(opened * SECOND_MS);
      if (closeOf(timer, at) <= until && (newest === undefined || at > newest))
        candles.push({ opened: at, close });
    }
    return candles;
  }

  private async saveProgress(): Promise<void> {
    const { database, notifier, repository, log } = this.deps;
    const sequence = notifier.storedUpTo(this.sequence);
    const progress = {
      sequence,
      windowSequence: sequence >= this.minuteSequence ? this.minuteSequence : this.saved.windowSequence,
      candlesAt: notifier.candlesStoredUpTo(this.candlesAt),
    };
    const minutes = [...this.endedMinutes];
    const isNewer = sequence > this.saved.sequence || progress.candlesAt > this.saved.candlesAt;
    if (!isNewer && minutes.length === 0) return;
    try {
      await database.transaction(async (tx) => {
        if (isNewer) await repository.saveProgress(tx, progress);
        await repository.addIndexMinutes(tx, minutes);
      });
      if (isNewer) this.saved = progress;
      const saved = new Set(minutes);
      this.endedMinutes = this.endedMinutes.filter((minute) => !saved.has(minute));
    } catch (cause) {
      // The progress of checking alerts could not be stored. The next save includes it. If the process
      // restarts before that save, it checks a few trades and candles again, which has no further effect.
      log.warn('watchlist.progress_not_saved', { cause });
    }
  }
}
