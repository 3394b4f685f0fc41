/* oxlint-disable typescript/no-non-null-assertion -- parallel arrays of one length; a check per read would be timed */
/**
 * The operation streams of the book benchmark: made once from a seed, the same for every book. 60 % passive
 * orders near the touch, 30 % cancels of orders placed before (70 % of them recent), 10 % that cross.
 */
export interface Mix {
  readonly name: string;
  /** Passive orders lie 1 to this many ticks away from the middle. */
  readonly ticks: number;
  /** Draws of which the nearest counts; more draws crowd the touch. */
  readonly crowding: number;
  /** Crossing orders are this many times the size of a passive one. */
  readonly crossingSize: number;
  /** Crossing orders reach this many ticks beyond the middle. */
  readonly reach: number;
}

export const MIXES: readonly Mix[] = [
  { name: 'std', ticks: 260, crowding: 2, crossingSize: 2, reach: 20 },
  { name: 'shallow', ticks: 150, crowding: 3, crossingSize: 40, reach: 160 },
  { name: 'wide', ticks: 60_000, crowding: 1, crossingSize: 2, reach: 2_000 },
];

export const PLACE = 0;
export const CANCEL = 1;

/** Parallel arrays: the stream itself must cost no book anything. */
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

/** A stream of `count` operations; the same mix, count and seed give the same stream. */
export function makeStream(mix: Mix, count: number, seed: number): Stream {
  const below = random(seed);
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
    const draw = below(10);
    const cancels = draw < 3 && placed.length > 0;
    stream.kinds[at] = cancels ? CANCEL : PLACE;
    stream.isBuy[at] = below(2);
    stream.owners.push(ownerOf(stream.isBuy[at]!, below));
    if (cancels) {
      stream.ids.push(takeOut(placed, below));
      continue;
    }
    const id = orderId(at, below);
    stream.ids.push(id);
    placed.push(id);
    const crosses = draw === 9;
    const away = crosses ? -(1 + below(mix.reach)) : distance(mix, below);
    stream.prices[at] = stream.isBuy[at] === 1 ? MIDDLE - away : MIDDLE + away;
    stream.lots[at] = (1 + below(100)) * (crosses ? mix.crossingSize : 1);
  }
  return stream;
}

/** Passive orders only, alternating sides; leaves exactly `count` resting orders on `2 × ticks` levels. */
export function makeResting(count: number, ticks: number, seed: number): Stream {
  const mix: Mix = { name: 'resting', ticks, crowding: 1, crossingSize: 1, reach: 1 };
  const below = random(seed);
  const ids = Array.from({ length: count }, (_, at) => orderId(at, below));
  const isBuy = Uint8Array.from(ids, (_, at) => at % 2);
  return {
    kinds: new Uint8Array(count),
    ids,
    owners: ids.map((_, at) => ownerOf(isBuy[at]!, below)),
    isBuy,
    prices: Int32Array.from(isBuy, (buys) => MIDDLE + (buys === 1 ? -1 : 1) * distance(mix, below)),
    lots: Int32Array.from(ids, () => 1 + below(100)),
  };
}

/** A repeatable source of whole numbers below a limit. */
function random(seed: number): (limit: number) => number {
  let state = seed | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

function distance(mix: Mix, below: (limit: number) => number): number {
  let nearest = mix.ticks;
  for (let draw = 0; draw < mix.crowding; draw += 1) nearest = Math.min(nearest, 1 + below(mix.ticks));
  return nearest;
}

function orderId(at: number, below: (limit: number) => number): string {
  const hex = at.toString(16).padStart(12, '0');
  const tail = below(0x7fffffff).toString(16).padStart(12, '0');
  return flat(`${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${tail}`);
}

/** Buyers and sellers are different people: the peers run without self-trade prevention, ours always checks. */
function ownerOf(isBuy: number, below: (limit: number) => number): string {
  return flat(`00000000-0000-7000-800${isBuy}-${String(below(OWNERS)).padStart(12, '0')}`);
}

/** A string as a request's parser gives it: one piece, not a rope that the first reader must flatten. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** Removes and gives a placed id: 7 of 10 times one of the latest 1,000. */
function takeOut(placed: string[], below: (limit: number) => number): string {
  const recent = below(10) < 7;
  const at = recent ? placed.length - 1 - below(Math.min(placed.length, 1_000)) : below(placed.length);
  const id = placed[at]!;
  placed[at] = placed[placed.length - 1]!;
  placed.pop();
  return id;
}
