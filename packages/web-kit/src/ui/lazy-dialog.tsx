import { lazyPart } from '../shell/lazy-part.tsx';

/** `Dialog` of overlay.tsx, fetched when a dialog is first opened: no first screen has one. */
export const LazyDialog = lazyPart(
  'dialog',
  async () => {
    const { Dialog } = await import('./overlay.tsx');
    return { default: Dialog };
  },
  { whenMissing: 'dialog' },
);
