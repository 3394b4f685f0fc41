import type { DockviewApi } from 'dockview-react';
import { useCallback, useSyncExternalStore } from 'react';

/**
 * Hook that returns the value of `read`, which is called again after every change of the dock's panels,
 * groups, sizes and windows. The returned value must be a primitive, or the same object until it changes.
 */
export function useDock<Value>(api: DockviewApi, read: () => Value): Value {
  const watch = useCallback(
    (changed: () => void) => {
      const subscriptions = [
        api.onDidActivePanelChange(changed),
        api.onDidMaximizedGroupChange(changed),
        api.onDidLayoutChange(changed),
        api.onDidAddPopoutGroup(changed),
        api.onDidRemovePopoutGroup(changed),
      ];
      return () => {
        for (const subscription of subscriptions) subscription.dispose();
      };
    },
    [api],
  );
  return useSyncExternalStore(watch, read);
}
