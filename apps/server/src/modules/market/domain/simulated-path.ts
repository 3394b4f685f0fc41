import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';

/**
 * Parameters of one coin in the price simulation. All simulated venues follow one hidden USDT price per coin.
 * Log prices revert slowly to an anchor, so that a demo that runs for weeks keeps plausible prices. The
 * volatility of the market and of each coin varies too, so that quiet and volatile hours form clusters, and
 * coin prices are strongly correlated. Floating point is safe here because prices become exact decimals when
 * a venue quotes them.
 */
export interface SimulatedCoin {
  readonly code: string;
  /** Price in USDT to which the simulation reverts. */
  readonly anchor: number;
  /** Standard deviation of the daily log return. */
  readonly dailyVolatility: number;
  /**
   * Age of the listing in days at the first start of a demo; undefined for coins that are older than every
   * chart.
   */
  readonly listedDaysAgo?: number;
}

/**
 * State from which the simulation continues after a restart: log distances from the anchors and log
 * volatilities relative to normal.
 */
export interface PathState {
  readonly marketMood: number;
  readonly coins: Readonly<Record<string, { readonly distance: number; readonly mood: number }>>;
}

const DAY_SECONDS = 86_400;
/** Correlation of each coin's return with the common market factor. */
const MARKET_CORRELATION = 0.8;
const OWN_WEIGHT = Math.sqrt(1 - MARKET_CORRELATION * MARKET_CORRELATION);
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
    // A token that the demo's launchpad sold at 0.01 USDT before its listing.
    ORCH: { anchor: 0.0128, dailyVolatility: 0.055, listedDaysAgo: 24 },
    SHIB: { anchor: 0.0000135, dailyVolatility: 0.044 },
  }),
);
const UNKNOWN = { anchor: 1, dailyVolatility: 0.04 };

/**
 * The simulation parameters of a coin; general ones for an unknown coin. USDT is not simulated, because
 * prices are in USDT.
 */
export function simulatedCoin(code: string): SimulatedCoin {
  return { code, ...(KNOWN.get(code) ?? UNKNOWN) };
}

/** A coin with its current simulation state. */
interface CoinState extends SimulatedCoin {
  distance: number;
  mood: number;
}

export class SimulatedPath {
  private readonly random: SeededGenerator;
  private readonly coinStates: ReadonlyMap<string, CoinState>;
  private marketMood: number;

  constructor(coins: readonly SimulatedCoin[], random: SeededGenerator, from?: PathState) {
    this.random = random;
    this.marketMood = from?.marketMood ?? 0;
    const states = new Map(Object.entries(from?.coins ?? {}));
    this.coinStates = new Map(
      coins.map((coin) => [coin.code, { ...coin, ...(states.get(coin.code) ?? { distance: 0, mood: 0 }) }]),
    );
  }

  /** Advances the price simulation by the given number of seconds in one step. */
  advance(seconds: number): void {
    const { random } = this;
    this.marketMood = reverted(this.marketMood, seconds, MARKET_MOOD, random);
    const decay = 0.5 ** (seconds / REVERSION_HALF_LIFE);
    const scale = Math.sqrt(seconds / DAY_SECONDS);
    const common = random.normal();
    for (const coin of this.coinStates.values()) {
      coin.mood = reverted(coin.mood, seconds, COIN_MOOD, random);
      const volatility = coin.dailyVolatility * scale * Math.exp(this.marketMood + coin.mood - MOOD_BIAS);
      coin.distance =
        coin.distance * decay + volatility * (MARKET_CORRELATION * common + OWN_WEIGHT * random.normal());
    }
  }

  /** Logarithm of a coin's simulated price relative to its anchor; 0 for a coin that is not simulated. */
  distance(code: string): number {
    return this.coinStates.get(code)?.distance ?? 0;
  }

  /**
   * The simulated price of a coin in USDT after the last `advance`; 1 for USDT and for coins that are not
   * simulated.
   */
  price(code: string): number {
    const coin = this.coinStates.get(code);
    return coin === undefined ? 1 : coin.anchor * Math.exp(coin.distance);
  }

  state(): PathState {
    const coins = [...this.coinStates].map(
      ([code, { distance, mood }]) => [code, { distance, mood }] as const,
    );
    return { marketMood: this.marketMood, coins: Object.fromEntries(coins) };
  }
}

/**
 * Correction that keeps the mean square of the volatility at its normal value, because changes of volatility
 * enter through an exponential.
 */
const MOOD_BIAS = MARKET_MOOD.deviation ** 2 + COIN_MOOD.deviation ** 2;

function reverted(
  value: number,
  seconds: number,
  { halfLife, deviation }: Mood,
  random: SeededGenerator,
): number {
  const decay = 0.5 ** (seconds / halfLife);
  return value * decay + deviation * Math.sqrt(1 - decay * decay) * random.normal();
}

interface Mood {
  readonly halfLife: number;
  readonly deviation: number;
}
