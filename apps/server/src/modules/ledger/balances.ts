import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { mayBeNegative, ownerOf, type Address, type OwnedAddress } from './domain.ts';

/** One account in memory; `atoms` counts 10^-18 of the asset. */
export interface Account {
  readonly id: number;
  readonly address: Address;
  readonly asset: AssetCode;
  /** Whose it is, on which product and for what; undefined for the house and the world. */
  readonly held: OwnedAddress | undefined;
  readonly mayBeNegative: boolean;
  atoms: bigint;
}

export interface StoredAccount {
  readonly id: number;
  readonly address: string;
  readonly asset: string;
  readonly balance: string;
}

/**
 * Balances of the accounts that steps may touch: those of the house and the world always, those of a user
 * from the first time they are needed. A step that touches a user who was not loaded is a bug.
 */
export class Balances {
  private accounts = new Map<string, Account>();
  private byOwner = new Map<UserId, Account[]>();
  private lastId = 0;
  private readonly loaded = new Set<UserId>();
  /** Touched since the last check. */
  private touched = new Set<Account>();

  get loadedOwners(): readonly UserId[] {
    return [...this.loaded];
  }

  isLoaded(owner: UserId): boolean {
    return this.loaded.has(owner);
  }

  /** Forgets all balances and takes these; owners stay marked as loaded. */
  replace(stored: readonly StoredAccount[], lastId: number): void {
    this.accounts = new Map();
    this.byOwner = new Map();
    this.touched = new Set();
    this.lastId = lastId;
    for (const account of stored) this.insert(account);
  }

  /** Adds a user's accounts unless somebody did so meanwhile. */
  addOwner(owner: UserId, stored: readonly StoredAccount[]): void {
    if (this.loaded.has(owner)) return;
    this.loaded.add(owner);
    for (const account of stored) this.insert(account);
  }

  ofOwner(owner: UserId): readonly Account[] {
    return this.byOwner.get(owner) ?? [];
  }

  all(): Iterable<Account> {
    return this.accounts.values();
  }

  balance(address: Address, asset: AssetCode): Decimal {
    return Decimal.ofAtoms(this.accounts.get(keyOf(address, asset))?.atoms ?? 0n);
  }

  /** The account, opened with zero when it is new. */
  open(step: Step, address: Address, asset: AssetCode): Account {
    const key = keyOf(address, asset);
    const present = this.accounts.get(key);
    if (present !== undefined) return present;
    const owner = ownerOf(address)?.owner;
    if (owner !== undefined && !this.loaded.has(owner))
      throw new Error(`accounts of ${owner} are not loaded`);
    const account = this.insert({ id: this.lastId + 1, address, asset, balance: '0' });
    step.onUndo(() => this.remove(account));
    return account;
  }

  /** Moves atoms. A user who has too little is refused; any other shortage is a bug. */
  move(step: Step, source: Account, destination: Account, atoms: bigint): void {
    if (atoms <= 0n) throw new RangeError(`a posting moves a positive amount, not ${atoms}`);
    if (source.atoms < atoms && !source.mayBeNegative) throw shortage(source, atoms);
    source.atoms -= atoms;
    destination.atoms += atoms;
    step.onUndo(() => {
      source.atoms += atoms;
      destination.atoms -= atoms;
    });
    this.touched.add(source);
    this.touched.add(destination);
  }

  /** Assets of which a touched account breaks the rule that nothing goes below zero; forgets what was touched. */
  takeBroken(): AssetCode[] {
    const broken = new Set<AssetCode>();
    for (const account of this.touched) {
      if (account.atoms < 0n && !account.mayBeNegative) broken.add(account.asset);
    }
    this.touched.clear();
    return [...broken];
  }

  private insert(stored: StoredAccount): Account {
    const address = stored.address as Address;
    const account: Account = {
      id: stored.id,
      address,
      asset: stored.asset,
      held: ownerOf(address),
      mayBeNegative: mayBeNegative(address),
      atoms: Decimal.parse(stored.balance).atoms,
    };
    this.accounts.set(keyOf(address, stored.asset), account);
    if (stored.id > this.lastId) this.lastId = stored.id;
    if (account.held !== undefined) {
      const owned = this.byOwner.get(account.held.owner);
      if (owned === undefined) this.byOwner.set(account.held.owner, [account]);
      else owned.push(account);
    }
    return account;
  }

  private remove(account: Account): void {
    this.accounts.delete(keyOf(account.address, account.asset));
    this.touched.delete(account);
    if (this.lastId === account.id) this.lastId -= 1;
    const owned = account.held === undefined ? undefined : this.byOwner.get(account.held.owner);
    owned?.splice(owned.indexOf(account), 1);
  }
}

function shortage(source: Account, atoms: bigint): Error {
  if (source.held?.bucket !== 'available')
    return new Error(`${source.address} ${source.asset} holds less than ${atoms}`);
  return new Refused(
    refusal('insufficientBalance', 'l.insufficient_balance', {
      unit: source.asset,
      limit: Decimal.ofAtoms(source.atoms).toString(),
      value: Decimal.ofAtoms(atoms).toString(),
    }),
  );
}

function keyOf(address: string, asset: string): string {
  return `${address}/${asset}`;
}
