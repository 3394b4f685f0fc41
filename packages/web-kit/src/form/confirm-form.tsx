import { useState, type ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import css from './confirm-form.module.css';
import { AuthenticatorCode } from './authenticator-code.tsx';
import { MailedCode } from './mailed-code.tsx';
import { SixDigits } from './six-digits.tsx';
import { NO_PROOF, proofOf, stepUpProblems, type StepUp, type StepUpProof } from './step-up.ts';
import { useForm } from './use-form.ts';

interface ConfirmFormProps {
  /** What the deed does, in words and figures, before it is done. */
  readonly consequence: ReactNode;
  /** What the button says. */
  readonly button: string;
  readonly look?: 'primary' | 'danger';
  /** Nothing to be done: the button rests. */
  readonly isIdle?: boolean;
  /** The proofs that the call asks for beside the session. */
  readonly stepUp?: readonly StepUpProof[];
  /** Said below the field of the trade password. */
  readonly passwordHint?: ReactNode;
  /** Mails the code of this deed and gives the wait for the next, in seconds; needed where a code is asked for. */
  readonly sendCode?: () => Promise<number>;
  /** Whether what the code is mailed for is filled in; shows what is not. */
  readonly canSend?: () => boolean;
  /** What the code is called where a form has more than one. */
  readonly codeLabel?: string;
  /** Whether a recovery code stands for the authenticator's. */
  readonly takesRecovery?: boolean;
  /** Shows what is wrong with the fields among the consequence; gives whether nothing is. */
  readonly check?: () => boolean;
  /** Puts a refusal to one of those fields; gives whether it did. */
  readonly refuse?: (error: unknown) => boolean;
  /** Does the deed; gets the proofs by the names of the call's fields. Gives false where it was not done and that has been shown. */
  readonly act: (proof: Partial<StepUp>) => Promise<unknown>;
  /** After the deed. */
  readonly onDone: () => void;
  /** The way out without the deed, as a button; a sheet has its own. */
  readonly back?: { readonly label: string; readonly onPress: () => void };
}

const always = (): boolean => true;
const NONE: readonly StepUpProof[] = [];

/** Says what a deed does, asks for the proofs it needs, and does it; a refusal is shown at its field or as a notice. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { stepUp = NONE, look = 'primary', back, sendCode } = props;
  const t = useWords('fields');
  const [isBusy, setBusy] = useState(false);
  const form = useForm<StepUp>(NO_PROOF, (values) => stepUpProblems(values, stepUp));
  const submit = async () => {
    if (isBusy) return;
    // All that is wrong is shown at once.
    const isRight = [props.check?.() ?? true, form.check()].every(Boolean);
    if (!isRight) return;
    setBusy(true);
    try {
      if ((await props.act(proofOf(form.values, stepUp))) === false) return;
    } catch (error) {
      // Reason: refused, or not come through; shown at its field or as a notice.
      if (props.refuse?.(error) !== true && !form.refuse(error)) notify.failure(error);
      return;
    } finally {
      setBusy(false);
    }
    props.onDone();
  };
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {props.consequence}
      {stepUp.includes('assetsPwd') && (
        <SixDigits form={form} field="assetsPwd" label={t('assetsPwd')} hint={props.passwordHint} />
      )}
      {stepUp.includes('code') && sendCode !== undefined && (
        <>
          <MailedCode form={form} send={sendCode} label={props.codeLabel} isReady={props.canSend ?? always} />
          <AuthenticatorCode form={form} takesRecovery={props.takesRecovery ?? false} />
        </>
      )}
      <div className={css.answers} data-alone={back === undefined || undefined}>
        {back === undefined ? null : (
          <Button look="secondary" onClick={back.onPress}>
            {back.label}
          </Button>
        )}
        <Button
          type="submit"
          look={look}
          busy={isBusy}
          disabled={props.isIdle ?? false}
          wide={back === undefined}
          size={back === undefined ? 'l' : 'm'}
        >
          {props.button}
        </Button>
      </div>
    </form>
  );
}
