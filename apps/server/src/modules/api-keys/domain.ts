import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, later, type Instant } from '@exchange/core/time.ts';

/**
 * How requests with a key are signed: `hmac` with a secret that the server and the owner know, `ed25519` with a private
 * key that only the owner has.
 */
export type KeyKind = 'hmac' | 'ed25519';

/** An API key, with which a program of its owner calls the trading API: its permissions and its last use. */
export interface ApiKey {
  readonly id: string;
  readonly owner: UserId;
  readonly name: string;
  /** Identifies the API key in requests; it is not secret. */
  readonly key: string;
  readonly kind: KeyKind;
  readonly mayTrade: boolean;
  /** Whether the API key may move balances between its owner and the owner's sub-accounts. */
  readonly mayTransfer: boolean;
  /** Value in USDT that the API key may withdraw in any 24 hours; undefined if it may not withdraw. */
  readonly withdrawalLimit: Decimal | undefined;
  /**
   * IP addresses from which requests with the API key are accepted; empty accepts every address.
   */
  readonly addresses: readonly string[];
  readonly createdAt: Instant;
  /** Time at which the API key expires; undefined if it does not. */
  readonly expiresAt: Instant | undefined;
  readonly lastUsedAt: Instant | undefined;
  /** IP address of the API key's last use; empty before the first use. */
  readonly lastUsedAddress: string;
}

/**
 * Kinds of API requests: read data, place and cancel orders, transfer between accounts, or
 * withdraw. Every key may read.
 */
export type KeyAction = 'read' | 'trade' | 'transfer' | 'withdraw';

/** Characters of API keys and their secrets. */
export const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const KEY_LENGTH = 64;
const KEY_FORMAT = /^[A-Za-z0-9]{64}$/;

/** Whether a text has the length and the characters of an API key. */
export function isKeyFormat(text: string): boolean {
  return KEY_FORMAT.test(text);
}

/**
 * Whether an API key is not expired at `now` and permits the action from the IP address `address`, which must
 * be in canonical form. The hold on withdrawals with a new key (`withdrawsFrom`) is not checked.
 */
export function isPermitted(key: ApiKey, action: KeyAction, address: string, now: Instant): boolean {
  if (key.expiresAt !== undefined && key.expiresAt <= now) return false;
  if (key.addresses.length > 0 && !key.addresses.includes(address)) return false;
  if (action === 'transfer') return key.mayTransfer;
  // An API key that may withdraw must have an IP address list; creation refuses it otherwise.
  if (action === 'withdraw') return key.withdrawalLimit !== undefined && key.addresses.length > 0;
  return action === 'read' || key.mayTrade;
}

/**
 * Time after its creation during which an API key cannot withdraw yet, so that the owner can revoke
 * a key that somebody else created.
 */
const WITHDRAWAL_HOLD_MS = DAY_MS;

/** Instant from which an API key may withdraw, if it has that permission. */
export function withdrawsFrom({ createdAt }: Pick<ApiKey, 'createdAt'>): Instant {
  return later(createdAt, WITHDRAWAL_HOLD_MS);
}
