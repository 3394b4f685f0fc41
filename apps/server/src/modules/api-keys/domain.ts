import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';

/** How requests of a key are signed: with a shared secret, or with the private half of the owner's own key pair. */
export type KeyKind = 'hmac' | 'ed25519';

/** What a key for programs may do, and how its requests are verified. */
export interface ApiKey {
  readonly id: string;
  readonly owner: UserId;
  readonly name: string;
  /** Public half, by which a request names the key. */
  readonly key: string;
  readonly kind: KeyKind;
  readonly mayTrade: boolean;
  /** Whether it may move balances between its owner and the owner's sub-accounts. */
  readonly mayTransfer: boolean;
  /** Addresses from which it may be used; empty for all. */
  readonly addresses: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | undefined;
  readonly lastUsedAt: Instant | undefined;
  readonly lastUsedAddress: string;
}

export type KeyAction = 'read' | 'trade' | 'transfer';

/** Letters and digits of keys and secrets. */
export const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const KEY_LENGTH = 64;
const KEY_FORMAT = /^[A-Za-z0-9]{64}$/;

/** Whether a text can be a key at all. */
export function isKeyFormat(text: string): boolean {
  return KEY_FORMAT.test(text);
}

/** Whether a key may be used for an action from an address at a time. */
export function isPermitted(key: ApiKey, action: KeyAction, address: string, now: Instant): boolean {
  if (key.expiresAt !== undefined && key.expiresAt <= now) return false;
  if (key.addresses.length > 0 && !key.addresses.includes(address)) return false;
  if (action === 'transfer') return key.mayTransfer;
  return action === 'read' || key.mayTrade;
}
