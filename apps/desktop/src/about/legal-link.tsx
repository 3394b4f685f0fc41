import { withWords } from '@exchange/web-kit/i18n/words.ts';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths, type LegalPage } from '../paths.ts';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const LegalDialog = lazyPart('legal-dialog', () => withWords(import('./legal-dialog.tsx')), {
  whenMissing: 'dialog',
});

interface LegalLinkProps {
  readonly page: Exclude<LegalPage, 'connect'>;
  readonly children: ReactNode;
}

/** Shows a legal text over the page: a visitor reads it where they are, and nothing that was typed is lost. */
export function LegalLink({ page, children }: LegalLinkProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Link
        to={paths.about.page(page)}
        aria-haspopup="dialog"
        onClick={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </Link>
      {isOpen && <LegalDialog page={page} onClose={() => setOpen(false)} />}
    </>
  );
}
