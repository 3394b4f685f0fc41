import { onUserChange } from '../session/own-key.ts';

/**
 * What somebody has typed into a form and not sent, so that leaving the screen and coming back loses nothing. Drafts
 * live in the page's memory: they end with the tab, and as soon as somebody signs in or out, in whichever tab.
 */

/** The names of fields that prove something. Their values are in no draft, whatever a form says. */
type ProofField =
  | 'password'
  | 'confirmPassword'
  | 'oldPassword'
  | 'newPassword'
  | 'assetsPwd'
  | 'oldAssetsPwd'
  | 'confirmAssetsPwd'
  | 'code'
  | 'newCode'
  | 'googleCode';

/** The fields of a form whose values may be stored as a draft: texts that prove nothing. */
export type DraftField<Form> = Exclude<
  { [Field in keyof Form]: Form[Field] extends string ? Field : never }[keyof Form] & string,
  ProofField
>;

/** Which fields of a form are stored, under a name that is the form's own. */
export interface Draft<Form> {
  readonly name: string;
  readonly fields: readonly DraftField<Form>[];
}

const drafts = new Map<string, Map<string, string>>();

/** Removes all drafts of the page, as when somebody signs in or out. */
export function removeDrafts(): void {
  drafts.clear();
}

onUserChange(removeDrafts);

/** Returns `initial` with the values that were typed before and not sent; those that are not stored stay. */
export function withDraft<Form extends object>(initial: Form, draft: Draft<Form> | undefined): Form {
  const stored = draft === undefined ? undefined : drafts.get(draft.name);
  if (draft === undefined || stored === undefined) return initial;
  const typed = draft.fields.flatMap((field) => (stored.has(field) ? [[field, stored.get(field)]] : []));
  return { ...initial, ...(Object.fromEntries(typed) as Partial<Form>) };
}

/** Stores what was typed into a field, where it belongs to the draft. */
export function storeDraft<Form>(draft: Draft<Form> | undefined, field: keyof Form, value: unknown): void {
  const name = draft?.fields.find((known) => known === field);
  if (draft === undefined || name === undefined || typeof value !== 'string') return;
  const stored = drafts.get(draft.name) ?? new Map<string, string>();
  stored.set(name, value);
  drafts.set(draft.name, stored);
}

/** Removes a draft: it was sent, or its form emptied. */
export function removeDraft(draft: { readonly name: string } | undefined): void {
  if (draft !== undefined) drafts.delete(draft.name);
}
