import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { HelpCentre } from '@exchange/web-kit/help/help-centre.tsx';
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
    <div className={`${screen.screen} ${classes.about}`} data-wide={page === 'connect' || undefined}>
      <nav aria-label={tSettings('about')}>
        {LEGAL_PAGES.map((one) => (
          <NavLink key={one} to={paths.about.page(one)}>
            {t(one)}
          </NavLink>
        ))}
      </nav>
      <article>
        <h1>{page === 'connect' ? tHelp('title') : t(page)}</h1>
        {page === 'connect' ? (
          <>
            <HelpCentre />
            <Contact />
          </>
        ) : null}
        <LegalText page={page} />
      </article>
    </div>
  );
}
