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

/** Number of withdrawals that wait for longer than promised, from which on a network counts as delayed. */
const LATE_MOST = 5;

/**
 * Whether a network as a whole is read or paid later than usual: its chain is not read or read too late, a signed
 * payment is stuck, or at least five withdrawals wait for longer than promised, unless withdrawals of the network are
 * paused. A single payment that waits, for example because it exceeds a limit of the signer, delays nobody else.
 */
export function isDelayed(
  chain: Pick<ChainState, 'readingProblem'> | undefined,
  load: { readonly stuck: number; readonly late: number } | undefined,
  isPaused: boolean,
): boolean {
  if (chain?.readingProblem !== undefined) return true;
  if (isPaused || load === undefined) return false;
  return load.stuck > 0 || load.late >= LATE_MOST;
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
