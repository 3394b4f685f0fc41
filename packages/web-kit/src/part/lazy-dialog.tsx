import { lazyPart } from './lazy-part.tsx';

/** `Dialog` of overlay.tsx, loaded when a dialog first opens, because no initial screen shows one. */
export const LazyDialog = lazyPart(
  'dialog',
  async () => {
    const { Dialog } = await import('../ui/overlay.tsx');
    return { default: Dialog };
  },
  { whenMissing: 'dialog' },
);
