import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import { textIn, type Locale } from '@exchange/core/locale.ts';
import {
  indexSources,
  kline,
  marketDepth,
  marketDetails,
  marketsByQuote,
  marketSymbols,
  marketTrades,
} from '@exchange/wire/market.ts';
import { PrerenderedJson } from '../../platform/http/exact-json.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { PairMarket } from './domain/pair-market.ts';
import {
  candleText,
  dealsText,
  depthText,
  recentCandlesBefore,
  SeriesText,
  tickText,
} from './routes-text.ts';
import type { MarketService } from './service.ts';

/**
 * The market endpoints, served from memory, except older candles, which are read from the database. Most
 * response texts are cached until their data changes.
 */
export function marketRoutes(market: MarketService): readonly Route[] {
  const texts = new Map<string, PairTexts>();
  const textsOf = (symbol: string): PairTexts => {
    const existing = texts.get(symbol);
    if (existing !== undefined) return existing;
    const created = new PairTexts(market, market.pairMarket(symbol));
    texts.set(symbol, created);
    return created;
  };
  return [
    route(indexSources, ({ symbol }, { locale }) => presentSources(market, symbol, locale)),
    route(marketDetails, ({ symbol }) => new PrerenderedJson(textsOf(symbol).tick())),
    route(marketsByQuote, ({ quoteCoin = 'USDT' }) => {
      const listed = market.deps.assets.requirePairs({ quoteCoin });
      const items = listed.map(({ pair, source }) => {
        const { base, quote, symbol } = pair;
        const fields = {
          baseCoin: base,
          quoteCoin: quote,
          symbol,
          logo: market.deps.assets.logo(base),
          source,
        };
        return `{"tick":${textsOf(symbol).tick()},${JSON.stringify(fields).slice(1)}`;
      });
      return new PrerenderedJson(`[${items.join(',')}]`);
    }),
    route(marketSymbols, ({ quoteCoin }) => {
      const { assets } = market.deps;
      return assets
        .requirePairs({ quoteCoin })
        .map(({ pair: { symbol, base, quote, priceDigits, amountDigits }, source }) => ({
          symbol,
          baseCoin: base,
          quoteCoin: quote,
          pricePrecision: priceDigits,
          amountPrecision: amountDigits,
          logo: assets.logo(base),
          source,
        }));
    }),
    route(kline, async ({ symbol, timer, size, endTime }) => {
      const pair = textsOf(symbol);
      if (endTime === undefined) return new PrerenderedJson(pair.series(timer).latest(size));
      return new PrerenderedJson(await candlesBefore(market, symbol, timer, endTime, size));
    }),
    route(marketDepth, ({ symbol, size }) => new PrerenderedJson(textsOf(symbol).depth(size))),
    route(marketTrades, ({ symbol, size }) => new PrerenderedJson(textsOf(symbol).deals(size))),
  ];
}

/**
 * The price sources of a pair with their states, and the prices of those that its newest index point uses.
 * Refuses an unknown pair.
 */
function presentSources(market: MarketService, symbol: string, locale: Locale) {
  market.pairMarket(symbol);
  const point = market.latestPoint(symbol);
  const usedSources = new Map(point?.sources.filter(({ used }) => used).map((source) => [source.id, source]));
  return {
    symbol,
    index: point?.price?.toString() ?? '',
    time: point?.t ?? null,
    sources: market.switches.list().map(({ id, isOn, willBeOn, change, effectiveFrom }) => {
      const usedSource = isOn ? usedSources.get(id) : undefined;
      const activeState = usedSource === undefined ? 'silent' : usedSource.outlier ? 'far' : 'counts';
      return {
        ...({ id, state: isOn ? activeState : 'off', price: usedSource?.price.toString() ?? '' } as const),
        note: change?.note === undefined ? '' : textIn(change.note, locale),
        since: isOn && willBeOn ? null : (effectiveFrom ?? null),
      };
    }),
  };
}

async function candlesBefore(
  market: MarketService,
  symbol: string,
  timer: CandleTimer,
  beforeSecond: number,
  size: number,
): Promise<string> {
  const pair = market.pairMarket(symbol);
  const recent = recentCandlesBefore(pair.candles(timer), beforeSecond, size);
  const missing = size - recent.length;
  const before = recent[0]?.opened ?? beforeSecond;
  // Only requests that scroll back beyond the candles in memory need a database query.
  const older = missing > 0 ? await market.olderCandles(symbol, timer, before, missing) : [];
  return `[${[...older, ...recent].map((candle) => candleText(pair.scale, candle)).join(',')}]`;
}

/** Cached response texts of one pair. */
class PairTexts {
  private readonly market: MarketService;
  private readonly pair: PairMarket;
  private readonly candles: Readonly<Record<CandleTimer, SeriesText>>;
  private readonly depths = new Map<number, string>();
  private readonly dealLists = new Map<number, string>();
  private depthVersion = -1;
  private dealsShown: PairMarket['deals'] | undefined;
  private tickVersion = -1;
  private tickShown = '';

  constructor(market: MarketService, pair: PairMarket) {
    this.market = market;
    this.pair = pair;
    this.candles = Object.fromEntries(
      CANDLE_TIMERS.map((timer) => [timer, new SeriesText(pair.scale, pair.candles(timer))]),
    ) as Record<CandleTimer, SeriesText>;
  }

  series(timer: CandleTimer): SeriesText {
    return this.candles[timer];
  }

  tick(): string {
    const { version } = this.pair.candles('1min');
    const ticker = this.pair.ticker.current();
    if (ticker !== undefined && this.tickVersion === version) return this.tickShown;
    const { pair, scale } = this.pair;
    const reference = this.market.reference(pair.symbol)?.rounded(pair.priceDigits, 'halfEven');
    const ticks = reference?.toScaled(pair.priceDigits) ?? 0n;
    this.tickVersion = version;
    this.tickShown = tickText(scale, ticker, ticks, this.market.deps.clock.now());
    return this.tickShown;
  }

  depth(rows: number): string {
    const { version } = this.pair.book;
    if (this.depthVersion !== version) this.depths.clear();
    this.depthVersion = version;
    return cachedText(this.depths, rows, () => depthText(this.pair, rows, this.market.deps.clock.now()));
  }

  deals(size: number): string {
    if (this.dealsShown !== this.pair.deals) this.dealLists.clear();
    this.dealsShown = this.pair.deals;
    return cachedText(this.dealLists, size, () => dealsText(this.pair, size));
  }
}

function cachedText(texts: Map<number, string>, key: number, write: () => string): string {
  const cached = texts.get(key);
  if (cached !== undefined) return cached;
  const text = write();
  texts.set(key, text);
  return text;
}
