import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import { generateHistory } from './domain/history.ts';
import type { PairMarket } from './domain/pair-market.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import type { PathState } from './domain/simulated-path.ts';
import type {
  MarketRepository,
  Progress,
  SeriesBlock,
  SeriesCandles,
  SeriesKey,
  SymbolDeal,
  VersionedProgress,
} from './repository.ts';

/**
 * Number of single candles in the database, of all pairs and intervals, from which on they are packed into
 * blocks.
 */
const LOOSE_CANDLES_MAX = 4_000;

type Markets = ReadonlyMap<string, PairMarket>;

/** The stored candles and trades of all pairs. */
export interface StoredMarkets extends VersionedProgress {
  readonly packed: readonly SeriesBlock[];
  readonly loose: Awaited<ReturnType<MarketRepository['looseCandles']>>;
  readonly deals: readonly SymbolDeal[];
}

/**
 * Reads the stored candles and trades of all pairs in a state between two saves, without the packed blocks whose
 * versions are in `known`. `found` is the progress that the caller has just read. Returns undefined if the database has
 * never held market data.
 */
export async function readMarkets(
  repository: MarketRepository,
  markets: Markets,
  found: VersionedProgress | undefined,
  known: readonly string[] = [],
): Promise<StoredMarkets | undefined> {
  let before = found;
  while (before !== undefined) {
    // Unpacked candles are read first: a candle that is packed during the reads is then read twice and not missed.
    const loose = await repository.looseCandles();
    const [packed, deals] = await Promise.all([
      repository.packedCandles(seriesKeys(markets), known),
      repository.latestDeals(),
    ]);
    const { version, progress } = before;
    // A save between the reads can make them inconsistent, so that trades would be counted twice or not at all. In that
    // case everything is read again.
    before = await repository.progress();
    if (before?.version === version)
      return {
        version,
        progress,
        packed,
        loose,
        deals,
      };
  }
  return undefined;
}

/** Loads stored data into the markets, which may contain nothing except data that was stored earlier. */
export function loadMarkets(markets: Markets, { packed, loose, deals }: StoredMarkets): void {
  for (const [key, blocks] of groupBy(packed, ({ symbol, timer }) => `${symbol} ${timer}`)) {
    const [symbol, timer] = key.split(' ') as [string, CandleTimer];
    markets
      .get(symbol)
      ?.candles(timer)
      .loadBlocks(blocks.map(({ records }) => records));
  }
  // A late trade may have changed a candle after it was packed. Then both versions exist; the single one is
  // newer and is restored last, so that it replaces the packed one.
  for (const { key, candle } of loose) markets.get(key.symbol)?.candles(key.timer).restore(candle);
  for (const [symbol, market] of markets) {
    market.loadDeals(deals.filter((row) => row.symbol === symbol).map(({ deal }) => deal));
  }
}

/**
 * Fills a new demo market with generated history, in memory at once. Returns the state of the price simulation, and a
 * function that stores the history and may be called again after a failure. If it is never stored, the next start
 * generates the history again.
 */
export function seedMarkets(
  repository: MarketRepository,
  markets: Markets,
  pairs: readonly Pair[],
  now: Instant,
  seed: number,
): { path: PathState; store: () => Promise<void> } {
  const history = generateHistory(now, pairs, new SeededGenerator(seed));
  const series: SeriesCandles[] = [];
  const deals: SymbolDeal[] = [];
  for (const [symbol, market] of markets) {
    for (const timer of CANDLE_TIMERS) {
      const candles = history.candles.get(symbol)?.get(timer) ?? [];
      market.candles(timer).load(candles);
      series.push({ symbol, timer, candles });
    }
    // The generated trades are not added to the candles, because the generated candles already contain them.
    const latest = history.deals.get(symbol) ?? [];
    market.loadDeals(latest);
    deals.push(...latest.map((deal) => ({ symbol, deal })));
  }
  const store = () => repository.seed(series, deals, { dealSequence: 0, path: history.path });
  return { path: history.path, store };
}

/**
 * Stores the changed candles and the unsaved trades together with the progress: the sequence number of the
 * last trade that the candles contain, and the state of the price simulation. After a failure the candles
 * stay marked as changed.
 */
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
      candles: market.candles(timer).drainChanged(),
    })),
  );
  try {
    await repository.save(changed, unsavedDeals, progress);
  } catch (cause) {
    for (const { symbol, timer, candles } of changed)
      markets.get(symbol)?.candles(timer).markChanged(candles);
    throw cause;
  }
}

/**
 * Deletes trades that are no longer shown, and packs closed candles into blocks once many have accumulated.
 * The current candles stay unpacked.
 */
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
