import type { ReactNode } from 'react';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
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

/** Fields and the button that sends them: a refusal is shown at its field, or as a notice when it has none. */
export function ActForm({ form, act, onDone, isBusy, button, className, children }: ActFormProps) {
  const submit = async () => {
    if (!form.check()) return;
    try {
      await act();
    } catch (error) {
      // Reason: refused, or not come through; shown at its field or as a notice.
      if (!form.refuse(error)) notify.failure(error);
      return;
    }
    onDone();
  };
  return (
    <form
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      <Button type="submit" size="l" wide busy={isBusy}>
        {button}
      </Button>
    </form>
  );
}
