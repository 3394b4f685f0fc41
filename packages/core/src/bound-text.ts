/** What a mailed code is bound to: the fields named, as one text; the same however a number is spelled. */
export function boundText(names: readonly string[], fields: Readonly<Record<string, unknown>>): string {
  // A decimal writes itself as its shortest text.
  return JSON.stringify(names.map((name) => fields[name] ?? null));
}
