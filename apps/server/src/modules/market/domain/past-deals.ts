import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Candle } from './candle-record.ts';
import type { PairDeal } from './pair-market.ts';
import { turnoverOf, type PairScale } from './pair-scale.ts';

/** Least number of generated trades in a candle: one each at its open, high, low and close. */
export const DEALS_PER_CANDLE_MIN = 4;

/** Standard deviation of the logarithm of generated trade amounts. */
const AMOUNT_SPREAD = 0.9;

/** A generated past trade without its sequence number and id. */
type UnnumberedDeal = Pick<PairDeal, 'at' | 'price' | 'amount' | 'takerSide'>;

/**
 * Generates the trades of the latest candles of a generated history. Returns at most `most` trades, newest first, and
 * all candles. The turnover, and the volume and turnover that takers bought, of the candles with generated trades are
 * recomputed from these trades. Generated trades have negative sequence numbers, so they precede every real trade and
 * appear in no trade record.
 */
export function drawLatestDeals(
  pair: { readonly symbol: string; readonly scale: PairScale },
  candles: readonly Candle[],
  { now, most, random }: { readonly now: Instant; readonly most: number; readonly random: SeededGenerator },
): { deals: readonly PairDeal[]; candles: readonly Candle[] } {
  const newestFirst: UnnumberedDeal[] = [];
  const recomputed = [...candles];
  for (let at = candles.length - 1; at >= 0 && newestFirst.length < most; at -= 1) {
    const candle = candles[at]!;
    const until = Math.min(now, (candles[at + 1]?.opened ?? Number.POSITIVE_INFINITY) * SECOND_MS);
    const drawn = dealsOf(candle, until, random);
    recomputed[at] = withTurnoverOf(candle, drawn, pair.scale);
    newestFirst.push(...drawn.toReversed());
  }
  const deals = newestFirst.slice(0, most).map((deal, place) => ({
    ...deal,
    tradeId: `${pair.symbol}-seeded-${place + 1}`,
    sequence: -(place + 1),
  }));
  return { deals, candles: recomputed };
}

/** The candle with its turnover, and the volume and turnover that takers bought, computed from its trades. */
function withTurnoverOf(candle: Candle, deals: readonly UnnumberedDeal[], scale: PairScale): Candle {
  let turnover = 0n;
  let takerVolume = 0n;
  let takerTurnover = 0n;
  for (const { price, amount, takerSide } of deals) {
    const dealTurnover = turnoverOf(scale, price, amount);
    turnover += dealTurnover;
    if (takerSide === 'sell') continue;
    takerVolume += amount;
    takerTurnover += dealTurnover;
  }
  return {
    ...candle,
    turnover,
    takerVolume,
    takerTurnover,
  };
}

/**
 * Generates the trades of one candle, oldest first. The first has the open price, the last the
 * close price; high and low occur between them.
 */
function dealsOf(candle: Candle, until: number, random: SeededGenerator): UnnumberedDeal[] {
  const { opened, count } = candle;
  const times = sortedDraws(count, () => random.next()).map(
    (share) => opened * SECOND_MS + Math.floor(share * (until - opened * SECOND_MS)),
  );
  const prices = pricesOf(candle, random);
  const amounts = amountsOf(candle, random);
  return prices.map((price, index) => {
    const previous = prices[index - 1] ?? price;
    const isBuy = price === previous ? random.next() < 0.5 : price > previous;
    return {
      at: instant(times[index]!),
      price,
      amount: amounts[index]!,
      takerSide: isBuy ? ('buy' as const) : ('sell' as const),
    };
  });
}

function sortedDraws(count: number, draw: () => number): number[] {
  return Array.from({ length: count }, draw).toSorted((a, b) => a - b);
}

/** A random price path from open to close that reaches high and low at two random positions. */
function pricesOf({ open, high, low, close, count }: Candle, random: SeededGenerator): bigint[] {
  const inner = count - 2;
  const first = 1 + Math.floor(random.next() * (inner - 1));
  const second = first + 1 + Math.floor(random.next() * (inner - first));
  const [firstExtreme, secondExtreme] = random.next() < 0.5 ? [high, low] : [low, high];
  const fixedPrices = new Map([
    [0, open],
    [first, firstExtreme],
    [second, secondExtreme],
    [count - 1, close],
  ]);
  const positions = [...fixedPrices.keys()];
  return Array.from({ length: count }, (_, position) => {
    const fixedPrice = fixedPrices.get(position);
    if (fixedPrice !== undefined) return fixedPrice;
    const next = positions.findIndex((reached) => reached > position);
    const [from, to] = [positions[next - 1]!, positions[next]!];
    const drift = Number(fixedPrices.get(to)! - fixedPrices.get(from)!) * ((position - from) / (to - from));
    const noise = Number(high - low) * 0.08 * random.normal();
    const price = fixedPrices.get(from)! + BigInt(Math.round(drift + noise));
    return price < low ? low : price > high ? high : price;
  });
}

/** Random trade amounts that add up to the candle's volume; each is at least one lot. */
function amountsOf({ volume, count }: Candle, random: SeededGenerator): bigint[] {
  const weights = Array.from({ length: count }, () => Math.exp(AMOUNT_SPREAD * random.normal()));
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  const free = Number(volume - BigInt(count));
  const amounts = weights.map((weight) => 1n + BigInt(Math.floor((free * weight) / weightSum)));
  const assigned = amounts.reduce((sum, amount) => sum + amount, 0n);
  const largest = amounts.reduce((best, amount, index) => (amount > amounts[best]! ? index : best), 0);
  amounts[largest] = amounts[largest]! + (volume - assigned);
  return amounts;
}
