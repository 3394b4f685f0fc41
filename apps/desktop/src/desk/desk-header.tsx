import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { LayoutDashboard } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './desk.module.css';

/**
 * The line above the panels: the heading of the trading desk and, once the panels are loaded, the desk's
 * menus.
 */
export function DeskHeader({ children }: { readonly children?: ReactNode }) {
  const t = useWords('desk');
  return (
    <header className={classes.toolbar}>
      <h1>
        <LayoutDashboard size={16} aria-hidden="true" /> {t('title')}
      </h1>
      {children}
    </header>
  );
}
