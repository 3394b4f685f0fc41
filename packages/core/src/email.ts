const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

/**
 * The canonical spelling of an email address, under which it is stored, compared and counted: Unicode NFKC,
 * trimmed, lower case. Returns undefined for text that is not an email address with a domain, and for
 * addresses longer than 254 characters.
 */
export function normaliseEmail(text: string): string | undefined {
  const address = text.normalize('NFKC').trim().toLowerCase();
  return address.length <= 254 && ADDRESS.test(address) ? address : undefined;
}
