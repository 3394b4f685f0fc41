import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { isPublicPath } from '@exchange/web-kit/shell/guard.ts';
import { useProductLinks } from '@exchange/web-kit/shell/products.ts';
import { DEFAULT_INFO } from '@exchange/web-kit/market/trade-paths.ts';
import { paths, statusPagePath } from '@exchange/web-kit/paths.ts';
import { LEGAL_PATHS, type LegalTextName } from '@exchange/web-kit/legal/legal-link.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LegalLink } from '../about/legal-link.tsx';
import { Logo } from './logo.tsx';
import classes from './footer.module.css';

const SUPPORT = [
  { to: paths.contact, word: 'footerHelp' },
  { to: paths.announcements, word: 'footerAnnouncements' },
  { to: paths.fees, word: 'footerFees' },
  { to: paths.freeze, word: 'footerFreeze' },
] as const;

const COMPANY = [
  { to: paths.about, word: 'footerAbout' },
  { to: paths.proofs, word: 'footerProofs' },
  { to: paths.withdrawalTimes, word: 'footerTimes' },
  { to: DEFAULT_INFO, word: 'footerSources' },
] as const;

interface LegalEntry {
  readonly page: LegalTextName;
  readonly word: 'footerTerms' | 'footerPrivacy' | 'footerLegal';
}

const LEGAL: readonly LegalEntry[] = [
  { page: 'protocol', word: 'footerTerms' },
  { page: 'policy', word: 'footerPrivacy' },
  { page: 'legal', word: 'footerLegal' },
];

/**
 * URL of the reference of the trading API. The server delivers this page itself, not as part of the desktop or mobile
 * site; the page links to the other documents.
 */
const REFERENCE = '/docs/api';

/**
 * The footer of all screens except the trading screens: links to products, help, pages about the company and legal
 * texts, and a note about risks.
 */
export function Footer() {
  const t = useWords('shell');
  const products = useProductLinks();
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <div className={classes.brand}>
          <span>
            <Logo size={24} /> Amethyst
          </span>
          <p>{t('footerTagline')}</p>
        </div>
        <Column title={t('footerProducts')}>
          {products.map(({ to, name }) => (
            <Link key={to} to={to}>
              {name}
            </Link>
          ))}
        </Column>
        <Column title={t('footerSupport')}>
          {SUPPORT.map(({ to, word }) => (
            <Link key={word} to={to}>
              {t(word)}
            </Link>
          ))}
          <a href={REFERENCE}>{t('footerDevelopers')}</a>
          <a href={statusPagePath(useLocale())}>{t('footerStatus')}</a>
        </Column>
        <Column title={t('footerCompany')}>
          {COMPANY.map(({ to, word }) => (
            <Link key={word} to={to}>
              {t(word)}
            </Link>
          ))}
        </Column>
        <Column title={t('footerTermsHead')}>
          {LEGAL.map(({ page, word }) => (
            <Terms key={word} page={page} word={word} />
          ))}
        </Column>
        <p className={classes.note}>{t('footerRisk')}</p>
      </div>
    </footer>
  );
}

function Column({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      {children}
    </nav>
  );
}

/** Link to a legal text: to its page if the user may open that page, otherwise to a dialog with the text. */
function Terms({ page, word }: LegalEntry) {
  const t = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  if (isSignedIn || isPublicPath(LEGAL_PATHS[page])) return <Link to={LEGAL_PATHS[page]}>{t(word)}</Link>;
  return <LegalLink page={page}>{t(word)}</LegalLink>;
}
