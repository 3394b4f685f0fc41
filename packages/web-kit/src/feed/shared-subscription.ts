import { useEffect } from 'react';

/**
 * Shares one subscription between many users: `join` runs for the first and its returned function after the last has
 * left. Returns a function that enters and returns a function that leaves.
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
