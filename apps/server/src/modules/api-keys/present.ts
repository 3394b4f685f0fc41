import type { ApiKey } from './domain.ts';

/** A key as its owner sees it. */
export function presentKey(apiKey: ApiKey) {
  return {
    id: apiKey.id,
    name: apiKey.name,
    key: apiKey.key,
    kind: apiKey.kind,
    trade: apiKey.mayTrade ? (1 as const) : (0 as const),
    transfer: apiKey.mayTransfer ? (1 as const) : (0 as const),
    addresses: [...apiKey.addresses],
    createTime: apiKey.createdAt,
    expireTime: apiKey.expiresAt ?? 0,
    lastUsedTime: apiKey.lastUsedAt ?? 0,
    lastUsedAddress: apiKey.lastUsedAddress,
  };
}
