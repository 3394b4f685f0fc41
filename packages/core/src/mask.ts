/**
 * Masks an email address for display: its first 4 characters, `***`, and its last 4. Of an address with fewer than 9
 * characters only the first character and the last 4 are shown, with `***` between them.
 */
export function maskEmail(email: string): string {
  const leading = email.length < 9 ? 1 : 4;
  return `${email.slice(0, leading)}***${email.slice(-4)}`;
}
