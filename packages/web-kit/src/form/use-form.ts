import type { Refusal } from '@exchange/core/refusal.ts';
import { useState } from 'react';
import { CallRefused } from '../api/client.ts';
import { labelText, refusalText } from '../i18n/words.ts';

type ProblemsOf<Form> = { readonly [Field in keyof Form]?: Refusal };

/** A form on screen: its values, and the problems of those fields that have been left or sent. */
export interface FormState<Form extends object> {
  readonly values: Form;
  readonly set: <Field extends keyof Form>(field: Field, value: Form[Field]) => void;
  /** The person has left the field: its problem may be shown. */
  readonly leave: (field: keyof Form) => void;
  readonly errorOf: (field: keyof Form) => string | undefined;
  /** Shows all problems; gives whether there are none. */
  readonly check: () => boolean;
  /** Shows one field's problem; gives whether there is none. */
  readonly checkField: (field: keyof Form) => boolean;
  /** Puts a server's refusal to the field it is about; gives whether there was one. */
  readonly refuse: (error: unknown) => boolean;
  readonly reset: (values: Form) => void;
}

/** Draws a form model: `problems` is asked at every rendering. */
export function useForm<Form extends object>(
  initial: Form,
  problems: (values: Form) => ProblemsOf<Form>,
): FormState<Form> {
  const [values, setValues] = useState(initial);
  const [shown, setShown] = useState<ReadonlySet<keyof Form>>(new Set());
  const [refused, setRefused] = useState<Partial<Record<keyof Form, string>>>({});
  const found = problems(values);

  const show = (fields: Iterable<keyof Form>) => setShown((before) => new Set([...before, ...fields]));
  return {
    values,
    set: (field, value) => {
      setValues((before) => ({ ...before, [field]: value }));
      setRefused((before) => ({ ...before, [field]: undefined }));
    },
    leave: (field) => {
      if (values[field] !== '') show([field]);
    },
    errorOf: (field) => {
      const problem = found[field];
      if (problem !== undefined && shown.has(field)) return refusalText(problem);
      return refused[field];
    },
    check: () => {
      show(Object.keys(values) as (keyof Form)[]);
      return Object.keys(found).length === 0;
    },
    checkField: (field) => {
      show([field]);
      return found[field] === undefined;
    },
    refuse: (error) => {
      if (!(error instanceof CallRefused) || error.field === undefined || !(error.field in values))
        return false;
      setRefused((before) => ({ ...before, [error.field as string]: labelText(error.message) }));
      return true;
    },
    reset: (next) => {
      setValues(next);
      setShown(new Set());
      setRefused({});
    },
  };
}
