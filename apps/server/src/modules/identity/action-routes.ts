import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { createApiKey, createWithdrawalKey } from '@exchange/wire/api-key.ts';
import { CONFIRMED_ENDPOINTS } from '@exchange/wire/confirmed-endpoints.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import * as wire from '@exchange/wire/user.ts';
import { addAddress, removeAddress, setWhitelist, submitWithdrawal } from '@exchange/wire/withdrawal.ts';
import * as z from 'zod/mini';
import { decodeFormText } from '../../platform/http/form.ts';
import { fieldRefusal } from '../../platform/http/problems.ts';
import type { Purpose } from './domain/mailed-code.ts';
import type { ConfirmedAction, ActionWords } from './confirmed-action.ts';
import type { BookedAddress, IdentityParts } from './parts.ts';
import type { ActionName } from './words/shape.ts';

/**
 * Names of requests in the mails with confirmation codes, by path of the endpoint. Not included are the switch of the
 * withdrawal whitelist, whose name depends on a field, and the removal of an address, whose name depends on stored
 * data. Codes for withdrawals are mailed by the withdrawals module.
 */
const NAMES: ReadonlyMap<string, ActionName> = new Map([
  [wire.updatePassword.path, 'changePassword'],
  [wire.setTradePassword.path, 'setTradePassword'],
  [wire.resetTradePassword.path, 'resetTradePassword'],
  [wire.bindGoogle.path, 'bindAuthenticator'],
  [wire.unbindGoogle.path, 'removeAuthenticator'],
  [wire.renewRecovery.path, 'renewRecovery'],
  [wire.addPasskey.path, 'addPasskey'],
  [wire.removePasskey.path, 'removePasskey'],
  [wire.updateEmail.path, 'changeEmail'],
  [wire.setAntiPhishing.path, 'setPhrase'],
  [createApiKey.path, 'createApiKey'],
  [createWithdrawalKey.path, 'createWithdrawalKey'],
  [addAddress.path, 'addAddress'],
]);

/** Endpoint that a mailed code confirms if the client does not send the field `act`, by purpose of the code. */
const BY_PURPOSE: ReadonlyMap<Purpose, Endpoint> = new Map<Purpose, Endpoint>([
  ['password', wire.updatePassword],
  ['tradePassword', wire.setTradePassword],
]);

/**
 * Returns the endpoint for which a code is requested and the fields that the code is bound to. Refuses an endpoint that
 * takes no code of this purpose, and a withdrawal, with `l.code_act`, and invalid fields with the endpoint's own
 * refusal.
 */
export function actionOf(purpose: Purpose, path: string | undefined, about = ''): ConfirmedAction {
  const endpoint = path === undefined ? BY_PURPOSE.get(purpose) : CONFIRMED_ENDPOINTS.get(path);
  // Codes for withdrawals are requested at an endpoint of their own, which resolves the withdrawal address.
  if (endpoint?.access.mailCode !== purpose || endpoint === submitWithdrawal) throw unknownAction();
  return boundFields(endpoint, about);
}

/**
 * Returns the endpoint that a passkey confirms and the fields that the confirmation is bound to. Refuses an endpoint
 * that needs no confirmation with `l.code_act`, and invalid fields with the endpoint's own refusal.
 */
export function confirmedAction(path: string, about = ''): ConfirmedAction {
  const endpoint = CONFIRMED_ENDPOINTS.get(path);
  if (endpoint === undefined) throw unknownAction();
  return boundFields(endpoint, about);
}

function unknownAction(): Refused {
  return new Refused(refusal('invalidField', 'l.code_act', { field: 'act' }));
}

function boundFields(endpoint: Endpoint, about: string): ConfirmedAction {
  const decoded = decodeFormText(about);
  if (!decoded.ok) throw new Refused(decoded.refusal);
  const { shape } = endpoint.fields as z.ZodMiniObject;
  const bound = (endpoint.access.mailCodeBinds ?? []).map((name) => [name, shape[name]!] as const);
  const checked = z.object(Object.fromEntries(bound)).safeParse(decoded.value);
  if (!checked.success) throw new Refused(fieldRefusal(checked.error.issues, decoded.value));
  return { endpoint, fields: checked.data };
}

/**
 * Name and parameters of the text with which the mail describes the request; undefined if the purpose of the code
 * describes it sufficiently. Refuses the removal of an unknown address with `l.not_found`.
 */
export async function actionWords(
  parts: Pick<IdentityParts, 'bookedAddress'>,
  userId: UserId,
  act: ConfirmedAction,
): Promise<ActionWords | undefined> {
  if (act.endpoint !== removeAddress) return wordsOfFields(act);
  const booked = await parts.bookedAddress(userId, String(act.fields['id']));
  if (booked === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return removalWords(booked);
}

function removalWords({ currency, network, address, memo, remark }: BookedAddress): ActionWords {
  const parameters = { currency, network, address: withMemo(address, memo) };
  if (remark === undefined) return { name: 'removeAddress', parameters };
  // The label of an address is free text. Control characters and line breaks in it are replaced by spaces, so that it
  // stays on one line of the mail.
  const label = remark.replaceAll(/[\p{C}\s]+/gu, ' ');
  return { name: 'removeNamedAddress', parameters: { ...parameters, remark: label } };
}

function withMemo(address: string, memo: string | undefined): string {
  return memo === undefined ? address : `${address} (${memo})`;
}

function wordsOfFields({ endpoint, fields }: ConfirmedAction): ActionWords | undefined {
  if (endpoint === setWhitelist)
    return { name: fields['on'] === true ? 'whitelistOn' : 'whitelistOff', parameters: {} };
  const name = NAMES.get(endpoint.path);
  if (name === undefined) return undefined;
  const texts = Object.entries(fields).flatMap(([field, value]) => {
    if (typeof value === 'string') return [[field, value] as const];
    return value instanceof Decimal ? [[field, value.toString()] as const] : [];
  });
  const parameters: Readonly<Record<string, string>> = Object.fromEntries(texts);
  const { address, memo } = parameters;
  if (address === undefined) return { name, parameters };
  return { name, parameters: { ...parameters, address: withMemo(address, memo) } };
}
