import * as z from 'zod/mini';
import { flag, flagNumber, id, instantMs, whole } from './codecs.ts';
import { endpoint, signedInRead, type Charge } from './endpoint.ts';
import { mailCodeField } from './step-up.ts';

const change: Charge = { limit: 'transfer', weight: 1 };

/** Keys that an account can have at a time; expired ones do not count. */
export const API_KEYS_MAX = 30;
/** Addresses to which a key can be limited. */
export const API_KEY_ADDRESSES_MAX = 20;
/** The sub-account whose keys are meant; absent for those of the main account. */
const ofSubAccount = { subAccount: z.optional(id) };
const NAME_LENGTH = 30;
const ADDRESSES_LENGTH = 500;
const LONGEST_LIFE_MS = 8_640_000_000_000_000;

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The public half, which a program sends in the header `X-MBX-APIKEY`. */
  key: z.string(),
  kind: z.enum(['hmac', 'ed25519']),
  /** Whether the key may place, change and cancel orders. Every key may read. */
  trade: flagNumber,
  /** Whether the key may transfer between the main account and sub-accounts. */
  transfer: flagNumber,
  /** The addresses from which it may be used; empty for all. */
  addresses: z.array(z.string()),
  createTime: instantMs,
  /** 0 for a key that does not expire. */
  expireTime: z.int(),
  /** 0 for a key that has never been used. Up to a minute late. */
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
    name: z
      .string('l.field_required')
      .check(
        z.trim(),
        z.minLength(1, 'l.field_required'),
        z.maxLength(NAME_LENGTH, 'l.field_too_long'),
        z.regex(/^[^\p{C}]*$/u, 'l.field_invalid'),
      ),
    trade: flag,
    transfer: z.optional(flag),
    addresses: z.optional(z.string().check(z.maxLength(ADDRESSES_LENGTH, 'l.field_too_long'))),
    expireTime: z.optional(whole(0, LONGEST_LIFE_MS)),
    publicKey: z.optional(z.string().check(z.maxLength(ADDRESSES_LENGTH, 'l.field_too_long'))),
    ...ofSubAccount,
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
