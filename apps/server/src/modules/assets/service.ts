import type { Decimal } from '@exchange/core/decimal.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { AssetCode, LiquiditySource } from '@exchange/core/pair.ts';
import { notAmong, refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { COINS, DEMO_LISTINGS, LISTINGS, type Coin, type Listing } from './domain.ts';

export type { Coin };

export interface ListedPair extends Listing {
  /** Whose liquidity the pair shows: with simulated venues everything on it is simulated. */
  readonly source: LiquiditySource;
  /** Whether its base coin is a token of a sale on this exchange and exists nowhere else. */
  readonly isToken: boolean;
}

/** A token that was sold on this exchange. */
export interface IssuedCoin extends Coin {
  /** When trading of it is to begin, as its project says. */
  readonly listAt: Instant;
  /** What its project is called and what it says about itself. */
  readonly project: { readonly name: TextByLocale; readonly about: TextByLocale };
  /** How many tokens there are in all, sold and not sold. */
  readonly totalSupply: Decimal;
}

/** Narrows to pairs with these coins; what is absent narrows nothing. */
export interface PairCoins {
  readonly baseCoin?: AssetCode | undefined;
  readonly quoteCoin?: AssetCode | undefined;
}

export interface Assets {
  readonly coins: readonly Coin[];
  readonly pairs: readonly ListedPair[];
  /** Lists a token that was sold here, with the other coins from now on. */
  list(coin: IssuedCoin): void;
  /** A token that was sold here, with its listing date; undefined for every other coin. */
  findIssued(code: AssetCode): IssuedCoin | undefined;
  findCoin(code: AssetCode): Coin | undefined;
  /** By symbol in lower case, e.g. `btcusdt`. */
  findPair(symbol: string): ListedPair | undefined;
  /** A listed coin; refuses any other by the name of the field that asks for it. */
  requireCoin(code: AssetCode, field: string): Coin;
  /** The pairs with these coins; refuses a coin that no pair has on that side, and two that are no pair. */
  requirePairs(coins: PairCoins): readonly ListedPair[];
  /** Path of the coin's picture, served with the apps. */
  logo(code: AssetCode): string;
}

/** The registry for one mode of the server. */
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
      if (coin === undefined) throw notAmong(field, code);
      return coin;
    },
    requirePairs: (coins) => narrowed(pairs, coins),
    logo: (code) => `/coins/${code.toLowerCase()}.svg`,
  };
}

function narrowed(pairs: readonly ListedPair[], { baseCoin, quoteCoin }: PairCoins): readonly ListedPair[] {
  const ofBase = pairs.filter(({ pair }) => baseCoin === undefined || pair.base === baseCoin);
  if (baseCoin !== undefined && ofBase.length === 0) throw notAmong('baseCoin', baseCoin);
  if (quoteCoin === undefined) return ofBase;
  if (!pairs.some(({ pair }) => pair.quote === quoteCoin)) throw notAmong('quoteCoin', quoteCoin);
  const ofBoth = ofBase.filter(({ pair }) => pair.quote === quoteCoin);
  if (ofBoth.length > 0) return ofBoth;
  const value = `${baseCoin}/${quoteCoin}`;
  throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'baseCoin', value }));
}
