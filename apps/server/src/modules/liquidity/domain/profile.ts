import type { Pair } from '@exchange/core/pair.ts';

/** How the house quotes and, in a demo, how its simulated takers trade one pair. Fractions are ppm (10^-6). */
export interface QuotingProfile {
  /** Levels on each side. */
  readonly levels: number;
  /** Distance of the best level from the index. */
  readonly nearestPpm: number;
  /** Distance between the first two levels; each further one is `stepGrowth` times as wide. */
  readonly stepPpm: number;
  readonly stepGrowth: number;
  /** Size of the best level in USDT; each further one is larger by `sizeGrowth` of it. */
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
  nearestPpm: 90,
  stepPpm: 300,
  stepGrowth: 1.08,
  levelUsdt: 4_700,
  sizeGrowth: 0.2,
  everyMs: [330, 620],
  calmlyEveryMs: [2_000, 4_000],
  takerEveryMs: [2_000, 5_000],
  takerUsdt: 420,
};
const ETHER: QuotingProfile = { ...MAJOR, levelUsdt: 3_300, takerUsdt: 280 };
const MINOR: QuotingProfile = {
  ...MAJOR,
  nearestPpm: 350,
  stepPpm: 700,
  levelUsdt: 2_000,
  everyMs: [2_000, 6_000],
  calmlyEveryMs: [5_000, 15_000],
  takerEveryMs: [10_000, 50_000],
  takerUsdt: 330,
};
const CROSS: QuotingProfile = { ...MINOR, nearestPpm: 450, levelUsdt: 1_150, takerUsdt: 200 };

export function profileOf({ base, quote }: Pair): QuotingProfile {
  if (quote !== 'USDT') return CROSS;
  return base === 'BTC' ? MAJOR : base === 'ETH' ? ETHER : MINOR;
}
