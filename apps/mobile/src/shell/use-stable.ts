import { useCallback, useEffect, useRef } from 'react';

/** The same function for ever that does what the latest one does: for rows that must not render because of it. */
export function useStable<Arguments extends readonly unknown[]>(
  latest: (...args: Arguments) => void,
): (...args: Arguments) => void {
  const kept = useRef(latest);
  useEffect(() => {
    kept.current = latest;
  });
  return useCallback((...args: Arguments) => kept.current(...args), []);
}
