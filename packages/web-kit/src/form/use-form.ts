import type { Refusal } from '@exchange/core/refusal.ts';
import { useEffect, useRef, useState } from 'react';
import { CallRefused } from '../api/client.ts';
import { labelText, refusalText } from '../i18n/words.ts';
import { removeDraft, storeDraft, withDraft, type Draft } from './drafts.ts';

/** The part of a form that some of its text fields make up: what a group of fields needs to know of it. */
export interface FormPart<Field extends string> {
  readonly values: Readonly<Record<Field, string>>;
  readonly set: (field: Field, value: string) => void;
  /** The person has left the field: its problem may be shown. */
  readonly leave: (field: Field) => void;
  readonly errorOf: (field: Field) => string | undefined;
  /** Shows one field's problem; gives whether there is none. */
  readonly checkField: (field: Field) => boolean;
}

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
  /** Removes the draft of what was typed, once it was sent. The form on screen stays as it is. */
  readonly removeDraft: () => void;
}

/**
 * The state of a form on screen. `problems` is called at every rendering. With a `draft`, the form begins with what was
 * typed into it before and not sent, until `reset` or `removeDraft`.
 */
export function useForm<Form extends object>(
  initial: Form,
  problems: (values: Form) => ProblemsOf<Form>,
  draft?: Draft<NoInfer<Form>>,
): FormState<Form> {
  const [values, setValues] = useState(() => withDraft(initial, draft));
  const [shown, setShown] = useState<ReadonlySet<keyof Form>>(new Set());
  const [refused, setRefused] = useState<Partial<Record<keyof Form, string>>>({});
  const found = problems(values);
  const toFirstProblem = useFirstProblem();

  const show = (fields: Iterable<keyof Form>) => setShown((before) => new Set([...before, ...fields]));
  return {
    values,
    set: (field, value) => {
      storeDraft(draft, field, value);
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
      const isSound = Object.keys(found).length === 0;
      toFirstProblem(!isSound);
      return isSound;
    },
    checkField: (field) => {
      show([field]);
      toFirstProblem(found[field] !== undefined);
      return found[field] === undefined;
    },
    refuse: (error) => {
      if (!(error instanceof CallRefused) || error.field === undefined || !(error.field in values))
        return false;
      toFirstProblem(true);
      setRefused((before) => ({ ...before, [error.field as string]: labelText(error.message) }));
      return true;
    },
    reset: (next) => {
      removeDraft(draft);
      setValues(next);
      setShown(new Set());
      setRefused({});
    },
    removeDraft: () => removeDraft(draft),
  };
}

/**
 * Leads whoever has sent a form to its first problem, which may lie out of sight. A refusal comes when the button that was pressed
 * has no focus any more, so the form is the one of the last check.
 */
export function useFirstProblem(): (isAsked: boolean) => void {
  const place = useRef<Element | null>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    if (!isAsked.current) return;
    isAsked.current = false;
    // Not every browser gives a pressed button the focus.
    const form = place.current ?? document.querySelector('[role="dialog"]') ?? document;
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
  return (asked) => {
    place.current = document.activeElement?.closest('form, [role="dialog"]') ?? place.current;
    isAsked.current = asked;
  };
}
