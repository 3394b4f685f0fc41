import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ChartCandlestick, House, Repeat, User, Wallet } from 'lucide-react';
import { Link, matchPath, Outlet, useLocation } from 'react-router';
import { paths } from '../paths.ts';
import css from './shell.module.css';

/** With the addresses that a tab stands for, where those are more than its own. */
const TABS = [
  { to: paths.home, word: 'navHome', Icon: House },
  { to: paths.market, word: 'navMarkets', Icon: ChartCandlestick },
  { to: paths.trade, word: 'navTrade', Icon: Repeat },
  { to: paths.assets, all: paths.assetsOf, word: 'navAssets', Icon: Wallet },
  { to: paths.my, word: 'navMy', Icon: User },
] as const;

/** A screen above the five tabs. */
export function TabShell() {
  const t = useWords('shell');
  const { pathname } = useLocation();
  const isHere = (pattern: string) => matchPath({ path: pattern, end: false }, pathname) !== null;
  return (
    <div className={css.withTabs}>
      <Outlet />
      <nav className={css.tabs} aria-label={t('navMain')}>
        {TABS.map(({ to, word, Icon, ...tab }) => (
          <Link
            key={to}
            to={to}
            className={css.tab ?? ''}
            aria-current={isHere('all' in tab ? tab.all : to) ? 'page' : undefined}
          >
            <Icon size={22} strokeWidth={1.75} aria-hidden="true" />
            {t(word)}
          </Link>
        ))}
      </nav>
    </div>
  );
}
