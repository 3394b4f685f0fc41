import { ACCOUNT_NAMES, type AccountName } from '@exchange/core/accounts.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';

/**
 * Double-entry bookkeeping. An entry moves value between accounts and cannot create or destroy it. Accounts
 * are identified by address and asset. Only `world` accounts, which mirror balances outside the exchange, can
 * be negative.
 */

const BUCKETS = ['available', 'frozen', 'locked'] as const;

/** Name of a user's account, such as `spot`. Each product in which users have balances has its own. */
export type Product = AccountName;
export type Bucket = (typeof BUCKETS)[number];
/** The exchange's own accounts, each with its purpose as operators read it. */
export const HOUSE_ACCOUNTS = {
  fees: 'Fees that the house has earned; what other accounts are funded from',
  interest: 'Interest of finance is paid from it',
  accrued: 'Interest that is earned and not yet paid',
  mining: 'Mining income is paid from it',
  raised: 'What projects have raised',
  tokens: 'Tokens of projects that are not handed out yet',
  payout: 'Profits of the seconds contract are paid from it',
  fund: 'Profits of leveraged funds are paid from it',
  insurance: 'Covers what liquidations of leveraged funds leave open',
  inventory: 'Instant exchange hands out of it',
  promo: 'Rewards of invitations are paid from it',
  rounding: 'Remainders of divisions',
  quota: 'What products may still sell',
  sold: 'What products have sold',
} as const;
export type HouseAccount = keyof typeof HOUSE_ACCOUNTS;

/**
 * Pseudo-asset that counts how much of a product can still be sold (`capacity`) or how much of it a user can still buy
 * (`limit`). Because balances cannot become negative, the product cannot be oversold. The pseudo-asset is not a coin
 * and appears on no statement.
 */
export function quotaAsset(kind: 'capacity' | 'limit', product: string): AssetCode {
  return `${kind}:${product}`;
}

/** Returns whether the asset is a quota and not a coin. */
export function isQuota(asset: AssetCode): boolean {
  return asset.includes(':');
}

/**
 * Identifies an account apart from its asset: owner and slot (one slot per product and bucket), or the name of a house
 * or world account. Addresses are objects and not texts, because every posting looks up two of them.
 */
export interface Address {
  readonly owner: UserId | undefined;
  readonly slot: number;
  readonly name: string;
}

/** Number of balances (product × bucket) that a user can have in an asset. */
export const SLOTS = ACCOUNT_NAMES.length * BUCKETS.length;
const FIRST_SLOT = Object.fromEntries(
  ACCOUNT_NAMES.map((product, index) => [product, index * BUCKETS.length]),
) as Readonly<Record<Product, number>>;
const BUCKET_OFFSET: Readonly<Record<Bucket, number>> = { available: 0, frozen: 1, locked: 2 };

export function userAddress(user: UserId, product: Product, bucket: Bucket): Address {
  return { owner: user, slot: FIRST_SLOT[product] + BUCKET_OFFSET[bucket], name: '' };
}

export function houseAddress(account: HouseAccount): Address {
  return namedAddress(`house:${account}`);
}

/**
 * The address of a world account, which mirrors balances outside the exchange, such as those of a coin on a network or
 * the demo's play money.
 */
export function worldAddress(asset: AssetCode, network: string): Address {
  return namedAddress(`world:${asset}:${network}`);
}

/** Network name of the world account from which the exchange's own tokens are issued. */
export const ISSUE = 'issue';

const WORLD_ADDRESS = /^world:(.+):([^:]+)$/;

/**
 * The network or other source of a world account, e.g. `ERC20`, `demo`, `issue`; undefined for other
 * accounts.
 */
export function originOf(address: string): string | undefined {
  return WORLD_ADDRESS.exec(address)?.[2];
}

/**
 * The index of a product's available balance among a user's balances of an asset; the frozen
 * balance has the next index.
 */
export function availableSlot(product: Product): number {
  return FIRST_SLOT[product];
}

/** The stored form of an address, e.g. `user:…:spot:frozen` or `house:fees`. */
export function addressText({ owner, slot, name }: Address): string {
  if (owner === undefined) return name;
  const product = ACCOUNT_NAMES[Math.floor(slot / BUCKETS.length)];
  return `user:${owner}:${product}:${BUCKETS[slot % BUCKETS.length]}`;
}

/**
 * Converts the stored form of an address; a text that is no user's address counts as the name of a house or
 * world account.
 */
export function addressOf(text: string): Address {
  const ownedAddress = ownerOf(text);
  return ownedAddress === undefined
    ? namedAddress(text)
    : userAddress(ownedAddress.owner, ownedAddress.product, ownedAddress.bucket);
}

function namedAddress(name: string): Address {
  return { owner: undefined, slot: -1, name };
}

/** Type of an event in an account's history, for display and filters. */
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

/**
 * Event type of each kind of ledger entry, as statements show it; null for kinds that change no user's
 * balance, or only move it between available and frozen of one product.
 */
const EVENT_TYPES = {
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
  'subaccount.transferred': 'transfer',
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
  'treasury.funded': null,
  'treasury.withdrawn': null,
  'treasury.gas': null,
  'treasury.returned': null,
} as const satisfies Readonly<Record<string, EventType | null>>;
export type EntryKind = keyof typeof EVENT_TYPES;
/** All kinds of ledger entries. */
export const ENTRY_KINDS = Object.keys(EVENT_TYPES) as readonly EntryKind[];

/** Returns whether the text is the name of a kind of ledger entry. */
export function isEntryKind(text: string): text is EntryKind {
  return ENTRY_KINDS.some((kind) => kind === text);
}

/** The kinds of ledger entries that are events of the given types. */
export function kindsOfEvents(types: readonly EventType[]): EntryKind[] {
  return ENTRY_KINDS.filter((kind) => {
    const type: EventType | null = EVENT_TYPES[kind];
    return type !== null && types.includes(type);
  });
}

/**
 * The event type of a kind of ledger entry; `other` for kinds without an event type and for kinds of a later release.
 */
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

/** Owner, product and bucket of a user's account address; undefined for house and world accounts. */
export function ownerOf(address: string): OwnedAddress | undefined {
  const match = USER_ADDRESS.exec(address);
  if (match === null) return undefined;
  return { owner: match[1] as UserId, product: match[2] as Product, bucket: match[3] as Bucket };
}

/**
 * Returns whether this is the address of a world account, the only accounts whose balances can be negative.
 */
export function mayBeNegative(address: string): boolean {
  return address.startsWith('world:');
}

export interface AuditProblem {
  /** Number of the violated audit rule in the requirements, e.g. M6. */
  readonly invariant: string;
  readonly asset: string | undefined;
  readonly detail: string;
}

/** A ledger entry in the form that is stored and hashed. Accounts are ids of `ledger_account`. */
export interface StoredEntry {
  readonly sequence: number;
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  /** Amounts of the postings in units of their assets, in plain decimal notation without trailing zeros. */
  readonly amounts: readonly string[];
}

/** Last entry of the ledger's hash chain. */
export interface ChainHead {
  sequence: number;
  hash: string;
}

/** A halt of an asset: its postings are refused. */
export interface Halt {
  readonly asset: AssetCode;
  readonly by: string;
  readonly reason: string;
  /** Time of the step that stored the halt, in milliseconds UTC; undefined while it is only in memory. */
  readonly since: number | undefined;
}

/** A request to halt an asset or to lift its halt, with actor and reason. */
export interface HaltInput {
  readonly asset: AssetCode;
  readonly isHalted: boolean;
  readonly by: string;
  readonly reason: string;
}

/** A stored change of an asset's halt; changes are never deleted. */
export interface HaltChange extends HaltInput {
  /** Number of the sequencer step that halted the asset or lifted its halt. */
  readonly sequence: number;
  readonly at: number;
}
