import { useEffect } from 'react';

/**
 * A hook that keeps something joined while at least one component that calls it is on screen. `join` gives the way
 * to leave.
 */
export function joinedWhileShown(join: () => () => void): () => void {
  let watching = 0;
  let leave: (() => void) | undefined;
  const enter = (): (() => void) => {
    watching += 1;
    leave ??= join();
    return () => {
      watching -= 1;
      if (watching > 0) return;
      leave?.();
      leave = undefined;
    };
  };
  return function useJoined() {
    useEffect(enter, []);
  };
}
