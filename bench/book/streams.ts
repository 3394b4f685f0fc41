/* oxlint-disable typescript/no-non-null-assertion -- parallel arrays of one length; a check per read would be timed */
/**
 * A mix of operations in the benchmark of order books. A stream of operations is generated from a seed and is the same
 * for every book: 60 % passive orders near the best prices, 30 % cancels of earlier orders (70 % of them recent ones),
 * 10 % crossing orders.
 */
export interface Mix {
  readonly name: string;
  /**
   * Maximum distance of a passive order from the middle of the book, in price ticks. The minimum is one tick.
   */
  readonly ticks: number;
  /**
   * Number of random distances from the middle that are drawn for an order. The smallest is used, so more draws put
   * more orders near the best prices.
   */
  readonly crowding: number;
  /** Size of a crossing order divided by the size of a passive order. */
  readonly crossingSize: number;
  /**
   * Maximum number of price ticks by which the limit price of a crossing order lies beyond the middle of the book, so
   * that the order trades immediately.
   */
  readonly reach: number;
}

export const MIXES: readonly Mix[] = [
  { name: 'std', ticks: 260, crowding: 2, crossingSize: 2, reach: 20 },
  { name: 'shallow', ticks: 150, crowding: 3, crossingSize: 40, reach: 160 },
  { name: 'wide', ticks: 60_000, crowding: 1, crossingSize: 2, reach: 2_000 },
];

export const PLACE = 0;
export const CANCEL = 1;

/** A stream of order operations as parallel arrays, which are fast to read, so that the book's own time is measured. */
export interface Stream {
  readonly kinds: Uint8Array;
  readonly ids: string[];
  readonly owners: string[];
  readonly isBuy: Uint8Array;
  readonly prices: Int32Array;
  readonly lots: Int32Array;
}

const MIDDLE = 10_000_000;
const OWNERS = 500;

/** Generates `count` order operations. The same mix, count and seed result in the same stream. */
export function makeStream(mix: Mix, count: number, seed: number): Stream {
  const randomBelow = random(seed);
  const stream: Stream = {
    kinds: new Uint8Array(count),
    ids: [],
    owners: [],
    isBuy: new Uint8Array(count),
    prices: new Int32Array(count),
    lots: new Int32Array(count),
  };
  const placed: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const draw = randomBelow(10);
    const isCancel = draw < 3 && placed.length > 0;
    stream.kinds[at] = isCancel ? CANCEL : PLACE;
    stream.isBuy[at] = randomBelow(2);
    stream.owners.push(ownerOf(stream.isBuy[at]!, randomBelow));
    if (isCancel) {
      stream.ids.push(removePlaced(placed, randomBelow));
      continue;
    }
    const id = orderId(at, randomBelow);
    stream.ids.push(id);
    placed.push(id);
    const isCrossing = draw === 9;
    const away = isCrossing ? -(1 + randomBelow(mix.reach)) : distance(mix, randomBelow);
    stream.prices[at] = stream.isBuy[at] === 1 ? MIDDLE - away : MIDDLE + away;
    stream.lots[at] = (1 + randomBelow(100)) * (isCrossing ? mix.crossingSize : 1);
  }
  return stream;
}

/** Generates `count` passive orders on alternating sides, which rest on up to `2 × ticks` price levels. */
export function makeResting(count: number, ticks: number, seed: number): Stream {
  const mix: Mix = { name: 'resting', ticks, crowding: 1, crossingSize: 1, reach: 1 };
  const randomBelow = random(seed);
  const ids = Array.from({ length: count }, (_, at) => orderId(at, randomBelow));
  const isBuy = Uint8Array.from(ids, (_, at) => at % 2);
  return {
    kinds: new Uint8Array(count),
    ids,
    owners: ids.map((_, at) => ownerOf(isBuy[at]!, randomBelow)),
    isBuy,
    prices: Int32Array.from(
      isBuy,
      (isBuyOrder) => MIDDLE + (isBuyOrder === 1 ? -1 : 1) * distance(mix, randomBelow),
    ),
    lots: Int32Array.from(ids, () => 1 + randomBelow(100)),
  };
}

/** Returns a seeded generator of whole numbers from 0 to `limit` - 1. */
function random(seed: number): (limit: number) => number {
  let state = seed | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

function distance(mix: Mix, randomBelow: (limit: number) => number): number {
  let nearest = mix.ticks;
  for (let draw = 0; draw < mix.crowding; draw += 1) nearest = Math.min(nearest, 1 + randomBelow(mix.ticks));
  return nearest;
}

function orderId(at: number, randomBelow: (limit: number) => number): string {
  const hex = at.toString(16).padStart(12, '0');
  const tail = randomBelow(0x7fffffff).toString(16).padStart(12, '0');
  return flat(`${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${tail}`);
}

/**
 * Buyers and sellers are different users, because the exchange's order book always checks for
 * self-trades and the compared ones never do.
 */
function ownerOf(isBuy: number, randomBelow: (limit: number) => number): string {
  return flat(`00000000-0000-7000-800${isBuy}-${String(randomBelow(OWNERS)).padStart(12, '0')}`);
}

/**
 * Returns the text as one flat string, as a request parser creates it. A concatenated string would be flattened by
 * its first reader, which would be measured.
 */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** Removes and returns the id of an earlier order. With a probability of 0.7 it is one of the last 1,000 orders. */
function removePlaced(placed: string[], randomBelow: (limit: number) => number): string {
  const recent = randomBelow(10) < 7;
  const at = recent
    ? placed.length - 1 - randomBelow(Math.min(placed.length, 1_000))
    : randomBelow(placed.length);
  const id = placed[at]!;
  placed[at] = placed[placed.length - 1]!;
  placed.pop();
  return id;
}
