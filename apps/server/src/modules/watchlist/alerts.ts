import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import {
  ALERT_LIMIT,
  ALERT_PERCENT_DIGITS,
  ALERT_WINDOW_NAMES,
  alertOrderProblem,
  alertProblem,
  averageName,
  candlesNeeded,
  type AlertChannel,
  type AlertOrder,
  type AlertPause,
  type AlertSource,
  type AlertTerms,
  type AverageTerms,
} from '@exchange/core/price-alert.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { newId, type Random } from '../../platform/secrets/random.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Market } from '../market/index.ts';
import type { AlertMonitor } from './alert-monitor.ts';
import { minuteOf } from './domain/price-windows.ts';
import { presentAlert } from './present.ts';
import type { AlertRepository } from './repository.ts';
import type { PriceAlert } from './domain/alert.ts';

const ENDED_KEPT_MS = 30 * DAY_MS;
/** Milliseconds for which the index ranges of minutes are stored: an hour longer than the longest window. */
const INDEX_KEPT_MS = 25 * HOUR_MS;

export interface NewAlert extends AlertTerms {
  readonly symbol: string;
  readonly source: AlertSource;
  readonly repeats: boolean;
  readonly pauseMinutes: AlertPause;
  readonly channels: readonly AlertChannel[];
  readonly order: AlertOrder | undefined;
}

export interface AlertsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly assets: Assets;
  readonly market: Pick<Market, 'indexPrice' | 'lastPrice' | 'reference'>;
  readonly repository: AlertRepository;
  readonly monitor: AlertMonitor;
  /** Refuses users who may not trade on the side of the order. */
  readonly accountStatuses: { requireTrading(user: UserId, side: Side): Promise<void> };
}

/** The use cases of price alerts: list, create and end them, and delete old ones. */
export class Alerts {
  private readonly deps: AlertsDeps;

  constructor(deps: AlertsDeps) {
    this.deps = deps;
  }

  /**
   * Returns the active alerts of a user on listed pairs, newest first, with `symbol` only those on this pair.
   * Refuses an unknown pair.
   */
  async list(owner: UserId, symbol: string | undefined): Promise<PriceAlert[]> {
    if (symbol !== undefined) this.pairOf(symbol);
    const alerts = await this.deps.repository.watchingOf(owner, symbol);
    return alerts.filter((alert) => this.deps.assets.findPair(alert.symbol) !== undefined);
  }

  /** Returns the pair with a symbol. Refuses an unknown symbol. */
  pairOf(symbol: string): Pair {
    const listed = this.deps.assets.findPair(symbol);
    if (listed !== undefined) return listed.pair;
    throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol', value: symbol }));
  }

  /**
   * Creates an alert and watches it immediately. A repeated submission returns the alert of the first one,
   * and is refused with other terms. Refuses an unknown pair and one without a price, terms that
   * `alertProblem` refuses, a move that is already reached, an average without enough candles, an invalid
   * order, an order on a side on which the user may not trade, and more than `ALERT_LIMIT` active alerts of a
   * user.
   */
  async add(owner: UserId, terms: NewAlert, submission: Submission | undefined): Promise<PriceAlert> {
    if (submission !== undefined) {
      const existing = await this.existingAlert(owner, terms, submission.key);
      if (existing !== undefined) return existing;
    }
    if (terms.order !== undefined) await this.deps.accountStatuses.requireTrading(owner, terms.order.side);
    const alert = this.newAlert(owner, terms);
    const stored = this.insert(alert, submission);
    // The alert is watched in the same turn of the event loop in which the last price was read, so no trade is missed
    // in between.
    this.deps.monitor.add(
      alert,
      stored.then(({ id }) => id === alert.id, isUncertain),
    );
    try {
      const { id } = await stored;
      if (id !== alert.id) this.deps.monitor.remove(alert.id);
    } catch (cause) {
      // If the connection to the database is lost, the alert may be stored nevertheless, so it stays watched.
      if (!isUncertain(cause)) this.deps.monitor.remove(alert.id);
      throw cause;
    }
    return stored;
  }

  /** Ends a user's alert and returns 1, or 0 if the alert has already ended. Refuses if the user has no such alert. */
  async remove(owner: UserId, id: string): Promise<number> {
    const count = await this.deps.repository.end(owner, id, this.deps.clock.now());
    if (count === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    this.deps.monitor.remove(id);
    return count;
  }

  /**
   * Deletes alerts that ended more than 30 days ago, except those whose order is still due, and index ranges of minutes
   * that are in no window any more.
   */
  async cleanUp(): Promise<void> {
    const { clock, repository } = this.deps;
    const now = clock.now();
    await repository.removeEnded(later(now, -ENDED_KEPT_MS));
    await repository.removeIndexMinutes(minuteOf(later(now, -INDEX_KEPT_MS)));
  }

  private newAlert(owner: UserId, terms: NewAlert): PriceAlert {
    const { clock, random, monitor } = this.deps;
    const pair = this.pairOf(terms.symbol);
    const from = terms.source === 'index' ? this.indexPrice(pair) : this.lastPrice(pair);
    const problem =
      alertProblem(pair, terms, from) ??
      this.moveProblem(terms) ??
      this.historyProblem(terms) ??
      this.orderProblem(terms, from);
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

  /**
   * Returns the refusal of an alert on a price move if the move within its window is at least its percentage
   * already; undefined otherwise, and for alerts with other conditions.
   */
  private moveProblem({ symbol, source, price, windowMinutes }: NewAlert): Refusal | undefined {
    if (windowMinutes === undefined) return undefined;
    const moved = this.deps.monitor.moveWithin(symbol, source, windowMinutes);
    if (moved === undefined || moved.isLess(price)) return undefined;
    return refusal('invalidField', 'l.alert_moved', {
      field: 'price',
      limit: moved.rounded(ALERT_PERCENT_DIGITS, 'down').toString(),
      value: price.toString(),
      window: ALERT_WINDOW_NAMES[windowMinutes],
    });
  }

  /**
   * Returns the refusal of an alert on a crossing with too few closed candles. Undefined if there are enough,
   * and for alerts with other conditions.
   */
  private historyProblem({ symbol, average }: NewAlert): Refusal | undefined {
    if (average === undefined) return undefined;
    const { timer } = average;
    const needed = candlesNeeded(average);
    const count = this.deps.monitor.closedCandles({ symbol, timer }).length;
    if (count >= needed) return undefined;
    return refusal('invalidField', 'l.alert_history', {
      field: 'averagePeriod',
      name: averageName(average),
      limit: String(needed),
      value: String(count),
    });
  }

  /**
   * Returns the refusal of the order that an alert would place; undefined if the alert has no order or the
   * order is valid. An alert that repeats must not have an order. If the alert has a price limit, the order
   * is checked at this price.
   */
  private orderProblem({ symbol, condition, price, repeats, order }: NewAlert, current: Decimal) {
    const listed = this.deps.assets.findPair(symbol);
    if (order === undefined || listed === undefined) return undefined;
    if (repeats) return refusal('invalidField', 'l.alert_order_once', { field: 'repeat' });
    const hasPrice = condition === 'gte' || condition === 'lte';
    const { pair, filters } = listed;
    if (hasPrice) return alertOrderProblem(pair, filters, order, price);
    const problem = alertOrderProblem(pair, filters, order, undefined);
    if (problem !== undefined || order.type === 'limit') return problem;
    // An alert without a price limit triggers at an unknown price, so the total of its market order is checked at the
    // current price.
    return alertOrderProblem(pair, filters, order, current);
  }

  /**
   * Stores an alert and returns it. If an earlier submission with the same key has created an alert, returns that
   * alert, active or ended, or refuses if its terms differ. Refuses more than `ALERT_LIMIT` active alerts of a user.
   */
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
    // After a lost connection an alert may be stored but not watched. If the alert is watched already, `add` does
    // nothing.
    if (!existing.hasEnded) monitor.add(existing.alert);
    return requireSame(existing.alert, terms);
  }

  /**
   * Returns the pair's index price rounded half to even to the decimal places of its prices. Refuses if there
   * is no index price.
   */
  private indexPrice({ symbol, priceDigits }: Pair): Decimal {
    const price = this.deps.market.indexPrice(symbol)?.price.rounded(priceDigits, 'halfEven');
    if (price === undefined) throw new Refused(refusal('closed', 'l.no_index'));
    return price;
  }

  /**
   * Returns the last trade price of a pair; before its first trade the index price, rounded half to even to
   * the decimal places of its prices. Refuses if there is neither.
   */
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
    existing.channels.join() === terms.channels.join() &&
    existing.windowMinutes === terms.windowMinutes &&
    isSameAverage(existing.average, terms.average) &&
    isSameOrder(existing.order, terms.order);
  if (isSame) return existing;
  throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'clientId' }));
}

function isSameAverage(a: AverageTerms | undefined, b: AverageTerms | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const hasSameLevel =
    a.level === undefined || b.level === undefined ? a.level === b.level : a.level.equals(b.level);
  return (
    a.kind === b.kind && a.period === b.period && a.slow === b.slow && a.timer === b.timer && hasSameLevel
  );
}

function isSameOrder(a: AlertOrder | undefined, b: AlertOrder | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const hasSamePrice =
    a.price === undefined || b.price === undefined ? a.price === b.price : a.price.equals(b.price);
  return a.side === b.side && a.type === b.type && hasSamePrice && a.amount.equals(b.amount);
}

/**
 * Returns whether an insert of an alert that failed with `cause` may have been committed nevertheless. After
 * a refusal nothing was stored.
 */
function isUncertain(cause: unknown): boolean {
  return !(cause instanceof Refused);
}
