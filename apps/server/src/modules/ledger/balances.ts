import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { shortage as shortageOf } from '@exchange/core/funds.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { Account, Holding, LoadedOwner } from './account.ts';
import {
  addressOf,
  addressText,
  ISSUE,
  mayBeNegative,
  originOf,
  ownerOf,
  SLOTS,
  type Address,
} from './domain.ts';
import { accountWriter } from './tables.ts';

export interface StoredAccount {
  readonly id: number;
  readonly address: string;
  readonly asset: string;
  readonly balance: string;
}

/**
 * The current eviction epoch, and the limits by which balances of users are evicted from memory, see
 * `Balances.evict`.
 */
export interface EvictionBounds {
  /** The eviction epoch (a period of a few seconds) that starts now. */
  readonly epoch: number;
  /**
   * Users whose last use is in this epoch or later are never evicted, because a pending request may need their
   * balances.
   */
  readonly unusedSince: number;
  /**
   * Users whose last use is before this epoch count as idle, and are evicted even if the number of users in memory is
   * below `maxOwners`.
   */
  readonly idleSince: number;
  /** Above this number of users in memory, the least recently used are evicted even if they are not idle. */
  readonly maxOwners: number;
  /**
   * Returns true for users whose balances steps access without loading them first, such as the owners of resting
   * orders. These users are not evicted.
   */
  readonly isNeeded: (owner: UserId) => boolean;
}

/**
 * Greatest number of users examined in one eviction of balances, which blocks the thread for a few
 * milliseconds.
 */
const EXAMINED_MAX = 20_000;

/**
 * Balances of all accounts that steps can access: house and world accounts always, a user's accounts from
 * their first use until they are evicted. Reading or changing the account of a user who is not loaded is a bug
 * and throws.
 */
export class Balances {
  /** Users whose balances are in memory, least recently used first. */
  private readonly owners = new Map<UserId, LoadedOwner>();
  private named = new Map<string, Map<AssetCode, Account>>();
  private lastId = 0;
  private epoch = 0;
  /**
   * The user's accounts that the last look-up found: both accounts of a posting usually belong to the same user and
   * asset, so the second look-up finds them here.
   */
  private lastHolding: Holding | undefined;
  private readonly checksOrigins: boolean;

  /**
   * `checksOrigins` is false only in a replay, because replayed steps may be older than the check
   * of an asset's origins.
   */
  constructor(checksOrigins: boolean) {
    this.checksOrigins = checksOrigins;
  }

  get loadedOwners(): readonly UserId[] {
    return [...this.owners.keys()];
  }

  get ownerCount(): number {
    return this.owners.size;
  }

  /** All assets that ever had a house or world account. */
  get assets(): readonly AssetCode[] {
    return [...new Set([...this.named.values()].flatMap((accounts) => [...accounts.keys()]))];
  }

  /**
   * Returns whether the user's balances are loaded, and marks them as used in the current epoch.
   */
  use(owner: UserId): boolean {
    const loaded = this.owners.get(owner);
    if (loaded !== undefined) this.markUsed(loaded);
    return loaded !== undefined;
  }

  /**
   * Marks the user's balances as used in the current epoch; users who have not been used for the longest time are
   * evicted first.
   */
  markUsed(loaded: LoadedOwner): void {
    if (loaded.usedIn === this.epoch) return;
    loaded.usedIn = this.epoch;
    this.owners.delete(loaded.owner);
    this.owners.set(loaded.owner, loaded);
  }

  /** Replaces all balances in memory by the stored ones; loaded users stay loaded. */
  replace(stored: readonly StoredAccount[], lastId: number): void {
    for (const loaded of this.owners.values()) loaded.holdings = [];
    this.named = new Map();
    this.lastHolding = undefined;
    this.lastId = lastId;
    for (const account of stored) this.insert(addressOf(account.address), account);
  }

  /** Sets the balances of these accounts and adds new ones; those of users who are not loaded are left out. */
  update(stored: readonly StoredAccount[]): void {
    for (const account of stored) {
      if (account.id > this.lastId) this.lastId = account.id;
      const address = addressOf(account.address);
      if (address.owner !== undefined && !this.owners.has(address.owner)) continue;
      const present = this.find(address, account.asset);
      if (present === undefined) this.insert(address, account);
      else present.atoms = Decimal.parse(account.balance).atoms;
    }
  }

  /** Adds a user's accounts unless another caller has added them already. */
  addOwner(owner: UserId, stored: readonly StoredAccount[]): void {
    if (this.owners.has(owner)) return;
    this.owners.set(owner, { owner, holdings: [], usedIn: this.epoch });
    for (const account of stored) this.insert(addressOf(account.address), account);
  }

  /**
   * Starts an epoch and evicts balances of idle users, then of the least recently used above the
   * limit. Returns the number of evicted users.
   */
  evict({ epoch, unusedSince, idleSince, maxOwners, isNeeded }: EvictionBounds): number {
    this.epoch = epoch;
    let examined = 0;
    let evicted = 0;
    for (const loaded of this.owners.values()) {
      if (loaded.usedIn >= unusedSince || examined === EXAMINED_MAX) break;
      if (loaded.usedIn >= idleSince && this.owners.size <= maxOwners) break;
      examined += 1;
      if (isNeeded(loaded.owner)) {
        this.markUsed(loaded);
        continue;
      }
      this.owners.delete(loaded.owner);
      evicted += 1;
    }
    this.lastHolding = undefined;
    return evicted;
  }

  ofOwner(owner: UserId): readonly Account[] {
    const holdings = this.owners.get(owner)?.holdings ?? [];
    return holdings.flatMap(({ slots }) => slots.filter((account) => account !== undefined));
  }

  *all(): Iterable<Account> {
    for (const owner of this.owners.keys()) yield* this.ofOwner(owner);
    for (const accounts of this.named.values()) yield* accounts.values();
  }

  balance(address: Address, asset: AssetCode): Decimal {
    return Decimal.ofAtoms(this.find(address, asset)?.atoms ?? 0n);
  }

  /**
   * Returns whether a house or world account was ever opened in the asset. If none was, no unit of the asset exists,
   * because units enter the exchange only through such accounts.
   */
  isKnown(asset: AssetCode): boolean {
    for (const accounts of this.named.values()) if (accounts.has(asset)) return true;
    return false;
  }

  /** Origins of an asset so far: the networks of its world accounts, or `issue` for an issued token. */
  origins(asset: AssetCode): string[] {
    return [...this.named].flatMap(([name, accounts]) => (accounts.has(asset) ? (originOf(name) ?? []) : []));
  }

  /**
   * Returns the account, and opens it with balance zero if it does not exist. Refuses to open a world account of
   * another origin for an asset that the exchange has issued, and to open the account for issuing an asset that has
   * another origin already.
   */
  open(step: Step, address: Address, asset: AssetCode): Account {
    return this.find(address, asset) ?? this.openNew(step, address, asset);
  }

  // Separate from `open`, because a function with a closure allocates memory on every call, also if it returns early.
  private openNew(step: Step, address: Address, asset: AssetCode): Account {
    const { owner } = address;
    if (this.checksOrigins && owner === undefined) this.requireOneOrigin(address.name, asset);
    const stored = { id: this.lastId + 1, address: addressText(address), asset, balance: '0' };
    const account = this.insert(address, stored);
    step.onUndo(() => this.remove(address, account));
    step.write(accountWriter, account);
    return account;
  }

  /**
   * Moves an amount in atoms (10^-18 units) between two accounts. Refuses if a user's available balance is too small;
   * any other shortage, or an amount that is not positive, is a bug and throws.
   */
  move(source: Account, destination: Account, atoms: bigint): void {
    if (atoms <= 0n) throw new RangeError(`a posting moves a positive amount, not ${atoms}`);
    if (source.atoms < atoms && !source.mayBeNegative) throw shortage(source, atoms);
    source.atoms -= atoms;
    destination.atoms += atoms;
  }

  private requireOneOrigin(name: string, asset: AssetCode): void {
    const origin = originOf(name);
    if (origin === undefined) return;
    const others = this.origins(asset);
    if (others.length > 0 && (origin === ISSUE || others.includes(ISSUE)))
      throw new Refused(refusal('invalidField', 'l.asset_exists', { field: 'symbol', value: asset }));
  }

  private find({ owner, slot, name }: Address, asset: AssetCode): Account | undefined {
    if (owner === undefined) return this.named.get(name)?.get(asset);
    const last = this.lastHolding;
    if (last !== undefined && last.owner === owner && last.asset === asset) return last.slots[slot];
    const holding = holdingIn(this.requireOwner(owner).holdings, asset);
    if (holding === undefined) return undefined;
    this.lastHolding = holding;
    return holding.slots[slot];
  }

  private insert(address: Address, stored: StoredAccount): Account {
    const { asset } = stored;
    const holding = address.owner === undefined ? undefined : this.holding(address.owner, asset);
    const account: Account = {
      id: stored.id,
      address: stored.address,
      asset,
      ownedAddress: ownerOf(stored.address),
      holding,
      mayBeNegative: mayBeNegative(stored.address),
      atoms: Decimal.parse(stored.balance).atoms,
      touchedIn: 0,
    };
    if (holding === undefined) this.namedAccounts(address.name).set(asset, account);
    else holding.slots[address.slot] = account;
    if (stored.id > this.lastId) this.lastId = stored.id;
    return account;
  }

  private requireOwner(owner: UserId): LoadedOwner {
    const loaded = this.owners.get(owner);
    if (loaded === undefined) throw new Error(`accounts of ${owner} are not loaded`);
    return loaded;
  }

  private holding(owner: UserId, asset: AssetCode): Holding {
    const loaded = this.requireOwner(owner);
    let holding = holdingIn(loaded.holdings, asset);
    if (holding === undefined) {
      const slots = Array.from<Account | undefined>({ length: SLOTS });
      holding = { owner, loaded, asset, slots, changed: undefined };
      loaded.holdings.push(holding);
    }
    return holding;
  }

  private namedAccounts(name: string): Map<AssetCode, Account> {
    let accounts = this.named.get(name);
    if (accounts === undefined) this.named.set(name, (accounts = new Map()));
    return accounts;
  }

  private remove(address: Address, account: Account): void {
    if (account.holding === undefined) this.namedAccounts(address.name).delete(account.asset);
    else account.holding.slots[address.slot] = undefined;
    if (this.lastId === account.id) this.lastId -= 1;
  }
}

function holdingIn(holdings: readonly Holding[], asset: AssetCode): Holding | undefined {
  for (const holding of holdings) if (holding.asset === asset) return holding;
  return undefined;
}

function shortage(source: Account, atoms: bigint): Error {
  if (source.ownedAddress?.bucket !== 'available')
    return new Error(`${source.address} ${source.asset} holds less than ${atoms}`);
  return new Refused(
    shortageOf({
      asset: source.asset,
      available: Decimal.ofAtoms(source.atoms),
      needed: Decimal.ofAtoms(atoms),
    }),
  );
}
