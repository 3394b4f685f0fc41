import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { When } from '@exchange/web-kit/format/numbers.tsx';
import { LOCALE_NAMES, LOCALES, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { notify } from '@exchange/web-kit/notify.ts';
import {
  UP_COLOUR_WORDS,
  UP_COLOURS,
  useColourScheme,
  useUpDownColours,
} from '@exchange/web-kit/theme/theme.tsx';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { Badge, type Tone } from '@exchange/web-kit/ui/parts.tsx';
import { useRevokeSession } from '@exchange/web-kit/user/actions.ts';
import { chooseLocale } from '@exchange/web-kit/user/choose-locale.ts';
import { type SignedInDevice, useLoginRecords, useSessions } from '@exchange/web-kit/user/queries.ts';
import { RevokeOthers } from '@exchange/web-kit/user/revoke-others.tsx';
import { useIsAtSubAccounts } from '@exchange/web-kit/user/sub-account-path.ts';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { SecurityCentre } from '@exchange/web-kit/user/security-centre.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import type { ReactNode } from 'react';
import { setShortcutsOn, useShortcutsOn } from '../keyboard/use-shortcuts.ts';
import { IDENTITY } from '../paths.ts';
import { SettingFrame } from './setting-frame.tsx';
import classes from './setting.module.css';

const LINKS = {
  loginPassword: paths.modify,
  identity: IDENTITY,
  whitelist: paths.address,
  login: paths.login,
};

const SubAccounts = lazyPart('sub-accounts', () => import('@exchange/web-kit/user/sub-accounts.tsx'));

/** The security screen with devices, logins and preferences; or, depending on the URL, the user's sub-accounts. */
export default function SecurityScreen() {
  const tSub = useWords('subaccount');
  return useIsAtSubAccounts() ? (
    <SettingFrame title={tSub('title')}>
      <SubAccounts Frame={Dialog} hasBack />
    </SettingFrame>
  ) : (
    <Security />
  );
}

function Security() {
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
            <ButtonLink look="secondary" size="s" to={paths.messageSettings}>
              {t('change')}
            </ButtonLink>
          }
        />
      </section>
    </SettingFrame>
  );
}

/**
 * List of the user's active sessions; every session except the current one has a button that ends it, and another
 * button ends all sessions except the current one.
 */
function DeviceList() {
  const t = useWords('settings');
  const sessions = useSessions();
  const rows = sessions.data ?? [];
  return (
    <ListBody
      isLoading={sessions.isPending}
      error={sessions.error}
      onRetry={() => void sessions.refetch()}
      isEmpty={rows.length === 0}
      empty={t('devicesNone')}
    >
      <DataTable
        caption={t('devices')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { key: 'device', title: t('device'), cell: (row) => <DeviceName {...row} /> },
          { key: 'address', title: t('address'), cell: ({ address }) => address },
          { key: 'created', title: t('signedInAt'), cell: ({ createTime }) => <When at={createTime} /> },
          { key: 'last', title: t('lastActive'), cell: ({ lastTime }) => <When at={lastTime} /> },
          {
            key: 'action',
            title: <span className="visually-hidden">{t('revoke')}</span>,
            align: 'end',
            cell: (device) => <Revoke device={device} />,
          },
        ]}
      />
      <RevokeOthers count={rows.length - 1} />
    </ListBody>
  );
}

/** Name of a device on which the user signed in; a badge marks a login with a passkey. */
function DeviceName({ device, method }: Pick<SignedInDevice, 'device' | 'method'>) {
  const t = useWords('settings');
  return method === 'passkey' ? (
    <>
      {device} <Badge tone="neutral">{t('byPasskey')}</Badge>
    </>
  ) : (
    device
  );
}

function Revoke({ device }: { readonly device: SignedInDevice }) {
  const t = useWords('settings');
  const revoke = useRevokeSession();
  if (device.current === 1) return <Badge tone="good">{t('current')}</Badge>;
  const revokeSession = (): void =>
    revoke.mutate(device.id, { onSuccess: () => notify.success(t('revoked')), onError: notify.failure });
  return (
    <Button
      look="quiet"
      size="s"
      busy={revoke.isPending}
      aria-label={`${t('revoke')}: ${device.device}, ${device.address}`}
      onClick={revokeSession}
    >
      {t('revoke')}
    </Button>
  );
}

const LOGIN_KINDS: Readonly<
  Record<string, { key: 'kind.registered' | 'kind.signedIn' | 'kind.signInFailed'; tone: Tone }>
> = {
  registered: { key: 'kind.registered', tone: 'accent' },
  signedIn: { key: 'kind.signedIn', tone: 'good' },
  signInFailed: { key: 'kind.signInFailed', tone: 'bad' },
};

/** Table of the user's logins, newest first; it includes the registration and failed logins. */
function LoginHistory() {
  const t = useWords('settings');
  const records = useLoginRecords();
  return (
    <ListBody
      isLoading={records.isLoading}
      error={records.error}
      onRetry={() => void records.reload()}
      isEmpty={records.rows.length === 0}
      empty={t('loginHistoryNone')}
    >
      <DataTable
        caption={t('loginHistory')}
        rows={records.rows}
        rowKey={({ id }) => id}
        columns={[
          { key: 'time', title: t('signedInAt'), cell: ({ createTime }) => <When at={createTime} /> },
          { key: 'device', title: t('device'), cell: (row) => <DeviceName {...row} /> },
          { key: 'address', title: t('address'), cell: ({ address }) => address },
          { key: 'kind', title: t('result'), align: 'end', cell: ({ kind }) => <LoginKind kind={kind} /> },
        ]}
      />
      <ListEnd list={records} />
    </ListBody>
  );
}

function LoginKind({ kind }: { readonly kind: string }) {
  const t = useWords('desktop-setting');
  const known = LOGIN_KINDS[kind];
  return <Badge tone={known?.tone ?? 'neutral'}>{t(known?.key ?? 'kind.other')}</Badge>;
}

/**
 * Preferences that are stored on this device: the language, which is also stored in the account, the theme, the price
 * colours, and whether keyboard shortcuts are on.
 */
function PreferenceRows() {
  const t = useWords('settings');
  const tShell = useWords('shell');
  const locale = useLocale();
  const scheme = useColourScheme();
  const colours = useUpDownColours();
  const isShortcutsOn = useShortcutsOn();
  return (
    <>
      <SettingRow
        name={t('language')}
        action={
          <SegmentedControl
            label={t('language')}
            value={locale}
            onChange={(locale) => void chooseLocale(locale)}
            options={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
          />
        }
      />
      <SettingRow
        name={t('theme')}
        action={
          <SegmentedControl
            label={t('theme')}
            value={scheme.choice}
            onChange={scheme.choose}
            options={[
              { value: 'system', label: tShell('themeSystem') },
              { value: 'light', label: tShell('themeLight') },
              { value: 'dark', label: tShell('themeDark') },
            ]}
          />
        }
      />
      <SettingRow
        name={t('colours')}
        action={
          <SegmentedControl
            label={t('colours')}
            value={colours.up}
            onChange={colours.choose}
            options={UP_COLOURS.map((value) => ({ value, label: tShell(UP_COLOUR_WORDS[value]) }))}
          />
        }
      />
      <SettingRow
        name={t('shortcuts')}
        action={
          <Switch
            label={<span className="visually-hidden">{t('shortcuts')}</span>}
            checked={isShortcutsOn}
            onChange={setShortcutsOn}
          />
        }
      />
    </>
  );
}

interface SettingRowProps {
  readonly name: string;
  readonly about?: ReactNode;
  readonly action: ReactNode;
}

/** A row with the name of a setting, its description and its control. */
function SettingRow({ name, about, action }: SettingRowProps) {
  return (
    <div className={classes.row}>
      <div>
        <h3>{name}</h3>
        {about !== undefined && <p>{about}</p>}
      </div>
      {action}
    </div>
  );
}
