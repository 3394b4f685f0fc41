import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';

/**
 * The hidden path that all simulated venues follow: one price per coin in USDT. Log prices revert slowly
 * to an anchor, so that a demo left alone for weeks stays sane; their volatility itself wanders, for the
 * market and for each coin, so that quiet and wild hours come in clusters; coins move largely together.
 * Floating point is at home here: these are invented prices, made exact when a venue quotes them.
 */
export interface SimulatedCoin {
  readonly code: string;
  /** USDT; where the price rests in the long run. */
  readonly anchor: number;
  /** Standard deviation of a day's log return. */
  readonly dailyVolatility: number;
  /** Days before a demo's first start on which trading of it began; absent for coins that are older than any chart. */
  readonly listedDaysAgo?: number;
}

/** What continues the path later: log distances from the anchors and log volatilities around normal. */
export interface PathState {
  readonly marketMood: number;
  readonly coins: Readonly<Record<string, { readonly distance: number; readonly mood: number }>>;
}

const DAY_SECONDS = 86_400;
/** Share of a coin's movement that is the whole market's. */
const TOGETHER = 0.8;
const APART = Math.sqrt(1 - TOGETHER * TOGETHER);
const REVERSION_HALF_LIFE = 20 * DAY_SECONDS;
const MARKET_MOOD = { halfLife: 6 * 3_600, deviation: 0.35 };
const COIN_MOOD = { halfLife: 3_600, deviation: 0.25 };

const KNOWN: ReadonlyMap<string, Omit<SimulatedCoin, 'code'>> = new Map(
  Object.entries({
    BTC: { anchor: 97_000, dailyVolatility: 0.024 },
    ETH: { anchor: 3_600, dailyVolatility: 0.031 },
    EOS: { anchor: 0.85, dailyVolatility: 0.04 },
    LTC: { anchor: 98, dailyVolatility: 0.033 },
    XRP: { anchor: 2.3, dailyVolatility: 0.036 },
    ADA: { anchor: 0.78, dailyVolatility: 0.038 },
    DOGE: { anchor: 0.21, dailyVolatility: 0.042 },
    // A token of the demo's sales, which cost 0.01 USDT there.
    ORCH: { anchor: 0.0128, dailyVolatility: 0.055, listedDaysAgo: 24 },
    SHIB: { anchor: 0.0000135, dailyVolatility: 0.044 },
  }),
);
const UNKNOWN = { anchor: 1, dailyVolatility: 0.04 };

/** How a coin behaves in the simulation; USDT is the measure and needs none. */
export function simulatedCoin(code: string): SimulatedCoin {
  return { code, ...(KNOWN.get(code) ?? UNKNOWN) };
}

/** One coin under way. */
interface Walker extends SimulatedCoin {
  distance: number;
  mood: number;
}

export class SimulatedPath {
  private readonly random: SeededGenerator;
  private readonly walkers: ReadonlyMap<string, Walker>;
  private marketMood: number;

  constructor(coins: readonly SimulatedCoin[], random: SeededGenerator, from?: PathState) {
    this.random = random;
    this.marketMood = from?.marketMood ?? 0;
    const states = new Map(Object.entries(from?.coins ?? {}));
    this.walkers = new Map(
      coins.map((coin) => [coin.code, { ...coin, ...(states.get(coin.code) ?? { distance: 0, mood: 0 }) }]),
    );
  }

  /** Moves on by so many seconds, in one step. */
  advance(seconds: number): void {
    const { random } = this;
    this.marketMood = reverted(this.marketMood, seconds, MARKET_MOOD, random);
    const kept = 0.5 ** (seconds / REVERSION_HALF_LIFE);
    const scale = Math.sqrt(seconds / DAY_SECONDS);
    const common = random.normal();
    for (const walker of this.walkers.values()) {
      walker.mood = reverted(walker.mood, seconds, COIN_MOOD, random);
      const volatility = walker.dailyVolatility * scale * Math.exp(this.marketMood + walker.mood - MOOD_BIAS);
      walker.distance = walker.distance * kept + volatility * (TOGETHER * common + APART * random.normal());
    }
  }

  /** The coin's log distance from its anchor. */
  distance(code: string): number {
    return this.walkers.get(code)?.distance ?? 0;
  }

  /** USDT per coin; 1 for USDT and anything else that is not simulated. */
  price(code: string): number {
    const walker = this.walkers.get(code);
    return walker === undefined ? 1 : walker.anchor * Math.exp(walker.distance);
  }

  state(): PathState {
    const coins = [...this.walkers].map(([code, { distance, mood }]) => [code, { distance, mood }] as const);
    return { marketMood: this.marketMood, coins: Object.fromEntries(coins) };
  }
}

/** Keeps the mean volatility at its normal value although moods enter through an exponential. */
const MOOD_BIAS = MARKET_MOOD.deviation ** 2 + COIN_MOOD.deviation ** 2;

function reverted(
  value: number,
  seconds: number,
  { halfLife, deviation }: Mood,
  random: SeededGenerator,
): number {
  const kept = 0.5 ** (seconds / halfLife);
  return value * kept + deviation * Math.sqrt(1 - kept * kept) * random.normal();
}

interface Mood {
  readonly halfLife: number;
  readonly deviation: number;
}
