import { useEffect, useState } from 'react';

const reloadPage = (): void => location.reload();

/**
 * True when a screen failed to load because the device is offline; the page reloads when the network returns.
 * The state is determined at the first render: going offline later does not change the cause of an earlier
 * failure.
 */
export function useMissingOffline(reload: () => void = reloadPage): boolean {
  const [isOffline] = useState(() => !navigator.onLine);
  useEffect(() => {
    if (!isOffline) return undefined;
    // The network may have returned between rendering and this effect.
    if (navigator.onLine) {
      reload();
      return undefined;
    }
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isOffline, reload]);
  return isOffline;
}
