const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

/**
 * The one spelling of an address under which it is stored, compared and counted: Unicode-composed,
 * trimmed, lower case. `undefined` when it is not an address we send mail to.
 */
export function normaliseEmail(text: string): string | undefined {
  const address = text.normalize('NFKC').trim().toLowerCase();
  return address.length <= 254 && ADDRESS.test(address) ? address : undefined;
}
