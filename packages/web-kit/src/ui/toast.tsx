import { lazy, Suspense } from 'react';

import type { ToastLook } from './toast-look.ts';

const ToastStack = lazy(() => import('./toast-stack.tsx'));

/** Where toasts appear; one per page. Its code is loaded after the page. */
export function Toaster() {
  return (
    <Suspense fallback={null}>
      <ToastStack />
    </Suspense>
  );
}

/** Shows a short notice, top centre, for two seconds. */
export function toast(look: ToastLook, text: string): void {
  void import('./toast-stack.tsx').then(({ showToast }) => showToast(look, text));
}
