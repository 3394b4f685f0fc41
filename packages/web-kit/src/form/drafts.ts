import { onUserChange } from '../session/user-keys.ts';

/**
 * Drafts: unsent form input that the page stores, so that a user who leaves a screen and returns finds it again. Drafts
 * exist only in the memory of the tab; all are removed when a user signs in or out in any tab.
 */

/** Names of fields that hold secrets; drafts never contain these fields. */
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

/** Names of the fields of a form that may be stored as a draft: text fields that contain no password or code. */
export type DraftField<Form> = Exclude<
  { [Field in keyof Form]: Form[Field] extends string ? Field : never }[keyof Form] & string,
  ProofField
>;

/** The fields of a form that are kept as a draft; `name` is unique to the form. */
export interface Draft<Form> {
  readonly name: string;
  readonly fields: readonly DraftField<Form>[];
}

const drafts = new Map<string, Map<string, string>>();

/** Removes the drafts of all forms; called when a user signs in or out. */
export function removeDrafts(): void {
  drafts.clear();
}

onUserChange(removeDrafts);

/** Returns the initial values of a form, overwritten by those values that its draft in memory contains. */
export function withDraft<Form extends object>(initial: Form, draft: Draft<Form> | undefined): Form {
  const stored = draft === undefined ? undefined : drafts.get(draft.name);
  if (draft === undefined || stored === undefined) return initial;
  const typed = draft.fields.flatMap((field) => (stored.has(field) ? [[field, stored.get(field)]] : []));
  return { ...initial, ...(Object.fromEntries(typed) as Partial<Form>) };
}

/**
 * Keeps the value of a form field in the form's draft, which is in memory only, if the draft includes the
 * field.
 */
export function storeDraft<Form>(draft: Draft<Form> | undefined, field: keyof Form, value: unknown): void {
  const name = draft?.fields.find((draftField) => draftField === field);
  if (draft === undefined || name === undefined || typeof value !== 'string') return;
  const stored = drafts.get(draft.name) ?? new Map<string, string>();
  stored.set(name, value);
  drafts.set(draft.name, stored);
}

/** Removes the draft of a form; called after the form was sent or emptied. */
export function removeDraft(draft: { readonly name: string } | undefined): void {
  if (draft !== undefined) drafts.delete(draft.name);
}
