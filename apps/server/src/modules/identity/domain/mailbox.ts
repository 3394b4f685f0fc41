/** Providers that ignore dots in the local part. */
const IGNORES_DOTS: ReadonlyMap<string, string> = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/**
 * The mailbox that an address in its stored spelling leads to: without a tag behind `+`, and without the dots that its
 * provider ignores. For comparing people; nothing is sent to it.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [local = ''] = email.slice(0, at).split('+');
  const provider = IGNORES_DOTS.get(domain);
  return provider === undefined ? `${local}@${domain}` : `${local.replaceAll('.', '')}@${provider}`;
}
