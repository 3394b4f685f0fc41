import { lazyPart } from './lazy-part.tsx';

/**
 * The component `Dialog` of overlay.tsx; its code is loaded when a dialog first opens, because no initial screen shows
 * a dialog.
 */
export const LazyDialog = lazyPart(
  'dialog',
  async () => {
    const { Dialog } = await import('../ui/overlay.tsx');
    return { default: Dialog };
  },
  { whenMissing: 'dialog' },
);
