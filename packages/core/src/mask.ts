/**
 * How an e-mail address is shown back: first 4 characters, `***`, last 4. Where that would give away
 * nearly the whole address (fewer than 9 characters in all), the first 1 and the last 4.
 */
export function maskEmail(email: string): string {
  const leading = email.length < 9 ? 1 : 4;
  return `${email.slice(0, leading)}***${email.slice(-4)}`;
}
