import { useEffect } from 'react';

/**
 * Shares one subscription between many users of it. The returned function adds a user and returns a function that
 * removes that user. `join` subscribes when the first user is added; the function that it returns unsubscribes when the
 * last user is removed.
 */
export function sharedSubscription(join: () => () => void): () => () => void {
  let userCount = 0;
  let unsubscribe: (() => void) | undefined;
  return () => {
    userCount += 1;
    unsubscribe ??= join();
    return () => {
      userCount -= 1;
      if (userCount > 0) return;
      unsubscribe?.();
      unsubscribe = undefined;
    };
  };
}

/**
 * Returns a hook that keeps a subscription active while at least one component that uses it is mounted.
 * `join` subscribes and returns the function that unsubscribes.
 */
export function subscriptionWhileMounted(join: () => () => void): () => void {
  const enter = sharedSubscription(join);
  return function useJoined() {
    useEffect(enter, []);
  };
}
