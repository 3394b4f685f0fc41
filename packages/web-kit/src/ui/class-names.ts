/** Joins class names, ignoring empty and missing ones. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}
