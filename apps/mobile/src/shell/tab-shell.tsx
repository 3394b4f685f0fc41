import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ChartCandlestick, House, Repeat, User, Wallet } from 'lucide-react';
import { NavLink, Outlet } from 'react-router';
import { paths } from '../paths.ts';
import css from './shell.module.css';

const TABS = [
  { to: paths.home, word: 'navHome', Icon: House },
  { to: paths.market, word: 'navMarkets', Icon: ChartCandlestick },
  { to: paths.trade, word: 'navTrade', Icon: Repeat },
  { to: paths.assets, word: 'navAssets', Icon: Wallet },
  { to: paths.my, word: 'navMy', Icon: User },
] as const;

/** A screen above the five tabs. */
export function TabShell() {
  const t = useWords('shell');
  return (
    <div className={css.withTabs}>
      <Outlet />
      <nav className={css.tabs} aria-label={t('navMain')}>
        {TABS.map(({ to, word, Icon }) => (
          <NavLink key={to} to={to} className={css.tab ?? ''}>
            <Icon size={22} strokeWidth={1.75} aria-hidden="true" />
            {t(word)}
          </NavLink>
        ))}
      </nav>
    </div>
  );
}
