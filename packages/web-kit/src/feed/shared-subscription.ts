import { useEffect } from 'react';

/**
 * Shares one subscription between many callers: `join` runs when the first caller enters, and the function returned by
 * `join` runs when the last one leaves. Returns a function by which a caller enters; that function returns another by
 * which the caller leaves.
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
