import type { QueryKey } from '@tanstack/react-query';
import { useSession } from './session-store.ts';

/** Names in the cache of what belongs to one person, by feature: nobody else's query has the same. */
export interface OwnKeys {
  /** Below the feature, for the person who is signed in at the moment of the call. */
  readonly now: (...parts: readonly unknown[]) => QueryKey;
  /** The same in a component, which renders again when another person signs in. */
  readonly use: (...parts: readonly unknown[]) => QueryKey;
}

/** What begins the name of everything in the cache that belongs to a person. */
export const OWN = 'own';
const VISITOR = 'visitor';

/** The key factory of one feature. */
export function ownKeys(feature: string): OwnKeys {
  const keyOf = (userId: string | undefined, parts: readonly unknown[]): QueryKey => [
    OWN,
    userId ?? VISITOR,
    feature,
    ...parts,
  ];
  return {
    now: (...parts) => keyOf(useSession.getState().session?.userId, parts),
    use: function useOwnKey(...parts) {
      return keyOf(
        useSession(({ session }) => session?.userId),
        parts,
      );
    },
  };
}

/** Calls `listener` when another person, or nobody, is signed in, whichever tab did it; gives the way to stop. */
export function onUserChange(listener: () => void): () => void {
  return useSession.subscribe((now, before) => {
    if (now.session?.userId !== before.session?.userId) listener();
  });
}

/**
 * Calls `listener` when the person who was signed in is not any more, whichever tab did it, with the id of the person
 * who is signed in instead, or undefined for nobody. Returns the way to stop.
 */
export function onPersonLeft(listener: (next: string | undefined) => void): () => void {
  return useSession.subscribe(({ session }, before) => {
    const left = before.session?.userId;
    if (left !== undefined && left !== session?.userId) listener(session?.userId);
  });
}
