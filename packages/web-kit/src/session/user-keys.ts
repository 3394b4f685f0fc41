import type { QueryKey } from '@tanstack/react-query';
import { useSession } from './session-store.ts';

/** Query keys of user data by feature; each user has separate keys. */
export interface UserKeys {
  /** Builds a key for the user who is signed in at the time of the call. */
  readonly forCurrentUser: (...parts: readonly unknown[]) => QueryKey;
  /** Hook variant of `forCurrentUser`, which re-renders the component when a user signs in or out. */
  readonly use: (...parts: readonly unknown[]) => QueryKey;
}

/** First part of the query keys of all user data. */
export const USER_DATA = 'own';
const VISITOR = 'visitor';

/** Creates the query keys of one feature's user data. */
export function userKeys(feature: string): UserKeys {
  const keyOf = (userId: string | undefined, parts: readonly unknown[]): QueryKey => [
    USER_DATA,
    userId ?? VISITOR,
    feature,
    ...parts,
  ];
  return {
    forCurrentUser: (...parts) => keyOf(useSession.getState().session?.userId, parts),
    use: function useOwnKey(...parts) {
      return keyOf(
        useSession(({ session }) => session?.userId),
        parts,
      );
    },
  };
}

/**
 * Calls `listener` when a user signs in, signs out or is replaced by another, in any tab; returns a function
 * that stops it.
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
export function onUserLeft(listener: (next: string | undefined) => void): () => void {
  return useSession.subscribe(({ session }, before) => {
    const previousUserId = before.session?.userId;
    if (previousUserId !== undefined && previousUserId !== session?.userId) listener(session?.userId);
  });
}
