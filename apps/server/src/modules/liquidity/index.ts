/**
 * liquidity: trading by the exchange itself. A market maker quotes pairs around the index from a funded
 * user's balances, in both modes; in demo mode simulated takers trade against the book. All their orders take
 * the ordinary path. Without an index nothing is quoted.
 */
import { Liquidity, type LiquidityDeps } from './service.ts';

export type { Liquidity, LiquidityDeps } from './service.ts';
export type { HouseOrder, Prices, SpotTrading } from './parts.ts';

/** Creates the market maker and the simulated takers; nothing runs before `start`. */
export function createLiquidity(deps: LiquidityDeps): Liquidity {
  return new Liquidity(deps);
}
