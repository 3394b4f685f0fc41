import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
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

export interface AlertKeeperDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly events: Events;
  readonly assets: Assets;
  readonly market: Pick<Market, 'lastPrice'>;
  readonly repository: AlertRepository;
  readonly notifier: AlertNotifier;
}

/**
 * Holds every committed deal against the alerts. Which deals are done with is stored behind the changes they
 * made, so that after a crash the others are held against the alerts again: no crossing triggers twice, and
 * none is forgotten.
 */
export class AlertKeeper {
  private readonly deps: AlertKeeperDeps;
  private readonly watch = new AlertWatch();
  private sequence = 0;
  private savedSequence = 0;
  private isCaughtUp = false;
  private readonly early: Deal[] = [];
  private timers: NodeJS.Timeout[] = [];

  constructor(deps: AlertKeeperDeps) {
    this.deps = deps;
    deps.events.on(dealt, (deal) => {
      if (this.isCaughtUp) this.hold(deal);
      else this.early.push(deal);
    });
  }

  /** The latest deal that was held against the alerts. */
  get latestDeal(): number {
    return this.sequence;
  }

  /** Loads the alerts and goes through the deals that were committed since the last progress. */
  async start(dealsSince: DealsSince): Promise<void> {
    const { repository, clock, log, market, assets, notifier } = this.deps;
    this.savedSequence = this.sequence = await repository.progress();
    const alerts = (await repository.watching()).values();
    let next = alerts.next();
    const beginThoseBefore = (sequence: number, at: Instant) => {
      for (; next.done !== true && next.value.sequence < sequence; next = alerts.next())
        this.beginAt(next.value, at);
    };
    const from = this.sequence;
    for (;;) {
      const page = await dealsSince(this.sequence, CATCH_UP_PAGE);
      for (const deal of page) {
        // An alert that takes account of this deal already joins after it.
        beginThoseBefore(deal.sequence, deal.at);
        // These deals lie apart in time, so that alerts may have rested between them.
        notifier.notify(this.watch.pass(deal.at, this.sequence));
        this.hold(deal);
      }
      if (page.length < CATCH_UP_PAGE) break;
    }
    beginThoseBefore(Number.POSITIVE_INFINITY, clock.now());
    this.isCaughtUp = true;
    for (const deal of this.early.splice(0)) this.hold(deal);
    for (const { pair } of assets.pairs) {
      const price = market.lastPrice(pair.symbol);
      const point = price && { price, at: clock.now(), sequence: this.sequence };
      if (point !== undefined) notifier.notify(this.watch.move(pair.symbol, point));
    }
    log.info('watchlist.alerts_loaded', { alerts: this.watch.size, deals: this.sequence - from });
    this.timers = [
      setInterval(() => this.tick(), TICK_MS),
      setInterval(() => void this.saveProgress(), SAVE_EVERY_MS),
    ];
  }

  /** Stores what is under way and falls silent; what is left is found again at the next start. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    await this.deps.notifier.stop();
    await this.saveProgress();
  }

  /** Begins to watch an alert that is stored, or, where `inserted` is given, is about to be. */
  begin(alert: PriceAlert, inserted?: Promise<boolean>): void {
    if (inserted !== undefined) this.deps.notifier.holdBack(alert.id, inserted);
    this.beginAt(alert, this.deps.clock.now());
  }

  /** Ends an alert; one that is not watched is no error. */
  end(id: string): void {
    this.watch.end(id);
  }

  private beginAt(alert: PriceAlert, at: Instant): void {
    this.deps.notifier.notify(this.watch.begin(alert, at, this.sequence));
  }

  private hold({ symbol, price, at, sequence }: Deal): void {
    if (sequence <= this.sequence) return;
    this.sequence = sequence;
    const changes = this.watch.move(symbol, { price, at, sequence });
    if (changes.length > 0) this.deps.notifier.notify(changes);
  }

  private tick(): void {
    const { notifier, clock } = this.deps;
    notifier.retry();
    notifier.notify(this.watch.pass(clock.now(), this.sequence));
  }

  private async saveProgress(): Promise<void> {
    const sequence = this.deps.notifier.storedUpTo(this.sequence);
    if (sequence <= this.savedSequence) return;
    try {
      await this.deps.database.transaction((tx) => this.deps.repository.saveProgress(tx, sequence));
      this.savedSequence = sequence;
    } catch (cause) {
      // The next time makes it good; until then a restart goes through a few more deals.
      this.deps.log.warn('watchlist.progress_not_saved', { cause });
    }
  }
}
