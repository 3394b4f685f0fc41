import { Decimal } from '@exchange/core/decimal.ts';
import { instant, SECOND_MS } from '@exchange/core/time.ts';
import { weightedPrice, windowOpening } from './intervals-domain.ts';
import {
  amountText,
  apiSymbol,
  NO_TRADE,
  percentText,
  presentBookTicker,
  priceText,
  quoteText,
} from './present.ts';
import type { ApiMarket, ListedForApi } from './service.ts';

const ZERO = Decimal.zero;
const NO_STATISTICS = {
  open: ZERO,
  high: ZERO,
  low: ZERO,
  close: ZERO,
  volume: ZERO,
  turnover: ZERO,
  previousClose: ZERO,
};

type Statistics = ReturnType<ApiMarket['reads']['dayStatistics']>;

/** Tickers: statistics of the last 24 hours and of other windows. The first trade of a window is read once a minute. */
export class DayTickers {
  private readonly market: ApiMarket;
  /**
   * Ids of rolling windows' first trades, by pair and size of the window, each for the start that the window had when
   * it was read.
   */
  private readonly firstTrades = new Map<string, { opened: number; id: Promise<number> }>();

  constructor(market: ApiMarket) {
    this.market = market;
  }

  /** A pair's 24-hour statistics with all fields. */
  async full({ pair }: Pick<ListedForApi, 'pair'>) {
    const statistics = this.market.reads.dayStatistics(pair.symbol);
    return { ...(await this.base(pair, statistics)), ...this.rest(pair, statistics) };
  }

  /** A pair's 24-hour statistics without the best prices and without fields that follow from other fields. */
  mini({ pair }: Pick<ListedForApi, 'pair'>) {
    return this.base(pair, this.market.reads.dayStatistics(pair.symbol));
  }

  /**
   * A pair's statistics of a rolling window such as `15m` or `4h` that ends now. With `MINI` they omit the fields that
   * can be computed from the others.
   */
  async rolling({ pair }: Pick<ListedForApi, 'pair'>, size: string, type: 'FULL' | 'MINI') {
    const { market } = this;
    const closeTime = market.now();
    const openTime = windowOpening(size, closeTime);
    const traded = await market.windowCandle(pair.symbol, openTime);
    const last = market.reads.lastTrade(pair.symbol)?.price ?? ZERO;
    const { open, high, low, close, volume, turnover } = traded ?? {
      open: last,
      high: last,
      low: last,
      close: last,
      volume: ZERO,
      turnover: ZERO,
    };
    const firstId = traded === undefined ? NO_TRADE : await this.firstTradeId(pair.symbol, openTime, size);
    const lastId = firstId === NO_TRADE ? NO_TRADE : (market.reads.lastTradeNumber(pair.symbol) ?? NO_TRADE);
    const change = close.minus(open);
    const average = weightedPrice({ turnover, volume }, pair.priceDigits) ?? close;
    const derived = type === 'FULL' && {
      priceChange: priceText(pair, change),
      priceChangePercent: percentText(change, open, 3),
      weightedAvgPrice: priceText(pair, average),
    };
    return {
      symbol: apiSymbol(pair),
      ...derived,
      openPrice: priceText(pair, open),
      highPrice: priceText(pair, high),
      lowPrice: priceText(pair, low),
      lastPrice: priceText(pair, close),
      volume: amountText(pair, volume),
      quoteVolume: quoteText(turnover),
      openTime,
      closeTime,
      firstId,
      lastId,
      count: traded?.count ?? 0,
    };
  }

  private async base(pair: ListedForApi['pair'], statistics: Statistics) {
    const { market } = this;
    const newest = market.reads.lastTradeNumber(pair.symbol);
    const openTime = statistics === undefined ? market.now() : statistics.opened * SECOND_MS;
    const { open, high, low, close, volume, turnover } = statistics ?? NO_STATISTICS;
    const firstId = newest === undefined ? NO_TRADE : await this.firstTradeId(pair.symbol, openTime);
    return {
      symbol: apiSymbol(pair),
      openPrice: priceText(pair, open),
      highPrice: priceText(pair, high),
      lowPrice: priceText(pair, low),
      lastPrice: priceText(pair, close),
      volume: amountText(pair, volume),
      quoteVolume: quoteText(turnover),
      openTime,
      closeTime: market.now(),
      firstId,
      lastId: firstId === NO_TRADE || newest === undefined ? NO_TRADE : newest,
      count: statistics?.count ?? 0,
    };
  }

  private rest(pair: ListedForApi['pair'], statistics: Statistics) {
    const { reads } = this.market;
    const { open, close, volume, turnover, previousClose } = statistics ?? NO_STATISTICS;
    const change = close.minus(open);
    const best = presentBookTicker(pair, this.market.best(pair.symbol));
    return {
      priceChange: priceText(pair, change),
      priceChangePercent: percentText(change, open, 3),
      weightedAvgPrice: priceText(pair, weightedPrice({ turnover, volume }, pair.priceDigits) ?? close),
      prevClosePrice: priceText(pair, previousClose),
      lastQty: amountText(pair, reads.lastTrade(pair.symbol)?.amount ?? ZERO),
      bidPrice: best.bidPrice,
      bidQty: best.bidQty,
      askPrice: best.askPrice,
      askQty: best.askQty,
    };
  }

  /**
   * The id of a pair's first trade at or after the start of a rolling window; −1 if there is none. Cached until the
   * window's start changes.
   */
  private firstTradeId(symbol: string, openTime: number, size = '24h'): Promise<number> {
    const key = `${symbol} ${size}`;
    const known = this.firstTrades.get(key);
    if (known?.opened === openTime) return known.id;
    const id = this.market
      .trades({ symbol, from: instant(openTime), limit: 1 })
      .then(([first]) => first?.sequence ?? NO_TRADE);
    // A window without trades and a failed read are not cached.
    this.firstTrades.set(key, { opened: openTime, id });
    const forget = () => this.firstTrades.delete(key);
    void id.then((first) => first === NO_TRADE && forget(), forget);
    return id;
  }
}
