import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { mayVisit } from '@exchange/web-kit/shell/guard.ts';
import { Link } from 'react-router';
import { LegalLink } from '../about/legal-link.tsx';
import { DEFAULT_INFO, paths, type LegalPage } from '../paths.ts';
import { Logo } from './logo.tsx';
import classes from './footer.module.css';

const PRODUCTS = [
  { to: paths.market, word: 'navMarkets' },
  { to: paths.trade, word: 'navSpot' },
  { to: paths.seconds, word: 'navSeconds' },
  { to: paths.finance.list, word: 'navFinance' },
  { to: paths.subscribe.list, word: 'navSubscribe' },
  { to: paths.mining.list, word: 'navMining' },
  { to: paths.fund.list, word: 'navFund' },
] as const;

const SUPPORT = [
  { to: paths.about.page('connect'), word: 'footerHelp' },
  { to: paths.announcements, word: 'footerAnnouncements' },
  { to: DEFAULT_INFO, word: 'footerFees' },
  { to: paths.setting.freeze, word: 'footerFreeze' },
] as const;

const COMPANY = [
  { to: paths.about.us, word: 'footerAbout' },
  { to: paths.proofs, word: 'footerProofs' },
  { to: paths.withdrawalTimes, word: 'footerTimes' },
  { to: DEFAULT_INFO, word: 'footerSources' },
] as const;

interface LegalEntry {
  readonly page: LegalPage;
  readonly word: 'footerTerms' | 'footerPrivacy' | 'footerLegal';
}

const LEGAL: readonly LegalEntry[] = [
  { page: 'protocol', word: 'footerTerms' },
  { page: 'policy', word: 'footerPrivacy' },
  { page: 'legal', word: 'footerLegal' },
];

/** The foot of every reading screen: what there is, where help is, who runs this and under which terms. */
export function Footer() {
  const t = useWords('shell');
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <div className={classes.brand}>
          <span>
            <Logo size={24} /> Amethyst
          </span>
          <p>{t('footerTagline')}</p>
        </div>
        {(
          [
            ['footerProducts', PRODUCTS],
            ['footerSupport', SUPPORT],
            ['footerCompany', COMPANY],
          ] as const
        ).map(([title, links]) => (
          <nav key={title} aria-label={t(title)}>
            <h2>{t(title)}</h2>
            <ul>
              {links.map(({ to, word }) => (
                <li key={word}>
                  <Link to={to}>{t(word)}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <nav aria-label={t('footerTermsHead')}>
          <h2>{t('footerTermsHead')}</h2>
          <ul>
            {LEGAL.map(({ page, word }) => (
              <li key={word}>
                <Terms page={page} word={word} />
              </li>
            ))}
          </ul>
        </nav>
        <p className={classes.note}>{t('footerRisk')}</p>
      </div>
    </footer>
  );
}

/** A legal text: as a page where one may open it, otherwise over this one. */
function Terms({ page, word }: LegalEntry) {
  const t = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  if (isSignedIn || mayVisit(paths.about.page(page)))
    return <Link to={paths.about.page(page)}>{t(word)}</Link>;
  return <LegalLink page={page}>{t(word)}</LegalLink>;
}
