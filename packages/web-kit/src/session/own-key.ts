import type { QueryKey } from '@tanstack/react-query';
import { useSession } from './session-store.ts';

/** Query keys of user data by feature; each user has separate keys. */
export interface OwnKeys {
  /** Builds a key for the user who is signed in at the time of the call. */
  readonly now: (...parts: readonly unknown[]) => QueryKey;
  /** Hook variant of `now`, which re-renders the component when another user signs in. */
  readonly use: (...parts: readonly unknown[]) => QueryKey;
}

/** First part of every query key of user data. */
export const OWN = 'own';
const VISITOR = 'visitor';

/** Creates the query keys of one feature. */
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

/**
 * Calls `listener` when the signed-in user changes or signs out, in any tab; returns a function that stops
 * it.
 */
export function onUserChange(listener: () => void): () => void {
  return useSession.subscribe((now, before) => {
    if (now.session?.userId !== before.session?.userId) listener();
  });
}

/**
 * Calls `listener` when the signed-in user signs out or is replaced, in any tab, with the id of the new user
 * or undefined. Returns a function that stops it.
 */
export function onPersonLeft(listener: (next: string | undefined) => void): () => void {
  return useSession.subscribe(({ session }, before) => {
    const previousUserId = before.session?.userId;
    if (previousUserId !== undefined && previousUserId !== session?.userId) listener(session?.userId);
  });
}
