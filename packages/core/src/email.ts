const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

/**
 * Returns an email address in the canonical spelling in which addresses are stored and compared: Unicode NFKC, trimmed,
 * lower case. Returns undefined for a text that is no email address with a domain, and for an address longer than 254
 * characters.
 */
export function normaliseEmail(text: string): string | undefined {
  const address = text.normalize('NFKC').trim().toLowerCase();
  return address.length <= 254 && ADDRESS.test(address) ? address : undefined;
}
