import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';

/**
 * Double entry. Value moves from one account to another, so an entry cannot create or destroy any.
 * Accounts are addresses, one per asset; only `world`, the mirror of what lies outside, may be negative.
 */

const PRODUCTS = ['spot', 'seconds', 'finance', 'mining', 'fund', 'subscription'] as const;
const BUCKETS = ['available', 'frozen', 'locked'] as const;

export type Product = (typeof PRODUCTS)[number];
export type Bucket = (typeof BUCKETS)[number];
export type HouseAccount =
  | 'fees'
  | 'interest'
  | 'accrued'
  | 'mining'
  | 'raised'
  | 'tokens'
  | 'payout'
  | 'fund'
  | 'insurance'
  | 'inventory'
  | 'promo'
  | 'rounding'
  | 'quota'
  | 'sold';

/**
 * What a product may still sell, or a person still buy of it, counted like an asset: what nothing falls below zero
 * of cannot be oversold. It is no coin, so no statement and no sum of a person's money shows it.
 */
export function quotaAsset(what: 'capacity' | 'limit', product: string): AssetCode {
  return `${what}:${product}`;
}

/** Whether it counts a quota and not a coin. */
export function isQuota(asset: AssetCode): boolean {
  return asset.includes(':');
}

/**
 * Where an account stands, apart from its asset: an owner's slot (one per product and bucket), or a name
 * of the house or the world. An object and not its text, because every posting looks two of them up.
 */
export interface Address {
  readonly owner: UserId | undefined;
  readonly slot: number;
  readonly name: string;
}

/** Slots of one user and asset. */
export const SLOTS = PRODUCTS.length * BUCKETS.length;
const FIRST_SLOT: Readonly<Record<Product, number>> = {
  spot: 0,
  seconds: 3,
  finance: 6,
  mining: 9,
  fund: 12,
  subscription: 15,
};
const BUCKET_OFFSET: Readonly<Record<Bucket, number>> = { available: 0, frozen: 1, locked: 2 };

export function userAddress(user: UserId, product: Product, bucket: Bucket): Address {
  return { owner: user, slot: FIRST_SLOT[product] + BUCKET_OFFSET[bucket], name: '' };
}

export function houseAddress(account: HouseAccount): Address {
  return named(`house:${account}`);
}

/** What lies outside: a network's coins, or the demo market's play money. */
export function worldAddress(asset: AssetCode, network: string): Address {
  return named(`world:${asset}:${network}`);
}

/** The network of the world account from which an exchange's own tokens are issued. */
export const ISSUE = 'issue';

const WORLD_ADDRESS = /^world:(.+):([^:]+)$/;

/** The network or other source that a world account mirrors, e.g. `ethereum`, `demo`, `issue`; undefined for other accounts. */
export function originOf(address: string): string | undefined {
  return WORLD_ADDRESS.exec(address)?.[2];
}

/** The slot of a product's available funds; the frozen ones are in the next. */
export function availableSlot(product: Product): number {
  return FIRST_SLOT[product];
}

/** The address as it is stored, e.g. `user:…:spot:frozen` or `house:fees`. */
export function addressText({ owner, slot, name }: Address): string {
  if (owner === undefined) return name;
  const product = PRODUCTS[Math.floor(slot / BUCKETS.length)];
  return `user:${owner}:${product}:${BUCKETS[slot % BUCKETS.length]}`;
}

/** The address behind a stored text. */
export function addressOf(text: string): Address {
  const owned = ownerOf(text);
  return owned === undefined ? named(text) : userAddress(owned.owner, owned.product, owned.bucket);
}

function named(name: string): Address {
  return { owner: undefined, slot: -1, name };
}

/** Every kind of entry; what a statement calls it. */
export const ENTRY_KINDS = [
  'spot.held',
  'spot.released',
  'spot.traded',
  'faucet.claimed',
  'inventory.funded',
  'deposit.credited',
  'correction.posted',
  'finance.published',
  'finance.funded',
  'finance.bought',
  'finance.accrued',
  'finance.paid',
  'finance.matured',
  'convert.exchanged',
  'mining.published',
  'mining.funded',
  'mining.bought',
  'mining.paid',
  'mining.redeemed',
  'fund.funded',
  'fund.held',
  'fund.bought',
  'fund.refunded',
  'fund.margin',
  'fund.cost',
  'fund.sold',
  'fund.liquidated',
  'fund.exited',
  'subscription.committed',
  'subscription.lowered',
  'subscription.issued',
  'subscription.settled',
  'subscription.claimed',
  'invite.funded',
  'invite.paid',
  'seconds.funded',
  'seconds.deposited',
  'seconds.withdrawn',
  'seconds.opened',
  'seconds.won',
  'seconds.lost',
  'seconds.returned',
  'seconds.refunded',
  'withdrawal.held',
  'withdrawal.sent',
  'withdrawal.returned',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Whether anything on a statement could be called that. */
export function isEntryKind(text: string): text is EntryKind {
  return ENTRY_KINDS.some((kind) => kind === text);
}

/** What happened, as an account's history names and filters it. */
export type EventType =
  | 'trade'
  | 'convert'
  | 'deposit'
  | 'withdrawal'
  | 'transfer'
  | 'seconds'
  | 'finance'
  | 'mining'
  | 'fund'
  | 'launchpad'
  | 'reward'
  | 'other';

/** The type of each kind of entry; null where an entry is no event: nobody's account changed, or only what is set aside in it. */
const EVENT_TYPES: Readonly<Record<EntryKind, EventType | null>> = {
  'spot.held': null,
  'spot.released': null,
  'spot.traded': 'trade',
  'faucet.claimed': 'reward',
  'inventory.funded': 'other',
  'deposit.credited': 'deposit',
  'correction.posted': 'other',
  'finance.published': null,
  'finance.funded': null,
  'finance.bought': 'finance',
  'finance.accrued': null,
  'finance.paid': 'finance',
  'finance.matured': 'finance',
  'convert.exchanged': 'convert',
  'mining.published': null,
  'mining.funded': null,
  'mining.bought': 'mining',
  'mining.paid': 'mining',
  'mining.redeemed': 'mining',
  'fund.funded': null,
  'fund.held': 'fund',
  'fund.bought': 'fund',
  'fund.refunded': 'fund',
  'fund.margin': 'fund',
  'fund.cost': 'fund',
  'fund.sold': 'fund',
  'fund.liquidated': 'fund',
  'fund.exited': 'fund',
  'subscription.committed': 'launchpad',
  'subscription.lowered': 'launchpad',
  'subscription.issued': null,
  'subscription.settled': 'launchpad',
  'subscription.claimed': 'launchpad',
  'invite.funded': null,
  'invite.paid': 'reward',
  'seconds.funded': null,
  'seconds.deposited': 'transfer',
  'seconds.withdrawn': 'transfer',
  'seconds.opened': null,
  'seconds.won': 'seconds',
  'seconds.lost': 'seconds',
  'seconds.returned': null,
  'seconds.refunded': 'seconds',
  'withdrawal.held': null,
  'withdrawal.sent': 'withdrawal',
  'withdrawal.returned': null,
};

/** The kinds of entry that are events of these types. */
export function kindsOfEvents(types: readonly EventType[]): EntryKind[] {
  return ENTRY_KINDS.filter((kind) => {
    const type = EVENT_TYPES[kind];
    return type !== null && types.includes(type);
  });
}

/** The type of an event by the kind of its entry; a kind of a later release is `other`. */
export function typeOfEvent(kind: string): EventType {
  return isEntryKind(kind) ? (EVENT_TYPES[kind] ?? 'other') : 'other';
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
