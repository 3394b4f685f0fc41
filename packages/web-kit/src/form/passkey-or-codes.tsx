import { KeyRound, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { useSession } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import css from './passkey-or-codes.module.css';
import { usePasskeysWork } from './passkeys-work.ts';

interface PasskeyOrCodesProps {
  readonly isByPasskey: boolean;
  readonly onChange: (isByPasskey: boolean) => void;
  /** The input fields of the codes, which a passkey can replace. */
  readonly children: ReactNode;
}

/** Shows the input fields of a form's codes; a user with a passkey can choose to confirm with the passkey instead. */
export function PasskeyOrCodes(props: PasskeyOrCodesProps) {
  const hasPasskey = useSession((state) => state.hasPasskey);
  return hasPasskey ? <Choice {...props} /> : props.children;
}

/**
 * Shows the input fields of a form's codes, and lets the visitor confirm with a passkey instead. Unlike
 * `PasskeyOrCodes`, it offers a passkey wherever passkeys work, because the page does not know whether the
 * visitor has one.
 */
export function VisitorsPasskeyOrCodes(props: PasskeyOrCodesProps) {
  return <Choice {...props} />;
}

function Choice({ isByPasskey, onChange, children }: PasskeyOrCodesProps) {
  const t = useWords('fields');
  const works = usePasskeysWork();
  if (!works) return children;
  return (
    <>
      {isByPasskey ? <p className={css.note}>{t('passkeyNote')}</p> : children}
      <div className={css.choice}>
        <Button
          look="quiet"
          size="s"
          icon={
            isByPasskey ? <Mail size={16} aria-hidden="true" /> : <KeyRound size={16} aria-hidden="true" />
          }
          onClick={() => onChange(!isByPasskey)}
        >
          {t(isByPasskey ? 'useCodes' : 'usePasskey')}
        </Button>
      </div>
    </>
  );
}
