import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { CODE_TYPES, sendEmailCode } from '@exchange/wire/user.ts';
import { call, toFormData } from './client.ts';

/**
 * Requests an email code that confirms the action `act` with these field values only, and returns the seconds
 * until another code may be requested. Only fields to which the code is bound are sent; a later change of one
 * of them requires another code.
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

/** The fields of an action to which its confirmation code is bound, form-encoded; null without any. */
export function boundText(act: Endpoint, fields: Readonly<Record<string, unknown>>): string | null {
  const boundFields = new Set<string>(act.access.mailCodeBinds ?? []);
  const about = toFormData(
    Object.fromEntries(Object.entries(fields).filter(([name]) => boundFields.has(name))),
  ).toString();
  return about === '' ? null : about;
}
