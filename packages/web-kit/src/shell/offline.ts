import { useEffect, useState } from 'react';

const reloadPage = (): void => location.reload();

/**
 * True when the device was offline at the first render of a screen that failed to load; `reload` is then called when
 * the network returns. Going offline later does not change the result, because it was not the cause of the failure.
 */
export function useMissingOffline(reload: () => void = reloadPage): boolean {
  const [isOffline] = useState(() => !navigator.onLine);
  useEffect(() => {
    if (!isOffline) return undefined;
    // The network may have returned after the render and before this effect; `reload` is then called
    // immediately.
    if (navigator.onLine) {
      reload();
      return undefined;
    }
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isOffline, reload]);
  return isOffline;
}
