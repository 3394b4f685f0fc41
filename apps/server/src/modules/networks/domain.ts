import { RECORDED_CHANNELS } from '@exchange/core/recorded-channels.ts';
import type { ChainState } from '../chains/index.ts';

/**
 * How deposits and withdrawals of a network are processed: through a node that works (`working`) or has a problem
 * (`troubled`), by a simulation (`simulated`), by operators who review reports of deposits (`byHand`), or not at all
 * (`closed`).
 */
export type NetworkState = 'working' | 'troubled' | 'simulated' | 'byHand' | 'closed';

/**
 * The state of a network. For a network with a real chain it depends on whether the chain has a problem;
 * otherwise on `kinds`, how the network's coins are deposited, one element per coin: `simulated` if one is
 * `demo`, else `byHand` if one is `manual`, else `closed`.
 */
export function networkState(
  chain: Pick<ChainState, 'problem'> | undefined,
  kinds: readonly string[],
): NetworkState {
  if (chain !== undefined) return chain.problem === undefined ? 'working' : 'troubled';
  if (kinds.includes('demo')) return 'simulated';
  return kinds.includes('manual') ? 'byHand' : 'closed';
}

/**
 * What the channel of a network was tested on. `testNodes`: nodes of the network on a developer's chain.
 * `litecoinNode`: a node of Litecoin that plays the network. `recordedAnswers`: only recorded answers of real nodes and
 * a simulated network, never a node.
 */
export function testedOn({
  network,
  kind,
}: Pick<ChainState, 'network' | 'kind'>): 'testNodes' | 'litecoinNode' | 'recordedAnswers' {
  if (RECORDED_CHANNELS.has(kind)) return 'recordedAnswers';
  return kind === 'utxo' && network !== 'LTC' ? 'litecoinNode' : 'testNodes';
}

/**
 * Number of withdrawals whose promised time (24 hours after they could be sent) has passed; from this number on, a
 * network counts as delayed.
 */
const LATE_MOST = 5;

/**
 * True if deposits or withdrawals of a network as a whole are delayed: its chain is not read or is read too late, or,
 * unless withdrawals of the network are paused, a signed payment is stuck or the promised time of at least five
 * withdrawals has passed. A single withdrawal that waits, for example because it exceeds a limit of the signer, does
 * not count.
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

/**
 * Progress of a withdrawal that has not ended. `waiting`: not signed yet. `signed`: signed, but in no block. `stuck`:
 * signed and in no block more than two hours after the time from which it could be sent. `inBlock`: in a block.
 */
type PaymentState = 'waiting' | 'signed' | 'inBlock' | 'stuck';

/**
 * The progress of a withdrawal that has not ended. A signed withdrawal that is in no block counts as stuck if it could
 * be sent (`leavesAt`) before the time `stuckBefore`.
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
