import * as z from 'zod/mini';
import { decimalText, flag, flagNumber, id, instantMs, positiveDecimal, whole } from './codecs.ts';
import { endpoint, signedInRead, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';
import { mailCodeField, tradePasswordField } from './step-up.ts';

const change: Charge = { limit: 'transfer', weight: 1 };

/**
 * Maximum number of API keys of a main account or a sub-account, each counted separately; expired and revoked
 * API keys do not count.
 */
export const API_KEYS_MAX = 30;
/** Maximum number of IP addresses to which an API key can be restricted. */
export const API_KEY_ADDRESSES_MAX = 20;
/**
 * Request field with the ID of the sub-account whose API keys the request is about; absent for the main
 * account.
 */
const ofSubAccount = { subAccount: z.optional(id) };
const NAME_LENGTH = 30;
const ADDRESSES_LENGTH = 500;
const LONGEST_LIFE_MS = 8_640_000_000_000_000;

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The public part of the API key, which a program sends in the header `X-MBX-APIKEY`. */
  key: z.string(),
  kind: z.enum(['hmac', 'ed25519']),
  /** Whether programs may place, change and cancel orders with the API key. Programs may read with every API key. */
  trade: flagNumber,
  /** Whether programs may transfer between the main account and sub-accounts with the API key. */
  transfer: flagNumber,
  /**
   * Maximum value in USDT that programs may withdraw with the API key in any 24 hours; absent for a key without
   * permission to withdraw.
   */
  withdrawalLimit: z.optional(decimalText),
  /**
   * Time in milliseconds UTC from which the API key permits withdrawals; earlier withdrawal requests are
   * refused. 0 for a key without permission to withdraw.
   */
  withdrawsFrom: z.int(),
  /** The IP addresses from which the API key can be used; empty if it can be used from every address. */
  addresses: z.array(z.string()),
  createTime: instantMs,
  /** Time in milliseconds UTC at which the API key expires; 0 for a key that does not expire. */
  expireTime: z.int(),
  /**
   * Time in milliseconds UTC of the API key's last use; a use within the last minute may be missing. 0 for a
   * key that has never been used.
   */
  lastUsedTime: z.int(),
  lastUsedAddress: z.string(),
});

export const apiKeys = endpoint({
  path: '/user/getApiKeys',
  summary:
    'The keys for programs that are not revoked, newest first; expired ones are among them. With `subAccount` those of a sub-account.',
  access: {
    who: 'user',
    ownAccount: true,
    sessionAlone: 'reads',
  },
  charge: signedInRead(),
  fields: ofSubAccount,
  data: z.object({ list: z.array(apiKey) }),
});

const apiKeyRequest = z.object({
  /** Number of this request; later recorded requests of the same API key have greater numbers. */
  id: z.string(),
  time: instantMs,
  /** The HTTP method, or `WS` for a request on a WebSocket connection. */
  method: z.string(),
  /** The request path without query, or the method of the WebSocket API. */
  path: z.string(),
  /** Weight that was charged for the recorded request. */
  weight: z.int(),
  /** HTTP status of the response to the recorded request. */
  status: z.int(),
  /** Error code of the trading API, a negative number; 0 for a response without an error. */
  code: z.int(),
  address: z.string(),
  /** Microseconds between the arrival of the recorded request and its response. */
  durationUs: z.int(),
});

export const apiKeyRequests = endpoint({
  path: '/user/getApiKeyRequests',
  summary:
    'The last 1,000 requests of one of the caller’s keys, newest first, without queries and bodies. With `unproven` the last 100 that named the key without a valid signature, which anybody who knows its public half can send; `unprovenCount` is their number since the key was created. With `subAccount` of a key of that sub-account. `usedWeight`: the request weight that the key used within the last minute; `weightLimit`: what an address may use.',
  access: {
    who: 'user',
    ownAccount: true,
    sessionAlone: 'reads',
  },
  charge: signedInRead(),
  fields: {
    id,
    unproven: z.optional(flag),
    ...ofSubAccount,
    ...pagingFields,
  },
  data: z.object({
    ...pageOf(apiKeyRequest).shape,
    unprovenCount: z.int(),
    usedWeight: z.int(),
    weightLimit: z.int(),
  }),
});

/** Request fields that all requests that create an API key have. */
const newKeyFields = {
  name: z
    .string('l.field_required')
    .check(
      z.trim(),
      z.minLength(1, 'l.field_required'),
      z.maxLength(NAME_LENGTH, 'l.field_too_long'),
      z.regex(/^[^\p{C}]*$/u, 'l.field_invalid'),
    ),
  trade: flag,
  addresses: z.optional(z.string().check(z.maxLength(ADDRESSES_LENGTH, 'l.field_too_long'))),
  expireTime: z.optional(whole(0, LONGEST_LIFE_MS)),
  publicKey: z.optional(z.string().check(z.maxLength(ADDRESSES_LENGTH, 'l.field_too_long'))),
};

export const createApiKey = endpoint({
  path: '/user/createApiKey',
  summary:
    'Creates a key for programs, with a code mailed for `bind`. `addresses`: IP addresses separated by commas, from which alone it may be used. With `publicKey` (Ed25519, PEM) the owner signs with the private half; otherwise `secret` is answered. With `subAccount` the key reads and trades for that sub-account; only a key of the main account may `transfer`. A repetition with the same `clientId` returns the same key, and its secret for ten minutes after the creation; afterwards `secret` is empty.',
  idempotent: true,
  access: {
    who: 'user',
    ownAccount: true,
    mailCode: 'bind',
    mailCodeBinds: ['name', 'trade', 'transfer', 'addresses', 'expireTime', 'publicKey', 'subAccount'],
  },
  charge: change,
  fields: {
    ...newKeyFields,
    transfer: z.optional(flag),
    ...ofSubAccount,
    ...mailCodeField,
  },
  data: z.object({ ...apiKey.shape, secret: z.string() }),
});

export const createWithdrawalKey = endpoint({
  path: '/user/createWithdrawalKey',
  summary:
    'Creates a key that may also withdraw, with the trade password and a code mailed for `bind`. It withdraws to addresses of the address book only, from 24 hours after its creation, from the IP addresses in `addresses`, which are required, and at most `withdrawalLimit` USDT within 24 hours. Otherwise like `/user/createApiKey`.',
  idempotent: true,
  access: {
    who: 'user',
    ownAccount: true,
    verified: true,
    tradePassword: true,
    mailCode: 'bind',
    mailCodeBinds: ['name', 'trade', 'withdrawalLimit', 'addresses', 'expireTime', 'publicKey'],
  },
  charge: change,
  fields: {
    ...newKeyFields,
    withdrawalLimit: positiveDecimal,
    ...tradePasswordField,
    ...mailCodeField,
  },
  data: z.object({ ...apiKey.shape, secret: z.string() }),
});

export const revokeApiKey = endpoint({
  path: '/user/revokeApiKey',
  summary: 'Revokes a key at once. Its open orders stay.',
  access: {
    who: 'user',
    ownAccount: true,
    sessionAlone: 'endsAccess',
  },
  charge: { limit: 'leaving', weight: 1 },
  fields: { id, ...ofSubAccount },
  data: z.object({ list: z.array(apiKey) }),
});

export const revokeApiKeys = endpoint({
  path: '/user/revokeApiKeys',
  summary:
    'Revokes all keys of an account at once, with `subAccount` those of a sub-account. Open orders stay.',
  access: {
    who: 'user',
    ownAccount: true,
    sessionAlone: 'endsAccess',
  },
  charge: { limit: 'leaving', weight: 1 },
  fields: ofSubAccount,
  data: z.object({ list: z.array(apiKey) }),
});
