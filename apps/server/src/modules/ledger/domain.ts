import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';

/**
 * Double entry. Value moves from one account to another, so an entry cannot create or destroy any.
 * Accounts are addresses, one per asset; only `world`, the mirror of what lies outside, may be negative.
 */

export type Product = 'spot' | 'seconds' | 'finance' | 'mining' | 'fund' | 'subscription';
export type Bucket = 'available' | 'frozen' | 'locked';
export type HouseAccount = 'fees' | 'interest' | 'payout' | 'insurance' | 'inventory' | 'promo' | 'rounding';

export type Address = string & { readonly __address: unique symbol };

export function userAddress(user: UserId, product: Product, bucket: Bucket): Address {
  return `user:${user}:${product}:${bucket}` as Address;
}

export function houseAddress(account: HouseAccount): Address {
  return `house:${account}` as Address;
}

/** What lies outside: a network's coins, or the demo market's play money. */
export function worldAddress(asset: AssetCode, network: string): Address {
  return `world:${asset}:${network}` as Address;
}

export interface Posting {
  readonly source: Address;
  readonly destination: Address;
  readonly asset: AssetCode;
  readonly amount: Decimal;
}

const USER_ADDRESS = /^user:([0-9a-f-]{36}):([a-z]+):([a-z]+)$/;

export interface OwnedAddress {
  readonly owner: UserId;
  readonly product: Product;
  readonly bucket: Bucket;
}

/** Whose account it is and which; undefined for the house and the world. */
export function ownerOf(address: string): OwnedAddress | undefined {
  const match = USER_ADDRESS.exec(address);
  if (match === null) return undefined;
  return { owner: match[1] as UserId, product: match[2] as Product, bucket: match[3] as Bucket };
}

/** Whether an account may fall below zero. */
export function mayBeNegative(address: string): boolean {
  return address.startsWith('world:');
}

export interface AuditProblem {
  /** The invariant by its name in the requirements, e.g. M6. */
  readonly invariant: string;
  readonly asset: string | undefined;
  readonly detail: string;
}

/** An entry as it is stored and hashed. Accounts are numbers of `ledger_account`. */
export interface StoredEntry {
  readonly sequence: number;
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  /** Plain decimal notation without trailing zeros. */
  readonly amounts: readonly string[];
}

/** Where the chain of entries ends. */
export interface ChainHead {
  sequence: number;
  hash: string;
}
