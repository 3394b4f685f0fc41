import { Decimal } from '@exchange/core/decimal.ts';
import { FEE_TIERS } from '@exchange/core/fee.ts';
import type { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import { handler, type Handler } from './handlers.ts';
import type { ListedPairs } from './pair-routes.ts';
import { amountText, percentText, presentLevel, priceText, quoteText, tickerIdOf } from './present.ts';
import type { ApiMarket, ListedForApi, SpotTrade } from './service.ts';

interface ListingParts {
  readonly market: ApiMarket;
  readonly offered: OfferedNetworks;
  readonly pairs: ListedPairs;
}

/** Greatest number of price levels of each side in an answer. */
const MOST_LEVELS = 5_000;
const TRADES_SHOWN = 1_000;
const ZERO = Decimal.zero;
/**
 * Ids of this exchange's coins on the listing site CoinMarketCap. Coins without an id there are absent.
 */
const COIN_IDS: ReadonlyMap<string, number> = new Map([
  ['USDT', 825],
  ['BTC', 1],
  ['ETH', 1_027],
  ['EOS', 1_765],
  ['LTC', 2],
  ['XRP', 52],
  ['ADA', 2_010],
  ['DOGE', 74],
  ['SHIB', 5_994],
]);

/** Calls in the formats of two listing sites. Prices and amounts are decimal text. */
export function listingRoutes(parts: ListingParts): Handler[] {
  const { pairs, market, offered } = parts;
  return [
    handler(calls.cmcSummary, () => pairs.all().map((listed) => presentSummary(parts, listed))),
    handler(calls.cmcAssets, () =>
      Object.fromEntries(market.coins.map((coin) => presentAsset(coin, offered))),
    ),
    handler(calls.cmcTicker, () =>
      Object.fromEntries(
        pairs.all().map((listed) => [tickerIdOf(listed.pair), presentTicker(parts, listed)]),
      ),
    ),
    handler(calls.cmcOrderbook, ({ depth = 0, level }, pair) =>
      presentBook(parts, pairs.ticker(pair), level === '1' ? 2 : depth),
    ),
    handler(calls.cmcTrades, async (_values, pair) => {
      const trades = await dayTrades(parts, pairs.ticker(pair));
      return trades.map(({ trade, ...row }) => ({
        trade_id: row.trade_id,
        price: row.price,
        base_volume: row.base_volume,
        quote_volume: row.target_volume,
        timestamp: trade.at,
        type: row.type,
      }));
    }),
    handler(calls.geckoPairs, () =>
      pairs.all().map(({ pair }) => ({
        ticker_id: tickerIdOf(pair),
        base: pair.base,
        target: pair.quote,
      })),
    ),
    handler(calls.geckoTickers, () =>
      pairs.all().map((listed) => {
        const summary = presentSummary(parts, listed);
        return {
          ticker_id: summary.trading_pairs,
          base_currency: summary.base_currency,
          target_currency: summary.quote_currency,
          last_price: summary.last_price,
          base_volume: summary.base_volume,
          target_volume: summary.quote_volume,
          bid: summary.highest_bid,
          ask: summary.lowest_ask,
          high: summary.highest_price_24h,
          low: summary.lowest_price_24h,
        };
      }),
    ),
    handler(calls.geckoOrderbook, (values) => {
      const listed = pairs.ticker(values.ticker_id);
      const { timestamp, bids, asks } = presentBook(parts, listed, values.depth ?? 0);
      return { ticker_id: values.ticker_id, timestamp, bids, asks };
    }),
    handler(calls.geckoTrades, async (values) => {
      const { pair } = pairs.ticker(values.ticker_id);
      const trades = await market.trades({
        symbol: pair.symbol,
        from: values.start_time,
        to: values.end_time,
        limit: values.limit,
      });
      const rows = trades.map((trade) => ({
        ...presentListedTrade(pair, trade),
        trade_timestamp: trade.at,
      }));
      const ofSide = (side: 'buy' | 'sell') =>
        values.type === undefined || values.type === side ? rows.filter(({ type }) => type === side) : [];
      return { buy: ofSide('buy'), sell: ofSide('sell') };
    }),
  ];
}

type Coin = ApiMarket['coins'][number];

function presentAsset({ code, name }: Coin, offered: OfferedNetworks): [string, unknown] {
  const networks = offered.networksOf(code);
  const [first] = networks;
  const fees = FEE_TIERS[0]!;
  const id = COIN_IDS.get(code);
  return [
    code,
    {
      name,
      ...(id === undefined ? {} : { unified_cryptoasset_id: id }),
      can_withdraw: networks.length > 0,
      can_deposit: networks.length > 0,
      min_withdraw: first?.minWithdrawal.toString() ?? '0',
      max_withdraw: first?.maxWithdrawal.toString() ?? '0',
      maker_fee: fees.maker.toString(),
      taker_fee: fees.taker.toString(),
    },
  ];
}

function presentSummary({ market }: ListingParts, { pair }: ListedForApi) {
  const reads = market.reads;
  const day = reads.dayStatistics(pair.symbol);
  const { open, close } = day ?? { open: ZERO, close: ZERO };
  return {
    trading_pairs: tickerIdOf(pair),
    base_currency: pair.base,
    quote_currency: pair.quote,
    last_price: priceText(pair, close),
    lowest_ask: priceText(pair, reads.bestLevel(pair.symbol, 'sell')?.price ?? ZERO),
    highest_bid: priceText(pair, reads.bestLevel(pair.symbol, 'buy')?.price ?? ZERO),
    base_volume: amountText(pair, day?.volume ?? ZERO),
    quote_volume: quoteText(day?.turnover ?? ZERO),
    price_change_percent_24h: percentText(close.minus(open), open, 2),
    highest_price_24h: priceText(pair, day?.high ?? ZERO),
    lowest_price_24h: priceText(pair, day?.low ?? ZERO),
  };
}

function presentTicker({ market }: ListingParts, { pair, status }: ListedForApi) {
  const day = market.reads.dayStatistics(pair.symbol);
  return {
    base_id: COIN_IDS.get(pair.base) ?? 0,
    quote_id: COIN_IDS.get(pair.quote) ?? 0,
    last_price: priceText(pair, day?.close ?? ZERO),
    base_volume: amountText(pair, day?.volume ?? ZERO),
    quote_volume: quoteText(day?.turnover ?? ZERO),
    isFrozen: status === 'open' ? 0 : 1,
  };
}

/**
 * A book in the form of listing sites. `depth` counts the levels of both sides together: each side has at least one and
 * at most `MOST_LEVELS`; 0 means `MOST_LEVELS` on each side.
 */
function presentBook({ market }: ListingParts, { pair }: ListedForApi, depth: number) {
  const rows = depth === 0 ? MOST_LEVELS : Math.min(MOST_LEVELS, Math.max(1, Math.floor(depth / 2)));
  const { bids, asks } = market.reads.depth(pair.symbol, rows);
  return {
    timestamp: market.now(),
    bids: bids.map((level) => presentLevel(pair, level)),
    asks: asks.map((level) => presentLevel(pair, level)),
  };
}

/** The newest trades of the last 24 hours, at most 1,000, oldest first. */
async function dayTrades({ market }: ListingParts, { pair }: ListedForApi) {
  const newest = await market.trades({ symbol: pair.symbol, limit: TRADES_SHOWN });
  const since = market.now() - DAY_MS;
  return newest
    .filter(({ at }) => at >= since)
    .map((trade) => ({ trade, ...presentListedTrade(pair, trade) }));
}

function presentListedTrade(pair: ListedForApi['pair'], trade: SpotTrade) {
  return {
    trade_id: trade.sequence,
    price: priceText(pair, trade.price),
    base_volume: amountText(pair, trade.amount),
    target_volume: quoteText(trade.total),
    type: trade.takerSide,
  };
}
