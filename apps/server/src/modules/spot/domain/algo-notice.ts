import type { TwapPause } from './twap.ts';

/** A message that waits to be sent: about a pause, or about the end of an algo order. */
export interface AlgoNotice {
  readonly id: string;
  /** The id of the algo order. */
  readonly algo: string;
  readonly kind: TwapPause | 'twapEnded' | 'ladderEnded' | 'icebergEnded' | 'chaseEnded';
}
