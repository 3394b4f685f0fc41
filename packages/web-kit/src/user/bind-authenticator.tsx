import { ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import { bindGoogle, renewRecovery } from '@exchange/wire/user.ts';
import { sendActionCode } from '../api/action-code.ts';
import { SubmitForm } from '../form/submit-form.tsx';
import { AuthenticatorCode } from '../form/authenticator-code.tsx';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { MailedCode } from '../form/mailed-code.tsx';
import { codeProblem } from '../form/step-up.ts';
import { useForm } from '../form/use-form.ts';
import { QrCode } from '../format/qr-code.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { confirmByPasskey } from '../form/passkey-ceremony.ts';
import { PasskeyOrCodes } from '../form/passkey-or-codes.tsx';
import { saveFile } from '../save-file.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Banner } from '../ui/parts.tsx';
import { authenticatorProblem, problemsOf } from './forms.ts';
import { bindAuthenticator, renewCodes, useAuthenticatorKey } from './protection.ts';
import css from './security.module.css';

interface BindAuthenticatorProps {
  readonly email: string;
  /**
   * Called with true when recovery codes are displayed; with false when the user has confirmed that they are saved, and
   * when they are no longer displayed.
   */
  readonly onCodes: (areUnconfirmed: boolean) => void;
  readonly onDone: () => void;
}

/**
 * Form that adds an authenticator app to the account in three steps: scan the QR code, confirm with a code, save the
 * recovery codes.
 */
export function BindAuthenticator({ email, onCodes, onDone }: BindAuthenticatorProps) {
  const key = useAuthenticatorKey();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onCodes={onCodes} onDone={onDone} />;
  return (
    <ListBody isLoading={key.isPending} error={key.error} onRetry={() => void key.refetch()}>
      {key.data === undefined ? null : <Confirm {...key.data} email={email} onBound={setCodes} />}
    </ListBody>
  );
}

const EMPTY = { code: '', googleCode: '' };

interface ConfirmProps {
  readonly email: string;
  readonly key?: string;
  readonly uri: string;
  readonly onBound: (codes: readonly string[]) => void;
}

function Confirm({ email, uri, onBound }: ConfirmProps) {
  const t = useWords('security');
  const key = new URL(uri).searchParams.get('secret') ?? '';
  const [isBusy, setBusy] = useState(false);
  const [isByPasskey, setByPasskey] = useState(false);
  const form = useForm(EMPTY, ({ code, googleCode }) =>
    problemsOf<typeof EMPTY>({
      code: isByPasskey ? undefined : codeProblem(code),
      googleCode: authenticatorProblem(googleCode),
    }),
  );
  const act = async () => {
    setBusy(true);
    try {
      const { code, googleCode } = form.values;
      const proof = isByPasskey ? { passkey: await confirmByPasskey({ endpoint: bindGoogle }) } : { code };
      onBound((await bindAuthenticator({ googleCode, ...proof })).recovery);
    } finally {
      setBusy(false);
    }
  };
  return (
    <SubmitForm
      className={css.form}
      form={form}
      act={act}
      onDone={() => undefined}
      isBusy={isBusy}
      button={t('bindButton')}
    >
      <div className={css.scan}>
        <QrCode className={css.qr} text={uri} label={t('qrLabel')} />
        <ol className={css.steps}>
          <li>{t('bindStep1')}</li>
          <li>{t('bindStep2')}</li>
          <li>{t('bindStep3')}</li>
        </ol>
      </div>
      {/* A device cannot scan the QR code on its own screen, so this link opens the authenticator app on the same
          device. */}
      <a className={css.openApp} href={uri}>
        <ExternalLink size={16} aria-hidden="true" />
        {t('openAuthenticator')}
      </a>
      <div className={css.key}>
        <span>{t('keyByHand')}</span>
        <code>{key.replace(/.{4}(?=.)/g, '$& ')}</code>
        <CopyButton text={key} label={t('copyKey')} />
      </div>
      <AuthenticatorCode form={form} isAlways />
      <PasskeyOrCodes isByPasskey={isByPasskey} onChange={setByPasskey}>
        <MailedCode form={form} send={() => sendActionCode(email, bindGoogle)} />
      </PasskeyOrCodes>
    </SubmitForm>
  );
}

const CODE = ['code'] as const;

/** Form that replaces the user's recovery codes by new ones, which are shown only once. */
export function RenewRecoveryCodes({ email, onCodes, onDone }: BindAuthenticatorProps) {
  const t = useWords('security');
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onCodes={onCodes} onDone={onDone} />;
  return (
    <ConfirmForm
      consequence={<p className={css.text}>{t('renewText')}</p>}
      button={t('renewButton')}
      stepUp={CODE}
      sendCode={() => sendActionCode(email, renewRecovery)}
      confirms={{ endpoint: renewRecovery }}
      act={async (proof) => setCodes((await renewCodes(proof)).recovery)}
      onDone={() => undefined}
    />
  );
}

interface RecoveryCodesProps extends Pick<BindAuthenticatorProps, 'onCodes' | 'onDone'> {
  readonly codes: readonly string[];
}

function RecoveryCodes({ codes, onCodes, onDone }: RecoveryCodesProps) {
  const t = useWords('security');
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    onCodes(!isSaved);
    return () => onCodes(false);
  }, [isSaved, onCodes]);
  const text = codes.join('\n');
  return (
    <div className={css.form}>
      <Banner tone="warning">{t('recoveryText')}</Banner>
      <ul className={css.codes} aria-label={t('recoveryCodes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={css.actions}>
        <CopyButton text={text} label={t('copyCodes')} />
        <Button
          look="secondary"
          size="s"
          onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'recovery-codes.txt')}
        >
          {t('saveCodes')}
        </Button>
      </div>
      <Checkbox label={t('recoveryKept')} checked={isSaved} onChange={setSaved} />
      <Button size="l" wide disabled={!isSaved} onClick={onDone}>
        {t('done')}
      </Button>
    </div>
  );
}
