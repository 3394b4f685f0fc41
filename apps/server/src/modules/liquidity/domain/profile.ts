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
  /** Time between two commands, least and most. */
  readonly everyMs: readonly [number, number];
  /** Time between two simulated takers, least and most, and their median size. */
  readonly takerEveryMs: readonly [number, number];
  readonly takerUsdt: number;
}

const MAJOR: QuotingProfile = {
  levels: 25,
  nearestPpm: 90,
  stepPpm: 120,
  stepGrowth: 1.1,
  levelUsdt: 2_000,
  sizeGrowth: 0.2,
  everyMs: [330, 620],
  takerEveryMs: [800, 2_200],
  takerUsdt: 180,
};
const ETHER: QuotingProfile = { ...MAJOR, levelUsdt: 1_400, takerUsdt: 120 };
const MINOR: QuotingProfile = {
  ...MAJOR,
  nearestPpm: 350,
  stepPpm: 500,
  levelUsdt: 600,
  everyMs: [2_000, 6_000],
  takerEveryMs: [3_000, 15_000],
  takerUsdt: 100,
};
const CROSS: QuotingProfile = { ...MINOR, nearestPpm: 450, levelUsdt: 350, takerUsdt: 60 };

export function profileOf({ base, quote }: Pair): QuotingProfile {
  if (quote !== 'USDT') return CROSS;
  return base === 'BTC' ? MAJOR : base === 'ETH' ? ETHER : MINOR;
}
