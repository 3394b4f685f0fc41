import type { Pair } from '@exchange/core/pair.ts';

/**
 * The quoting parameters of the market maker for a pair and, in demo mode, of the simulated takers. Parameters whose
 * names end in `Ppm` are fractions in millionths (10^-6).
 */
export interface QuotingProfile {
  /**
   * Greatest number of price levels that the market maker quotes on each side; the price band may leave room for fewer.
   */
  readonly levels: number;
  /**
   * The distances of the market maker's innermost levels from the ladder's centre in ticks, best first; they
   * make the spread as narrow as on a busy market. When the index is more than `driftPpm` away from the
   * centre, these levels are all moved to follow it.
   */
  readonly topTicks: readonly number[];
  readonly driftPpm: number;
  /** The distance of the market maker's first outer level from the ladder's centre, in ppm of the price. */
  readonly nearestPpm: number;
  /**
   * The distance between the first two outer levels in ppm; each further distance is `stepGrowth`
   * times as large.
   */
  readonly stepPpm: number;
  readonly stepGrowth: number;
  /** The size of the market maker's orders on an innermost level in USDT. */
  readonly topUsdt: number;
  /**
   * The size of the market maker's order on the first outer level in USDT; each further level is
   * larger by `sizeGrowth` times this size.
   */
  readonly levelUsdt: number;
  readonly sizeGrowth: number;
  /**
   * The minimum and maximum time in milliseconds until the next check of the pair's quotes; it is shorter
   * after urgent commands.
   */
  readonly everyMs: readonly [number, number];
  /**
   * The minimum and maximum time in milliseconds between two quote commands that are not urgent. The time is long
   * because each command stores permanent rows.
   */
  readonly calmlyEveryMs: readonly [number, number];
  /** The minimum and maximum time in milliseconds between two simulated market orders on the pair. */
  readonly takerEveryMs: readonly [number, number];
  /** The median size of the simulated market orders on the pair in USDT. */
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

/**
 * Quoting parameters for a base coin that was sold in a token sale. The amounts are small, because its traders hold no
 * more than they bought in the sale, about 1,000 USDT each.
 */
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

/** The market maker's quoting parameters for a pair. `isToken` is true if the base coin was sold in a token sale. */
export function profileOf({ base, quote }: Pair, isToken = false): QuotingProfile {
  if (isToken) return TOKEN;
  if (quote !== 'USDT') return CROSS;
  return base === 'BTC' ? MAJOR : base === 'ETH' ? ETHER : MINOR;
}
