import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { ACTS } from '@exchange/wire/acts.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import * as wire from '@exchange/wire/user.ts';
import { addAddress, removeAddress, setWhitelist, submitWithdrawal } from '@exchange/wire/withdrawal.ts';
import * as z from 'zod/mini';
import { decodeFormText } from '../../platform/http/form.ts';
import { fieldRefusal } from '../../platform/http/problems.ts';
import type { Purpose } from './domain/mailed-code.ts';
import type { Act, ActWords } from './acts.ts';
import type { BookedAddress, IdentityParts } from './parts.ts';
import type { ActName } from './words/shape.ts';

/** Names of calls as mails have them; a withdrawal is named by the module that knows its address. */
const NAMES: ReadonlyMap<string, ActName> = new Map([
  [wire.updatePassword.path, 'changePassword'],
  [wire.setTradePassword.path, 'setTradePassword'],
  [wire.resetTradePassword.path, 'resetTradePassword'],
  [wire.bindGoogle.path, 'bindAuthenticator'],
  [wire.unbindGoogle.path, 'removeAuthenticator'],
  [wire.renewRecovery.path, 'renewRecovery'],
  [wire.updateEmail.path, 'changeEmail'],
  [wire.setAntiPhishing.path, 'setPhrase'],
  [addAddress.path, 'addAddress'],
]);

/** The only call of its purpose that has no fields to name: callers that know nothing of `act` mean it. */
const BY_PURPOSE: ReadonlyMap<Purpose, Endpoint> = new Map<Purpose, Endpoint>([
  ['password', wire.updatePassword],
  ['tradePassword', wire.setTradePassword],
]);

/**
 * The call that a code is asked for: its path, and its bound fields as the form that will be sent. Refuses a path that
 * takes no code of this purpose with `l.code_act`, and fields that the call would refuse as the call does.
 */
export function actOf(purpose: Purpose, path: string | undefined, about = ''): Act {
  const endpoint = path === undefined ? BY_PURPOSE.get(purpose) : ACTS.get(path);
  // A withdrawal has a call of its own, which looks its address up.
  if (endpoint?.access.mailCode !== purpose || endpoint === submitWithdrawal)
    throw new Refused(refusal('invalidField', 'l.code_act', { field: 'act' }));
  const decoded = decodeFormText(about);
  if (!decoded.ok) throw new Refused(decoded.refusal);
  const { shape } = endpoint.fields as z.ZodMiniObject;
  const bound = (endpoint.access.mailCodeBinds ?? []).map((name) => [name, shape[name]!] as const);
  const checked = z.object(Object.fromEntries(bound)).safeParse(decoded.value);
  if (!checked.success) throw new Refused(fieldRefusal(checked.error.issues, decoded.value));
  return { endpoint, fields: checked.data };
}

/**
 * What the mail says of a call of this user; undefined for one that is named by its purpose alone. Refuses the removal of
 * an address that the user does not have with `l.not_found`.
 */
export async function actWords(
  parts: Pick<IdentityParts, 'bookedAddress'>,
  userId: UserId,
  act: Act,
): Promise<ActWords | undefined> {
  if (act.endpoint !== removeAddress) return wordsOfFields(act);
  const booked = await parts.bookedAddress(userId, String(act.fields['id']));
  if (booked === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return removalWords(booked);
}

function removalWords({ currency, network, address, memo, remark }: BookedAddress): ActWords {
  const place = { currency, network, address: withMemo(address, memo) };
  if (remark === undefined) return { name: 'removeAddress', parameters: place };
  // A label is free text: it stays on its line of the mail.
  const label = remark.replaceAll(/[\p{C}\s]+/gu, ' ');
  return { name: 'removeNamedAddress', parameters: { ...place, remark: label } };
}

function withMemo(address: string, memo: string | undefined): string {
  return memo === undefined ? address : `${address} (${memo})`;
}

function wordsOfFields({ endpoint, fields }: Act): ActWords | undefined {
  if (endpoint === setWhitelist)
    return { name: fields['on'] === true ? 'whitelistOn' : 'whitelistOff', parameters: {} };
  const name = NAMES.get(endpoint.path);
  if (name === undefined) return undefined;
  const texts = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  const parameters = Object.fromEntries(texts);
  const { address, memo } = parameters;
  if (address === undefined) return { name, parameters };
  return { name, parameters: { ...parameters, address: withMemo(address, memo) } };
}
