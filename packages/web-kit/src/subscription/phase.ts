import { usePairs } from '../market/queries.ts';
import type { Project } from './queries.ts';

/** The phases of a token sale in the order in which they follow each other. */
export const PHASES = ['upcoming', 'onSale', 'ended', 'distributing', 'listed'] as const;
export type Phase = (typeof PHASES)[number];

/**
 * Returns the current phase of a token sale. `isTraded` is true if the token is the base coin of at least one
 * pair that is not closed, that is, of a pair that is open or cancel-only.
 */
export function phaseOf({ status, stage }: Pick<Project, 'status' | 'stage'>, isTraded: boolean): Phase {
  if (status === 0) return 'upcoming';
  if (status === 1) return 'onSale';
  if (isTraded) return 'listed';
  const isDistributing = stage === 'settling' || stage === 'settled';
  return isDistributing && status === 2 ? 'distributing' : 'ended';
}

/** Returns a function that returns whether a token is the base coin of a pair that is not closed. */
export function useIsTraded(): (symbol: string) => boolean {
  const pairs = usePairs().data ?? [];
  return (symbol) => pairs.some(({ base, status }) => base === symbol && status !== 'closed');
}
