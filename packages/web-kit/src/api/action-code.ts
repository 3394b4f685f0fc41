import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { CODE_TYPES, sendEmailCode } from '@exchange/wire/user.ts';
import { call, toFormData } from './client.ts';

/**
 * Requests an emailed code that confirms the action `act` with the values of the bound fields, and returns
 * the seconds until another code may be requested. If the user then changes a bound field, another code is
 * needed. Fields that are not bound are not sent. Throws if the action is not confirmed by an emailed code.
 */
export async function sendActionCode(
  email: string,
  act: Endpoint,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const { mailCode } = act.access;
  if (mailCode === undefined) throw new Error(`${act.path} takes no code`);
  const { wait } = await call(sendEmailCode, {
    email,
    type: CODE_TYPES[mailCode],
    act: act.path,
    about: boundText(act, fields),
  });
  return wait;
}

/**
 * Returns the form-encoded fields to which the confirmation code of an action is bound; null if the code is bound to no
 * field.
 */
export function boundText(act: Endpoint, fields: Readonly<Record<string, unknown>>): string | null {
  const boundFields = new Set<string>(act.access.mailCodeBinds ?? []);
  const about = toFormData(
    Object.fromEntries(Object.entries(fields).filter(([name]) => boundFields.has(name))),
  ).toString();
  return about === '' ? null : about;
}
