import { useState, type ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { confirmByPasskey, type ConfirmedCall } from './passkey-ceremony.ts';
import { PasskeyOrCodes } from './passkey-or-codes.tsx';
import { Button } from '../ui/button.tsx';
import css from './confirm-form.module.css';
import { AuthenticatorCode } from './authenticator-code.tsx';
import { MailedCode } from './mailed-code.tsx';
import { SixDigits } from './six-digits.tsx';
import {
  NO_PROOF,
  proofOf,
  stepUpProblems,
  type StepUp,
  type StepUpAnswer,
  type StepUpProof,
} from './step-up.ts';
import { useForm } from './use-form.ts';

interface ConfirmFormProps {
  /** Describes the effect of the action in words and figures; may contain input fields. */
  readonly consequence: ReactNode;
  readonly button: string;
  readonly look?: 'primary' | 'danger';
  /** True disables the submit button because there is nothing to submit. */
  readonly isIdle?: boolean;
  /** Step-up proofs that the endpoint requires in addition to the session. */
  readonly stepUp?: readonly StepUpProof[];
  /** Hint below the trade password field. */
  readonly passwordHint?: ReactNode;
  /** Sends the email code and returns the seconds until another may be sent. Required when `stepUp` contains `code`. */
  readonly sendCode?: () => Promise<number>;
  /**
   * The call that a confirmation is for, with the fields to which it is bound; if given, a passkey can
   * replace the codes.
   */
  readonly confirms?: ConfirmedCall;
  /** Validates the form fields to which the email code will be bound, and shows their errors. */
  readonly canSend?: () => boolean;
  /** Label of the email code field if a form has several. */
  readonly codeLabel?: string;
  /** Whether a recovery code is accepted instead of an authenticator code. */
  readonly takesRecovery?: boolean;
  /**
   * Validates the input fields within `consequence` and shows their errors. Returns whether all are valid.
   */
  readonly check?: () => boolean;
  /** Shows a refusal at an input field within `consequence`. Returns false if it belongs to none of them. */
  readonly refuse?: (error: unknown) => boolean;
  /**
   * Performs the action with the step-up proofs, keyed by the endpoint's field names. Resolves to false when
   * it was not done and the reason has been shown.
   */
  readonly act: (proof: StepUpAnswer) => Promise<unknown>;
  readonly onDone: () => void;
  /** A cancel button; bottom sheets have a close button of their own. */
  readonly back?: { readonly label: string; readonly onPress: () => void };
}

const always = (): boolean => true;
const NONE: readonly StepUpProof[] = [];

/**
 * Form that describes an action, collects its step-up proofs and performs it. A refusal is shown at its field
 * or as a notification.
 */
export function ConfirmForm(props: ConfirmFormProps) {
  const { stepUp = NONE, look = 'primary', back, sendCode } = props;
  const t = useWords('fields');
  const [isBusy, setBusy] = useState(false);
  const [isByPasskey, setByPasskey] = useState(false);
  const typed = isByPasskey ? stepUp.filter((proof) => proof !== 'code') : stepUp;
  const form = useForm<StepUp>(NO_PROOF, (values) => stepUpProblems(values, typed));
  const prove = async (): Promise<StepUpAnswer> => {
    const proof = proofOf(form.values, typed);
    if (!isByPasskey || props.confirms === undefined) return proof;
    return { ...proof, passkey: await confirmByPasskey(props.confirms) };
  };
  const submit = async () => {
    if (isBusy) return;
    // Both validations run, so that all errors are shown at once.
    const isValid = [props.check?.() ?? true, form.check()].every(Boolean);
    if (!isValid) return;
    setBusy(true);
    try {
      if ((await props.act(await prove())) === false) return;
    } catch (error) {
      // Refusals and network failures are shown at the field or as a notification.
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
        <Codes isByPasskey={isByPasskey} onChange={setByPasskey} canUsePasskey={props.confirms !== undefined}>
          <MailedCode form={form} send={sendCode} label={props.codeLabel} isReady={props.canSend ?? always} />
          <AuthenticatorCode form={form} takesRecovery={props.takesRecovery ?? false} />
        </Codes>
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

interface CodesProps {
  readonly isByPasskey: boolean;
  readonly onChange: (isByPasskey: boolean) => void;
  readonly canUsePasskey: boolean;
  readonly children: ReactNode;
}

function Codes({ canUsePasskey, children, ...choice }: CodesProps) {
  return canUsePasskey ? <PasskeyOrCodes {...choice}>{children}</PasskeyOrCodes> : children;
}
