import { maskEmail } from '@exchange/core/mask.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useLogout } from '@exchange/web-kit/user/actions.ts';
import { CircleUserRound } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Dropdown } from './dropdown.tsx';
import classes from './dropdown.module.css';
import bar from './top-bar.module.css';

/** Who is signed in, where their things are, and the way out. */
export function AccountMenu() {
  const t = useWords('shell');
  const email = useSession(({ session }) => session?.email ?? '');
  const logout = useLogout();
  const navigate = useNavigate();

  const leave = async (): Promise<void> => {
    try {
      await logout.mutateAsync();
    } catch {
      // Whatever the server answers, or if it does not, this device has forgotten the session.
    }
    // This menu is gone by now, as nobody is signed in any more; the notice and the way home remain.
    notify.success(t('loggedOut'));
    void navigate(paths.home);
  };

  return (
    <Dropdown
      label={t('navPersonal')}
      className={bar.icon}
      face={<CircleUserRound size={20} aria-hidden="true" />}
    >
      <p className={classes.heading}>{email === '' ? t('navPersonal') : maskEmail(email)}</p>
      <Link className={classes.item} to={paths.setting.security}>
        {t('accountSettings')}
      </Link>
      <Link className={classes.item} to={paths.account.allTrades}>
        {t('tradeRecords')}
      </Link>
      <Link className={classes.item} to={paths.setting.identity}>
        {t('identity')}
      </Link>
      <button
        type="button"
        className={classes.item}
        data-last
        disabled={logout.isPending}
        onClick={() => void leave()}
      >
        {t('logout')}
      </button>
    </Dropdown>
  );
}
