import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo, useParameter } from '@exchange/web-kit/server/server-info.ts';
import { useLocation } from 'react-router';
import css from '../landing/landing.module.css';
import { MenuLink } from '../my/menu-row.tsx';
import my from '../my/my.module.css';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';

const PAGES = {
  [paths.about]: { title: 'us', texts: ['usText1', 'usText2', 'usText3'] },
  [paths.contact]: { title: 'connect', texts: ['connectText1', 'connectText2'] },
  [paths.terms]: {
    title: 'protocol',
    texts: [
      'protocolText1',
      'protocolText2',
      'protocolText3',
      'protocolText4',
      'protocolText5',
      'protocolText6',
    ],
  },
  [paths.legal]: { title: 'legal', texts: ['legalText1', 'legalText2', 'legalText3'] },
  [paths.privacy]: { title: 'policy', texts: ['policyText1', 'policyText2', 'policyText3', 'policyText4'] },
} as const;

const LINKS = [
  { to: paths.contact, word: 'connect' },
  { to: paths.terms, word: 'protocol' },
  { to: paths.legal, word: 'legal' },
  { to: paths.privacy, word: 'policy' },
] as const;

/** Who we are and under which terms. */
export default function AboutScreen() {
  const t = useWords('about');
  const isDemo = useIsDemo();
  const { pathname } = useLocation();
  const page = PAGES[pathname as keyof typeof PAGES] ?? PAGES[paths.about];
  return (
    <Screen title={t(page.title)}>
      <div className={css.text}>
        {page.texts.map((text) => (
          <p key={text}>{t(text)}</p>
        ))}
        {page.title === 'legal' && isDemo ? <p>{t('legalDemo')}</p> : null}
        {page.title === 'connect' ? <SupportAddress /> : null}
      </div>
      {page.title === 'us' ? (
        <section className={my.group} style={{ marginTop: 24 }}>
          {LINKS.map(({ to, word }) => (
            <MenuLink key={to} to={to} label={t(word)} />
          ))}
        </section>
      ) : null}
    </Screen>
  );
}

function SupportAddress() {
  const t = useWords('about');
  const email = useParameter('customer_service_email').data;
  if (email === undefined) return null;
  return <p>{email === '' ? t('connectNone') : t('connectMail', { email })}</p>;
}
