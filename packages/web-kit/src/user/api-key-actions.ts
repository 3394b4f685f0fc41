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

/** Selectable lifetimes of a new API key in days; 0 never expires. */
export const KEY_LIFETIMES = ['0', '30', '90', '365'] as const;
export type KeyLifetime = (typeof KEY_LIFETIMES)[number];

/** The sub-account whose API keys are shown; undefined for the main account's keys. */
export interface KeyOwner {
  readonly id: string;
  readonly name: string;
}

/** The request field that names a sub-account; empty for the main account. */
export function ownerFields(owner: KeyOwner | undefined): { readonly subAccount?: string } {
  return owner === undefined ? {} : { subAccount: owner.id };
}

/** The API keys of the main account or of a sub-account that are not revoked, newest first. */
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
   * Amount in USDT that the key may withdraw within 24 hours, as typed; undefined for a key that may not
   * withdraw.
   */
  readonly withdrawalLimit: string | undefined;
  readonly addresses: string;
  readonly lifetime: KeyLifetime;
  /**
   * Time in milliseconds UTC when the form was opened. The key's lifetime is counted from it, so that the
   * requested expiry, to which the mailed code is bound, does not change.
   */
  readonly openedAt: number;
  readonly publicKey: string;
}

/** Request fields that create an API key; those of a key that may withdraw include `withdrawalLimit`. */
type NewKeyFields = CallFields<typeof createApiKey> | CallFields<typeof createWithdrawalKey>;

/**
 * The endpoint that creates an API key. Keys that may withdraw have a separate one, which also requires the
 * trade password.
 */
export function keyEndpoint(fields: NewKeyFields): typeof createApiKey | typeof createWithdrawalKey {
  return 'withdrawalLimit' in fields ? createWithdrawalKey : createApiKey;
}

/** The request fields that create an API key; its mailed code is bound to them. */
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
 * Creates an API key; the same request again returns the same key. The list of keys is refetched even without
 * a response, because the key may exist then.
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
 * The API key that was created last, until its owner has confirmed that the secret is saved, discards it or
 * signs out. It is kept outside of the form, because the response may arrive after the form was closed.
 */
export const useCreatedKey = create<{ readonly key: CreatedKey | undefined }>(() => ({ key: undefined }));

export function storeCreatedKey(key: CreatedKey): void {
  useCreatedKey.setState({ key });
}

/** Removes the created API key with its secret from memory. */
export function discardCreatedKey(): void {
  useCreatedKey.setState({ key: undefined });
}

onUserChange(discardCreatedKey);

/**
 * Revokes the API key with this id, or all keys. A key that is already revoked counts as revoked by this
 * call, because the response to an earlier request may have been lost.
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
