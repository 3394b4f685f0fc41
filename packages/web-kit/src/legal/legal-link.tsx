import { useState, type ComponentType, type ReactNode } from 'react';
import { Link } from 'react-router';

/** The texts that a site has an address for. */
export type LegalTextName = 'us' | 'protocol' | 'legal' | 'policy';

interface LegalLinkProps {
  readonly page: LegalTextName;
  /** Where the text is a screen of its own. */
  readonly to: string;
  /** The text over the screen, as this site opens it. */
  readonly Over: ComponentType<{ readonly page: LegalTextName; readonly onClose: () => void }>;
  readonly children: ReactNode;
}

/**
 * Shows a legal text over the screen: somebody who has to accept it reads it where they are, visitors as well, and
 * nothing that was typed is lost. A new tab opens the text as a screen.
 */
export function LegalLink({ page, to, Over, children }: LegalLinkProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Link
        to={to}
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
