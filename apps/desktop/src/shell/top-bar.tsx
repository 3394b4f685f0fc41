import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Link, NavLink, useLocation } from 'react-router';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { paths, resolved } from '../paths.ts';
import { AccountMenu } from './account-menu.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { MessageBell } from './message-bell.tsx';
import { PreferencesMenu } from './preferences-menu.tsx';
import { Logo } from './logo.tsx';
import classes from './top-bar.module.css';

/** The products that are open here, in the order of the specification; a link is lit on every screen of its group. */
const LINKS = [
  { key: 'navMarkets', to: paths.market, group: paths.market },
  { key: 'navSpot', to: paths.trade, group: paths.trade },
  { key: 'navSeconds', to: paths.seconds, group: paths.seconds },
  { key: 'navFinance', to: paths.finance.list, group: paths.finance.root },
  { key: 'navSubscribe', to: paths.subscribe.list, group: paths.subscribe.root },
  { key: 'navMining', to: paths.mining.list, group: paths.mining.root },
  { key: 'navFund', to: paths.fund.list, group: paths.fund.root },
  { key: 'navAssets', to: paths.account.assets, group: paths.account.root },
  { key: 'navPersonal', to: paths.setting.security, group: paths.setting.root },
] as const;

/** The bar on top of every screen: transparent over the home page until it scrolls, solid elsewhere. */
export function TopBar() {
  const t = useWords('shell');
  const { pathname, search } = useLocation();
  const isSignedIn = useSession(({ session }) => session !== null);
  const isHome = resolved(pathname) === paths.home;
  const isOnLogin = pathname.startsWith(paths.login.root);

  return (
    <header className={classes.bar} data-transparent={isHome || undefined}>
      <Link to={paths.home} className={classes.brand} aria-label={t('toHome')}>
        <Logo />
        <span aria-hidden="true">Amethyst</span>
      </Link>
      <nav className={classes.nav} aria-label={t('navMain')}>
        {LINKS.map(({ key, to, group }) => (
          <NavLink
            key={key}
            to={to}
            className={classes.link ?? ''}
            data-active={pathname === group || pathname.startsWith(`${group}/`) || undefined}
          >
            {t(key)}
          </NavLink>
        ))}
      </nav>
      <div className={classes.tools}>
        <DemoLabel />
        {isSignedIn ? (
          <>
            <MessageBell />
            <AccountMenu />
          </>
        ) : (
          <>
            <Link
              className={classes.login}
              to={isOnLogin ? paths.login.login : loginPathFor(pathname + search)}
            >
              {t('login')}
            </Link>
            <Link className={classes.register} to={paths.login.register}>
              {t('register')}
            </Link>
          </>
        )}
        <LanguageMenu />
        <PreferencesMenu />
      </div>
    </header>
  );
}

/** Says, wherever one is, that nothing here is real money. */
function DemoLabel() {
  const t = useWords('shell');
  if (!useIsDemo()) return null;
  return (
    <span className={classes.demo} title={t('demo')}>
      <b>{t('demoShort')}</b>
      <span>{t('demo')}</span>
    </span>
  );
}
