/** Joins class names, leaving out what is missing. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}
