import { useState, type ComponentType, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';

/** Paths of the legal texts that have their own screen. */
export const LEGAL_PATHS = {
  us: paths.about,
  protocol: paths.terms,
  legal: paths.legal,
  policy: paths.privacy,
} as const;

export type LegalTextName = keyof typeof LEGAL_PATHS;

interface LegalLinkProps {
  readonly page: LegalTextName;
  /** The overlay component of this app that shows the text. */
  readonly Over: ComponentType<{ readonly page: LegalTextName; readonly onClose: () => void }>;
  readonly children: ReactNode;
}

/**
 * Opens a legal text in an overlay, so that a user who has to accept it does not lose typed input; works for
 * visitors too. Opening the link in a new tab shows the text as a screen.
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
