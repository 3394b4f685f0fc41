import type { ChainState } from '../chains/index.ts';

/**
 * How deposits and withdrawals of a network work: by a node that works or has a problem (`troubled`), simulated, by
 * operators who review reports, or not at all (`closed`).
 */
export type NetworkState = 'working' | 'troubled' | 'simulated' | 'byHand' | 'closed';

/**
 * The state of a network, from the state of its chain and the channels of its coins; `kinds` has
 * one entry per coin.
 */
export function networkState(
  chain: Pick<ChainState, 'problem'> | undefined,
  kinds: readonly string[],
): NetworkState {
  if (chain !== undefined) return chain.problem === undefined ? 'working' : 'troubled';
  if (kinds.includes('demo')) return 'simulated';
  return kinds.includes('manual') ? 'byHand' : 'closed';
}

/** Progress of a withdrawal in processing. */
type PaymentState = 'waiting' | 'signed' | 'inBlock' | 'stuck';

/**
 * The progress of a withdrawal. A signed withdrawal in no block is stuck when the time from which it
 * could be sent, `leavesAt`, is before `stuckBefore`.
 */
export function paymentState(
  {
    txid,
    block,
    leavesAt,
  }: {
    readonly txid: string | undefined;
    readonly block: number | undefined;
    readonly leavesAt: number;
  },
  stuckBefore: number,
): PaymentState {
  if (txid === undefined) return 'waiting';
  if (block !== undefined) return 'inBlock';
  return leavesAt < stuckBefore ? 'stuck' : 'signed';
}
