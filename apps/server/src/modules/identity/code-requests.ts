import type { DataOf, FieldsOf } from '@exchange/wire/endpoint.ts';
import type * as wire from '@exchange/wire/user.ts';
import { addressGroup } from '../../platform/http/address.ts';
import type { Caller } from '../../platform/http/route.ts';
import { purposeOf, type Purpose } from './domain/mailed-code.ts';
import { addressIn } from './email-field.ts';
import type { IdentityParts } from './parts.ts';

/** Mails a code for the purpose that the caller names. */
export function sendCode(
  parts: IdentityParts,
  fields: FieldsOf<typeof wire.sendEmailCode>,
  caller: Caller,
): Promise<DataOf<typeof wire.sendEmailCode>> {
  return sendCodeTo(parts, addressIn(fields.email), purposeOf(fields.type), caller);
}

/** Mails a code to an address in its stored spelling; the answer is the same whoever has it. */
export async function sendCodeTo(
  parts: IdentityParts,
  email: string,
  purpose: Purpose,
  caller: Caller,
): Promise<{ wait: number }> {
  const isKnown = (await parts.accounts.byEmail(email)) !== undefined;
  const origin = addressGroup(caller.address);
  return parts.codes.send({ email, purpose, locale: caller.locale, origin, isKnown });
}
