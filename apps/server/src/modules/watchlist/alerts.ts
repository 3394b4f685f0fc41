import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import {
  ALERT_LIMIT,
  alertProblem,
  type AlertChannel,
  type AlertPause,
  type AlertSource,
  type AlertTerms,
} from '@exchange/core/price-alert.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { newId, type Random } from '../../platform/secrets/random.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Market } from '../market/index.ts';
import type { AlertMonitor } from './alert-monitor.ts';
import { presentAlert } from './present.ts';
import type { AlertRepository } from './repository.ts';
import type { PriceAlert } from './domain/alert.ts';

const ENDED_KEPT_MS = 30 * DAY_MS;

export interface NewAlert extends AlertTerms {
  readonly symbol: string;
  readonly source: AlertSource;
  readonly repeats: boolean;
  readonly pauseMinutes: AlertPause;
  readonly channels: readonly AlertChannel[];
}

export interface AlertsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly assets: Assets;
  readonly market: Pick<Market, 'indexPrice' | 'lastPrice' | 'reference'>;
  readonly repository: AlertRepository;
  readonly monitor: AlertMonitor;
}

/** The use cases of price alerts. */
export class Alerts {
  private readonly deps: AlertsDeps;

  constructor(deps: AlertsDeps) {
    this.deps = deps;
  }

  /** The active alerts of a user, newest first, optionally of one pair. Refuses an unknown pair. */
  async list(owner: UserId, symbol: string | undefined): Promise<PriceAlert[]> {
    if (symbol !== undefined) this.pairOf(symbol);
    const alerts = await this.deps.repository.watchingOf(owner, symbol);
    return alerts.filter((alert) => this.deps.assets.findPair(alert.symbol) !== undefined);
  }

  /** The pair of a symbol. Refuses an unknown symbol. */
  pairOf(symbol: string): Pair {
    const listed = this.deps.assets.findPair(symbol);
    if (listed !== undefined) return listed.pair;
    throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol', value: symbol }));
  }

  /**
   * Creates an alert and watches it immediately. The same submission again returns the first result. Refuses
   * a price that is already reached, and a twenty-first alert.
   */
  async add(owner: UserId, terms: NewAlert, submission: Submission | undefined): Promise<PriceAlert> {
    if (submission !== undefined) {
      const existing = await this.existingAlert(owner, terms, submission.key);
      if (existing !== undefined) return existing;
    }
    const alert = this.newAlert(owner, terms);
    const stored = this.insert(alert, submission);
    // No trade can be processed between reading the last price and this call, because the insert
    // has not yielded to other events yet.
    this.deps.monitor.add(
      alert,
      stored.then(({ id }) => id === alert.id, isUncertain),
    );
    try {
      const { id } = await stored;
      if (id !== alert.id) this.deps.monitor.remove(alert.id);
    } catch (cause) {
      // After a lost connection the alert may exist, so it stays watched.
      if (!isUncertain(cause)) this.deps.monitor.remove(alert.id);
      throw cause;
    }
    return stored;
  }

  /** Ends an alert. Returns 1, or 0 if it had already ended. Refuses an alert that is not the user's. */
  async remove(owner: UserId, id: string): Promise<number> {
    const count = await this.deps.repository.end(owner, id, this.deps.clock.now());
    if (count === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    this.deps.monitor.remove(id);
    return count;
  }

  /** Deletes alerts that ended more than a month ago. */
  async cleanUp(): Promise<void> {
    await this.deps.repository.removeEnded(later(this.deps.clock.now(), -ENDED_KEPT_MS));
  }

  private newAlert(owner: UserId, terms: NewAlert): PriceAlert {
    const { clock, random, monitor } = this.deps;
    const pair = this.pairOf(terms.symbol);
    const from = terms.source === 'index' ? this.indexPrice(pair) : this.lastPrice(pair);
    const problem = alertProblem(pair, terms, from);
    if (problem !== undefined) throw new Refused(problem);
    const now = clock.now();
    const initialState = {
      from,
      createdAt: now,
      triggeredAt: undefined,
      isArmed: true,
      sequence: monitor.latestDeal,
    };
    return { id: newId(random, now), owner, ...terms, ...initialState };
  }

  /** Stores an alert and returns it, or returns the alert that the same request created before. */
  private insert(alert: PriceAlert, submission: Submission | undefined): Promise<PriceAlert> {
    const { database, repository } = this.deps;
    return database.transaction(async (tx) => {
      const count = await repository.lockCount(tx, alert.owner);
      const existing = submission && (await repository.byKey(tx, alert.owner, submission.key));
      if (existing !== undefined) return requireSame(existing.alert, alert);
      if (count >= ALERT_LIMIT) {
        throw new Refused(refusal('aboveMaximum', 'l.alerts_max', { limit: String(ALERT_LIMIT) }));
      }
      await repository.insert(tx, alert, submission?.key);
      if (submission !== undefined) {
        const answer = presentAlert(alert, this.pairOf(alert.symbol));
        await storeFirstAnswer(tx, submission, { answer, at: alert.createdAt });
      }
      return alert;
    });
  }

  private async existingAlert(owner: UserId, terms: NewAlert, key: string): Promise<PriceAlert | undefined> {
    const { database, repository, monitor } = this.deps;
    const existing = await repository.byKey(database.reader, owner, key);
    if (existing === undefined) return undefined;
    // After a lost connection the alert may be stored without being watched. Adding a watched alert has no effect.
    if (!existing.hasEnded) monitor.add(existing.alert);
    return requireSame(existing.alert, terms);
  }

  /** The index in the pair's precision. Refuses while there is none. */
  private indexPrice({ symbol, priceDigits }: Pair): Decimal {
    const price = this.deps.market.indexPrice(symbol)?.price.rounded(priceDigits, 'halfEven');
    if (price === undefined) throw new Refused(refusal('closed', 'l.no_index'));
    return price;
  }

  /** The last trade price; before the first deal of a pair, the index price. */
  private lastPrice({ symbol, priceDigits }: Pair): Decimal {
    const { market } = this.deps;
    const price = market.lastPrice(symbol) ?? market.reference(symbol)?.rounded(priceDigits, 'halfEven');
    if (price === undefined) throw new Refused(refusal('closed', 'l.no_index'));
    return price;
  }
}

function requireSame(existing: PriceAlert, terms: NewAlert): PriceAlert {
  const isSame =
    existing.symbol === terms.symbol &&
    existing.condition === terms.condition &&
    existing.source === terms.source &&
    existing.price.equals(terms.price) &&
    existing.repeats === terms.repeats &&
    existing.pauseMinutes === terms.pauseMinutes &&
    existing.channels.join() === terms.channels.join();
  if (isSame) return existing;
  throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'clientId' }));
}

/** Whether a failed insert of an alert may have been committed. A refusal is certain. */
function isUncertain(cause: unknown): boolean {
  return !(cause instanceof Refused);
}
