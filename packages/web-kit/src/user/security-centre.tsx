import { maskEmail } from '@exchange/core/mask.ts';
import {
  BookLock,
  Bot,
  Fingerprint,
  IdCard,
  KeyRound,
  Layers,
  ListChecks,
  LockKeyhole,
  type LucideIcon,
  Mail,
  MailWarning,
  ShieldOff,
  Smartphone,
} from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Badge, type Tone } from '../ui/parts.tsx';
import { useUserInfo, type UserInfo } from './queries.ts';
import { HoldNote, SecurityLevel } from './security-level.tsx';
import { ProfileCard } from './profile.tsx';
import css from './security.module.css';
import { lazyPart } from '../part/lazy-part.tsx';
import { paths } from '../paths.ts';
import { SUB_ACCOUNTS_PATH } from './sub-account-path.ts';

const Panel = lazyPart('panel', () => import('./security-panel.tsx'), { whenMissing: 'dialog' });

/** Actions of the security centre that are shown in an overlay. */
export type SecurityAction =
  | 'bind'
  | 'unbind'
  | 'recovery'
  | 'passkeys'
  | 'tradePassword'
  | 'email'
  | 'antiPhishing'
  | 'apiKeys'
  | 'freeze'
  | 'profile';

export type PanelFrame = ComponentType<{
  readonly isOpen: boolean;
  /** Called when the user closes the panel; returns false if the panel stays open. */
  readonly onClose: () => unknown;
  readonly title: string;
  readonly closeLabel: string;
  readonly children: ReactNode;
}>;

interface SecurityCentreProps {
  readonly Frame: PanelFrame;
  /** Paths of the screens of this app to which rows of the security centre link. */
  readonly links: {
    readonly loginPassword: string;
    readonly identity: string;
    readonly whitelist: string;
    readonly login: string;
  };
}

/**
 * The security centre: profile, security level, and a row for each protection of the account. If the URL is that of the
 * API keys, the panel with the API keys is open.
 */
export function SecurityCentre({ Frame, links }: SecurityCentreProps) {
  const info = useUserInfo();
  const [chosen, setAction] = useState<SecurityAction>();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isAtApiKeys = pathname === paths.apiKeys;
  const action = chosen ?? (isAtApiKeys ? 'apiKeys' : undefined);
  const close = (): void => {
    setAction(undefined);
    if (isAtApiKeys) void navigate(paths.security, { replace: true });
  };
  return (
    <ListBody
      look="cards"
      isLoading={info.isPending}
      error={info.error}
      onRetry={() => void info.refetch()}
      isEmpty={false}
      empty=""
    >
      {info.data === undefined ? null : (
        <div className={css.screen}>
          <ProfileCard info={info.data} onEdit={() => setAction('profile')} />
          <HoldNote info={info.data} />
          <SecurityLevel info={info.data} />
          <SignInRows info={info.data} links={links} onDeed={setAction} />
          <ProtectionRows info={info.data} links={links} onDeed={setAction} />
          {action === undefined ? null : (
            <Panel deed={action} info={info.data} Frame={Frame} loginPath={links.login} onClose={close} />
          )}
        </div>
      )}
    </ListBody>
  );
}

interface RowsProps extends Pick<SecurityCentreProps, 'links'> {
  readonly info: UserInfo;
  readonly onDeed: (deed: SecurityAction) => void;
}

const IDENTITIES = ['identity0', 'identity1', 'identity2', 'identity3'] as const;
const IDENTITY_TONES: readonly Tone[] = ['warning', 'accent', 'good', 'bad'];

/** If fewer recovery codes are left than this number, the user is reminded to replace them. */
const CODES_WARNING_BELOW = 3;

/** Rows for the credentials with which the user logs in and moves money. */
function SignInRows({ info, links, onDeed }: RowsProps) {
  const t = useWords('security');
  const settings = useWords('settings');
  const isBound = info.googleBind === 1;
  const hasTrade = info.assetsPwd === 1;
  return (
    <section className={css.card}>
      <h2>{t('signInTitle')}</h2>
      <Row
        Icon={Smartphone}
        name={t('authenticator')}
        about={t('authenticatorText')}
        state={isBound ? { tone: 'good', text: t('on') } : { tone: 'warning', text: t('off') }}
        action={isBound ? t('removeIt') : t('bindIt')}
        onPress={() => onDeed(isBound ? 'unbind' : 'bind')}
      />
      {isBound ? (
        <Row
          Icon={ListChecks}
          name={t('recoveryCodes')}
          about={t('recoveryLeft', { count: info.recoveryLeft })}
          {...(info.recoveryLeft < CODES_WARNING_BELOW
            ? { state: { tone: 'warning' as const, text: t('recoveryFew') } }
            : {})}
          action={t('renewIt')}
          onPress={() => onDeed('recovery')}
        />
      ) : null}
      <Row
        Icon={Fingerprint}
        name={t('passkeys')}
        about={info.passkeys === 0 ? t('passkeysText') : t('passkeysCount', { count: info.passkeys })}
        state={info.passkeys > 0 ? { tone: 'good', text: t('on') } : { tone: 'neutral', text: t('off') }}
        action={info.passkeys > 0 ? t('open') : t('bindIt')}
        onPress={() => onDeed('passkeys')}
      />
      <Row
        Icon={Mail}
        name={settings('email')}
        about={t('emailText')}
        state={{ tone: 'good', text: maskEmail(info.email) }}
        action={settings('change')}
        onPress={() => onDeed('email')}
      />
      <Row
        Icon={KeyRound}
        name={settings('loginPassword')}
        about={settings('loginPasswordText')}
        state={{ tone: 'good', text: t('on') }}
        action={settings('change')}
        to={links.loginPassword}
      />
      <Row
        Icon={LockKeyhole}
        name={settings('tradePassword')}
        about={settings('tradePasswordText')}
        state={{
          tone: hasTrade ? 'good' : 'warning',
          text: settings(hasTrade ? 'tradePasswordSet' : 'tradePasswordNotSet'),
        }}
        action={settings(hasTrade ? 'change' : 'set')}
        onPress={() => onDeed('tradePassword')}
      />
    </section>
  );
}

/**
 * Rows for identity verification, withdrawal whitelist, anti-phishing phrase, API keys, sub-accounts, and the freeze of
 * the account.
 */
function ProtectionRows({ info, links, onDeed }: RowsProps) {
  const t = useWords('security');
  const settings = useWords('settings');
  const tSub = useWords('subaccount');
  const hasPhrase = info.antiPhishing !== '';
  return (
    <section className={css.card}>
      <h2>{t('protectionTitle')}</h2>
      <Row
        Icon={IdCard}
        name={settings('identity')}
        about={t('identityText')}
        state={{
          tone: IDENTITY_TONES[info.kycStatus] ?? 'warning',
          text: settings(IDENTITIES[info.kycStatus] ?? 'identity0'),
        }}
        action={t('open')}
        to={links.identity}
      />
      <Row
        Icon={BookLock}
        name={t('whitelist')}
        about={t('whitelistText')}
        state={info.whitelist === 1 ? { tone: 'good', text: t('on') } : { tone: 'neutral', text: t('off') }}
        action={t('open')}
        to={links.whitelist}
      />
      <Row
        Icon={MailWarning}
        name={t('phishing')}
        about={hasPhrase ? t('phishingSet', { words: info.antiPhishing }) : t('phishingText')}
        state={hasPhrase ? { tone: 'good', text: t('on') } : { tone: 'neutral', text: t('off') }}
        action={settings(hasPhrase ? 'change' : 'set')}
        onPress={() => onDeed('antiPhishing')}
      />
      <Row
        Icon={Bot}
        name={t('keys')}
        about={t('keysText')}
        action={t('open')}
        onPress={() => onDeed('apiKeys')}
      />
      <Row
        Icon={Layers}
        name={tSub('title')}
        about={tSub('rowText')}
        action={t('open')}
        to={SUB_ACCOUNTS_PATH}
      />
      <Row
        Icon={ShieldOff}
        name={t('freeze')}
        about={t('freezeText')}
        action={t('freezeIt')}
        look="danger"
        onPress={() => onDeed('freeze')}
      />
    </section>
  );
}

interface RowProps {
  readonly Icon: LucideIcon;
  readonly name: string;
  readonly about: string;
  readonly state?: { readonly tone: Tone; readonly text: string };
  readonly action: string;
  readonly look?: 'danger';
  readonly to?: string;
  readonly onPress?: () => void;
}

function Row({ Icon, name, about, state, action, look, to, onPress }: RowProps) {
  const spoken = `${action}: ${name}`;
  return (
    <div className={css.row}>
      <span className={css.rowIcon}>
        <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div>
        <h3>{name}</h3>
        <p>{about}</p>
      </div>
      <span className={css.rowState}>
        {state === undefined ? null : <Badge tone={state.tone}>{state.text}</Badge>}
      </span>
      <span className={css.rowAction}>
        {to === undefined ? (
          <Button look={look ?? 'secondary'} size="s" aria-label={spoken} onClick={onPress}>
            {action}
          </Button>
        ) : (
          <ButtonLink look="secondary" size="s" to={to} aria-label={spoken}>
            {action}
          </ButtonLink>
        )}
      </span>
    </div>
  );
}
