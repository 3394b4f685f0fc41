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

/** Bounds of one value on both sides: of the price of a pair, or of its move within a window. */
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
  /** Bounds of the moves within each window that an alert has used. */
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

  /** The alerts whose bounds the present price or a move to it reaches, each with the price from which it moved. */
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
 * All active alerts on prices and their moves in memory, indexed by their distance from the price or the size of the
 * move. A deal that reaches no alert costs two comparisons, two for its minute, and the size of the move within each
 * of the five windows on which the pair has alerts. The class has no clock and no database: it receives prices and
 * times and returns the resulting changes in order.
 */
export class AlertWatch {
  private readonly pricesPersist: boolean;
  private readonly pairs = new Map<string, PairWatch>();
  private readonly alerts = new Map<string, PriceAlert>();
  /** Price alerts in their pause after they triggered. */
  private readonly resting = new Map<string, PriceAlert>();

  /** With `pricesPersist` a price is in force until the next one; otherwise prices are samples. */
  constructor({ pricesPersist }: { readonly pricesPersist: boolean }) {
    this.pricesPersist = pricesPersist;
  }

  get size(): number {
    return this.alerts.size;
  }

  has(id: string): boolean {
    return this.alerts.has(id);
  }

  /** Starts watching a price alert and returns the changes that the last price causes at once. */
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

  /** Processes a new last price of a pair. */
  updatePrice(symbol: string, point: PricePoint): readonly AlertChange[] {
    this.recordPrice(symbol, point);
    return this.changesAtLastPrice(symbol, point.at, point.sequence);
  }

  /** Records a price whose consequences are stored already. */
  recordPrice(symbol: string, { price, at }: Pick<PricePoint, 'at' | 'price'>): void {
    const pair = this.pair(symbol);
    pair.last = price;
    pair.windows.add(price.atoms, at);
  }

  /** The lowest and highest prices of the last day of a pair. */
  windowsOf(symbol: string): PriceWindows {
    return this.pair(symbol).windows;
  }

  /**
   * Processes the passing of time: price alerts whose cooldown has ended are checked against the
   * last price, and at the end of a minute moves are measured again.
   */
  advanceTime(at: Instant, sequence: number): readonly AlertChange[] {
    const symbols = this.endCooldowns(at);
    for (const [symbol, { windows }] of this.pairs) if (windows.advance(at)) symbols.add(symbol);
    return [...symbols].flatMap((symbol) => this.changesAtLastPrice(symbol, at, sequence));
  }

  /** Watches alerts again whose cooldown has ended, and returns their pairs. */
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
    // New price bounds of alerts are added only after all reached bounds are removed, because the
    // same price reaches none of the new ones.
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

  /** Removes an alert's bounds on both sides, because a percentage alert has one on each side. */
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
