import { useEffect } from 'react';

/** Joins for the first who comes and leaves with the last; gives the way in, which gives the way out. */
export function joinedOnce(join: () => () => void): () => () => void {
  let watching = 0;
  let leave: (() => void) | undefined;
  return () => {
    watching += 1;
    leave ??= join();
    return () => {
      watching -= 1;
      if (watching > 0) return;
      leave?.();
      leave = undefined;
    };
  };
}

/**
 * A hook that keeps something joined while at least one component that calls it is on screen. `join` gives the way
 * to leave.
 */
export function joinedWhileShown(join: () => () => void): () => void {
  const enter = joinedOnce(join);
  return function useJoined() {
    useEffect(enter, []);
  };
}
