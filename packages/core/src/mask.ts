/**
 * Masks an email address for display: first 4 characters, `***`, last 4. An address shorter than 9 characters
 * shows only its first and its last 4.
 */
export function maskEmail(email: string): string {
  const leading = email.length < 9 ? 1 : 4;
  return `${email.slice(0, leading)}***${email.slice(-4)}`;
}
