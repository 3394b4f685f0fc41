import type { Refusal } from '@exchange/core/refusal.ts';
import { useEffect, useRef, useState } from 'react';
import { CallRefused } from '../api/client.ts';
import { labelText, refusalText } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { removeDraft, storeDraft, withDraft, type Draft } from './drafts.ts';

/** The part of a form's state that a group of its text fields needs. */
export interface FormPart<Field extends string> {
  readonly values: Readonly<Record<Field, string>>;
  readonly set: (field: Field, value: string) => void;
  /** Shows the error of a field that is not empty; called when the user leaves the field. */
  readonly leave: (field: Field) => void;
  readonly errorOf: (field: Field) => string | undefined;
  /** Shows a field's error; returns whether the field is valid. */
  readonly checkField: (field: Field) => boolean;
}

const INVALID = '[aria-invalid="true"]';

type ProblemsOf<Form> = { readonly [Field in keyof Form]?: Refusal };

/** State of a form: its values, and the errors of fields that the user has left or submitted. */
export interface FormState<Form extends object> {
  readonly values: Form;
  readonly set: <Field extends keyof Form>(field: Field, value: Form[Field]) => void;
  /** Shows the error of a field that is not empty; called when the user leaves the field. */
  readonly leave: (field: keyof Form) => void;
  readonly errorOf: (field: keyof Form) => string | undefined;
  /** Shows the errors of all fields; returns whether there are none. */
  readonly check: () => boolean;
  /** Shows a field's error; returns whether the field is valid. */
  readonly checkField: (field: keyof Form) => boolean;
  /**
   * Shows a server's refusal at its field, or as a notice when no field of the page shows an error then. Returns false
   * for other errors, and when the refusal names no field of the form.
   */
  readonly refuse: (error: unknown) => boolean;
  readonly reset: (values: Form) => void;
  /** Removes the stored draft after a submission. The values on screen stay. */
  readonly removeDraft: () => void;
}

/**
 * State of a form. `problems` validates the values and is called on every render. With a `draft`, the form
 * starts with previously typed and unsent values until `reset` or `removeDraft`.
 */
export function useForm<Form extends object>(
  initial: Form,
  problems: (values: Form) => ProblemsOf<Form>,
  draft?: Draft<NoInfer<Form>>,
): FormState<Form> {
  const [values, setValues] = useState(() => withDraft(initial, draft));
  const [shownFields, setShownFields] = useState<ReadonlySet<keyof Form>>(new Set());
  const [refused, setRefused] = useState<Partial<Record<keyof Form, string>>>({});
  const fieldProblems = problems(values);
  const focusFirstProblem = useFirstProblem();

  const show = (fields: Iterable<keyof Form>) =>
    setShownFields((previous) => new Set([...previous, ...fields]));
  return {
    values,
    set: (field, value) => {
      storeDraft(draft, field, value);
      setValues((previous) => ({ ...previous, [field]: value }));
      setRefused((previous) => ({ ...previous, [field]: undefined }));
    },
    leave: (field) => {
      if (values[field] !== '') show([field]);
    },
    errorOf: (field) => {
      const problem = fieldProblems[field];
      if (problem !== undefined && shownFields.has(field)) return refusalText(problem);
      return refused[field];
    },
    check: () => {
      show(Object.keys(values) as (keyof Form)[]);
      const isSound = Object.keys(fieldProblems).length === 0;
      focusFirstProblem(!isSound);
      return isSound;
    },
    checkField: (field) => {
      show([field]);
      focusFirstProblem(fieldProblems[field] !== undefined);
      return fieldProblems[field] === undefined;
    },
    refuse: (error) => {
      if (!(error instanceof CallRefused) || error.field === undefined || !(error.field in values))
        return false;
      focusFirstProblem(true, () => notify.failure(error));
      setRefused((previous) => ({ ...previous, [error.field as string]: labelText(error.message) }));
      return true;
    },
    reset: (next) => {
      removeDraft(draft);
      setValues(next);
      setShownFields(new Set());
      setRefused({});
    },
    removeDraft: () => removeDraft(draft),
  };
}

/**
 * Returns a function that moves the focus to the form's first invalid field after the next render, if its first argument
 * is true; `onNoField` is called if the page has no invalid field then. A refusal arrives when the pressed button has lost
 * the focus, so the form of the last check is used.
 */
export function useFirstProblem(): (shouldFocus: boolean, onNoField?: () => void) => void {
  const place = useRef<Element | null>(null);
  const request = useRef<{ readonly onNoField: (() => void) | undefined } | undefined>(undefined);
  useEffect(() => {
    const current = request.current;
    if (current === undefined) return;
    request.current = undefined;
    // Not every browser focuses a pressed button, so the active element may be outside of the form.
    const form = place.current ?? document.querySelector('[role="dialog"]') ?? document;
    form.querySelector<HTMLElement>(INVALID)?.focus();
    if (document.querySelector(INVALID) === null) current.onNoField?.();
  });
  return (shouldFocus, onNoField) => {
    place.current = document.activeElement?.closest('form, [role="dialog"]') ?? place.current;
    request.current = shouldFocus ? { onNoField } : undefined;
  };
}
