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
  /** Content above the confirmation fields that describes the effect of the action; may contain input fields. */
  readonly consequence: ReactNode;
  readonly button: string;
  readonly look?: 'primary' | 'danger';
  /** True disables the submit button, for example while a product is sold out or a required box is not checked. */
  readonly isIdle?: boolean;
  /**
   * Step-up proofs, such as the trade password or the email code, that the endpoint requires in addition to the
   * session.
   */
  readonly stepUp?: readonly StepUpProof[];
  /** Hint that is shown below the trade password field. */
  readonly passwordHint?: ReactNode;
  /**
   * Sends the email code; resolves to the number of seconds until another code may be sent. Required when `stepUp`
   * contains `code`.
   */
  readonly sendCode?: () => Promise<number>;
  /**
   * The endpoint and the request fields to which a confirmation is bound; if given, the user can confirm with a passkey
   * instead of the codes.
   */
  readonly confirms?: ConfirmedCall;
  /**
   * Called before the email code is sent: validates the fields to which the code will be bound and shows their errors.
   * Returns whether all are valid.
   */
  readonly canSend?: () => boolean;
  /** Label of the email code field, for forms with several of them. */
  readonly codeLabel?: string;
  /** True if the field accepts a recovery code as well as an authenticator code. */
  readonly takesRecovery?: boolean;
  /** Validates the input fields within `consequence` and shows their errors. Returns whether all fields are valid. */
  readonly check?: () => boolean;
  /**
   * Shows a refusal at the input field within `consequence` to which it belongs. Returns false if it belongs to none of
   * these fields.
   */
  readonly refuse?: (error: unknown) => boolean;
  /**
   * Performs the action with the step-up proofs, which are keyed by the endpoint's field names. Resolves to false when
   * the action failed and the user has already been shown the reason.
   */
  readonly act: (proof: StepUpAnswer) => Promise<unknown>;
  readonly onDone: () => void;
  /** The button that leaves the form without performing the action; without `back` the form has no such button. */
  readonly back?: { readonly label: string; readonly onPress: () => void };
}

const always = (): boolean => true;
const NONE: readonly StepUpProof[] = [];

/**
 * Form that describes an action, collects the step-up proofs for it and performs it. A refusal is shown at the field to
 * which it belongs, otherwise in a notification.
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
    // Validates the fields of `consequence` and the proof fields. Both are always validated, so that the errors of all
    // fields are shown at once.
    const isValid = [props.check?.() ?? true, form.check()].every(Boolean);
    if (!isValid) return;
    setBusy(true);
    try {
      if ((await props.act(await prove())) === false) return;
    } catch (error) {
      // A refusal is shown at its field; a refusal without a field and a network failure are shown in a notification.
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
