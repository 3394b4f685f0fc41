import { useState, type ReactNode } from 'react';
import { failureText } from '../notify.ts';
import { SessionChanged } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import fieldCss from '../ui/field.module.css';
import type { FormState } from './use-form.ts';

interface ActFormProps {
  form: Pick<FormState<object>, 'check' | 'refuse'>;
  /** Submits the form; called only if all fields are valid. */
  act: () => Promise<unknown>;
  onDone: () => void;
  isBusy: boolean;
  button: string;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A form with its submit button. A refusal is shown at its field; a refusal without a field and a network failure are
 * shown above the button until the user submits again or changes a field. Nothing is shown if the session has ended
 * meanwhile.
 */
export function SubmitForm({ form, act, onDone, isBusy, button, className, children }: ActFormProps) {
  const [failure, setFailure] = useState<string>();
  const clearFailure = (): void => setFailure(undefined);
  const submit = async () => {
    clearFailure();
    if (!form.check()) return;
    try {
      await act();
    } catch (error) {
      // If the session has ended before the response arrives, the failure is not shown.
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

/**
 * Alert in a form that says why submitting failed, for reasons that belong to no field; renders nothing while `text` is
 * undefined.
 */
export function FormAlert({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className={fieldCss.error} role="alert">
      {text}
    </p>
  );
}
