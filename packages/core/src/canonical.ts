/** JSON with keys in alphabetical order and without whitespace. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalText(field)}`).join(',')}}`;
}

/**
 * The text to which a mailed code for one endpoint is bound: the request path, and the values of the named
 * fields (`boundText`).
 */
export function actText(
  path: string,
  names: readonly string[],
  fields: Readonly<Record<string, unknown>>,
): string {
  return `${path} ${boundText(names, fields)}`;
}

/**
 * The values of the named request fields in order, as JSON; a missing field is null. Equal decimals give
 * equal texts.
 */
export function boundText(names: readonly string[], fields: Readonly<Record<string, unknown>>): string {
  // Serialising a decimal removes trailing zeros.
  return JSON.stringify(names.map((name) => fields[name] ?? null));
}
