import type { QueryKey } from '@tanstack/react-query';
import { useSession } from './session-store.ts';

/** Query keys of a feature's user data; the keys differ between users. */
export interface UserKeys {
  /** Builds the key for the user who is signed in at the time of the call. */
  readonly forCurrentUser: (...parts: readonly unknown[]) => QueryKey;
  /** Like `forCurrentUser`, but as a hook, which re-renders the component when a user signs in or out. */
  readonly use: (...parts: readonly unknown[]) => QueryKey;
}

/** First part of the query key of all user data. */
export const USER_DATA = 'own';
const VISITOR = 'visitor';

/**
 * Returns the functions that build the query keys of a feature's user data. Each key contains the feature and
 * the user's ID; for visitors, `visitor` instead of the ID.
 */
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
 * Calls `listener` when a user signs in or out, or another user replaces the signed-in one, in any tab. Returns a
 * function that removes `listener`.
 */
export function onUserChange(listener: () => void): () => void {
  return useSession.subscribe((now, before) => {
    if (now.session?.userId !== before.session?.userId) listener();
  });
}

/**
 * Calls `listener` when the signed-in user signs out or another user replaces that user, in any tab; the argument is
 * the ID of the new user, undefined after a sign-out. Returns a function that removes `listener`.
 */
export function onUserLeft(listener: (next: string | undefined) => void): () => void {
  return useSession.subscribe(({ session }, before) => {
    const previousUserId = before.session?.userId;
    if (previousUserId !== undefined && previousUserId !== session?.userId) listener(session?.userId);
  });
}
