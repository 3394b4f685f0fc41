import { useState, type ReactNode } from 'react';
import { failureText } from '../notify.ts';
import { SessionChanged } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import fieldCss from '../ui/field.module.css';
import type { FormState } from './use-form.ts';

interface ActFormProps {
  form: Pick<FormState<object>, 'check' | 'refuse'>;
  /** Does what the form is for; only called when nothing on this device speaks against it. */
  act: () => Promise<unknown>;
  /** After the deed. */
  onDone: () => void;
  isBusy: boolean;
  /** What the button says. */
  button: string;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * Fields and the button that sends them. A refusal is shown at its field; one that is about no field, or a lost answer,
 * stays above the button until the next try or change.
 */
export function ActForm({ form, act, onDone, isBusy, button, className, children }: ActFormProps) {
  const [failure, setFailure] = useState<string>();
  const clearFailure = (): void => setFailure(undefined);
  const submit = async () => {
    clearFailure();
    if (!form.check()) return;
    try {
      await act();
    } catch (error) {
      // Reason: refused, or not come through; shown at its field or above the button.
      if (!(error instanceof SessionChanged) && !form.refuse(error)) setFailure(failureText(error));
      return;
    }
    onDone();
  };
  return (
    <form
      className={className}
      noValidate
      onChange={clearFailure}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      <FormAlert text={failure} />
      <Button type="submit" size="l" wide busy={isBusy}>
        {button}
      </Button>
    </form>
  );
}

/** Why a form was not sent where that is about none of its fields; draws nothing without a text. */
export function FormAlert({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className={fieldCss.error} role="alert">
      {text}
    </p>
  );
}
