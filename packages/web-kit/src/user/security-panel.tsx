import { useState, type ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { LeaveQuestion, useAskBeforeUnload } from '../form/leave-question.tsx';
import { useWords } from '../i18n/words.ts';
import { Banner } from '../ui/parts.tsx';
import { discardCreatedKey, type KeyOwner } from './api-key-actions.ts';
import { ApiKeys } from './api-keys.tsx';
import { BindAuthenticator, RenewRecoveryCodes } from './bind-authenticator.tsx';
import { Passkeys } from './passkeys.tsx';
import { ProfileForm } from './profile.tsx';
import type { UserInfo } from './queries.ts';
import type { SecurityAction, PanelFrame } from './security-centre.tsx';
import { AntiPhishing, ChangeEmail, FreezeAccount, UnbindAuthenticator } from './security-forms.tsx';
import { SetTradePassword } from './set-trade-password.tsx';
import css from './security.module.css';

interface SecurityPanelProps {
  readonly deed: SecurityAction;
  readonly info: UserInfo;
  readonly Frame: PanelFrame;
  readonly loginPath: string;
  /** The sub-account whose API keys are shown, for the action `apiKeys`; undefined for the main account. */
  readonly keyOwner?: KeyOwner | undefined;
  readonly onClose: () => void;
}

const TITLES = {
  bind: 'bindTitle',
  unbind: 'unbindTitle',
  recovery: 'renewTitle',
  passkeys: 'passkeys',
  tradePassword: 'tradePasswordTitle',
  email: 'emailTitle',
  antiPhishing: 'phishing',
  apiKeys: 'keysTitle',
  freeze: 'freezeTitle',
  profile: 'editProfile',
} as const satisfies Readonly<Record<SecurityAction, string>>;

/** Actions that are not possible for the shared demo account, because they create secrets of its user. */
const OWN_SECRETS: ReadonlySet<SecurityAction> = new Set(['bind', 'passkeys', 'apiKeys']);

const LEAVING_CODES = {
  title: 'codesTitle',
  text: 'codesText',
  stay: 'codesStay',
  leave: 'codesLeave',
} as const;
const LEAVING_SECRET = {
  title: 'keyLeaveTitle',
  text: 'keyLeaveText',
  stay: 'keyLeaveStay',
  leave: 'keyLeave',
} as const;

/**
 * Panel of an action of the security centre, in an overlay. While it displays secrets or recovery codes that the user
 * has not confirmed to have saved, closing it asks for confirmation. For the shared demo account it contains a note,
 * and only the note for the actions in `OWN_SECRETS`.
 */
export default function SecurityPanel(props: SecurityPanelProps) {
  const { deed, Frame, onClose } = props;
  const t = useWords('security');
  const shell = useWords('shell');
  const leaving = deed === 'apiKeys' ? LEAVING_SECRET : LEAVING_CODES;
  const isShared = props.info.demoTradePassword !== undefined;
  const [hasCodes, setHasCodes] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useAskBeforeUnload(hasCodes);
  // Recovery codes and secrets are shown only once, so the user is asked for confirmation before a press outside,
  // Escape or Back closes the panel.
  const close = (): unknown => {
    if (!hasCodes) return onClose();
    setAsking(true);
    return false;
  };
  const leave = (): void => {
    if (deed === 'apiKeys') discardCreatedKey();
    onClose();
  };
  return (
    <Frame isOpen onClose={close} title={titleOf(props, t(TITLES[deed]))} closeLabel={shell('close')}>
      {!isShared ? null : (
        <div className={css.shared}>
          <Banner tone="accent">{t('shared')}</Banner>
        </div>
      )}
      {/* For the shared demo account the server neither creates nor lists secrets, because each visitor could use
          those of the others. */}
      {isShared && OWN_SECRETS.has(deed) ? null : <Body {...props} onCodes={setHasCodes} />}
      <LeaveQuestion
        isOpen={isAsking}
        title={t(leaving.title)}
        text={t(leaving.text)}
        stay={t(leaving.stay)}
        leave={t(leaving.leave)}
        onStay={() => setAsking(false)}
        onLeave={leave}
      />
    </Frame>
  );
}

/** Returns the title of an action's panel; the title of the API keys contains the name of the sub-account. */
function titleOf({ keyOwner }: Pick<SecurityPanelProps, 'keyOwner'>, title: string): string {
  return keyOwner === undefined ? title : `${title}: ${keyOwner.name}`;
}

interface BodyProps extends SecurityPanelProps {
  readonly onCodes: (areUnconfirmed: boolean) => void;
}

function Body({ deed, info, loginPath, keyOwner, onCodes, onClose }: BodyProps): ReactElement {
  const navigate = useNavigate();
  const form = { info, onDone: onClose };
  switch (deed) {
    case 'bind':
      return <BindAuthenticator email={info.email} onCodes={onCodes} onDone={onClose} />;
    case 'unbind':
      return <UnbindAuthenticator {...form} />;
    case 'recovery':
      return <RenewRecoveryCodes email={info.email} onCodes={onCodes} onDone={onClose} />;
    case 'passkeys':
      return <Passkeys info={info} />;
    case 'tradePassword':
      return <SetTradePassword isSet={info.assetsPwd === 1} className={css.form} onDone={onClose} />;
    case 'email':
      return <ChangeEmail {...form} />;
    case 'antiPhishing':
      return <AntiPhishing {...form} />;
    case 'apiKeys':
      return <ApiKeys email={info.email} owner={keyOwner} onSecret={onCodes} />;
    case 'freeze':
      return <FreezeAccount onDone={() => void navigate(loginPath, { replace: true })} />;
    case 'profile':
      break;
  }
  return <ProfileForm {...form} />;
}
