import type { Pair } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Log } from '../../platform/log.ts';
import type { Assets } from '../assets/index.ts';
import { dealt, type Deal, type DealsSince, type Market } from '../market/index.ts';
import type { AlertRepository } from './repository.ts';
import type { AlertNotifier } from './alert-notifier.ts';
import type { PriceAlert } from './domain/alert.ts';
import { AlertWatch } from './domain/alert-watch.ts';

const TICK_MS = 1_000;
const SAVE_EVERY_MS = 5_000;
const CATCH_UP_PAGE = 1_000;

export interface AlertMonitorDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly events: Events;
  readonly assets: Assets;
  readonly market: Pick<Market, 'indexPrice' | 'lastPrice'>;
  readonly repository: AlertRepository;
  readonly notifier: AlertNotifier;
}

/**
 * Checks every committed deal against the price alerts. Progress is stored only after the changes it caused,
 * so that after a crash the remaining deals are checked again: no crossing triggers twice and none is lost.
 */
export class AlertMonitor {
  private readonly deps: AlertMonitorDeps;
  private readonly watch = new AlertWatch();
  /** Alerts on the index; they see the index of every second while the process runs. */
  private readonly indexWatch = new AlertWatch();
  private sequence = 0;
  private savedSequence = 0;
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

  /** Sequence number of the latest trade that was checked against price alerts. */
  get latestDeal(): number {
    return this.sequence;
  }

  /**
   * Loads the price alerts and checks the trades that were committed since the stored progress.
   */
  async start(dealsSince: DealsSince): Promise<void> {
    const { repository, clock, log, market, assets, notifier } = this.deps;
    this.savedSequence = this.sequence = await repository.progress();
    const stored = await repository.watching();
    const alerts = stored.filter(({ source }) => source === 'last').values();
    let next = alerts.next();
    const watchAlertsBefore = (sequence: number, at: Instant) => {
      for (; next.done !== true && next.value.sequence < sequence; next = alerts.next())
        this.watchFrom(next.value, at);
    };
    const startSequence = this.sequence;
    for (;;) {
      const page = await dealsSince(this.sequence, CATCH_UP_PAGE);
      for (const deal of page) {
        // The stored state of a price alert already includes trades up to its sequence number, so it is
        // watched only from then on.
        watchAlertsBefore(deal.sequence, deal.at);
        // These trades may be far apart in time, so cooldowns of alerts may have ended between
        // them.
        notifier.enqueue(this.watch.advanceTime(deal.at, this.sequence));
        this.checkDeal(deal);
      }
      if (page.length < CATCH_UP_PAGE) break;
    }
    watchAlertsBefore(Number.POSITIVE_INFINITY, clock.now());
    for (const alert of stored) if (alert.source === 'index') this.watchFrom(alert, clock.now());
    this.isCaughtUp = true;
    for (const deal of this.earlyDeals.splice(0)) this.checkDeal(deal);
    for (const { pair } of assets.pairs) {
      const price = market.lastPrice(pair.symbol);
      const point = price && { price, at: clock.now(), sequence: this.sequence };
      if (point !== undefined) notifier.enqueue(this.watch.updatePrice(pair.symbol, point));
    }
    log.info('watchlist.alerts_loaded', {
      alerts: this.watch.size + this.indexWatch.size,
      deals: this.sequence - startSequence,
    });
    this.ticks.start();
    this.saves.start();
  }

  /**
   * Stores pending changes of price alerts and stops. Unfinished work is found again at the next
   * start.
   */
  async stop(): Promise<void> {
    await this.ticks.stop();
    await this.saves.stop();
    await this.deps.notifier.stop();
    await this.saveProgress();
  }

  /** Starts watching a price alert that is stored or, if `inserted` is given, is being stored. */
  add(alert: PriceAlert, inserted?: Promise<boolean>): void {
    if (inserted !== undefined) this.deps.notifier.delayUntilInserted(alert.id, inserted);
    this.watchFrom(alert, this.deps.clock.now());
  }

  /** Stops watching a price alert; does nothing if it is not watched. */
  remove(id: string): void {
    this.watch.remove(id);
    this.indexWatch.remove(id);
  }

  private watchFrom(alert: PriceAlert, at: Instant): void {
    if (alert.source === 'last') {
      this.deps.notifier.enqueue(this.watch.add(alert, at, this.sequence));
      return;
    }
    // While no alert watched the index, its last price there may have become old.
    const { pair } = this.deps.assets.findPair(alert.symbol) ?? {};
    if (pair !== undefined) this.checkIndexOf(pair, at);
    this.deps.notifier.enqueue(this.indexWatch.add(alert, at, this.sequence));
  }

  private checkDeal({ symbol, price, at, sequence }: Deal): void {
    if (sequence <= this.sequence) return;
    this.sequence = sequence;
    const changes = this.watch.updatePrice(symbol, { price, at, sequence });
    if (changes.length > 0) this.deps.notifier.enqueue(changes);
  }

  private tick(): void {
    const { notifier, clock } = this.deps;
    notifier.retry();
    notifier.enqueue(this.watch.advanceTime(clock.now(), this.sequence));
    this.checkIndex();
  }

  /** Checks alerts on the index against its current prices; a pair without a reliable index is left out. */
  private checkIndex(): void {
    if (this.indexWatch.size === 0) return;
    const { notifier, clock, assets } = this.deps;
    const at = clock.now();
    notifier.enqueue(this.indexWatch.advanceTime(at, this.sequence));
    for (const { pair } of assets.pairs) this.checkIndexOf(pair, at);
  }

  private checkIndexOf({ symbol, priceDigits }: Pair, at: Instant): void {
    const { market, notifier } = this.deps;
    const price = market.indexPrice(symbol)?.price.rounded(priceDigits, 'halfEven');
    if (price === undefined) return;
    notifier.enqueue(this.indexWatch.updatePrice(symbol, { price, at, sequence: this.sequence }));
  }

  private async saveProgress(): Promise<void> {
    const sequence = this.deps.notifier.storedUpTo(this.sequence);
    if (sequence <= this.savedSequence) return;
    try {
      await this.deps.database.transaction((tx) => this.deps.repository.saveProgress(tx, sequence));
      this.savedSequence = sequence;
    } catch (cause) {
      // The next save includes this progress; until then a restart checks a few more trades.
      this.deps.log.warn('watchlist.progress_not_saved', { cause });
    }
  }
}
