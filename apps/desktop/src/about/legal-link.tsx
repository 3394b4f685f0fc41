import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths, type LegalPage } from '../paths.ts';
import classes from './about.module.css';
import { LegalText } from './legal-text.tsx';

const Dialog = lazy(async () => ({ default: (await import('@exchange/web-kit/ui/overlay.tsx')).Dialog }));
const WIDTH_PX = 640;

interface LegalLinkProps {
  readonly page: LegalPage;
  readonly children: ReactNode;
}

/** Shows a legal text over the page: a visitor reads it where they are, and nothing that was typed is lost. */
export function LegalLink({ page, children }: LegalLinkProps) {
  const t = useWords('about');
  const tShell = useWords('shell');
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
      {isOpen && (
        <Suspense fallback={null}>
          <Dialog
            isOpen
            onClose={() => setOpen(false)}
            title={t(page)}
            closeLabel={tShell('close')}
            width={WIDTH_PX}
          >
            <div className={classes.text}>
              <LegalText page={page} />
            </div>
          </Dialog>
        </Suspense>
      )}
    </>
  );
}
