import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, later, type Instant } from '@exchange/core/time.ts';

/**
 * How requests with a key are signed. `hmac`: with a secret that both the server and the owner know. `ed25519`: with a
 * private key that only the owner knows.
 */
export type KeyKind = 'hmac' | 'ed25519';

/** An API key, with which its owner's program calls the trading API: its permissions and its last use. */
export interface ApiKey {
  readonly id: string;
  readonly owner: UserId;
  readonly name: string;
  /** The public part of the API key, which identifies the key in requests; it is not secret. */
  readonly key: string;
  readonly kind: KeyKind;
  readonly mayTrade: boolean;
  /** True if the API key may move balances among the accounts of its owner: the main account and the sub-accounts. */
  readonly mayTransfer: boolean;
  /** Value in USDT that the API key may withdraw in any 24 hours; undefined if it may not withdraw. */
  readonly withdrawalLimit: Decimal | undefined;
  /**
   * IP addresses from which requests with the API key are accepted; if the list is empty, requests from every
   * address are accepted, except withdrawals, which need a list.
   */
  readonly addresses: readonly string[];
  readonly createdAt: Instant;
  /** Time at which the API key expires; undefined if it never expires. */
  readonly expiresAt: Instant | undefined;
  readonly lastUsedAt: Instant | undefined;
  /** IP address from which the API key was last used; empty before its first use. */
  readonly lastUsedAddress: string;
}

/**
 * Kinds of API requests: read data, place and cancel orders, transfer between accounts, or withdraw. Reading needs no
 * permission of the key.
 */
export type KeyAction = 'read' | 'trade' | 'transfer' | 'withdraw';

/** Characters that API keys and their secrets consist of. */
export const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const KEY_LENGTH = 64;
const KEY_FORMAT = /^[A-Za-z0-9]{64}$/;

/** Returns whether a text has the length and the characters of an API key. */
export function isKeyFormat(text: string): boolean {
  return KEY_FORMAT.test(text);
}

/**
 * True if the API key is not expired at `now`, its list of IP addresses permits `address` (which must be in
 * canonical form; an empty list permits every address, except for `withdraw`, which needs a list), and it has
 * the permission for the action; reading needs none. The function does not check from when a new key may
 * withdraw (`withdrawsFrom`).
 */
export function isPermitted(key: ApiKey, action: KeyAction, address: string, now: Instant): boolean {
  if (key.expiresAt !== undefined && key.expiresAt <= now) return false;
  if (key.addresses.length > 0 && !key.addresses.includes(address)) return false;
  if (action === 'transfer') return key.mayTransfer;
  // No API key that may withdraw is created without an IP address list; the condition on the list is a second
  // safeguard.
  if (action === 'withdraw') return key.withdrawalLimit !== undefined && key.addresses.length > 0;
  return action === 'read' || key.mayTrade;
}

/**
 * Milliseconds after its creation during which an API key cannot withdraw yet, so that the owner can revoke a key that
 * somebody else created.
 */
const WITHDRAWAL_HOLD_MS = DAY_MS;

/**
 * Returns the time from which an API key may withdraw, provided that it has the permission: 24 hours after
 * its creation.
 */
export function withdrawsFrom({ createdAt }: Pick<ApiKey, 'createdAt'>): Instant {
  return later(createdAt, WITHDRAWAL_HOLD_MS);
}
