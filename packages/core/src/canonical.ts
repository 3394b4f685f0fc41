/** JSON with keys in alphabetical order and without whitespace. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalText(field)}`).join(',')}}`;
}

/**
 * The text that a verification code is bound to: the path of the call and the fields that define the action.
 */
export function actText(
  path: string,
  names: readonly string[],
  fields: Readonly<Record<string, unknown>>,
): string {
  return `${path} ${boundText(names, fields)}`;
}

/**
 * The text that a mailed code is bound to: the values of the named fields in order. Equal decimals give equal
 * texts.
 */
export function boundText(names: readonly string[], fields: Readonly<Record<string, unknown>>): string {
  // Decimal.toJSON gives the shortest notation.
  return JSON.stringify(names.map((name) => fields[name] ?? null));
}
