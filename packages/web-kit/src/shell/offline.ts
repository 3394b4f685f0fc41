import { useEffect, useState } from 'react';

const reloadPage = (): void => location.reload();

/**
 * Whether a screen that did not come is missing for want of a network; the page is loaded again when there is one.
 * What is true at the first drawing stays: a screen that failed otherwise is not told away by a loss that follows.
 */
export function useMissingOffline(reload: () => void = reloadPage): boolean {
  const [isOffline] = useState(() => !navigator.onLine);
  useEffect(() => {
    if (!isOffline) return undefined;
    // It may have come back between the drawing and this.
    if (navigator.onLine) {
      reload();
      return undefined;
    }
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isOffline, reload]);
  return isOffline;
}
