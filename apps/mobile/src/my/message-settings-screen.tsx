import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { DeleteRead, MessageSettings } from '@exchange/web-kit/message/message-settings.tsx';
import { PushSettings } from '@exchange/web-kit/push/push-settings.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { Link } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { PUSH_SITE } from '../push-site.ts';
import { Screen } from '../shell/screen.tsx';
import css from './my.module.css';

/** Screen with the settings of notifications in the inbox, by mail and on devices. */
export default function MessageSettingsScreen() {
  const t = useWords('messages');
  return (
    <Screen title={t('settings')} parent={paths.messages}>
      <div data-in-order>
        <MessageSettings />
        <p className={css.note}>
          {t('alertsText')} <Link to={paths.alerts}>{t('alertsLink')}</Link>
        </p>
        <PushSettings site={PUSH_SITE} />
        <DeleteRead Frame={Sheet} wide />
      </div>
    </Screen>
  );
}
