/**
 * liquidity: trading by the exchange itself. A market maker quotes pairs around the index from a funded user's
 * balances, in both modes; in demo mode simulated takers trade with the orders on the book. All their orders are placed
 * like those of any user. Without an index nothing is quoted.
 */
import { Liquidity, type LiquidityDeps } from './service.ts';

export type { Liquidity, LiquidityDeps } from './service.ts';
export type { HouseOrder, Prices, SpotTrading } from './parts.ts';

/** Creates the market maker and, if a user for them is given, the simulated takers; nothing runs before `start`. */
export function createLiquidity(deps: LiquidityDeps): Liquidity {
  return new Liquidity(deps);
}
