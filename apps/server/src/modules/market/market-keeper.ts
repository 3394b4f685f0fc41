import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import { generateHistory } from './domain/history.ts';
import type { PairMarket } from './domain/pair-market.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import type { PathState } from './domain/simulated-path.ts';
import type { MarketRepository, Progress, SeriesCandles, SeriesKey, SymbolDeal } from './repository.ts';

/** Beyond this many loose candles they are moved into blocks. */
const LOOSE_CANDLES_MAX = 4_000;

type Markets = ReadonlyMap<string, PairMarket>;

/** Fills the markets from what is stored; undefined on a database that has never held a market. */
export async function loadMarkets(
  repository: MarketRepository,
  markets: Markets,
): Promise<Progress | undefined> {
  const [progress, packed, loose, deals] = await Promise.all([
    repository.progress(),
    repository.packedCandles(seriesKeys(markets)),
    repository.looseCandles(),
    repository.latestDeals(),
  ]);
  if (progress === undefined) return undefined;
  for (const { symbol, timer, records } of packed) markets.get(symbol)?.candles(timer).loadBlock(records);
  // A candle may be in both, when a late deal changed it after it was packed: the loose one is newer.
  for (const { key, candle } of loose) markets.get(key.symbol)?.candles(key.timer).restore(candle);
  for (const [symbol, market] of markets) {
    market.loadDeals(deals.filter((row) => row.symbol === symbol).map(({ deal }) => deal));
  }
  return progress;
}

/**
 * Gives a fresh demo market its past, at once in memory; answers from where the hidden path goes on, and
 * with the storing, which nobody has to wait for: until it is done the next start begins anew.
 */
export function seedMarkets(
  repository: MarketRepository,
  markets: Markets,
  pairs: readonly Pair[],
  now: Instant,
  seed: number,
): { path: PathState; storing: Promise<void> } {
  const history = generateHistory(now, pairs, new SeededGenerator(seed));
  const series: SeriesCandles[] = [];
  const deals: SymbolDeal[] = [];
  for (const [symbol, market] of markets) {
    for (const timer of CANDLE_TIMERS) {
      const candles = history.candles.get(symbol)?.get(timer) ?? [];
      market.candles(timer).load(candles);
      series.push({ symbol, timer, candles });
    }
    // The candles contain them already.
    const latest = history.deals.get(symbol) ?? [];
    market.loadDeals(latest);
    deals.push(...latest.map((deal) => ({ symbol, deal })));
  }
  const storing = repository.seed(series, deals, { dealSequence: 0, path: history.path });
  return { path: history.path, storing };
}

/** Stores what has changed since the last time, together with the last deal it contains. */
export async function saveMarkets(
  repository: MarketRepository,
  markets: Markets,
  unsavedDeals: readonly SymbolDeal[],
  progress: Progress,
): Promise<void> {
  const changed = [...markets.values()].flatMap((market) =>
    CANDLE_TIMERS.map((timer) => ({
      symbol: market.pair.symbol,
      timer,
      candles: market.candles(timer).takeChanged(),
    })),
  );
  try {
    await repository.save(changed, unsavedDeals, progress);
  } catch (cause) {
    for (const { symbol, timer, candles } of changed)
      markets.get(symbol)?.candles(timer).keepChanged(candles);
    throw cause;
  }
}

/** Packs closed candles once many have gathered; the running ones stay loose. */
export async function packMarkets(repository: MarketRepository, markets: Markets): Promise<void> {
  await repository.trimDeals();
  const loose = await repository.looseCandles();
  if (loose.length < LOOSE_CANDLES_MAX) return;
  const keys = new Map(loose.map(({ key }) => [`${key.symbol}.${key.timer}`, key]));
  for (const key of keys.values()) {
    const running = markets.get(key.symbol)?.candles(key.timer).last();
    if (running !== undefined) await repository.pack(key, running.opened);
  }
}

function seriesKeys(markets: Markets): SeriesKey[] {
  return [...markets.keys()].flatMap((symbol) => CANDLE_TIMERS.map((timer) => ({ symbol, timer })));
}
