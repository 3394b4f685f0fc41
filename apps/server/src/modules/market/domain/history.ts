import { CANDLE_SECONDS, CANDLE_TIMERS, candleStart, type CandleTimer } from '@exchange/core/candle.ts';
import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { joinCandles, type Candle } from './candle-record.ts';
import { CANDLES_KEPT } from './candle-series.ts';
import { DEALS_KEPT, type PairDeal } from './pair-market.ts';
import { scaleOf, turnoverOf, type PairScale } from './pair-scale.ts';
import { drawLatestDeals, DEALS_PER_CANDLE_MIN } from './past-deals.ts';
import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { SimulatedPath, simulatedCoin, type PathState, type SimulatedCoin } from './simulated-path.ts';

/**
 * A generated price history for the demo market, ending now at the current simulated price. It is generated
 * at the finest interval that any chart needs at that age (minutes for about the last 33 hours, days for the
 * oldest years). Coarser candles are joined from finer ones, so that all charts of a pair agree. The newest
 * candles consist of generated deals, which also fill the list of recent deals.
 */
export interface GeneratedHistory {
  readonly candles: ReadonlyMap<string, ReadonlyMap<CandleTimer, readonly Candle[]>>;
  /** The latest generated trades of each pair, newest first. */
  readonly deals: ReadonlyMap<string, readonly PairDeal[]>;
  /** State of the price simulation at the end of the history. */
  readonly path: PathState;
}

/** Number of generated price samples per candle. */
const STEPS = 12;
const DAY_SECONDS = 86_400;
const AVERAGE_DEAL_USDT = 300;
/**
 * Scale of the long waves of generated prices: a wave of 1 changes the logarithm of a coin's price by this
 * many times its daily volatility.
 */
const WAVE_DAYS = 30;

/** A period of the generated past whose finest candles have one interval. */
interface Period {
  readonly timer: CandleTimer;
  readonly from: Instant;
  readonly until: Instant;
}

/** Generates the price history of all pairs up to `now`. The same seed, time and pairs give the same history. */
export function generateHistory(
  now: Instant,
  pairs: readonly Pair[],
  random: SeededGenerator,
): GeneratedHistory {
  const codes = [...new Set(pairs.flatMap(({ base, quote }) => [base, quote]))].filter(
    (code) => code !== 'USDT',
  );
  const coins = codes.map(simulatedCoin);
  const periods = periodsUntil(now);
  const { prices, path } = drawPrices(now, coins, periods, random);
  const candles = new Map<string, ReadonlyMap<CandleTimer, readonly Candle[]>>();
  const deals = new Map<string, readonly PairDeal[]>();
  for (const pair of pairs) {
    const finest = new PairHistory(pair, prices, random).draw(periods, now);
    const pairScale = { symbol: pair.symbol, scale: scaleOf(pair) };
    const latest = drawLatestDeals(pairScale, finest, { now, most: DEALS_KEPT, random });
    deals.set(pair.symbol, latest.deals);
    const series = CANDLE_TIMERS.map((timer) => [timer, joinedCandles(timer, latest.candles)] as const);
    candles.set(pair.symbol, new Map(series));
  }
  return { candles, deals, path };
}

/**
 * Periods of the generated past with decreasing candle interval, oldest first. Each begins on a
 * boundary of the next coarser interval, so that no candle spans two periods.
 */
function periodsUntil(now: Instant): Period[] {
  const periods: Period[] = [];
  let until = instant(now + 1);
  for (const [index, coarser] of CANDLE_TIMERS.slice(1).entries()) {
    const timer = CANDLE_TIMERS[index] ?? coarser;
    const lengthMs = CANDLES_KEPT * CANDLE_SECONDS[timer] * SECOND_MS;
    const from = candleStart(coarser, instant(now - lengthMs));
    if (from < until) periods.unshift({ timer, from, until });
    until = from;
  }
  return periods;
}

/**
 * Opening times and lengths, in seconds, of all candles of the generated periods, oldest first.
 */
function* openings(periods: readonly Period[]): Generator<{ opened: number; seconds: number }> {
  for (const { timer, from, until } of periods) {
    const seconds = CANDLE_SECONDS[timer];
    for (let at: number = from; at < until; at += seconds * SECOND_MS)
      yield { opened: at / SECOND_MS, seconds };
  }
}

/** USDT prices by coin; `STEPS` samples per candle. */
type Prices = ReadonlyMap<string, Float64Array>;

/**
 * Draws the price samples of all coins and shifts each coin's path so that its last price equals
 * its anchor.
 */
function drawPrices(
  now: Instant,
  coins: readonly SimulatedCoin[],
  periods: readonly Period[],
  random: SeededGenerator,
): { prices: Prices; path: PathState } {
  const drawn = new SimulatedPath(coins, random);
  const phase = random.between(0, 2 * Math.PI);
  const candles = [...openings(periods)];
  const columns = coins.map((coin) => ({ coin, prices: new Float64Array(candles.length * STEPS) }));
  let row = 0;
  for (const { opened, seconds } of candles) {
    for (let step = 1; step <= STEPS; step += 1) {
      drawn.advance(seconds / STEPS);
      const ageDays = Math.max(0, now / SECOND_MS - opened - (seconds * step) / STEPS) / DAY_SECONDS;
      const wave = waveAt(ageDays, phase);
      for (const { coin, prices } of columns) {
        prices[row] = drawn.distance(coin.code) + wave * coin.dailyVolatility * WAVE_DAYS;
      }
      row += 1;
    }
  }
  for (const { coin, prices } of columns) {
    const shift = Math.log(coin.anchor) - (prices.at(-1) ?? 0);
    for (let at = 0; at < prices.length; at += 1) prices[at] = Math.exp(prices[at]! + shift);
  }
  const { marketMood, coins: states } = drawn.state();
  const onAnchors = Object.entries(states).map(([code, { mood }]) => [code, { distance: 0, mood }] as const);
  return {
    prices: new Map(columns.map(({ coin, prices }) => [coin.code, prices])),
    path: { marketMood, coins: Object.fromEntries(onAnchors) },
  };
}

/**
 * The multi-year waves of the generated market as a log price, relative to now (0), with a decline
 * into the past.
 */
function waveAt(ageDays: number, phase: number): number {
  const years = ageDays / 365;
  const sine = (length: number) => Math.sin(phase + (2 * Math.PI * years) / length) - Math.sin(phase);
  return -0.22 * years + 0.45 * sine(3.7) + 0.2 * sine(1.1);
}

/**
 * A candle's opening second, its interval, and how long it has lasted, in seconds; only the current candle has lasted
 * less than its interval.
 */
interface Interval {
  readonly opened: number;
  readonly seconds: number;
  readonly lasted: number;
}

class PairHistory {
  private readonly pair: Pair;
  private readonly scale: PairScale;
  /** Generated USDT prices of the base and the quote coin; undefined for USDT itself. */
  private readonly base: Float64Array | undefined;
  private readonly quote: Float64Array | undefined;
  private readonly volatility: number;
  private readonly listedDaysAgo: number | undefined;
  private readonly ticksPerUnit: number;
  private readonly random: SeededGenerator;

  constructor(pair: Pair, prices: Prices, random: SeededGenerator) {
    this.pair = pair;
    this.scale = scaleOf(pair);
    this.base = prices.get(pair.base);
    this.quote = prices.get(pair.quote);
    const { dailyVolatility, listedDaysAgo } = simulatedCoin(pair.base);
    this.volatility = dailyVolatility;
    this.listedDaysAgo = listedDaysAgo;
    this.ticksPerUnit = 10 ** pair.priceDigits;
    this.random = random;
  }

  draw(periods: readonly Period[], now: Instant): Candle[] {
    const candles: Candle[] = [];
    const firstOpened =
      this.listedDaysAgo === undefined ? 0 : now / SECOND_MS - this.listedDaysAgo * DAY_SECONDS;
    let row = 0;
    let closeTicks = this.ticksAt(0);
    for (const { opened, seconds } of openings(periods)) {
      if (opened < firstOpened) {
        row += STEPS;
        closeTicks = this.ticksAt(row - 1);
        continue;
      }
      const lasted = Math.min(seconds, now / SECOND_MS - opened);
      const candle = this.candle({ opened, seconds, lasted }, row, closeTicks);
      candles.push(candle);
      row += STEPS;
      closeTicks = this.ticksAt(row - 1);
    }
    return candles;
  }

  private candle({ opened, seconds, lasted }: Interval, firstRow: number, openTicks: number): Candle {
    let highTicks = openTicks;
    let lowTicks = openTicks;
    for (let row = firstRow; row < firstRow + STEPS; row += 1) {
      const ticks = this.ticksAt(row);
      if (ticks > highTicks) highTicks = ticks;
      if (ticks < lowTicks) lowTicks = ticks;
    }
    const [open, high, low] = [BigInt(openTicks), BigInt(highTicks), BigInt(lowTicks)];
    const close = BigInt(this.ticksAt(firstRow + STEPS - 1));
    const turnoverUsdt = (this.turnoverUsdt(seconds, open, high, low) * lasted) / seconds;
    const count = Math.max(DEALS_PER_CANDLE_MIN, Math.round(turnoverUsdt / AVERAGE_DEAL_USDT));
    const lots = (turnoverUsdt / usdtAt(this.base, firstRow)) * 10 ** this.pair.amountDigits;
    const volume = BigInt(Math.max(count, Math.round(lots)));
    const turnover = turnoverOf(this.scale, (open + high + low + close) / 4n, volume);
    const takerVolume = (volume * takerPermille(open, high, low, close)) / 1_000n;
    return {
      opened,
      open,
      high,
      low,
      close,
      volume,
      turnover,
      count,
      seeded: true,
      takerVolume,
      takerTurnover: (turnover * takerVolume) / volume,
    };
  }

  /** A random turnover of a candle in USDT; candles with a larger price range have more turnover. */
  private turnoverUsdt(seconds: number, open: bigint, high: bigint, low: bigint): number {
    const range = Number(high - low) / Number(open);
    const usualRange = this.volatility * Math.sqrt(seconds / DAY_SECONDS) * 1.6;
    const activity = 0.4 + 0.6 * Math.min(4, range / usualRange);
    const randomFactor = Math.exp(0.35 * this.random.normal());
    return ((dailyTurnoverUsdt(this.pair) * seconds) / DAY_SECONDS) * activity * randomFactor;
  }

  private ticksAt(row: number): number {
    const price = usdtAt(this.base, row) / usdtAt(this.quote, row);
    return Math.max(1, Math.round(price * this.ticksPerUnit));
  }
}

/**
 * The generated part of a candle's volume that takers bought, in thousandths: half of it if the price did not move, and
 * up to a quarter more or less if the candle opened at one end of its range and closed at the other.
 */
function takerPermille(open: bigint, high: bigint, low: bigint, close: bigint): bigint {
  return high === low ? 500n : 500n + (250n * (close - open)) / (high - low);
}

function usdtAt(prices: Float64Array | undefined, row: number): number {
  return prices?.[row] ?? 1;
}

/**
 * Daily turnover in USDT of generated candles, like that of the demo's simulated traders, so that
 * generated and traded volumes are alike.
 */
function dailyTurnoverUsdt({ base, quote }: Pair): number {
  if (quote !== 'USDT') return 1_000_000;
  if (simulatedCoin(base).listedDaysAgo !== undefined) return 25_000;
  return base === 'BTC' ? 18_000_000 : base === 'ETH' ? 12_000_000 : 1_600_000;
}

/** The latest candles of an interval, at most `CANDLES_KEPT`, joined from candles of the same or a finer interval. */
function joinedCandles(timer: CandleTimer, drawn: readonly Candle[]): Candle[] {
  const candlesNewestFirst: Candle[] = [];
  let end = drawn.length;
  while (end > 0 && candlesNewestFirst.length < CANDLES_KEPT) {
    const opened = candleStart(timer, instant(drawn[end - 1]!.opened * SECOND_MS)) / SECOND_MS;
    let start = end - 1;
    while (start > 0 && drawn[start - 1]!.opened >= opened) start -= 1;
    candlesNewestFirst.push(joinCandles(opened, drawn.slice(start, end)));
    end = start;
  }
  return candlesNewestFirst.toReversed();
}
