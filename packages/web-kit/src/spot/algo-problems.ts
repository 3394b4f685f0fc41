import type { Refusal } from '@exchange/core/refusal.ts';
import type { Result } from '@exchange/core/result.ts';

/**
 * Returns the refusals among the typed values of a form, by field. A value is undefined if its field is
 * optional and empty.
 */
export function refusedFields<Field extends string>(
  typed: Readonly<Record<Field, Result<unknown, Refusal> | undefined>>,
): { readonly [Name in Field]?: Refusal } {
  const problems: { [Name in Field]?: Refusal } = {};
  for (const field of Object.keys(typed) as Field[]) {
    const value = typed[field];
    if (value?.ok === false) problems[field] = value.refusal;
  }
  return problems;
}

/**
 * Returns the refusal under the form field that it names, or under `otherwise` if the refusal names none of the form's
 * `fields`.
 */
export function refusalAt<Field extends string>(
  problem: Refusal,
  fields: readonly Field[],
  otherwise: Field,
): { readonly [Name in Field]?: Refusal } {
  const field = fields.find((name) => name === problem.parameters['field']) ?? otherwise;
  return { [field]: problem } as { readonly [Name in Field]?: Refusal };
}
