import { DAY_MS } from '@exchange/core/time.ts';
import {
  apiKeys,
  createApiKey,
  createWithdrawalKey,
  revokeApiKey,
  revokeApiKeys,
} from '@exchange/wire/api-key.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { create } from 'zustand';
import { call, CallRefused, retryOnce, type CallFields } from '../api/client.ts';
import { queryClient, useRead } from '../api/query-client.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { onUserChange } from '../session/user-keys.ts';
import { USER } from './queries.ts';

export type ApiKey = DataOf<typeof apiKeys>['list'][number];
export type CreatedKey = DataOf<typeof createApiKey>;

/** Lifetimes of a new API key that the user can select, in days; 0 means no expiry. */
export const KEY_LIFETIMES = ['0', '30', '90', '365'] as const;
export type KeyLifetime = (typeof KEY_LIFETIMES)[number];

/** A sub-account whose API keys are managed; for the main account's keys, undefined is used instead. */
export interface KeyOwner {
  readonly id: string;
  readonly name: string;
}

/** Returns the request field that names a sub-account; an empty object for the main account. */
export function ownerFields(owner: KeyOwner | undefined): { readonly subAccount?: string } {
  return owner === undefined ? {} : { subAccount: owner.id };
}

/** The API keys of the main account or of a sub-account, without revoked ones, newest first. */
export function useApiKeys(owner: KeyOwner | undefined) {
  return useRead({
    queryKey: USER.use('apiKeys', owner?.id ?? ''),
    queryFn: async ({ signal }) => (await call(apiKeys, ownerFields(owner), { signal })).list,
  });
}

interface NewKeyInput {
  readonly name: string;
  readonly owner: KeyOwner | undefined;
  readonly mayTrade: boolean;
  readonly mayTransfer: boolean;
  /**
   * Maximum amount in USDT that the key may withdraw within 24 hours, as typed; undefined for a key that may not
   * withdraw.
   */
  readonly withdrawalLimit: string | undefined;
  readonly addresses: string;
  readonly lifetime: KeyLifetime;
  /**
   * Time in milliseconds UTC at which the form was opened. The key's lifetime begins at this time, so that the
   * requested expiry, to which the email code is bound, does not change while the form is open.
   */
  readonly openedAt: number;
  readonly publicKey: string;
}

/** Request fields that create an API key; only those of a key that may withdraw contain `withdrawalLimit`. */
type NewKeyFields = CallFields<typeof createApiKey> | CallFields<typeof createWithdrawalKey>;

/**
 * Returns the endpoint that creates an API key. An API key that may withdraw has a separate endpoint, which
 * also requires the trade password.
 */
export function keyEndpoint(fields: NewKeyFields): typeof createApiKey | typeof createWithdrawalKey {
  return 'withdrawalLimit' in fields ? createWithdrawalKey : createApiKey;
}

/**
 * Returns the request fields that create an API key; the email code that confirms the request is bound to
 * these fields.
 */
export function newKeyFields(input: NewKeyInput): NewKeyFields {
  const { mayTransfer, withdrawalLimit, owner } = input;
  if (withdrawalLimit !== undefined)
    return { ...commonFields(input), withdrawalLimit: withdrawalLimit.trim() };
  const transfer = mayTransfer ? ('1' as const) : ('0' as const);
  return { ...commonFields(input), transfer, ...ownerFields(owner) };
}

function commonFields({ name, mayTrade, addresses, lifetime, openedAt, publicKey }: NewKeyInput) {
  const days = Number(lifetime);
  return {
    name: name.trim(),
    trade: mayTrade ? ('1' as const) : ('0' as const),
    addresses: addresses.trim(),
    expireTime: days === 0 ? '0' : String(openedAt + days * DAY_MS),
    publicKey: publicKey.trim(),
  };
}

/**
 * Creates an API key; repeated requests with the same idempotency key return the same API key. The list of API keys is
 * refetched even without a response, because the server may have created the key.
 */
export async function makeApiKey({ payload, clientId }: KeyedSubmission<NewKeyFields>): Promise<CreatedKey> {
  try {
    return await retryOnce((timeoutMs) =>
      'withdrawalLimit' in payload
        ? call(createWithdrawalKey, payload, { clientId, timeoutMs })
        : call(createApiKey, payload, { clientId, timeoutMs }),
    );
  } finally {
    void refetchKeys();
  }
}

/**
 * The API key that the user has created last; undefined after the user has confirmed that the secret is saved, has
 * discarded the key or signed out. It is stored outside the form, because the form may be closed before the response
 * arrives.
 */
export const useCreatedKey = create<{ readonly key: CreatedKey | undefined }>(() => ({ key: undefined }));

export function storeCreatedKey(key: CreatedKey): void {
  useCreatedKey.setState({ key });
}

/** Removes the created API key and its secret from the page's memory. */
export function discardCreatedKey(): void {
  useCreatedKey.setState({ key: undefined });
}

onUserChange(discardCreatedKey);

/**
 * Revokes the API key with this ID, or all API keys of the account if the ID is undefined. If the server answers that
 * the key is already revoked, this counts as success, because the response to an earlier request may have been lost.
 */
export function useRevokeApiKeys(owner: KeyOwner | undefined) {
  return useMutation({
    mutationFn: async (id: string | undefined) => {
      try {
        const fields = ownerFields(owner);
        await (id === undefined ? call(revokeApiKeys, fields) : call(revokeApiKey, { id, ...fields }));
      } catch (error) {
        if (!(error instanceof CallRefused && error.isMissing)) throw error;
      }
    },
    onSettled: refetchKeys,
  });
}

function refetchKeys(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: USER.forCurrentUser('apiKeys') });
}
