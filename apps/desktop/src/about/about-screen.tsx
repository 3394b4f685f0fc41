import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { HelpCentre } from '@exchange/web-kit/help/help-centre.tsx';
import { useParameter } from '@exchange/web-kit/server/server-info.ts';
import { Contact } from '@exchange/web-kit/support/contact.tsx';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { NavLink, useParams } from 'react-router';
import { LEGAL_PAGES, paths } from '../paths.ts';
import NotFoundScreen from '../shell/not-found-screen.tsx';
import screen from '../style/screen.module.css';
import classes from './about.module.css';
import { LegalText } from './legal-text.tsx';

/** Who runs this, how to reach them, and the terms. */
export default function AboutScreen() {
  const t = useWords('about');
  const tSettings = useWords('settings');
  const tHelp = useWords('help');
  const { page: name } = useParams();
  const page = LEGAL_PAGES.find((one) => one === name);
  useTitle(page === undefined ? undefined : t(page));
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
