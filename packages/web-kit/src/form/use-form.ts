import type { Refusal } from '@exchange/core/refusal.ts';
import { useEffect, useRef, useState } from 'react';
import { CallRefused } from '../api/client.ts';
import { labelText, refusalText } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { removeDraft, storeDraft, withDraft, type Draft } from './drafts.ts';

/** The values, errors and handlers of some text fields of a form, for a component that renders only these fields. */
export interface FormPart<Field extends string> {
  readonly values: Readonly<Record<Field, string>>;
  readonly set: (field: Field, value: string) => void;
  /** To be called when the user leaves the field: shows the field's error unless the field is empty. */
  readonly leave: (field: Field) => void;
  readonly errorOf: (field: Field) => string | undefined;
  /** Shows a field's error, if it has one; returns whether the field is valid. */
  readonly checkField: (field: Field) => boolean;
}

const INVALID = '[aria-invalid="true"]';

type ProblemsOf<Form> = { readonly [Field in keyof Form]?: Refusal };

/** State of a form: its values, and the errors of those fields that the user has left or tried to submit. */
export interface FormState<Form extends object> {
  readonly values: Form;
  readonly set: <Field extends keyof Form>(field: Field, value: Form[Field]) => void;
  /** To be called when the user leaves the field: shows the field's error unless the field is empty. */
  readonly leave: (field: keyof Form) => void;
  readonly errorOf: (field: keyof Form) => string | undefined;
  /** Shows the errors of all fields; returns true if the form has no error. */
  readonly check: () => boolean;
  /** Shows a field's error, if it has one; returns whether the field is valid. */
  readonly checkField: (field: keyof Form) => boolean;
  /**
   * Shows a refusal of the server at its field, or in a notification if the page has no element that shows the field's
   * error. Returns true in both cases, and false for other errors and for refusals that name no field of the form.
   */
  readonly refuse: (error: unknown) => boolean;
  readonly reset: (values: Form) => void;
  /**
   * Removes the draft of the form from memory, for example after the form was submitted; the values on screen
   * do not change.
   */
  readonly removeDraft: () => void;
}

/**
 * State of a form. `problems` returns the validation errors of the values by field and is called on every
 * render. If `draft` is given, the values that the user types are kept in memory, and a form that is opened
 * again starts with them; `reset` and `removeDraft` remove these values.
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
 * Returns a function that moves the focus after the next render to the first invalid field of the form. It does nothing
 * if its first argument is false. If the page has no invalid field at that time, it calls `onNoField`. The form is the
 * one in which the focus last was, because the pressed button may have lost the focus before the server's refusal
 * arrives.
 */
export function useFirstProblem(): (shouldFocus: boolean, onNoField?: () => void) => void {
  const place = useRef<Element | null>(null);
  const request = useRef<{ readonly onNoField: (() => void) | undefined } | undefined>(undefined);
  useEffect(() => {
    const current = request.current;
    if (current === undefined) return;
    request.current = undefined;
    // Not every browser focuses a button when it is pressed, so the focused element may be outside the form; the open
    // dialog or the whole page is searched then.
    const form = place.current ?? document.querySelector('[role="dialog"]') ?? document;
    form.querySelector<HTMLElement>(INVALID)?.focus();
    if (document.querySelector(INVALID) === null) current.onNoField?.();
  });
  return (shouldFocus, onNoField) => {
    place.current = document.activeElement?.closest('form, [role="dialog"]') ?? place.current;
    request.current = shouldFocus ? { onNoField } : undefined;
  };
}
