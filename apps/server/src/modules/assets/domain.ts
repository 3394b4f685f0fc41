import { Decimal } from '@exchange/core/decimal.ts';
import { isExactPair, pairSymbol, type AssetCode, type Pair, type PairFilters } from '@exchange/core/pair.ts';

export interface Coin {
  readonly code: AssetCode;
  readonly name: string;
  /** Greatest number of decimals of an amount in the coin. */
  readonly digits: number;
}

const COIN_DIGITS = 8;

const coin = (code: AssetCode, name: string): Coin => ({ code, name, digits: COIN_DIGITS });

export const COINS: readonly Coin[] = [
  coin('USDT', 'Tether'),
  coin('BTC', 'Bitcoin'),
  coin('ETH', 'Ethereum'),
  coin('EOS', 'EOS'),
  coin('LTC', 'Litecoin'),
  coin('XRP', 'XRP'),
  coin('ADA', 'Cardano'),
  coin('DOGE', 'Dogecoin'),
  coin('SHIB', 'Shiba Inu'),
];

/**
 * A row of the constant tables below, which list the trading pairs by quote coin. The price band is stated only for
 * pairs whose band differs from the default.
 */
type Row = readonly [
  base: AssetCode,
  priceDigits: number,
  amountDigits: number,
  maxAmount: string,
  priceBand?: string,
];

const USDT_PAIRS: readonly Row[] = [
  ['BTC', 2, 5, '100'],
  ['ETH', 2, 4, '2000'],
  ['EOS', 4, 2, '5000000'],
  ['LTC', 2, 3, '50000'],
  ['XRP', 2, 1, '2000000'],
  ['ADA', 6, 1, '5000000'],
  ['DOGE', 6, 0, '20000000'],
  ['SHIB', 7, 0, '200000000000'],
];
const BTC_PAIRS: readonly Row[] = [
  ['ETH', 6, 4, '2000'],
  // The pair EOS/BTC has a wider price band: one price tick is more than one per cent of its price, so the default band
  // would contain fewer than 20 prices per side.
  ['EOS', 7, 2, '5000000', '0.35'],
  ['LTC', 6, 3, '50000'],
  ['XRP', 9, 0, '2000000'],
  ['ADA', 8, 0, '5000000'],
  ['DOGE', 9, 0, '20000000'],
];
const ETH_PAIRS: readonly Row[] = [
  ['EOS', 8, 2, '5000000'],
  ['ADA', 6, 1, '5000000'],
  ['DOGE', 8, 0, '20000000'],
];

/** Pairs of the tokens that the demo sells in token sales; a live exchange does not list them. */
const DEMO_TOKEN_PAIRS: readonly Row[] = [['ORCH', 6, 2, '5000000']];

/**
 * Minimum total (price times amount) of an order in units of the quote coin, with decimals, by quote coin;
 * each is worth about 5 USDT.
 */
const MIN_TOTALS: ReadonlyMap<string, string> = new Map([
  ['USDT', '5'],
  ['BTC', '0.00005'],
  ['ETH', '0.0015'],
]);

const PRICE_BAND = '0.2';
const MARKET_GUARD = Decimal.parse('0.05');
const MAX_OPEN_ORDERS = 200;
const MAX_STOP_ORDERS = 10;
const MIN_TRAIL = Decimal.parse('0.001');
const MAX_TRAIL = Decimal.parse('0.2');
const MAX_LIFETIME_MS = 90 * 86_400_000;
/**
 * Least amount of an order on any pair, in units of the base coin, with decimals, from the specification. For
 * a pair with a greater amount step, that step is the least amount.
 */
const MIN_AMOUNT = Decimal.parse('0.00001');

export interface Listing {
  readonly pair: Pair;
  readonly filters: PairFilters;
}

/** Every pair of the specification with its precision and limits, in the specification's order. */
export const LISTINGS: readonly Listing[] = [
  ...USDT_PAIRS.map((row) => listing(row, 'USDT')),
  ...BTC_PAIRS.map((row) => listing(row, 'BTC')),
  ...ETH_PAIRS.map((row) => listing(row, 'ETH')),
];

/**
 * Additional pairs of a demo. Their base coins are tokens of the demo's token sales, which exist only on this exchange;
 * no units of a token exist before its sale is settled.
 */
export const DEMO_LISTINGS: readonly Listing[] = DEMO_TOKEN_PAIRS.map((row) => listing(row, 'USDT'));

/**
 * Codes of the coins that exist outside this exchange: the coins in `COINS` and in the pairs in `LISTINGS`; the tokens
 * of the demo are not included.
 */
export const OUTSIDE_COINS: ReadonlySet<AssetCode> = new Set([
  ...COINS.map(({ code }) => code),
  ...LISTINGS.flatMap(({ pair }) => [pair.base, pair.quote]),
]);

function listing(
  [base, priceDigits, amountDigits, maxAmount, priceBand = PRICE_BAND]: Row,
  quote: AssetCode,
): Listing {
  const pair: Pair = { symbol: pairSymbol(base, quote), base, quote, priceDigits, amountDigits };
  if (!isExactPair(pair)) throw new Error(`${pair.symbol}: price × amount would not be exact`);
  const step = Decimal.ofScaled(1n, amountDigits);
  const filters: PairFilters = {
    minAmount: step.isMore(MIN_AMOUNT) ? step : MIN_AMOUNT,
    maxAmount: Decimal.parse(maxAmount),
    minTotal: Decimal.parse(MIN_TOTALS.get(quote)!),
    priceBand: Decimal.parse(priceBand),
    marketGuard: MARKET_GUARD,
    maxOpenOrders: MAX_OPEN_ORDERS,
    maxStopOrders: MAX_STOP_ORDERS,
    minTrail: MIN_TRAIL,
    maxTrail: MAX_TRAIL,
    maxLifetimeMs: MAX_LIFETIME_MS,
  };
  return { pair, filters };
}
