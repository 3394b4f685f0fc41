import { useState, type ComponentType, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';

/** Paths of the legal texts, each of which has its own screen. */
export const LEGAL_PATHS = {
  us: paths.about,
  protocol: paths.terms,
  legal: paths.legal,
  policy: paths.privacy,
} as const;

export type LegalTextName = keyof typeof LEGAL_PATHS;

interface LegalLinkProps {
  readonly page: LegalTextName;
  /** The overlay component of the app in which the text is shown. */
  readonly Over: ComponentType<{ readonly page: LegalTextName; readonly onClose: () => void }>;
  readonly children: ReactNode;
}

/**
 * Link that opens a legal text in an overlay, so that input on the page is not lost while the user reads the text. If
 * the link is opened in a new tab, the text is shown as a screen.
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
