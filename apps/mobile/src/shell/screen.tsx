import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { IconButton } from '@exchange/web-kit/ui/button.tsx';
import { isFirstScreen } from '@exchange/web-kit/ui/overlay-history.ts';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import css from './shell.module.css';

/** A screen below a bar with a way back. */
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

/** The bar of a screen that was opened from another one; back leads there, or to `parent` when it was opened by a link. */
function TopBar({ title, end, parent = paths.home }: { title: string; end?: ReactNode; parent?: string }) {
  const t = useWords('shell');
  const navigate = useNavigate();
  // The address by which the app was opened may have been replaced, as by the login: its entry is the first all the same.
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

/** The bar of a tab's own screen. */
export function TabBar({ title, end }: { title: string; end?: ReactNode }) {
  useTitle(title);
  return (
    <header className={css.bar}>
      <h1 className={css.barTitle}>{title}</h1>
      {end}
    </header>
  );
}
