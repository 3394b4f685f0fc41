import type { EndReason } from './order.ts';

/**
 * How an iceberg or a chase order ended: `filled`: completely filled; `user`: its owner cancelled it or its open order;
 * `time`: it expired; `selfTrade`: self-trade prevention cancelled its open order; `countdown`: a program's countdown
 * ran out.
 */
export type AlgoEnding = 'filled' | 'user' | 'time' | 'selfTrade' | 'countdown';

/**
 * The ending of an iceberg or chase order whose open order ended for `reason` before it was filled: `user`
 * and `countdown` for the reasons of the same names, `time` for `expired`, `selfTrade` for any other reason.
 */
export function endingFor(reason: EndReason): AlgoEnding {
  if (reason === 'user') return 'user';
  if (reason === 'expired') return 'time';
  return reason === 'countdown' ? 'countdown' : 'selfTrade';
}
