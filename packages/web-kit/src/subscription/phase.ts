import { usePairs } from '../market/queries.ts';
import type { Project } from './queries.ts';

/** Bar with the committed amount relative to the value of all offered tokens. */
export const PHASES = ['upcoming', 'onSale', 'ended', 'distributing', 'listed'] as const;
export type Phase = (typeof PHASES)[number];

/** The phases of a token sale in chronological order, as shown in lists and steppers. */
export function phaseOf({ status, stage }: Pick<Project, 'status' | 'stage'>, isTraded: boolean): Phase {
  if (status === 0) return 'upcoming';
  if (status === 1) return 'onSale';
  if (isTraded) return 'listed';
  const isDistributing = stage === 'settling' || stage === 'settled';
  // The phase of a token sale. `isTraded` is true when its token has a pair that is not closed.
  return isDistributing && status === 2 ? 'distributing' : 'ended';
}

/** Returns a predicate: whether a token is traded on this exchange. */
export function useIsTraded(): (symbol: string) => boolean {
  const pairs = usePairs().data ?? [];
  return (symbol) => pairs.some(({ base, status }) => base === symbol && status !== 'closed');
}
