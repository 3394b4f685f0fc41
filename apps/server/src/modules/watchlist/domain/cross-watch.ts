import { CANDLE_SECONDS, type CandleTimer } from '@exchange/core/candle.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { AverageTerms } from '@exchange/core/price-alert.ts';
import { later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import { indicatorOf, type CrossedValues, type Indicator } from './indicators.ts';
import { changeAt, isCoolingDown, type AlertChange, type PriceAlert } from './alert.ts';

/** The fields of a closed candle that an indicator needs. */
export interface ClosedCandle {
  readonly opened: Instant;
  readonly close: Decimal;
}

/** A pair and a candle interval. Alerts compare the values of indicators of this series. */
export interface CandleSeriesName {
  readonly symbol: string;
  readonly timer: CandleTimer;
}

/** Returns the instant at which a candle that opens at `opened` closes. */
export function closeOf(timer: CandleTimer, opened: Instant): Instant {
  return later(opened, CANDLE_SECONDS[timer] * SECOND_MS);
}

/** All alerts on one moving average or other indicator of a candle series. */
class AverageGroup {
  readonly alerts = new Map<string, PriceAlert>();
  private readonly indicator: Indicator;
  private previous: -1 | 0 | 1 | undefined;

  constructor(terms: AverageTerms) {
    this.indicator = indicatorOf(terms);
  }

  /**
   * Adds a closed candle and returns the direction in which the indicator crossed, with the values after it; undefined
   * if it did not cross, or if fewer candles than needed were added.
   */
  add(
    close: Decimal,
  ): { readonly condition: 'crossUp' | 'crossDown'; readonly values: CrossedValues } | undefined {
    const values = this.indicator.add(close);
    if (values === undefined) return undefined;
    const { previous } = this;
    const side = values.subject.compare(values.target);
    this.previous = side;
    if (previous === undefined) return undefined;
    if (side > 0 && previous <= 0) return { condition: 'crossUp', values };
    if (side < 0 && previous >= 0) return { condition: 'crossDown', values };
    return undefined;
  }
}

/** A candle series with the moving averages and other indicators on which alerts exist. */
class WatchedSeries {
  readonly name: CandleSeriesName;
  readonly groups = new Map<string, AverageGroup>();
  /**
   * Opening time of the newest candle, which every average of the series contains; undefined while there is
   * none.
   */
  newest: Instant | undefined;

  constructor(name: CandleSeriesName) {
    this.name = name;
  }
}

/**
 * Alerts on crossings of moving averages and other indicators. Only closed candles count, so that a price during a
 * candle triggers nothing unless the candle closes there. The work per candle depends on the number of different
 * indicators and of triggered alerts; trades need no work. The class has no clock and no database.
 */
export class CrossWatch {
  private readonly series = new Map<string, WatchedSeries>();
  private readonly alerts = new Map<string, PriceAlert>();

  get size(): number {
    return this.alerts.size;
  }

  /**
   * Returns the candle series with alerts, each with the opening time of the newest candle that its averages
   * contain (undefined if they contain none).
   */
  watched(): (CandleSeriesName & { readonly newest: Instant | undefined })[] {
    return Array.from(this.series.values(), ({ name: { symbol, timer }, newest }) => ({
      symbol,
      timer,
      newest,
    }));
  }

  /**
   * Starts watching an alert. `closed` are the closed candles of its series in memory, oldest first; they only
   * initialize its average and trigger nothing. Does nothing if it is watched already.
   */
  add(alert: PriceAlert, closed: readonly ClosedCandle[]): void {
    const { average, symbol } = alert;
    if (average === undefined || this.alerts.has(alert.id)) return;
    this.alerts.set(alert.id, alert);
    const series = this.seriesOf({ symbol, timer: average.timer });
    const key = groupKey(average);
    let group = series.groups.get(key);
    if (group === undefined) {
      group = new AverageGroup(average);
      series.groups.set(key, group);
      const newest = series.newest ?? closed.at(-1)?.opened;
      for (const { opened, close } of closed) if (newest === undefined || opened <= newest) group.add(close);
      series.newest = newest;
    }
    group.alerts.set(alert.id, alert);
  }

  /** Stops watching an alert; does nothing if it is not watched. */
  remove(id: string): void {
    const alert = this.alerts.get(id);
    if (alert?.average === undefined) return;
    this.alerts.delete(id);
    const seriesKey = keyOf({ symbol: alert.symbol, timer: alert.average.timer });
    const series = this.series.get(seriesKey);
    const group = series?.groups.get(groupKey(alert.average));
    group?.alerts.delete(id);
    if (series === undefined || group === undefined || group.alerts.size > 0) return;
    series.groups.delete(groupKey(alert.average));
    if (series.groups.size === 0) this.series.delete(seriesKey);
  }

  /**
   * Adds the next closed candle of a series and returns the changes of alerts that it causes. The candle does not
   * trigger alerts that were created at its close or later, alerts that this or a later candle has triggered, and
   * alerts in the pause after a trigger. So a candle may be added again after a restart. `sequence` is the number of
   * the latest trade.
   */
  addCandle(
    name: CandleSeriesName,
    { opened, close }: ClosedCandle,
    sequence: number,
  ): readonly AlertChange[] {
    const series = this.series.get(keyOf(name));
    if (series === undefined || (series.newest !== undefined && opened <= series.newest)) return [];
    series.newest = opened;
    const at = closeOf(name.timer, opened);
    const changes: AlertChange[] = [];
    for (const group of series.groups.values()) {
      const cross = group.add(close);
      if (cross === undefined) continue;
      for (const alert of group.alerts.values()) {
        if (alert.condition !== cross.condition || !isOpenAt(alert, at)) continue;
        const { subject, target } = cross.values;
        changes.push(changeAt(alert, { price: close, at, sequence }, target, subject));
      }
    }
    for (const { before, after } of changes) {
      if (after === undefined) this.remove(before.id);
      else this.replace(after);
    }
    return changes;
  }

  private replace(alert: PriceAlert): void {
    this.alerts.set(alert.id, alert);
    this.series
      .get(keyOf({ symbol: alert.symbol, timer: alert.average!.timer }))
      ?.groups.get(groupKey(alert.average!))
      ?.alerts.set(alert.id, alert);
  }

  private seriesOf(name: CandleSeriesName): WatchedSeries {
    const existing = this.series.get(keyOf(name));
    if (existing !== undefined) return existing;
    const created = new WatchedSeries(name);
    this.series.set(keyOf(name), created);
    return created;
  }
}

/**
 * Returns whether a candle that closed at `at` can trigger the alert: the alert was created before `at` and
 * is not in its pause then.
 */
function isOpenAt(alert: PriceAlert, at: Instant): boolean {
  return alert.createdAt < at && !isCoolingDown(alert, at);
}

function keyOf({ symbol, timer }: CandleSeriesName): string {
  return `${symbol} ${timer}`;
}

function groupKey({ kind, period, slow, level }: AverageTerms): string {
  return `${kind} ${period} ${slow ?? ''} ${level ?? ''}`;
}
