/**
 * liquidity: the house as a trader. Its market maker quotes every pair around the index from a funded
 * user's balances, in both modes; in a demo simulated takers trade against the book. Everything they do
 * is an ordinary order of an ordinary user. Without an index nothing is quoted.
 */
import { Liquidity, type LiquidityDeps } from './service.ts';

export type { Liquidity, LiquidityDeps } from './service.ts';
export type { HouseOrder, Prices, SpotTrading } from './parts.ts';

/** The house traders; nothing runs before `start`. */
export function createLiquidity(deps: LiquidityDeps): Liquidity {
  return new Liquidity(deps);
}
