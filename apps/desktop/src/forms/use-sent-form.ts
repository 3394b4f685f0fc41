import type { Refusal } from '@exchange/core/refusal.ts';
import { useForm } from '@exchange/web-kit/form/use-form.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import type { FormEvent } from 'react';

type ProblemsOf<Form> = { readonly [Field in keyof Form]?: Refusal };

/**
 * A form that is sent with a button: problems stand at their fields once a field was left or the button
 * pressed; a refusal of the server goes to its field, or into a toast where it is about none.
 */
export function useSentForm<Form extends object>(
  initial: Form,
  problemsOf: (form: Form) => ProblemsOf<Form>,
  send: (form: Form, fail: (error: unknown) => void) => void,
) {
  const state = useForm(initial, problemsOf);
  const fail = (error: unknown): void => {
    if (!state.refuse(error)) notify.failure(error);
  };
  return {
    form: state.values,
    checkField: state.checkField,
    submit: (event: FormEvent): void => {
      event.preventDefault();
      if (state.check()) send(state.values, fail);
    },
    /** Value, change, leaving and error of a field, for its input. */
    field: <Name extends keyof Form>(name: Name) => ({
      value: state.values[name],
      onChange: (value: Form[Name]) => state.set(name, value),
      onBlur: () => state.leave(name),
      error: state.errorOf(name),
    }),
  };
}
