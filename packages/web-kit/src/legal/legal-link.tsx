import { useState, type ComponentType, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';

/** The addresses of the texts that are screens of their own. */
export const LEGAL_PATHS = {
  us: paths.about,
  protocol: paths.terms,
  legal: paths.legal,
  policy: paths.privacy,
} as const;

export type LegalTextName = keyof typeof LEGAL_PATHS;

interface LegalLinkProps {
  readonly page: LegalTextName;
  /** The text over the screen, as this site opens it. */
  readonly Over: ComponentType<{ readonly page: LegalTextName; readonly onClose: () => void }>;
  readonly children: ReactNode;
}

/**
 * Shows a legal text over the screen: somebody who has to accept it reads it where they are, visitors as well, and
 * nothing that was typed is lost. A new tab opens the text as a screen.
 */
export function LegalLink({ page, Over, children }: LegalLinkProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Link
        to={LEGAL_PATHS[page]}
        aria-haspopup="dialog"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </Link>
      {isOpen && <Over page={page} onClose={() => setOpen(false)} />}
    </>
  );
}
