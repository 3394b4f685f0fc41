import { HelpCentre } from '@exchange/web-kit/help/help-centre.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useParameter } from '@exchange/web-kit/server/server-info.ts';
import { Contact } from '@exchange/web-kit/support/contact.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { useLocation } from 'react-router';
import { MenuLink } from '../my/menu-row.tsx';
import my from '../my/my.module.css';
import { Screen } from '../shell/screen.tsx';
import { SupportButton } from '../shell/support-button.tsx';
import css from './about.module.css';
import { LegalText } from './legal-text.tsx';

const PAGES = {
  [paths.about]: 'us',
  [paths.contact]: 'connect',
  [paths.terms]: 'protocol',
  [paths.legal]: 'legal',
  [paths.privacy]: 'policy',
} as const;

const LINKS = [
  { to: paths.contact, word: 'connect' },
  { to: paths.terms, word: 'protocol' },
  { to: paths.legal, word: 'legal' },
  { to: paths.privacy, word: 'policy' },
] as const;

/** Screen with information about the company and links, the help, or a legal text; the URL path selects one of them. */
export default function AboutScreen() {
  const t = useWords('about');
  const { pathname } = useLocation();
  const page = PAGES[pathname as keyof typeof PAGES] ?? PAGES[paths.about];
  return (
    <Screen title={t(page)} end={<SupportButton />}>
      <div data-in-order>
        {page === 'connect' ? <Help /> : <LegalText key={page} page={page} />}
        {page === 'us' ? (
          <section className={my.group} style={{ marginTop: 24 }}>
            {LINKS.map(({ to, word }) => (
              <MenuLink key={to} to={to} label={t(word)} />
            ))}
          </section>
        ) : null}
      </div>
    </Screen>
  );
}

function Help() {
  const t = useWords('about');
  const email = useParameter('customer_service_email').data;
  return (
    <div data-in-order>
      <HelpCentre feesPath={paths.fees} />
      <Contact />
      <div className={css.text}>
        <p>{t('connectText1')}</p>
        <p>{t('connectText2')}</p>
        {email === undefined ? null : <p>{email === '' ? t('connectNone') : t('connectMail', { email })}</p>}
      </div>
    </div>
  );
}
