import { useWords, withWords } from '@exchange/web-kit/i18n/words.ts';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';

const Palette = lazyPart('palette', () => withWords(import('./palette.tsx')), { whenMissing: 'dialog' });

/**
 * Button that opens the command palette. Ctrl+K or ⌘K opens the palette too, on every screen, unless a dialog is open.
 */
export function PaletteButton({ className }: { readonly className: string | undefined }) {
  const t = useWords('shell');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      const isCombination = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isCombination || event.key.toLowerCase() !== 'k' || event.isComposing) return;
      event.preventDefault();
      if (document.querySelector('[role="dialog"]') === null) setOpen(true);
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={t('palette')}
        title={`${t('palette')} (Ctrl K)`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Search size={18} aria-hidden="true" />
      </button>
      {isOpen && <Palette isOpen onClose={() => setOpen(false)} />}
    </>
  );
}
