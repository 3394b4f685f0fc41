import { maskEmail } from '@exchange/core/mask.ts';
import { LOCALE_NAMES, LOCALES, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useUnreadCount } from '@exchange/web-kit/message/unread-count.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { useProductLinks } from '@exchange/web-kit/shell/products.ts';
import { isStartDone } from '@exchange/web-kit/start/start-done.ts';
import {
  UP_COLOUR_WORDS,
  UP_COLOURS,
  useColourScheme,
  useUpDownColours,
} from '@exchange/web-kit/theme/theme.tsx';
import { useSignOut } from '@exchange/web-kit/user/sign-out.ts';
import { chooseLocale } from '@exchange/web-kit/user/choose-locale.ts';
import { Bell, Check, CircleUserRound, Globe, SunMoon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { ALL_RECORDS, IDENTITY, resolveRedirect } from '../paths.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import menu from './dropdown.module.css';
import { Dropdown } from './dropdown.tsx';
import { Logo } from './logo.tsx';
import classes from './top-bar.module.css';

/**
 * Returns the first segment of a path. All screens of a product share it, and the product's link in the top
 * bar is highlighted on all of them.
 */
function groupOf(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/**
 * The bar at the top of every screen. On the home page it is transparent at first and becomes solid when the page is
 * scrolled, if the browser supports scroll-driven animations; on all other screens it is solid.
 */
export function TopBar() {
  const t = useWords('shell');
  const { pathname, search } = useLocation();
  const isSignedIn = useSession(({ session }) => session !== null);
  const isHome = resolveRedirect(pathname) === paths.home;
  const isOnLogin = groupOf(pathname) === groupOf(paths.login);
  const links = [
    ...useProductLinks(),
    { to: paths.assets, name: t('navAssets') },
    { to: paths.security, name: t('navPersonal') },
  ];

  return (
    <header className={classes.bar} data-transparent={isHome || undefined}>
      <Link to={paths.home} className={classes.brand} aria-label={t('toHome')}>
        <Logo />
        <span aria-hidden="true">Amethyst</span>
      </Link>
      <nav className={classes.nav} aria-label={t('navMain')}>
        {links.map(({ to, name }) => (
          <NavLink
            key={to}
            to={to}
            className={classes.link ?? ''}
            data-active={groupOf(pathname) === groupOf(to) || undefined}
          >
            {name}
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
              to={isOnLogin ? paths.login : loginPathFor(pathname + search)}
              replace={isOnLogin}
            >
              {t('login')}
            </Link>
            <Link className={classes.register} to={paths.register} replace={isOnLogin}>
              {t('register')}
            </Link>
          </>
        )}
        <PaletteButton className={classes.icon} />
        <LanguageMenu />
        <PreferencesMenu />
      </div>
    </header>
  );
}

/** Label that states that no real money is used; shown in demo mode only. */
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

/** Link to the inbox: a bell with the number of unread messages. */
function MessageBell() {
  const t = useWords('shell');
  const count = useUnreadCount();
  return (
    <Link className={classes.icon} to={paths.messages} aria-label={t('unread', { count })}>
      <Bell size={18} aria-hidden="true" />
      {count > 0 && (
        <span className={classes.badge} aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  );
}

/** Menu of the signed-in user: links to the account's screens, and logout. */
function AccountMenu() {
  const t = useWords('shell');
  const email = useSession(({ session }) => session?.email ?? '');
  const userId = useSession(({ session }) => session?.userId ?? '');
  const signOut = useSignOut(paths.home);

  return (
    <Dropdown
      label={t('navPersonal')}
      className={classes.icon}
      face={<CircleUserRound size={20} aria-hidden="true" />}
    >
      <p className={menu.heading}>{email === '' ? t('navPersonal') : maskEmail(email)}</p>
      {isStartDone(userId) ? null : (
        <Link className={menu.item} to={paths.start}>
          {t('getStarted')}
        </Link>
      )}
      <Link className={menu.item} to={paths.security}>
        {t('accountSettings')}
      </Link>
      <Link className={menu.item} to={ALL_RECORDS}>
        {t('ordersAndHistory')}
      </Link>
      <Link className={menu.item} to={IDENTITY}>
        {t('identity')}
      </Link>
      <button type="button" className={menu.item} data-last onClick={signOut}>
        {t('logout')}
      </button>
    </Dropdown>
  );
}

/**
 * Menu of the interface languages by their native names; the selected language is stored on this device and, for a
 * signed-in user, in the account.
 */
function LanguageMenu() {
  const t = useWords('shell');
  const locale = useLocale();
  return (
    <Dropdown label={t('language')} className={classes.icon} face={<Globe size={18} aria-hidden="true" />}>
      {LOCALES.map((name) => (
        <button
          key={name}
          type="button"
          className={menu.item}
          lang={name}
          aria-pressed={name === locale}
          onClick={() => void chooseLocale(name)}
        >
          {LOCALE_NAMES[name]}
          {name === locale && <Check size={16} aria-hidden="true" />}
        </button>
      ))}
    </Dropdown>
  );
}

const SCHEMES = [
  { choice: 'system', key: 'themeSystem' },
  { choice: 'light', key: 'themeLight' },
  { choice: 'dark', key: 'themeDark' },
] as const;

/** Menu that selects the theme, and the colours of rising and falling prices. */
function PreferencesMenu() {
  const t = useWords('shell');
  const scheme = useColourScheme();
  const colours = useUpDownColours();
  return (
    <Dropdown
      label={t('preferences')}
      className={classes.icon}
      face={<SunMoon size={18} aria-hidden="true" />}
    >
      <p className={menu.heading} id="theme-choice">
        {t('theme')}
      </p>
      <div role="group" aria-labelledby="theme-choice">
        {SCHEMES.map(({ choice, key }) => (
          <Choice key={choice} isChosen={scheme.choice === choice} onChoose={() => scheme.choose(choice)}>
            {t(key)}
          </Choice>
        ))}
      </div>
      <p className={menu.heading} id="colour-choice" data-next>
        {t('upDownColours')}
      </p>
      <div role="group" aria-labelledby="colour-choice">
        {UP_COLOURS.map((up) => (
          <Choice key={up} isChosen={colours.up === up} onChoose={() => colours.choose(up)}>
            <span className={menu.swatches} data-up={up} aria-hidden="true" />
            {t(UP_COLOUR_WORDS[up])}
          </Choice>
        ))}
      </div>
    </Dropdown>
  );
}

interface ChoiceProps {
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <button type="button" className={menu.item} aria-pressed={isChosen} onClick={onChoose}>
      <span className={menu.label}>{children}</span>
      {isChosen && <Check size={16} aria-hidden="true" />}
    </button>
  );
}
