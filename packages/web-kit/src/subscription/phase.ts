import { usePairs } from '../market/queries.ts';
import type { Project } from './queries.ts';

/** The phases of a sale as lists and steppers name them, in their order. */
export const PHASES = ['upcoming', 'onSale', 'ended', 'distributing', 'listed'] as const;
export type Phase = (typeof PHASES)[number];

/** The phase of a project. `isTraded`: whether its token has a pair that is not closed. */
export function phaseOf({ status, stage }: Pick<Project, 'status' | 'stage'>, isTraded: boolean): Phase {
  if (status === 0) return 'upcoming';
  if (status === 1) return 'onSale';
  if (isTraded) return 'listed';
  const isDistributing = stage === 'settling' || stage === 'settled';
  // A status of 3 after a distribution says that the last token has been released.
  return isDistributing && status === 2 ? 'distributing' : 'ended';
}

/** Says of each token whether it is traded here. */
export function useIsTraded(): (symbol: string) => boolean {
  const pairs = usePairs().data ?? [];
  return (symbol) => pairs.some(({ base, status }) => base === symbol && status !== 'closed');
}
