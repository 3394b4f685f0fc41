import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { mayVisit } from '@exchange/web-kit/shell/guard.ts';
import { Link } from 'react-router';
import { LegalLink } from '../about/legal-link.tsx';
import { LEGAL_PAGES, paths, type LegalPage } from '../paths.ts';
import { Logo } from './logo.tsx';
import classes from './footer.module.css';

const NAMES = {
  us: 'footerAbout',
  connect: 'footerContact',
  protocol: 'footerTerms',
  legal: 'footerLegal',
  policy: 'footerPrivacy',
} as const satisfies Record<LegalPage, string>;

/** The foot of every reading screen: who runs this and under which terms. */
export function Footer() {
  const t = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <span className={classes.brand}>
          <Logo size={20} /> Amethyst
        </span>
        <nav aria-label={t('footerAbout')} className={classes.links}>
          {LEGAL_PAGES.map((page) =>
            isSignedIn || mayVisit(paths.about.page(page)) ? (
              <Link key={page} to={paths.about.page(page)}>
                {t(NAMES[page])}
              </Link>
            ) : (
              <LegalLink key={page} page={page}>
                {t(NAMES[page])}
              </LegalLink>
            ),
          )}
        </nav>
        <p className={classes.note}>{t('footerRisk')}</p>
      </div>
    </footer>
  );
}
