import { Decimal } from '@exchange/core/decimal.ts';
import type { AlertWindow } from '@exchange/core/price-alert.ts';
import type { Instant } from '@exchange/core/time.ts';
import {
  changeAt,
  isCoolingDown,
  watchedBounds,
  type AlertChange,
  type PriceAlert,
  type PricePoint,
} from './alert.ts';
import { NearestBounds } from './nearest-bounds.ts';
import { PriceWindows } from './price-windows.ts';

const NO_CHANGES: readonly AlertChange[] = [];

/**
 * The bounds of alerts for one value, above it (`up`) and below it (`down`). The value is the price of a pair or its
 * move within a window.
 */
class Bounds {
  readonly up = new NearestBounds('up');
  readonly down = new NearestBounds('down');

  get size(): number {
    return this.up.size + this.down.size;
  }

  removeReached(atoms: bigint): string[] {
    if (!(this.up.isReached(atoms) || this.down.isReached(atoms))) return [];
    return [...this.up.removeReached(atoms), ...this.down.removeReached(atoms)];
  }

  remove(id: string): void {
    this.up.remove(id);
    this.down.remove(id);
  }
}

class PairWatch {
  last: Decimal | undefined;
  readonly prices = new Bounds();
  readonly windows: PriceWindows;
  /** For each window that an alert has used, the bounds of the price moves within it. */
  readonly moves = new Map<AlertWindow, Bounds>();

  constructor(windows: PriceWindows) {
    this.windows = windows;
  }

  boundsOf({ windowMinutes }: Pick<PriceAlert, 'windowMinutes'>): Bounds {
    if (windowMinutes === undefined) return this.prices;
    const existing = this.moves.get(windowMinutes);
    if (existing !== undefined) return existing;
    const created = new Bounds();
    this.moves.set(windowMinutes, created);
    return created;
  }

  /**
   * Removes the bounds that the current price or the move to it reaches. Returns their alerts, each with the price from
   * which the price moved (undefined for bounds of the price itself).
   */
  removeReached(): { readonly id: string; readonly base: Decimal | undefined }[] {
    const { last, windows } = this;
    if (last === undefined) return [];
    const reached: { id: string; base: Decimal | undefined }[] = [];
    for (const id of this.prices.removeReached(last.atoms)) reached.push({ id, base: undefined });
    for (const [minutes, bounds] of this.moves) {
      if (bounds.size === 0) continue;
      const move = windows.moveWithin(minutes);
      if (move === undefined) continue;
      for (const id of bounds.removeReached(move.percentAtoms))
        reached.push({ id, base: Decimal.ofAtoms(move.from) });
    }
    return reached;
  }
}

/**
 * All active alerts on prices and their moves in memory, indexed by the price or the size of the move at which they
 * trigger. A trade that reaches no alert costs two comparisons with bounds, two with the range of its minute, and the
 * computation of the move within each of the (at most five) windows on which the pair has alerts. The class has no
 * clock and no database: it receives prices and times and returns the resulting changes in order.
 */
export class AlertWatch {
  private readonly pricesPersist: boolean;
  private readonly pairs = new Map<string, PairWatch>();
  private readonly alerts = new Map<string, PriceAlert>();
  /** Price alerts that have triggered and are not watched until their pause ends. */
  private readonly resting = new Map<string, PriceAlert>();

  /**
   * With `pricesPersist` a price stays in force until the next one, as a traded price does. Otherwise each price is a
   * sample that counts only at its time.
   */
  constructor({ pricesPersist }: { readonly pricesPersist: boolean }) {
    this.pricesPersist = pricesPersist;
  }

  get size(): number {
    return this.alerts.size;
  }

  has(id: string): boolean {
    return this.alerts.has(id);
  }

  /**
   * Starts watching a price alert. Returns the changes that the last price causes at once, e.g. if it already reaches
   * the alert. Does nothing if it is watched already.
   */
  add(alert: PriceAlert, at: Instant, sequence: number): readonly AlertChange[] {
    if (this.alerts.has(alert.id)) return NO_CHANGES;
    this.addBounds(alert, at);
    return this.changesAtLastPrice(alert.symbol, at, sequence);
  }

  /** Stops watching a price alert; does nothing if it is not watched. */
  remove(id: string): void {
    const alert = this.alerts.get(id);
    if (alert === undefined) return;
    this.removeBounds(alert);
    this.alerts.delete(id);
    this.resting.delete(id);
  }

  /** Processes a new price of a pair, and returns the changes of alerts that it causes. */
  updatePrice(symbol: string, point: PricePoint): readonly AlertChange[] {
    this.recordPrice(symbol, point);
    return this.changesAtLastPrice(symbol, point.at, point.sequence);
  }

  /** Records a price without comparing it with alerts, e.g. a price whose changes of alerts are stored already. */
  recordPrice(symbol: string, { price, at }: Pick<PricePoint, 'at' | 'price'>): void {
    const pair = this.pair(symbol);
    pair.last = price;
    pair.windows.add(price.atoms, at);
  }

  /**
   * Returns the price windows of a pair: its lowest and highest prices of the last 5 minutes to 24 hours. The
   * caller may add the prices of past minutes to them.
   */
  windowsOf(symbol: string): PriceWindows {
    return this.pair(symbol).windows;
  }

  /**
   * Processes the passing of time up to `at`, and returns the changes of alerts: alerts whose pause has ended are
   * checked against the last price, and after the end of a minute also the moves within the windows.
   */
  advanceTime(at: Instant, sequence: number): readonly AlertChange[] {
    const symbols = this.endCooldowns(at);
    for (const [symbol, { windows }] of this.pairs) if (windows.advance(at)) symbols.add(symbol);
    return [...symbols].flatMap((symbol) => this.changesAtLastPrice(symbol, at, sequence));
  }

  /** Watches the alerts again whose pause after a trigger has ended by `at`. Returns the symbols of their pairs. */
  private endCooldowns(at: Instant): Set<string> {
    const cooledDown = [...this.resting.values()].filter((alert) => !isCoolingDown(alert, at));
    for (const alert of cooledDown) {
      this.resting.delete(alert.id);
      this.addBounds(alert, at);
    }
    return new Set(cooledDown.map(({ symbol }) => symbol));
  }

  private changesAtLastPrice(symbol: string, at: Instant, sequence: number): readonly AlertChange[] {
    const pair = this.pair(symbol);
    const price = pair.last;
    const reached = pair.removeReached();
    if (price === undefined || reached.length === 0) return NO_CHANGES;
    const changes = reached.map(({ id, base }) =>
      changeAt(this.alerts.get(id)!, { price, at, sequence }, base),
    );
    // First all reached bounds are removed, then the new bounds of the changed alerts are added. The current price
    // reaches none of the new bounds.
    for (const { before, after } of changes) {
      this.removeBounds(before);
      if (after === undefined) this.alerts.delete(before.id);
      else this.addBounds(after, at);
    }
    return changes;
  }

  private addBounds(alert: PriceAlert, at: Instant): void {
    this.alerts.set(alert.id, alert);
    if (isCoolingDown(alert, at)) {
      this.resting.set(alert.id, alert);
      return;
    }
    const bounds = this.pair(alert.symbol).boundsOf(alert);
    const { up, down } = watchedBounds(alert);
    if (up !== undefined) bounds.up.add(up.atoms, alert.id);
    if (down !== undefined) bounds.down.add(down.atoms, alert.id);
  }

  /** Removes the bounds of an alert on both sides, because a percentage alert has an upper and a lower bound. */
  private removeBounds(alert: PriceAlert): void {
    this.pair(alert.symbol).boundsOf(alert).remove(alert.id);
  }

  private pair(symbol: string): PairWatch {
    const existing = this.pairs.get(symbol);
    if (existing !== undefined) return existing;
    const created = new PairWatch(new PriceWindows({ persists: this.pricesPersist }));
    this.pairs.set(symbol, created);
    return created;
  }
}
