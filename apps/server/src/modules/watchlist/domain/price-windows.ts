import { ALERT_WINDOWS, type AlertWindow } from '@exchange/core/price-alert.ts';
import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';

/** The lowest and highest price within a minute, in units of 10^-18. */
export interface MinuteRange {
  /** Number of the minute since 1970: its start in milliseconds, divided by 60,000. */
  readonly minute: number;
  readonly low: bigint;
  readonly high: bigint;
}

/** The greatest rise or fall of a price within a window, from an earlier price to the current price. */
export interface Move {
  /** Size of the move in per cent of `from`, rounded down, in units of 10^-18 per cent. */
  readonly percentAtoms: bigint;
  /** The price at which the move began, in units of 10^-18: the lowest or the highest price of the window. */
  readonly from: bigint;
}

const LONGEST = Math.max(...ALERT_WINDOWS);
const PERCENT_ATOMS = 100n * 10n ** 18n;
/** The array of a queue is shortened when this many removed entries are at its front. */
const REMOVED_MAX = 64;

/** Returns the number of the minute that contains an instant, counted from 1970. */
export function minuteOf(at: Instant): number {
  return Math.floor(at / MINUTE_MS);
}

/**
 * The lowest or the highest price of the ended minutes of a window. Only entries that can still become the lowest or
 * highest are stored, so that adding a minute costs constant time on average.
 */
class ExtremeQueue {
  private readonly isLow: boolean;
  private readonly entries: { readonly minute: number; readonly price: bigint }[] = [];
  private removed = 0;

  constructor(isLow: boolean) {
    this.isLow = isLow;
  }

  get size(): number {
    return this.entries.length;
  }

  get extreme(): bigint | undefined {
    return this.entries[this.removed]?.price;
  }

  add(minute: number, price: bigint): void {
    for (;;) {
      const last = this.entries.length > this.removed ? this.entries.at(-1) : undefined;
      if (last === undefined || (this.isLow ? last.price < price : last.price > price)) break;
      this.entries.pop();
    }
    this.entries.push({ minute, price });
  }

  /** Removes entries of minutes before `minute`. */
  removeBefore(minute: number): void {
    while (this.removed < this.entries.length && this.entries[this.removed]!.minute < minute)
      this.removed += 1;
    if (this.removed < REMOVED_MAX) return;
    this.entries.splice(0, this.removed);
    this.removed = 0;
  }
}

class Window {
  readonly minutes: AlertWindow;
  readonly lows = new ExtremeQueue(true);
  readonly highs = new ExtremeQueue(false);

  constructor(minutes: AlertWindow) {
    this.minutes = minutes;
  }
}

/**
 * The lowest and highest prices of the last 5 minutes to 24 hours of a pair. A window of n minutes consists of the
 * current minute and the n − 1 minutes before it, so that it is never longer than n minutes. Adding a price costs two
 * comparisons, ending a minute costs constant time on average. At most the minutes of the windows are stored.
 */
export class PriceWindows {
  private readonly persists: boolean;
  private readonly windows = ALERT_WINDOWS.map((minutes) => new Window(minutes));
  private minute: number | undefined;
  private low: bigint | undefined;
  private high: bigint | undefined;
  private last: bigint | undefined;

  /**
   * With `persists` a price stays in force until the next one, as a traded price does: a new minute begins with the
   * price before it. Otherwise each price is a sample, and a minute without samples has no range.
   */
  constructor({ persists }: { readonly persists: boolean }) {
    this.persists = persists;
  }

  /** Adds the ranges of past minutes, oldest first. Must be called before any price is added. */
  restore(ranges: Iterable<MinuteRange & { readonly last: bigint }>): void {
    for (const { minute, low, high, last } of ranges) {
      this.moveTo(minute);
      this.extend(low);
      this.extend(high);
      this.last = last;
    }
  }

  /** Adds a price. A price whose instant is in an ended minute counts for the current minute. */
  add(priceAtoms: bigint, at: Instant): void {
    this.moveTo(minuteOf(at));
    this.extend(priceAtoms);
    this.last = priceAtoms;
  }

  /** Ends the current minute if it is before the instant `at`. Returns whether it has ended. */
  advance(at: Instant): boolean {
    if (this.minute === undefined || minuteOf(at) <= this.minute) return false;
    this.moveTo(minuteOf(at));
    return true;
  }

  /**
   * Number of stored entries: those of the lowest and those of the highest prices of all windows, added up.
   */
  get storedMinutes(): number {
    return this.windows.reduce((sum, { lows, highs }) => sum + lows.size + highs.size, 0);
  }

  /** The price range of the current minute; undefined if the minute has no price. */
  get present(): MinuteRange | undefined {
    const { minute, low, high } = this;
    return minute === undefined || low === undefined || high === undefined
      ? undefined
      : { minute, low, high };
  }

  /**
   * Returns the greater of the rise from the lowest price of a window to the current price, and the fall from
   * its highest price to it; the rise if they are equal. Undefined if the window has no prices, or its lowest
   * price is not above zero.
   */
  moveWithin(minutes: AlertWindow): Move | undefined {
    const window = this.windows.find((candidate) => candidate.minutes === minutes);
    const { last } = this;
    if (window === undefined || last === undefined) return undefined;
    const low = lesser(window.lows.extreme, this.low);
    const high = greater(window.highs.extreme, this.high);
    if (low === undefined || high === undefined || low <= 0n) return undefined;
    const rise = { percentAtoms: ((last - low) * PERCENT_ATOMS) / low, from: low };
    const fall = { percentAtoms: ((high - last) * PERCENT_ATOMS) / high, from: high };
    return rise.percentAtoms >= fall.percentAtoms ? rise : fall;
  }

  private extend(priceAtoms: bigint): void {
    this.low = lesser(this.low, priceAtoms);
    this.high = greater(this.high, priceAtoms);
  }

  private moveTo(minute: number): void {
    this.minute ??= minute;
    // After a long time without prices, at most the minutes of the longest window are processed one by one.
    if (minute - this.minute > LONGEST) this.endMinute(minute - LONGEST);
    while (this.minute < minute) this.endMinute(this.persists ? this.minute + 1 : minute);
  }

  /** Ends the current minute, adds its range to all windows, and begins the minute `next`. */
  private endMinute(next: number): void {
    const range = this.present;
    this.minute = next;
    for (const { minutes, lows, highs } of this.windows) {
      if (range !== undefined) {
        lows.add(range.minute, range.low);
        highs.add(range.minute, range.high);
      }
      const first = next - minutes + 1;
      lows.removeBefore(first);
      highs.removeBefore(first);
    }
    this.low = this.high = this.persists ? this.last : undefined;
  }
}

function lesser(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

function greater(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}
