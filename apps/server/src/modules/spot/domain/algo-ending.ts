import type { EndReason } from './order.ts';

/**
 * How an algo order ended whose open order is a part of it: everything is filled, its owner cancelled it or its order, its
 * time is over, self-trade prevention removed its order, or a program's countdown ran out.
 */
export type AlgoEnding = 'filled' | 'user' | 'time' | 'selfTrade' | 'countdown';

/** How an algo order ends when its open order ends unfilled for this reason. */
export function endingFor(reason: EndReason): AlgoEnding {
  if (reason === 'user') return 'user';
  if (reason === 'expired') return 'time';
  return reason === 'countdown' || reason === 'disconnected' ? 'countdown' : 'selfTrade';
}
