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
  /** Describes the effect of the action in words and figures. */
  readonly consequence: ReactNode;
  /** Label of the submit button. */
  readonly button: string;
  readonly look?: 'primary' | 'danger';
  /** Disables the button because there is nothing to submit. */
  readonly isIdle?: boolean;
  /** Step-up proofs that the endpoint requires in addition to the session. */
  readonly stepUp?: readonly StepUpProof[];
  /** Hint below the trade password field. */
  readonly passwordHint?: ReactNode;
  /** Sends the email code and returns the seconds until another may be sent. Required when `stepUp` contains `code`. */
  readonly sendCode?: () => Promise<number>;
  /** Checks the fields that sending a code depends on, and shows their problems. */
  readonly canSend?: () => boolean;
  /** Label of the code field when a form has several. */
  readonly codeLabel?: string;
  /** Whether a recovery code is accepted instead of an authenticator code. */
  readonly takesRecovery?: boolean;
  /** Checks the fields within `consequence` and shows their problems. Returns whether all are valid. */
  readonly check?: () => boolean;
  /** Shows a refusal at one of those fields. Returns whether it belongs to one. */
  readonly refuse?: (error: unknown) => boolean;
  /**
   * Performs the action with the proofs, keyed by the endpoint's field names. Resolves to false when it was not done
   * and the reason has been shown.
   */
  readonly act: (proof: Partial<StepUp>) => Promise<unknown>;
  /** Called after the action has succeeded. */
  readonly onDone: () => void;
  /** A cancel button; sheets have their own. */
  readonly back?: { readonly label: string; readonly onPress: () => void };
}

const always = (): boolean => true;
const NONE: readonly StepUpProof[] = [];

/** Describes an action, collects its step-up proofs and performs it. A refusal is shown at its field or as a notice. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { stepUp = NONE, look = 'primary', back, sendCode } = props;
  const t = useWords('fields');
  const [isBusy, setBusy] = useState(false);
  const form = useForm<StepUp>(NO_PROOF, (values) => stepUpProblems(values, stepUp));
  const submit = async () => {
    if (isBusy) return;
    // Both checks run so that all problems are shown at once.
    const isValid = [props.check?.() ?? true, form.check()].every(Boolean);
    if (!isValid) return;
    setBusy(true);
    try {
      if ((await props.act(proofOf(form.values, stepUp))) === false) return;
    } catch (error) {
      // Reason: refusals and network failures are shown at the field or as a notice.
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
