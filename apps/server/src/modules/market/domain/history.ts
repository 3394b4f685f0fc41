import { CANDLE_SECONDS, CANDLE_TIMERS, candleStart, type CandleTimer } from '@exchange/core/candle.ts';
import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { joined, type Candle } from './candle-record.ts';
import { CANDLES_KEPT } from './candle-series.ts';
import { DEALS_KEPT, type PairDeal } from './pair-market.ts';
import { scaleOf, turnoverOf, type PairScale } from './pair-scale.ts';
import { drawLatestDeals, LEAST_DEALS } from './past-deals.ts';
import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { SimulatedPath, simulatedCoin, type PathState, type SimulatedCoin } from './simulated-path.ts';

/**
 * A generated past for the demo market. It is made once at the finest interval that any chart needs at
 * that age (minutes for the last days, days for the last years); every coarser candle is joined from
 * finer ones, so that all charts of a pair show the same data. The latest minutes are made of deals, which
 * stand in the list of deals. It ends now, at the hidden path's price.
 */
export interface GeneratedHistory {
  readonly candles: ReadonlyMap<string, ReadonlyMap<CandleTimer, readonly Candle[]>>;
  /** The latest deals of each pair, newest first. */
  readonly deals: ReadonlyMap<string, readonly PairDeal[]>;
  /** Continues the path from where the history ends. */
  readonly path: PathState;
}

/** How finely a candle's way is drawn. */
const STEPS = 12;
const DAY_SECONDS = 86_400;
const AVERAGE_DEAL_USDT = 300;
/** A full tide moves a coin as far as so many days of its volatility would, all in one direction. */
const TIDE_DAYS = 30;

/** The part of the past whose finest candles are those of one interval. */
interface Stretch {
  readonly timer: CandleTimer;
  readonly from: Instant;
  readonly until: Instant;
}

/** Draws the past of all pairs up to `now`. The same seed draws the same past. */
export function generateHistory(
  now: Instant,
  pairs: readonly Pair[],
  random: SeededGenerator,
): GeneratedHistory {
  const codes = [...new Set(pairs.flatMap(({ base, quote }) => [base, quote]))].filter(
    (code) => code !== 'USDT',
  );
  const coins = codes.map(simulatedCoin);
  const stretches = stretchesUntil(now);
  const { prices, path } = drawPrices(now, coins, stretches, random);
  const candles = new Map<string, ReadonlyMap<CandleTimer, readonly Candle[]>>();
  const deals = new Map<string, readonly PairDeal[]>();
  for (const pair of pairs) {
    const finest = new PairHistory(pair, prices, random).draw(stretches, now);
    const about = { symbol: pair.symbol, scale: scaleOf(pair) };
    const latest = drawLatestDeals(about, finest, { now, most: DEALS_KEPT, random });
    deals.set(pair.symbol, latest.deals);
    const series = CANDLE_TIMERS.map((timer) => [timer, coarser(timer, latest.candles)] as const);
    candles.set(pair.symbol, new Map(series));
  }
  return { candles, deals, path };
}

/** Oldest first. Each stretch begins on a boundary of the next coarser interval, so no candle lies across. */
export function stretchesUntil(now: Instant): Stretch[] {
  const stretches: Stretch[] = [];
  let until = instant(now + 1);
  for (const [place, coarser] of CANDLE_TIMERS.slice(1).entries()) {
    const timer = CANDLE_TIMERS[place] ?? coarser;
    const back = CANDLES_KEPT * CANDLE_SECONDS[timer] * SECOND_MS;
    const from = candleStart(coarser, instant(now - back));
    if (from < until) stretches.unshift({ timer, from, until });
    until = from;
  }
  return stretches;
}

/** Openings of the stretches' candles, oldest first, with their lengths. */
function* openings(stretches: readonly Stretch[]): Generator<{ opened: number; seconds: number }> {
  for (const { timer, from, until } of stretches) {
    const seconds = CANDLE_SECONDS[timer];
    for (let at: number = from; at < until; at += seconds * SECOND_MS)
      yield { opened: at / SECOND_MS, seconds };
  }
}

/** Prices in USDT of every coin at every step. */
type Prices = ReadonlyMap<string, Float64Array>;

/** The last price of each coin lies on its anchor. */
function drawPrices(
  now: Instant,
  coins: readonly SimulatedCoin[],
  stretches: readonly Stretch[],
  random: SeededGenerator,
): { prices: Prices; path: PathState } {
  const drawn = new SimulatedPath(coins, random);
  const phase = random.between(0, 2 * Math.PI);
  const candles = [...openings(stretches)];
  const columns = coins.map((coin) => ({ coin, prices: new Float64Array(candles.length * STEPS) }));
  let row = 0;
  for (const { opened, seconds } of candles) {
    for (let step = 1; step <= STEPS; step += 1) {
      drawn.advance(seconds / STEPS);
      const ageDays = Math.max(0, now / SECOND_MS - opened - (seconds * step) / STEPS) / DAY_SECONDS;
      const tide = tideOf(ageDays, phase);
      for (const { coin, prices } of columns) {
        prices[row] = drawn.distance(coin.code) + tide * coin.dailyVolatility * TIDE_DAYS;
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

/** The long waves of a market over years, zero now and lower in the far past. */
function tideOf(ageDays: number, phase: number): number {
  const years = ageDays / 365;
  const wave = (length: number) => Math.sin(phase + (2 * Math.PI * years) / length) - Math.sin(phase);
  return -0.22 * years + 0.45 * wave(3.7) + 0.2 * wave(1.1);
}

/** A candle's place in time, in seconds; the running one has not lasted as long as it will. */
interface Interval {
  readonly opened: number;
  readonly seconds: number;
  readonly lasted: number;
}

class PairHistory {
  private readonly pair: Pair;
  private readonly scale: PairScale;
  /** Prices in USDT of base and quote; USDT itself has none: it is the measure. */
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

  draw(stretches: readonly Stretch[], now: Instant): Candle[] {
    const candles: Candle[] = [];
    const firstOpened =
      this.listedDaysAgo === undefined ? 0 : now / SECOND_MS - this.listedDaysAgo * DAY_SECONDS;
    let row = 0;
    let closeTicks = this.ticksAt(0);
    for (const { opened, seconds } of openings(stretches)) {
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
    const count = Math.max(LEAST_DEALS, Math.round(turnoverUsdt / AVERAGE_DEAL_USDT));
    const lots = (turnoverUsdt / usdtAt(this.base, firstRow)) * 10 ** this.pair.amountDigits;
    const volume = BigInt(Math.max(count, Math.round(lots)));
    const turnover = turnoverOf(this.scale, (open + high + low + close) / 4n, volume);
    return { opened, open, high, low, close, volume, turnover, count, seeded: true };
  }

  /** More is traded where the price moves more. */
  private turnoverUsdt(seconds: number, open: bigint, high: bigint, low: bigint): number {
    const range = Number(high - low) / Number(open);
    const usual = this.volatility * Math.sqrt(seconds / DAY_SECONDS) * 1.6;
    const excitement = 0.4 + 0.6 * Math.min(4, range / usual);
    const luck = Math.exp(0.35 * this.random.normal());
    return ((dailyTurnoverUsdt(this.pair) * seconds) / DAY_SECONDS) * excitement * luck;
  }

  private ticksAt(row: number): number {
    const price = usdtAt(this.base, row) / usdtAt(this.quote, row);
    return Math.max(1, Math.round(price * this.ticksPerUnit));
  }
}

function usdtAt(prices: Float64Array | undefined, row: number): number {
  return prices?.[row] ?? 1;
}

/** What the demo's simulated takers turn over, so that the generated volume runs on into the traded. */
function dailyTurnoverUsdt({ base, quote }: Pair): number {
  if (quote !== 'USDT') return 1_000_000;
  if (simulatedCoin(base).listedDaysAgo !== undefined) return 25_000;
  return base === 'BTC' ? 18_000_000 : base === 'ETH' ? 12_000_000 : 1_600_000;
}

/** The latest candles of an interval, joined from all that are as fine or finer; read from the newest back. */
function coarser(timer: CandleTimer, drawn: readonly Candle[]): Candle[] {
  const newestFirst: Candle[] = [];
  let until = drawn.length;
  while (until > 0 && newestFirst.length < CANDLES_KEPT) {
    const opened = candleStart(timer, instant(drawn[until - 1]!.opened * SECOND_MS)) / SECOND_MS;
    let from = until - 1;
    while (from > 0 && drawn[from - 1]!.opened >= opened) from -= 1;
    newestFirst.push(joined(opened, drawn.slice(from, until)));
    until = from;
  }
  return newestFirst.toReversed();
}
