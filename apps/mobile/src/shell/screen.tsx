import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { IconButton } from '@exchange/web-kit/ui/button.tsx';
import { isFirstScreen } from '@exchange/web-kit/ui/overlay-history.ts';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import css from './shell.module.css';

/** Frame of a screen that has no tab: a title bar with a back button, and the content. */
export function Screen({
  title,
  end,
  parent,
  children,
}: {
  title: string;
  end?: ReactNode;
  parent?: string;
  children: ReactNode;
}) {
  return (
    <>
      <TopBar title={title} end={end} {...(parent === undefined ? {} : { parent })} />
      <main className={css.body}>{children}</main>
    </>
  );
}

/**
 * Title bar with a back button, which leads to the previous screen, or to `parent` if there is no previous
 * screen in this visit.
 */
function TopBar({ title, end, parent = paths.home }: { title: string; end?: ReactNode; parent?: string }) {
  const t = useWords('shell');
  const navigate = useNavigate();
  // True if the app was opened at this screen, so that there is no previous one. For a screen that has replaced that
  // first screen, for example after the login, it is false; `isFirstScreen` covers this case.
  const isOpened = useLocation().key === 'default';
  useTitle(title);
  const back = () => void (isOpened || isFirstScreen() ? navigate(parent, { replace: true }) : navigate(-1));
  return (
    <header className={css.bar}>
      <IconButton label={t('back')} className={css.barButton} onClick={back}>
        <ChevronLeft size={24} aria-hidden="true" />
      </IconButton>
      <h1 className={css.barTitle}>{title}</h1>
      {end}
    </header>
  );
}

/** Title bar of a screen with a tab; it has no back button. */
export function TabBar({ title, end }: { title: string; end?: ReactNode }) {
  useTitle(title);
  return (
    <header className={css.bar}>
      <h1 className={css.barTitle}>{title}</h1>
      {end}
    </header>
  );
}
