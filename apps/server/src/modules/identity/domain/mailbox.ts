/** Mail providers that ignore dots in the local part, with their canonical domain. */
const IGNORES_DOTS: ReadonlyMap<string, string> = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/**
 * Canonical mailbox of a normalised address: without the `+` tag, and without dots if the provider ignores them. For
 * comparing users only; never send mail to it.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [local = ''] = email.slice(0, at).split('+');
  const provider = IGNORES_DOTS.get(domain);
  return provider === undefined ? `${local}@${domain}` : `${local.replaceAll('.', '')}@${provider}`;
}
