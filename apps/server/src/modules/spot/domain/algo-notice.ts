import type { TwapPause } from './twap.ts';

/** A queued message to the owner about a pause or the end of an algo order. */
export interface AlgoNotice {
  readonly id: string;
  /** The id of the algo order. */
  readonly algo: string;
  readonly kind: TwapPause | 'twapEnded' | 'ladderEnded' | 'icebergEnded' | 'chaseEnded' | 'gridEnded';
}
