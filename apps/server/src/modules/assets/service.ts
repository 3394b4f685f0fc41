import type { Decimal } from '@exchange/core/decimal.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { AssetCode, LiquiditySource } from '@exchange/core/pair.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { COINS, DEMO_LISTINGS, LISTINGS, type Coin, type Listing } from './domain.ts';

export type { Coin };

export interface ListedPair extends Listing {
  /** Origin of the orders that the pair's liquidity consists of: `simulated` in a demo, otherwise `own`. */
  readonly source: LiquiditySource;
  /** True if the base coin is a token that was sold on this exchange and exists nowhere else. */
  readonly isToken: boolean;
}

/** A token that was sold on this exchange. */
export interface IssuedCoin extends Coin {
  /** Time at which trading in the token is planned to start, as the project has published it. */
  readonly listAt: Instant;
  /** Name and description of the token's project, by language. */
  readonly project: { readonly name: TextByLocale; readonly about: TextByLocale };
  /** Total number of tokens of this coin, including unsold ones. */
  readonly totalSupply: Decimal;
}

/** Filter for trading pairs by base and quote coin; a coin that is undefined does not restrict the pairs. */
export interface PairCoins {
  readonly baseCoin?: AssetCode | undefined;
  readonly quoteCoin?: AssetCode | undefined;
}

export interface Assets {
  readonly coins: readonly Coin[];
  readonly pairs: readonly ListedPair[];
  /**
   * Adds a token that was sold on this exchange to the listed coins; does nothing if a coin with its code is listed.
   */
  list(coin: IssuedCoin): void;
  /** Returns the token with this code that was sold on this exchange; undefined for other coins. */
  findIssued(code: AssetCode): IssuedCoin | undefined;
  findCoin(code: AssetCode): Coin | undefined;
  /** Returns the pair with this symbol in lower case, e.g. `btcusdt`; undefined if it is not listed. */
  findPair(symbol: string): ListedPair | undefined;
  /**
   * Returns the listed coin with this code, which may be a token that was sold on this exchange. Refuses an unlisted
   * coin; the refusal names the request field `field`.
   */
  requireCoin(code: AssetCode, field: string): Coin;
  /**
   * Returns the pairs with these coins. Refuses a base coin that is the base of no pair, a quote coin that is the quote
   * of no pair, and a base and a quote coin that form no pair.
   */
  requirePairs(coins: PairCoins): readonly ListedPair[];
  /** Returns the URL path of the coin's logo, which the server delivers together with the apps. */
  logo(code: AssetCode): string;
}

/**
 * Creates the list of coins and pairs. In a demo it also contains the pairs in `DEMO_LISTINGS`, and the
 * liquidity of all pairs is simulated.
 */
export function createAssets({ mode }: { mode: 'demo' | 'live' }): Assets {
  const source: LiquiditySource = mode === 'demo' ? 'simulated' : 'own';
  const pairs = [
    ...LISTINGS.map((listed) => ({ ...listed, source, isToken: false })),
    ...(mode === 'demo' ? DEMO_LISTINGS : []).map((listed) => ({ ...listed, source, isToken: true })),
  ];
  const pairsBySymbol = new Map(pairs.map((listed) => [listed.pair.symbol, listed]));
  const coins = [...COINS];
  const coinsByCode = new Map(COINS.map((coin) => [coin.code, coin]));
  const issued = new Map<AssetCode, IssuedCoin>();
  return {
    coins,
    list: (coin) => {
      if (coinsByCode.has(coin.code)) return;
      coins.push(coin);
      coinsByCode.set(coin.code, coin);
      issued.set(coin.code, coin);
    },
    findIssued: (code) => issued.get(code),
    pairs,
    findCoin: (code) => coinsByCode.get(code),
    findPair: (symbol) => pairsBySymbol.get(symbol),
    requireCoin: (code, field) => {
      const coin = coinsByCode.get(code);
      if (coin === undefined) throw invalidChoice(field, code);
      return coin;
    },
    requirePairs: (coins) => filterPairs(pairs, coins),
    logo: (code) => `/coins/${code.toLowerCase()}.svg`,
  };
}

function filterPairs(
  pairs: readonly ListedPair[],
  { baseCoin, quoteCoin }: PairCoins,
): readonly ListedPair[] {
  const pairsOfBase = pairs.filter(({ pair }) => baseCoin === undefined || pair.base === baseCoin);
  if (baseCoin !== undefined && pairsOfBase.length === 0) throw invalidChoice('baseCoin', baseCoin);
  if (quoteCoin === undefined) return pairsOfBase;
  if (!pairs.some(({ pair }) => pair.quote === quoteCoin)) throw invalidChoice('quoteCoin', quoteCoin);
  const pairsOfBoth = pairsOfBase.filter(({ pair }) => pair.quote === quoteCoin);
  if (pairsOfBoth.length > 0) return pairsOfBoth;
  const value = `${baseCoin}/${quoteCoin}`;
  throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'baseCoin', value }));
}
