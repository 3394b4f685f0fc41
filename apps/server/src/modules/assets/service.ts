import type { AssetCode, LiquiditySource } from '@exchange/core/pair.ts';
import { COINS, LISTINGS, type Coin, type Listing } from './domain.ts';

export type { Coin };

export interface ListedPair extends Listing {
  /** Whose liquidity the pair shows: with simulated venues everything on it is simulated. */
  readonly source: LiquiditySource;
}

export interface Assets {
  readonly coins: readonly Coin[];
  readonly pairs: readonly ListedPair[];
  findCoin(code: AssetCode): Coin | undefined;
  /** By symbol in lower case, e.g. `btcusdt`. */
  findPair(symbol: string): ListedPair | undefined;
  /** Path of the coin's picture, served with the apps. */
  logo(code: AssetCode): string;
}

/** The registry for one mode of the server. */
export function createAssets({ mode }: { mode: 'demo' | 'live' }): Assets {
  const source: LiquiditySource = mode === 'demo' ? 'simulated' : 'own';
  const pairs = LISTINGS.map((listed) => ({ ...listed, source }));
  const pairsBySymbol = new Map(pairs.map((listed) => [listed.pair.symbol, listed]));
  const coinsByCode = new Map(COINS.map((coin) => [coin.code, coin]));
  return {
    coins: COINS,
    pairs,
    findCoin: (code) => coinsByCode.get(code),
    findPair: (symbol) => pairsBySymbol.get(symbol),
    logo: (code) => `/coins/${code.toLowerCase()}.svg`,
  };
}
