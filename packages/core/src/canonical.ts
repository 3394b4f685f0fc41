/**
 * Returns the JSON text of a value, with the keys of objects in alphabetical order and without whitespace. The value
 * must be plain JSON: `toJSON` is not called, and a field that is undefined is not left out.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalText(field)}`).join(',')}}`;
}

/**
 * The text that identifies a request, and to which the server binds a mailed code: the request path and the values of
 * the named fields (`boundText`).
 */
export function actText(
  path: string,
  names: readonly string[],
  fields: Readonly<Record<string, unknown>>,
): string {
  return `${path} ${boundText(names, fields)}`;
}

/**
 * Returns the values of the named request fields, in this order, as a JSON array. A missing field is null.
 * Fields of type `Decimal` with equal values result in equal text; texts such as `1.0` and `1` do not.
 */
export function boundText(names: readonly string[], fields: Readonly<Record<string, unknown>>): string {
  // A `Decimal` serializes without trailing zeros, so equal values have equal text.
  return JSON.stringify(names.map((name) => fields[name] ?? null));
}
