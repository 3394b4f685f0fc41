import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { MessageSettings } from '@exchange/web-kit/message/message-settings.tsx';
import { PushSettings } from '@exchange/web-kit/push/push-settings.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { PUSH_SITE } from '../push-site.ts';
import classes from './setting.module.css';
import { SettingFrame } from './setting-frame.tsx';

/** Screen with the settings of notifications in the inbox, by mail and on devices. */
export default function MessageSettingsScreen() {
  const t = useWords('messages');
  return (
    <SettingFrame
      title={t('settings')}
      end={
        <ButtonLink look="secondary" size="s" to={paths.messages}>
          {t('back')}
        </ButtonLink>
      }
    >
      <section className={classes.card}>
        <p className={classes.about}>{t('settingsText')}</p>
        <MessageSettings />
        <p className={classes.note}>{t('alertsText')}</p>
        <PushSettings site={PUSH_SITE} />
      </section>
    </SettingFrame>
  );
}
