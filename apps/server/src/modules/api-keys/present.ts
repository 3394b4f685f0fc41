import { withdrawsFrom, type ApiKey } from './domain.ts';
import type { StoredRequest } from './request-repository.ts';

/** Presents a recorded API request as the owner of its API key sees it. */
export function presentRequest({ sequence, at, ...request }: StoredRequest) {
  const { method, path, weight, status, code, address, durationUs } = request;
  return {
    id: String(sequence),
    time: at,
    method,
    path,
    weight,
    status,
    code,
    address,
    durationUs,
  };
}

/**
 * Presents an API key in the format of the owner's list. Times are in milliseconds UTC, 0 for no time; `trade` and
 * `transfer` are 1 or 0.
 */
export function presentKey(apiKey: ApiKey) {
  return {
    id: apiKey.id,
    name: apiKey.name,
    key: apiKey.key,
    kind: apiKey.kind,
    trade: apiKey.mayTrade ? (1 as const) : (0 as const),
    transfer: apiKey.mayTransfer ? (1 as const) : (0 as const),
    withdrawalLimit: apiKey.withdrawalLimit?.toString(),
    withdrawsFrom: apiKey.withdrawalLimit === undefined ? 0 : withdrawsFrom(apiKey),
    addresses: [...apiKey.addresses],
    createTime: apiKey.createdAt,
    expireTime: apiKey.expiresAt ?? 0,
    lastUsedTime: apiKey.lastUsedAt ?? 0,
    lastUsedAddress: apiKey.lastUsedAddress,
  };
}
