import { HelpCentre } from '@exchange/web-kit/help/help-centre.tsx';
import { Contact } from '@exchange/web-kit/support/contact.tsx';
import { AgreementText } from '@exchange/web-kit/form/agreement-text.tsx';
import { AGREED_PAGES, LEGAL_PARAGRAPHS } from '@exchange/web-kit/i18n/legal-paragraphs.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo, useParameter } from '@exchange/web-kit/server/server-info.ts';
import { useLocation } from 'react-router';
import css from './about.module.css';
import { MenuLink } from '../my/menu-row.tsx';
import my from '../my/my.module.css';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';

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

/** Who we are and under which terms. */
export default function AboutScreen() {
  const t = useWords('about');
  const tProofs = useWords('proofs');
  const tTransfer = useWords('transfer');
  const isDemo = useIsDemo();
  const { pathname } = useLocation();
  const page = PAGES[pathname as keyof typeof PAGES] ?? PAGES[paths.about];
  return (
    <Screen title={t(page)}>
      {page === 'connect' ? (
        <>
          <HelpCentre />
          <Contact />
        </>
      ) : null}
      <div className={css.text}>
        {page === 'protocol' || page === 'policy' ? (
          <AgreementText name={AGREED_PAGES[page]} />
        ) : (
          LEGAL_PARAGRAPHS[page].map((text) => <p key={text}>{t(text)}</p>)
        )}
        {page === 'legal' && isDemo ? <p>{t('legalDemo')}</p> : null}
        {page === 'connect' ? <SupportAddress /> : null}
      </div>
      {page === 'us' ? (
        <section className={my.group} style={{ marginTop: 24 }}>
          {LINKS.map(({ to, word }) => (
            <MenuLink key={to} to={to} label={t(word)} />
          ))}
          <MenuLink to={paths.proofs} label={tProofs('title')} />
          <MenuLink to={paths.withdrawalTimes} label={tTransfer('timesTitle')} />
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
