import { MINUTE_MS } from '@exchange/core/time.ts';
import { KeyRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { FormAlert } from '../form/submit-form.tsx';
import { useWords } from '../i18n/words.ts';
import { failureText, notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { passkeyAnswerByAutofill, signInByPasskey, usePasskeyLogin } from './actions.ts';
import { stopAutofill } from '../form/passkey-ceremony.ts';
import css from './passkey-sign-in.module.css';
import { usePasskeysWork } from '../form/passkeys-work.ts';

interface PasskeySignInProps {
  readonly onEnter: () => void;
}

/** A button that signs the user in with a passkey only; renders nothing if this page cannot use passkeys. */
export function PasskeySignIn(props: PasskeySignInProps) {
  return usePasskeysWork() ? <SignIn {...props} /> : null;
}

function SignIn({ onEnter }: PasskeySignInProps) {
  const t = useWords('user');
  const login = usePasskeyLogin();
  useAutofill(onEnter);
  return (
    <>
      <p className={css.or}>{t('or')}</p>
      <div className={css.signIn}>
        <FormAlert text={login.error === null ? undefined : failureText(login.error)} />
        <Button
          look="secondary"
          size="l"
          wide
          busy={login.isPending}
          icon={<KeyRound size={18} aria-hidden="true" />}
          onClick={() => login.mutate(undefined, { onSuccess: onEnter })}
        >
          {t('passkeyLogin')}
        </Button>
      </div>
    </>
  );
}

/**
 * Milliseconds after which the passkey challenge is replaced by a new one; the server accepts a challenge for five
 * minutes.
 */
const RENEWED_MS = 4 * MINUTE_MS;

/**
 * Offers the passkeys of this device in the autofill of the email field, if the browser supports that, until the
 * component unmounts. If the user selects one, it signs the user in and calls `onEnter`; a failure is shown in a
 * notification.
 */
function useAutofill(onEnter: () => void): void {
  const enterRef = useRef(onEnter);
  useEffect(() => {
    enterRef.current = onEnter;
  });
  useEffect(() => {
    let isGone = false;
    let isRenewed = false;
    const renewal = setInterval(() => {
      isRenewed = true;
      void stopAutofill();
    }, RENEWED_MS);
    const offer = async () => {
      do {
        isRenewed = false;
        const passkey = await passkeyAnswerByAutofill();
        if (isGone) return;
        if (passkey === undefined) continue;
        await signInByPasskey(passkey);
        enterRef.current();
        return;
      } while (isRenewed);
    };
    offer().catch((error: unknown) => {
      if (!isGone) notify.failure(error);
    });
    return () => {
      isGone = true;
      clearInterval(renewal);
      void stopAutofill();
    };
  }, []);
}
