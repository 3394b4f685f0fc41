/** JSON with keys in alphabetical order and nothing between tokens. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalText(field)}`).join(',')}}`;
}

/** What the code of a call is bound to: its path and those of its fields that say what is done. */
export function actText(
  path: string,
  names: readonly string[],
  fields: Readonly<Record<string, unknown>>,
): string {
  return `${path} ${boundText(names, fields)}`;
}

/** What a mailed code is bound to: the fields named, as one text; the same however a number is spelled. */
export function boundText(names: readonly string[], fields: Readonly<Record<string, unknown>>): string {
  // A decimal writes itself as its shortest text.
  return JSON.stringify(names.map((name) => fields[name] ?? null));
}
