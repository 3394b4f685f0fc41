import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo, useParameter } from '@exchange/web-kit/server/server-info.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.ts';
import { NavLink, useParams } from 'react-router';
import { LEGAL_PAGES, paths } from '../paths.ts';
import NotFoundScreen from '../shell/not-found-screen.tsx';
import screen from '../style/screen.module.css';
import classes from './about.module.css';

const PARAGRAPHS = {
  us: ['usText1', 'usText2', 'usText3'],
  connect: ['connectText1', 'connectText2'],
  protocol: [
    'protocolText1',
    'protocolText2',
    'protocolText3',
    'protocolText4',
    'protocolText5',
    'protocolText6',
  ],
  legal: ['legalText1', 'legalText2', 'legalText3'],
  policy: ['policyText1', 'policyText2', 'policyText3', 'policyText4'],
} as const;

/** Who runs this, how to reach them, and the terms. */
export default function AboutScreen() {
  const t = useWords('about');
  const tSettings = useWords('settings');
  const { page: name } = useParams();
  const page = LEGAL_PAGES.find((one) => one === name);
  useTitle(page === undefined ? undefined : t(page));
  const isDemo = useIsDemo();
  const email = useParameter('customer_service_email').data;
  if (page === undefined) return <NotFoundScreen />;
  return (
    <div className={`${screen.screen} ${classes.about}`}>
      <nav aria-label={tSettings('about')}>
        {LEGAL_PAGES.map((one) => (
          <NavLink key={one} to={paths.about.page(one)}>
            {t(one)}
          </NavLink>
        ))}
      </nav>
      <article>
        <h1>{t(page)}</h1>
        {PARAGRAPHS[page].map((key) => (
          <p key={key}>{t(key)}</p>
        ))}
        {page === 'connect' && <p>{email ? t('connectMail', { email }) : t('connectNone')}</p>}
        {page === 'legal' && isDemo && <p>{t('legalDemo')}</p>}
      </article>
    </div>
  );
}
