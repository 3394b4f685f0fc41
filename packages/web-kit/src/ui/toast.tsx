import { lazy, Suspense, useSyncExternalStore } from 'react';

export type ToastLook = 'success' | 'error' | 'warning';

const ToastStack = lazy(() => import('./toast-stack.tsx'));

const watchers = new Set<() => void>();
let isAsked = false;

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Where toasts appear; one per page. Its code is loaded with the first of them: most pages show none. */
export function Toaster() {
  const isNeeded = useSyncExternalStore(watch, () => isAsked);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <ToastStack />
    </Suspense>
  );
}

/** Shows a short notice, top centre, for two seconds. */
export function toast(look: ToastLook, text: string): void {
  isAsked = true;
  for (const watcher of watchers) watcher();
  void import('./toast-stack.tsx').then(({ showToast }) => showToast(look, text));
}
