import { lazyPart } from './lazy-part.tsx';

/** `Dialog` of overlay.tsx, fetched when a dialog is first opened: no first screen has one. */
export const LazyDialog = lazyPart(
  'dialog',
  async () => {
    const { Dialog } = await import('../ui/overlay.tsx');
    return { default: Dialog };
  },
  { whenMissing: 'dialog' },
);
