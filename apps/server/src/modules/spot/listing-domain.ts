import type { PairStatus } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { ListedPair } from '../assets/index.ts';

/** A pair as it can be traded now. */
export interface ListedForTrading extends ListedPair {
  readonly status: PairStatus;
  readonly logo: string;
}

/** A pair's status as somebody set it. */
export interface StatusSet {
  readonly sequence: number;
  readonly symbol: string;
  readonly status: PairStatus;
  readonly statusBefore: PairStatus;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}
