import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { CODE_TYPES, sendEmailCode } from '@exchange/wire/user.ts';
import { call, formOf } from './client.ts';

/**
 * Mails a code that confirms `act` with these fields alone. Gives the wait for the next, in seconds.
 * Fields that the code is not bound to are not sent; one that is changed later needs another code.
 */
export async function mailActCode(
  email: string,
  act: Endpoint,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const { mailCode, mailCodeBinds = [] } = act.access;
  if (mailCode === undefined) throw new Error(`${act.path} takes no code`);
  const bound = new Set<string>(mailCodeBinds);
  const about = formOf(
    Object.fromEntries(Object.entries(fields).filter(([name]) => bound.has(name))),
  ).toString();
  const { wait } = await call(sendEmailCode, {
    email,
    type: CODE_TYPES[mailCode],
    act: act.path,
    about: about === '' ? null : about,
  });
  return wait;
}
