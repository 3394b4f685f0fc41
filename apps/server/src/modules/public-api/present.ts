import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { PublicPause } from '@exchange/core/trading-pause.ts';
import {
  ORDERS_PER_DAY,
  ORDERS_PER_TEN_SECONDS,
  WEIGHT_PER_MINUTE,
} from '@exchange/wire/public-api/calls.ts';
import type { BestLevels, ListedForApi, PublicCandle, PublicLevel, SpotTrade } from './service.ts';

/** Formats of the public trading API: prices, amounts and rates are decimal text, ids and counts numbers. */

const ASSET_PRECISION = 8;
const MOST_PRICE = '1000000000';
const MOST_NOTIONAL = '1000000000';
/** The trade id by which the API shows that there are no trades. */
export const NO_TRADE = -1;
/** Value of the last field of a candle, which has no meaning. */
export const UNUSED = '0';
const STATUS = { open: 'TRADING', cancelOnly: 'CANCEL_ONLY', closed: 'HALT' } as const;

/** Base and quote coin in capitals: `BTCUSDT`. */
export function apiSymbol({ base, quote }: Pair): string {
  return base + quote;
}

/** The name of a pair on listing sites: `BTC_USDT`. */
export function tickerIdOf({ base, quote }: Pair): string {
  return `${base}_${quote}`;
}

export const priceText = (pair: Pair, price: Decimal) => price.toPlaces(pair.priceDigits);
export const amountText = (pair: Pair, amount: Decimal) => amount.toPlaces(pair.amountDigits);
export const quoteText = (amount: Decimal) => amount.toPlaces(ASSET_PRECISION);

export function presentLevel(pair: Pair, { price, amount }: PublicLevel): [string, string] {
  return [priceText(pair, price), amountText(pair, amount)];
}

/** The best bid and ask of a book; for a side without orders, price and amount are 0. */
export function presentBookTicker(pair: Pair, { bid, ask }: BestLevels) {
  return {
    symbol: apiSymbol(pair),
    bidPrice: priceText(pair, bid.price),
    bidQty: amountText(pair, bid.amount),
    askPrice: priceText(pair, ask.price),
    askQty: amountText(pair, ask.amount),
  };
}

export const RATE_LIMITS = [
  { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: WEIGHT_PER_MINUTE },
  { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: ORDERS_PER_TEN_SECONDS },
  { rateLimitType: 'ORDERS', interval: 'DAY', intervalNum: 1, limit: ORDERS_PER_DAY },
] as const;

/** The smallest step of a number with this many decimals, as text: `0.01` for 2. */
function stepText(digits: number): string {
  return Decimal.ofScaled(1n, digits).toPlaces(digits);
}

export function presentSymbol(listed: ListedForApi) {
  const { pair, status } = listed;
  return {
    symbol: apiSymbol(pair),
    status: STATUS[status],
    baseAsset: pair.base,
    baseAssetPrecision: ASSET_PRECISION,
    quoteAsset: pair.quote,
    quotePrecision: ASSET_PRECISION,
    quoteAssetPrecision: ASSET_PRECISION,
    baseCommissionPrecision: ASSET_PRECISION,
    quoteCommissionPrecision: ASSET_PRECISION,
    orderTypes: [
      'LIMIT',
      'LIMIT_MAKER',
      'MARKET',
      'STOP_LOSS',
      'STOP_LOSS_LIMIT',
      'TAKE_PROFIT',
      'TAKE_PROFIT_LIMIT',
    ],
    icebergAllowed: false,
    ocoAllowed: true,
    otoAllowed: true,
    opoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: false,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    pegInstructionsAllowed: false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: presentFilters(listed),
    ...(listed.pause !== undefined && { pause: presentPause(listed.pause) }),
    permissions: [],
    permissionSets: [['SPOT']],
    defaultSelfTradePreventionMode: 'EXPIRE_TAKER',
    allowedSelfTradePreventionModes: ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'],
  };
}

/**
 * The reason why a pair is not trading: the code of the cause, the coin if the whole coin is halted, the time in
 * milliseconds UTC by which operators publish news, and their note by language. Unpublished fields are null.
 */
function presentPause({ coin, cause, newsTime, note }: PublicPause) {
  return {
    cause,
    coin: coin ?? null,
    newsTime: newsTime ?? null,
    note: note ?? null,
  };
}

function presentFilters({ pair, filters }: ListedForApi) {
  const { minAmount, maxAmount, minTotal, priceBand, maxOpenOrders, maxStopOrders } = filters;
  const up = Decimal.one.plus(priceBand).toString();
  const down = Decimal.one.minus(priceBand).toString();
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: stepText(pair.priceDigits),
      maxPrice: MOST_PRICE,
      tickSize: stepText(pair.priceDigits),
    },
    {
      filterType: 'LOT_SIZE',
      minQty: amountText(pair, minAmount),
      maxQty: amountText(pair, maxAmount),
      stepSize: stepText(pair.amountDigits),
    },
    {
      filterType: 'NOTIONAL',
      minNotional: minTotal.toPlaces(ASSET_PRECISION),
      applyMinToMarket: true,
      maxNotional: MOST_NOTIONAL,
      applyMaxToMarket: false,
      avgPriceMins: 0,
    },
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: up,
      bidMultiplierDown: down,
      askMultiplierUp: up,
      askMultiplierDown: down,
      avgPriceMins: 0,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: maxOpenOrders },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: maxStopOrders },
  ];
}

export function presentTrade(pair: Pair, trade: SpotTrade) {
  return {
    id: trade.sequence,
    price: priceText(pair, trade.price),
    qty: amountText(pair, trade.amount),
    quoteQty: quoteText(trade.total),
    time: trade.at,
    isBuyerMaker: trade.takerSide === 'sell',
    isBestMatch: true,
  };
}

/** The fields of a trade that answers and streams show. */
type Fill = Pick<SpotTrade, 'sequence' | 'price' | 'amount' | 'takerSide' | 'at'> & {
  readonly takerOrder: string;
};

/** Aggregate trades: consecutive fills of one taker order at one price, as one row. */
export function presentAggregates(pair: Pair, trades: readonly Fill[]) {
  const rows: { order: string; first: Fill; last: Fill; amount: Decimal }[] = [];
  for (const trade of trades) {
    const row = rows.at(-1);
    if (row !== undefined && row.order === trade.takerOrder && row.first.price.equals(trade.price)) {
      row.last = trade;
      row.amount = row.amount.plus(trade.amount);
    } else rows.push({ order: trade.takerOrder, first: trade, last: trade, amount: trade.amount });
  }
  return rows.map(({ first, last, amount }) => ({
    a: first.sequence,
    p: priceText(pair, first.price),
    q: amountText(pair, amount),
    f: first.sequence,
    l: last.sequence,
    T: first.at,
    m: first.takerSide === 'sell',
    M: true,
  }));
}

/**
 * A candle in the form of the API; `closedMs` is its last millisecond. The last three cells, the takers' volume and
 * turnover and an unused "0", are left out if the takers of some trades of the candle were not counted.
 */
export function presentKline(pair: Pair, candle: PublicCandle, closedMs: number) {
  const { takerBuys } = candle;
  const cells = [
    candle.opened * 1_000,
    priceText(pair, candle.open),
    priceText(pair, candle.high),
    priceText(pair, candle.low),
    priceText(pair, candle.close),
    amountText(pair, candle.volume),
    closedMs,
    quoteText(candle.turnover),
    candle.count,
  ] as const;
  if (takerBuys === undefined) return cells;
  return [...cells, amountText(pair, takerBuys.volume), quoteText(takerBuys.turnover), UNUSED] as const;
}

/**
 * The price difference `change` as a percentage of the price `open`, as text with `places` decimals, rounded
 * half to even; zero if `open` is 0.
 */
export function percentText(change: Decimal, open: Decimal, places: number): string {
  const percent = open.isZero()
    ? Decimal.zero
    : change.timesExact(Decimal.ofWhole(100)).over(open, 'halfEven', places);
  return percent.toPlaces(places);
}
