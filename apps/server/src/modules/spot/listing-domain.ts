import type { PairStatus } from '@exchange/core/pair.ts';
import type { ListedPair } from '../assets/index.ts';

/** A pair as it can be traded now. */
export interface ListedForTrading extends ListedPair {
  readonly status: PairStatus;
  readonly logo: string;
}
