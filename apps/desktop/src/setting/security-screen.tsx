import { maskEmail } from '@exchange/core/mask.ts';
import { formatMoment, formatMomentWithOffset } from '@exchange/web-kit/format/format.ts';
import { serverNow } from '@exchange/web-kit/clock.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { FillMessagesSwitch } from '@exchange/web-kit/user/fill-messages-switch.tsx';
import { type UserInfo, holdSentence, useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Badge, Banner, type Tone } from '@exchange/web-kit/ui/parts.tsx';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { paths } from '../paths.ts';
import { DeviceList } from './device-list.tsx';
import { LoginHistory } from './login-history.tsx';
import { PreferenceRows } from './preference-rows.tsx';
import classes from './setting.module.css';
import { SettingFrame } from './setting-frame.tsx';
import { SettingRow } from './setting-row.tsx';
import { TradePasswordRow } from './trade-password-row.tsx';

/** The security centre: how safe the account is, and everything that makes it safer. */
export default function SecurityScreen() {
  const t = useWords('settings');
  const tShell = useWords('shell');
  const info = useUserInfo();
  return (
    <SettingFrame title={t('title')}>
      <ListBody
        isLoading={info.isPending}
        error={info.error}
        onRetry={() => void info.refetch()}
        isEmpty={false}
        empty=""
      >
        {info.data !== undefined && <Account info={info.data} />}
      </ListBody>
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
        {info.data !== undefined && (
          <SettingRow
            name={t('fillMessages')}
            about={t('fillMessagesText')}
            action={
              <FillMessagesSwitch
                info={info.data}
                label={<span className="visually-hidden">{t('fillMessages')}</span>}
              />
            }
          />
        )}
      </section>
    </SettingFrame>
  );
}

const TONES: Readonly<Record<UserInfo['securityLevel'], Tone>> = {
  low: 'warning',
  medium: 'accent',
  high: 'good',
};
const IDENTITIES = ['identity0', 'identity1', 'identity2', 'identity3'] as const;

function Account({ info }: { readonly info: UserInfo }) {
  const t = useWords('settings');
  const tShell = useWords('shell');
  const locale = useLocale();
  const isHeld = info.holdUntil > serverNow();
  return (
    <>
      <section className={classes.card}>
        <dl className={classes.profile}>
          <Fact name={t('email')}>{maskEmail(info.email)}</Fact>
          <Fact name={t('uid')}>{info.uid}</Fact>
          <Fact name={t('securityLevel')}>
            <Badge tone={TONES[info.securityLevel]}>{t(info.securityLevel)}</Badge>
          </Fact>
          <Fact name={t('activity')}>{t(info.activity)}</Fact>
          <Fact name={t('invitation')}>{info.invitationCode}</Fact>
        </dl>
        <p className={classes.about}>{t('levelHint')}</p>
        {isHeld && (
          <Banner tone="warning">
            <span title={formatMomentWithOffset(info.holdUntil, locale)}>
              {t(holdSentence(info), { time: formatMoment(info.holdUntil, locale) })}
            </span>
          </Banner>
        )}
      </section>
      <section className={classes.card}>
        <h2 className="visually-hidden">{t('title')}</h2>
        <SettingRow
          name={t('loginPassword')}
          about={t('loginPasswordText')}
          action={
            <ButtonLink
              look="secondary"
              size="s"
              to={paths.login.modify}
              aria-label={`${t('change')}: ${t('loginPassword')}`}
            >
              {t('change')}
            </ButtonLink>
          }
        />
        <TradePasswordRow isSet={info.assetsPwd === 1} />
        <SettingRow
          name={tShell('identity')}
          about={t(IDENTITIES[info.kycStatus] ?? 'identity0')}
          action={
            <ButtonLink look="secondary" size="s" to={paths.setting.identity}>
              {t('identity')}
            </ButtonLink>
          }
        />
      </section>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
