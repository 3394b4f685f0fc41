/** Mail domains whose provider ignores dots before the `@`, each with the provider's canonical domain. */
const IGNORES_DOTS: ReadonlyMap<string, string> = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/**
 * Canonical mailbox of a normalized email address: without the tag after `+`. If the provider ignores dots,
 * also without dots and with the provider's canonical domain. It is only for recognizing equal mailboxes; no
 * mail is sent to it.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [local = ''] = email.slice(0, at).split('+');
  const provider = IGNORES_DOTS.get(domain);
  return provider === undefined ? `${local}@${domain}` : `${local.replaceAll('.', '')}@${provider}`;
}
