import type { Caller } from '../../platform/http/route.ts';
import { addressGroup } from '../../platform/limits/address-group.ts';
import type { Purpose } from './domain/mailed-code.ts';
import type { IdentityParts } from './parts.ts';

/** Mails a code to an address in its stored spelling; the answer is the same whoever has it. */
export async function sendCode(
  parts: IdentityParts,
  email: string,
  purpose: Purpose,
  { locale, address }: Caller,
): Promise<{ wait: number }> {
  const isKnown = (await parts.accounts.byEmail(email)) !== undefined;
  return parts.codes.send({ email, purpose, locale, origin: addressGroup(address), isKnown });
}
