import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { SecurityCentre } from '@exchange/web-kit/user/security-centre.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { paths } from '../paths.ts';
import { DeviceList } from './device-list.tsx';
import { LoginHistory } from './login-history.tsx';
import { PreferenceRows } from './preference-rows.tsx';
import classes from './setting.module.css';
import { SettingFrame } from './setting-frame.tsx';
import { SettingRow } from './setting-row.tsx';

const LINKS = {
  loginPassword: paths.login.modify,
  identity: paths.setting.identity,
  whitelist: paths.setting.address,
  login: paths.login.login,
};

/** The security centre: how safe the account is, and everything that makes it safer. */
export default function SecurityScreen() {
  const t = useWords('settings');
  const tShell = useWords('shell');
  const tMessages = useWords('messages');
  return (
    <SettingFrame title={t('title')}>
      <div className={classes.centre}>
        <SecurityCentre Frame={Dialog} links={LINKS} />
      </div>
      <section className={classes.card}>
        <h2>{t('devices')}</h2>
        <p className={classes.about}>{t('devicesText')}</p>
        <DeviceList />
      </section>
      <section className={classes.card}>
        <h2>{t('loginHistory')}</h2>
        <LoginHistory />
      </section>
      <section className={classes.card}>
        <h2 className="visually-hidden">{tShell('preferences')}</h2>
        <PreferenceRows />
        <SettingRow
          name={tMessages('settings')}
          about={tMessages('settingsText')}
          action={
            <ButtonLink look="secondary" size="s" to={paths.setting.messageSettings}>
              {t('change')}
            </ButtonLink>
          }
        />
      </section>
    </SettingFrame>
  );
}
