import type { Pair } from '@exchange/core/pair.ts';

/** How the house quotes and, in a demo, how its simulated takers trade one pair. Fractions are ppm (10^-6). */
export interface QuotingProfile {
  /** Levels on each side. */
  readonly levels: number;
  /**
   * Distances of the levels next to the spread from the centre, in ticks, best first; with them the book is as tight as a
   * busy market's. They follow the index by being moved, all at once, when it is `driftPpm` away from the centre.
   */
  readonly topTicks: readonly number[];
  readonly driftPpm: number;
  /** Distance of the best of the other levels from the centre. */
  readonly nearestPpm: number;
  /** Distance between the first two levels; each further one is `stepGrowth` times as wide. */
  readonly stepPpm: number;
  readonly stepGrowth: number;
  /** Size in USDT of a level next to the spread. */
  readonly topUsdt: number;
  /** Size of the best of the other levels in USDT; each further one is larger by `sizeGrowth` of it. */
  readonly levelUsdt: number;
  readonly sizeGrowth: number;
  /** Time between two looks at the pair, least and most; what cannot wait is done at once. */
  readonly everyMs: readonly [number, number];
  /** Time between two commands that can wait, least and most: each is rows that are kept for ever. */
  readonly calmlyEveryMs: readonly [number, number];
  /** Time between two simulated takers, least and most, and their median size. */
  readonly takerEveryMs: readonly [number, number];
  readonly takerUsdt: number;
}

const MAJOR: QuotingProfile = {
  levels: 25,
  topTicks: [1, 3, 7, 14, 30, 70, 160, 400, 1_000],
  driftPpm: 500,
  nearestPpm: 250,
  stepPpm: 300,
  stepGrowth: 1.12,
  topUsdt: 2_000,
  levelUsdt: 4_700,
  sizeGrowth: 0.2,
  everyMs: [330, 620],
  calmlyEveryMs: [2_000, 4_000],
  takerEveryMs: [2_000, 5_000],
  takerUsdt: 420,
};
const ETHER: QuotingProfile = {
  ...MAJOR,
  driftPpm: 700,
  nearestPpm: 400,
  topUsdt: 1_500,
  levelUsdt: 3_300,
  takerUsdt: 280,
};
const MINOR: QuotingProfile = {
  ...MAJOR,
  topTicks: [],
  driftPpm: 0,
  nearestPpm: 350,
  stepPpm: 700,
  stepGrowth: 1.08,
  levelUsdt: 2_000,
  everyMs: [2_000, 6_000],
  calmlyEveryMs: [5_000, 15_000],
  takerEveryMs: [10_000, 50_000],
  takerUsdt: 330,
};
const CROSS: QuotingProfile = { ...MINOR, nearestPpm: 450, levelUsdt: 1_150, takerUsdt: 200 };

/** A token of a sale: its traders have no more than they were allocated there, about a thousand USDT's worth. */
const TOKEN: QuotingProfile = {
  ...MINOR,
  levels: 22,
  nearestPpm: 1_500,
  stepPpm: 900,
  levelUsdt: 16,
  sizeGrowth: 0.15,
  takerEveryMs: [20_000, 60_000],
  takerUsdt: 7,
};

/** The profile of a pair; `isToken` where its base coin is a token of a sale. */
export function profileOf({ base, quote }: Pair, isToken = false): QuotingProfile {
  if (isToken) return TOKEN;
  if (quote !== 'USDT') return CROSS;
  return base === 'BTC' ? MAJOR : base === 'ETH' ? ETHER : MINOR;
}
