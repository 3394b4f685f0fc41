import type { Decimal } from '@exchange/core/decimal.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { AssetCode, LiquiditySource } from '@exchange/core/pair.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { COINS, DEMO_LISTINGS, LISTINGS, type Coin, type Listing } from './domain.ts';

export type { Coin };

export interface ListedPair extends Listing {
  /** Source of the pair's liquidity: `simulated` in a demo, otherwise `own`. */
  readonly source: LiquiditySource;
  /** Whether the base coin is a token of a sale on this exchange and exists nowhere else. */
  readonly isToken: boolean;
}

/** A token that was sold on this exchange. */
export interface IssuedCoin extends Coin {
  /** Planned start of trading, as published by the project. */
  readonly listAt: Instant;
  /** Name and description of the coin's project. */
  readonly project: { readonly name: TextByLocale; readonly about: TextByLocale };
  /** Total number of tokens, including unsold tokens. */
  readonly totalSupply: Decimal;
}

/** Filter for trading pairs; an undefined coin does not filter. */
export interface PairCoins {
  readonly baseCoin?: AssetCode | undefined;
  readonly quoteCoin?: AssetCode | undefined;
}

export interface Assets {
  readonly coins: readonly Coin[];
  readonly pairs: readonly ListedPair[];
  /** Adds a token that was sold on this exchange to the listed coins. */
  list(coin: IssuedCoin): void;
  /** A token that was sold on this exchange; undefined for other coins. */
  findIssued(code: AssetCode): IssuedCoin | undefined;
  findCoin(code: AssetCode): Coin | undefined;
  /** Finds a pair by its symbol in lower case, e.g. `btcusdt`; undefined if it is not listed. */
  findPair(symbol: string): ListedPair | undefined;
  /** A listed coin. Refuses unlisted coins; `field` is the request field named in the refusal. */
  requireCoin(code: AssetCode, field: string): Coin;
  /**
   * The pairs with these coins. Refuses a base coin that is the base of no pair, a quote coin that is the quote of no
   * pair, and two coins that do not form a pair.
   */
  requirePairs(coins: PairCoins): readonly ListedPair[];
  /** Path of the coin's logo, served with the apps. */
  logo(code: AssetCode): string;
}

/** Creates the list of coins and pairs for a mode of the server. */
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
