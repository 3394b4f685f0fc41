import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { HelpCentre } from '@exchange/web-kit/help/help-centre.tsx';
import { useParameter } from '@exchange/web-kit/server/server-info.ts';
import { Contact } from '@exchange/web-kit/support/contact.tsx';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { LEGAL_PATHS } from '@exchange/web-kit/legal/legal-link.tsx';
import { NavLink, useLocation } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import screen from '../style/screen.module.css';
import classes from './about.module.css';
import { LegalText } from './legal-text.tsx';

/** The legal pages with their URL paths, in display order. */
const PAGES = [
  ['us', LEGAL_PATHS.us],
  ['connect', paths.contact],
  ['protocol', LEGAL_PATHS.protocol],
  ['legal', LEGAL_PATHS.legal],
  ['policy', LEGAL_PATHS.policy],
] as const;

/**
 * The legal pages: details of the company, contact, and legal texts. The URL path selects a page; an unknown path
 * selects the details of the company.
 */
export default function AboutScreen() {
  const t = useWords('about');
  const tSettings = useWords('settings');
  const tHelp = useWords('help');
  const { pathname } = useLocation();
  const [page] = PAGES.find(([, path]) => path === pathname.replace(/\/+$/, '')) ?? PAGES[0];
  useTitle(t(page));
  return (
    <div className={`${screen.screen} ${classes.about}`}>
      <nav aria-label={tSettings('about')}>
        {PAGES.map(([name, path]) => (
          <NavLink key={name} to={path}>
            {t(name)}
          </NavLink>
        ))}
      </nav>
      <article data-in-order>
        <h1>{page === 'connect' ? tHelp('title') : t(page)}</h1>
        {page === 'connect' ? <Help /> : <LegalText key={page} page={page} />}
      </article>
    </div>
  );
}

function Help() {
  const t = useWords('about');
  const email = useParameter('customer_service_email').data;
  return (
    <>
      <HelpCentre feesPath={paths.fees} />
      <Contact />
      <p>{t('connectText1')}</p>
      <p>{t('connectText2')}</p>
      <p>{email ? t('connectMail', { email }) : t('connectNone')}</p>
    </>
  );
}
