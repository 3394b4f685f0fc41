import { serverNow } from '@exchange/web-kit/clock.ts';
import { formatMoment } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { holdSentence, useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { MenuLink } from './menu-row.tsx';
import css from './my.module.css';

/** How safe the account is, and what changes it. */
export default function SecurityScreen() {
  const t = useWords('settings');
  const locale = useLocale();
  const info = useUserInfo();
  const user = info.data;
  return (
    <Screen title={t('title')} parent={paths.my}>
      <ListBody
        look="cards"
        isLoading={info.isPending}
        error={info.error}
        onRetry={() => void info.refetch()}
      >
        {user === undefined ? null : (
          <>
            {user.holdUntil > serverNow() ? (
              <p className={css.banner}>
                {t(holdSentence(user), { time: formatMoment(user.holdUntil, locale) })}
              </p>
            ) : null}
            <section className={css.group}>
              <MenuLink to={paths.modify} label={t('loginPassword')} end={t('change')} />
              <MenuLink
                to={paths.tradePassword}
                label={t('tradePassword')}
                end={t(user.assetsPwd === 1 ? 'tradePasswordSet' : 'tradePasswordNotSet')}
              />
              <MenuLink to={paths.devices} label={t('devices')} />
              <MenuLink to={paths.verify} label={t('identity')} />
            </section>
            <p className={css.messageText}>
              {t('securityLevel')}: {t(user.securityLevel)}. {t('levelHint')}
            </p>
          </>
        )}
      </ListBody>
    </Screen>
  );
}
