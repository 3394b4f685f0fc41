import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Candle } from './candle-record.ts';
import type { PairDeal } from './pair-market.ts';
import { turnoverOf, type PairScale } from './pair-scale.ts';

/** A candle made of deals needs one at each of its four prices. */
export const LEAST_DEALS = 4;

/** How unequal the amounts of deals are: the spread of their logarithms. */
const AMOUNT_SPREAD = 0.9;

/** A generated deal before it is numbered. */
type Drawn = Pick<PairDeal, 'at' | 'price' | 'amount' | 'takerSide'>;

/**
 * Draws the deals that the latest candles of a generated past are made of, and gives them, newest first and
 * at most `most`, with the candles as those deals add up to them. Their numbers are below zero: they are in
 * no record of trades, and every real deal comes after them.
 */
export function drawLatestDeals(
  pair: { readonly symbol: string; readonly scale: PairScale },
  candles: readonly Candle[],
  { now, most, random }: { readonly now: Instant; readonly most: number; readonly random: SeededGenerator },
): { deals: readonly PairDeal[]; candles: readonly Candle[] } {
  const newestFirst: Drawn[] = [];
  const counted = [...candles];
  for (let at = candles.length - 1; at >= 0 && newestFirst.length < most; at -= 1) {
    const candle = candles[at]!;
    const until = Math.min(now, (candles[at + 1]?.opened ?? Number.POSITIVE_INFINITY) * SECOND_MS);
    const drawn = dealsOf(candle, until, random);
    const turnover = drawn.reduce(
      (sum, { price, amount }) => sum + turnoverOf(pair.scale, price, amount),
      0n,
    );
    counted[at] = { ...candle, turnover };
    newestFirst.push(...drawn.toReversed());
  }
  const deals = newestFirst.slice(0, most).map((deal, place) => ({
    ...deal,
    tradeId: `${pair.symbol}-seeded-${place + 1}`,
    sequence: -(place + 1),
  }));
  return { deals, candles: counted };
}

/** The deals of one candle, oldest first: the first at its open, the last at its close, its high and low between. */
function dealsOf(candle: Candle, until: number, random: SeededGenerator): Drawn[] {
  const { opened, count } = candle;
  const times = spread(count, () => random.next()).map(
    (share) => opened * SECOND_MS + Math.floor(share * (until - opened * SECOND_MS)),
  );
  const prices = pricesOf(candle, random);
  const amounts = amountsOf(candle, random);
  return prices.map((price, place) => {
    const before = prices[place - 1] ?? price;
    const isBuy = price === before ? random.next() < 0.5 : price > before;
    return {
      at: instant(times[place]!),
      price,
      amount: amounts[place]!,
      takerSide: isBuy ? ('buy' as const) : ('sell' as const),
    };
  });
}

/** So many shares of a whole in rising order. */
function spread(count: number, draw: () => number): number[] {
  return Array.from({ length: count }, draw).toSorted((one, other) => one - other);
}

/** A way from open to close that touches high and low at two places drawn, and wanders between them. */
function pricesOf({ open, high, low, close, count }: Candle, random: SeededGenerator): bigint[] {
  const inner = count - 2;
  const first = 1 + Math.floor(random.next() * (inner - 1));
  const second = first + 1 + Math.floor(random.next() * (inner - first));
  const [one, other] = random.next() < 0.5 ? [high, low] : [low, high];
  const stops = new Map([
    [0, open],
    [first, one],
    [second, other],
    [count - 1, close],
  ]);
  const places = [...stops.keys()];
  return Array.from({ length: count }, (_, place) => {
    const stop = stops.get(place);
    if (stop !== undefined) return stop;
    const next = places.findIndex((reached) => reached > place);
    const [from, to] = [places[next - 1]!, places[next]!];
    const way = Number(stops.get(to)! - stops.get(from)!) * ((place - from) / (to - from));
    const wander = Number(high - low) * 0.08 * random.normal();
    const price = stops.get(from)! + BigInt(Math.round(way + wander));
    return price < low ? low : price > high ? high : price;
  });
}

/** Amounts that add up to the candle's volume, each at least one lot. */
function amountsOf({ volume, count }: Candle, random: SeededGenerator): bigint[] {
  const weights = Array.from({ length: count }, () => Math.exp(AMOUNT_SPREAD * random.normal()));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const free = Number(volume - BigInt(count));
  const amounts = weights.map((weight) => 1n + BigInt(Math.floor((free * weight) / whole)));
  const given = amounts.reduce((sum, amount) => sum + amount, 0n);
  const largest = amounts.reduce((best, amount, place) => (amount > amounts[best]! ? place : best), 0);
  amounts[largest] = amounts[largest]! + (volume - given);
  return amounts;
}
