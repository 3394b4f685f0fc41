import { Decimal } from '@exchange/core/decimal.ts';
import { BOLLINGER, MACD_PERIODS, type AverageTerms } from '@exchange/core/price-alert.ts';

/** The two values that an alert on a crossing compares at the close of a candle. */
export interface CrossedValues {
  readonly subject: Decimal;
  readonly target: Decimal;
}

/**
 * An indicator of an alert, e.g. RSI, MACD or a pair of moving averages. It computes the two values that the
 * alert compares from closing prices that are added one by one, in constant time and memory for each.
 */
export interface Indicator {
  /**
   * Adds a closing price and returns the two values that include it; undefined while too few prices were
   * added.
   */
  add(close: Decimal): CrossedValues | undefined;
}

/** Creates the indicator of an alert on a crossing. */
export function indicatorOf({ kind, period, slow = 0, level = Decimal.zero }: AverageTerms): Indicator {
  if (kind === 'maPair') return new PairOfAverages('ma', period, slow);
  if (kind === 'emaPair') return new PairOfAverages('ema', period, slow);
  if (kind === 'rsi') return new StrengthIndex(period, level);
  if (kind === 'macd') return new Macd(period, slow);
  if (kind === 'bollUpper' || kind === 'bollLower') return new BollingerBand(kind, period);
  return new CloseAndAverage(kind, period);
}

const TWO = Decimal.ofWhole(2);
const HUNDRED = Decimal.ofWhole(100);
const FIFTY = Decimal.ofWhole(50);

/**
 * A moving average of closing prices, updated in constant time. `ma` is the arithmetic mean of the last `period`
 * closes. `ema` starts with this mean and then moves by 2 ÷ (period + 1) of the distance to each close, as in the
 * charts of the apps.
 */
class MovingAverage {
  private readonly kind: 'ma' | 'ema';
  private readonly period: number;
  private readonly closes: Decimal[] = [];
  private next = 0;
  private sum = Decimal.zero;
  private exponential: Decimal | undefined;

  constructor(kind: 'ma' | 'ema', period: number) {
    this.kind = kind;
    this.period = period;
  }

  /**
   * Adds a closing price and returns the average that includes it; undefined if fewer prices than the period were
   * added.
   */
  add(close: Decimal): Decimal | undefined {
    const { kind, period } = this;
    if (this.exponential !== undefined) {
      const step = close.minus(this.exponential).times(TWO, 'halfEven');
      this.exponential = this.exponential.plus(step.over(Decimal.ofWhole(period + 1), 'halfEven'));
      return this.exponential;
    }
    const dropped = this.closes[this.next];
    this.sum = this.sum.plus(close).minus(dropped ?? Decimal.zero);
    this.closes[this.next] = close;
    this.next = (this.next + 1) % period;
    if (this.closes.length < period) return undefined;
    const mean = this.sum.over(Decimal.ofWhole(period), 'halfEven');
    if (kind === 'ema') this.exponential = mean;
    return mean;
  }
}

/** An indicator whose two values are the closing price and its moving average. */
class CloseAndAverage implements Indicator {
  private readonly average: MovingAverage;

  constructor(kind: 'ma' | 'ema', period: number) {
    this.average = new MovingAverage(kind, period);
  }

  add(close: Decimal): CrossedValues | undefined {
    const target = this.average.add(close);
    return target && { subject: close, target };
  }
}

/** An indicator whose two values are a fast and a slow moving average of the closing prices. */
class PairOfAverages implements Indicator {
  private readonly fast: MovingAverage;
  private readonly slow: MovingAverage;

  constructor(kind: 'ma' | 'ema', fast: number, slow: number) {
    this.fast = new MovingAverage(kind, fast);
    this.slow = new MovingAverage(kind, slow);
  }

  add(close: Decimal): CrossedValues | undefined {
    const subject = this.fast.add(close);
    const target = this.slow.add(close);
    return subject && target && { subject, target };
  }
}

/**
 * The relative strength index of J. Welles Wilder (New Concepts in Technical Trading Systems, 1978): 100 × gain ÷ (gain
 * + loss). Gain and loss are averages of the rises and the falls from one closing price to the next: at first the mean
 * of `period` of them, then each new one moves the average by 1 ÷ period of the distance to it. Without any change the
 * index is 50.
 */
class StrengthIndex implements Indicator {
  private readonly period: Decimal;
  private readonly level: Decimal;
  private before: Decimal | undefined;
  /** Number of price changes that the first mean still lacks; 0 afterwards. */
  private missing: number;
  /** The rises and the falls: their sums until the first mean is complete, afterwards their averages. */
  private gain = Decimal.zero;
  private loss = Decimal.zero;

  constructor(period: number, level: Decimal) {
    this.period = Decimal.ofWhole(period);
    this.level = level;
    this.missing = period;
  }

  add(close: Decimal): CrossedValues | undefined {
    const { before } = this;
    this.before = close;
    if (before === undefined) return undefined;
    const change = close.minus(before);
    const rise = change.isPositive() ? change : Decimal.zero;
    const fall = change.isNegative() ? change.negated() : Decimal.zero;
    if (this.missing > 0) {
      this.gain = this.gain.plus(rise);
      this.loss = this.loss.plus(fall);
      this.missing -= 1;
      if (this.missing > 0) return undefined;
      this.gain = this.gain.over(this.period, 'halfEven');
      this.loss = this.loss.over(this.period, 'halfEven');
    } else {
      this.gain = this.gain.plus(rise.minus(this.gain).over(this.period, 'halfEven'));
      this.loss = this.loss.plus(fall.minus(this.loss).over(this.period, 'halfEven'));
    }
    const both = this.gain.plus(this.loss);
    const subject = both.isPositive() ? this.gain.times(HUNDRED, 'halfEven').over(both, 'halfEven') : FIFTY;
    return { subject, target: this.level };
  }
}

/**
 * The moving average convergence divergence of Gerald Appel: the fast less the slow exponential average of the closing
 * prices, and the exponential average of this difference, its signal line. Each average starts with a plain mean.
 */
class Macd implements Indicator {
  private readonly fast: MovingAverage;
  private readonly slow: MovingAverage;
  private readonly signal = new MovingAverage('ema', MACD_PERIODS.signal);

  constructor(fast: number, slow: number) {
    this.fast = new MovingAverage('ema', fast);
    this.slow = new MovingAverage('ema', slow);
  }

  add(close: Decimal): CrossedValues | undefined {
    const fast = this.fast.add(close);
    const slow = this.slow.add(close);
    if (fast === undefined || slow === undefined) return undefined;
    const subject = fast.minus(slow);
    const target = this.signal.add(subject);
    return target && { subject, target };
  }
}

/**
 * The closing price and a band of John Bollinger (Bollinger on Bollinger Bands, 2001): the mean of the last closing
 * prices plus or minus two standard deviations of these prices (of the population).
 */
class BollingerBand implements Indicator {
  private readonly kind: 'bollUpper' | 'bollLower';
  private readonly period: number;
  private readonly closes: Decimal[] = [];
  private next = 0;
  private sum = 0n;
  /** The sum of the squares of the prices in atoms, which a decimal could not hold exactly. */
  private squares = 0n;

  constructor(kind: 'bollUpper' | 'bollLower', period: number) {
    this.kind = kind;
    this.period = period;
  }

  add(close: Decimal): CrossedValues | undefined {
    const dropped = this.closes[this.next]?.atoms ?? 0n;
    this.sum += close.atoms - dropped;
    this.squares += close.atoms ** 2n - dropped ** 2n;
    this.closes[this.next] = close;
    this.next = (this.next + 1) % this.period;
    if (this.closes.length < this.period) return undefined;
    const count = BigInt(this.period);
    // The square of the deviation times the square of the count is a whole number, so only the root is rounded.
    const deviation = rootOf(count * this.squares - this.sum ** 2n);
    const width = BigInt(BOLLINGER.deviations) * (this.kind === 'bollUpper' ? deviation : -deviation);
    return { subject: close, target: Decimal.ofAtoms((this.sum + width) / count) };
  }
}

/** Returns the greatest whole number whose square is not more than `value`, which is not negative. */
function rootOf(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const nearer = (root + value / root) >> 1n;
    if (nearer >= root) return root;
    root = nearer;
  }
}
