import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Reader } from '../../platform/database/database.ts';
import { eventKind } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import type { Participant } from '../../platform/sequencer/sequencer.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { Account, Holding } from './account.ts';
import { Balances } from './balances.ts';
import { POSTED, recordedPost } from './recorded-posts.ts';
import {
  availableSlot,
  type Address,
  type ChainHead,
  type EntryKind,
  type Posting,
  type Product,
} from './domain.ts';
import { entryWriter } from './entry-writer.ts';
import { accountsOf, accountsOfOwners, chainHead } from './repository.ts';
import { balanceWriter } from './tables.ts';

/** The balances of one user on one product that an entry changed, as they are after it. */
export interface BalanceChanged {
  readonly owner: UserId;
  readonly product: Product;
  readonly asset: AssetCode;
  readonly available: Decimal;
  readonly frozen: Decimal;
}

export const balanceChanged = eventKind<BalanceChanged>('ledger.balanceChanged');

/** Keeps every balance in memory, posts entries in steps, and stores both with the steps' batch. */
export class Ledger implements Participant {
  readonly name = 'ledger';
  private readonly reader: Reader;
  private readonly log: Log;
  private readonly balances = new Balances();
  private readonly head: ChainHead = { sequence: 0, hash: '' };
  private readonly entries = entryWriter(this.head);
  private readonly halted = new Set<AssetCode>();
  private readonly loading = new Map<UserId, Promise<void>>();
  /** What the present step has told of balances so far: a later posting of the same step changes the fact. */
  private told: Told[] = [];
  private tellingStep: Step | undefined;

  constructor({ reader, log }: { reader: Reader; log: Log }) {
    this.reader = reader;
    this.log = log;
  }

  async load(): Promise<void> {
    for (;;) {
      const owners = this.balances.loadedOwners;
      const [{ accounts, lastId }, head] = await Promise.all([
        accountsOf(this.reader, owners),
        chainHead(this.reader),
      ]);
      // Whoever was prepared meanwhile is not among what was read, and must not be forgotten.
      if (this.balances.loadedOwners.length > owners.length) continue;
      this.balances.replace(accounts, lastId);
      Object.assign(this.head, head);
      return;
    }
  }

  verify(): readonly string[] {
    const broken = this.balances.takeBroken();
    for (const asset of broken) this.halt(asset, 'an account fell below zero');
    return broken.map((asset) => `M3 ${asset}`);
  }

  /** Makes sure the user's accounts are in memory; to be awaited before a step that touches them is queued. */
  async prepare(owner: UserId): Promise<void> {
    if (this.balances.isLoaded(owner)) return;
    let loading = this.loading.get(owner);
    if (loading === undefined) {
      loading = accountsOfOwners(this.reader, [owner])
        .then((accounts) => this.balances.addOwner(owner, accounts.get(owner) ?? []))
        .finally(() => this.loading.delete(owner));
      this.loading.set(owner, loading);
    }
    await loading;
  }

  /** As `prepare`, for many at once. */
  async prepareAll(owners: ReadonlySet<UserId>): Promise<void> {
    const missing = [...owners].filter((owner) => !this.balances.isLoaded(owner));
    if (missing.length === 0) return;
    const accounts = await accountsOfOwners(this.reader, missing);
    for (const owner of missing) this.balances.addOwner(owner, accounts.get(owner) ?? []);
  }

  /**
   * Posts one entry: checks and moves balances in memory now, stores it with the batch. Refuses when a
   * user's available balance is too small; amounts are positive, at most 18 decimals.
   */
  post(step: Step, kind: EntryKind, reference: string | null, postings: readonly Posting[]): void {
    const sources: number[] = [];
    const destinations: number[] = [];
    const amounts: string[] = [];
    for (const { source, destination, asset, amount } of postings) {
      const from = this.balances.open(step, source, asset);
      const to = this.balances.open(step, destination, asset);
      this.balances.move(step, from, to, amount.atoms);
      sources.push(from.id);
      destinations.push(to.id);
      amounts.push(amount.toString());
      this.touch(step, from);
      this.touch(step, to);
    }
    step.write(this.entries, {
      at: step.now,
      kind,
      reference,
      sources,
      destinations,
      amounts,
      sequence: 0,
      hash: '',
    });
  }

  /**
   * Posts an entry that no other recorded command of the step explains, and keeps it in the step journal:
   * what comes in from outside, or an operator's correction.
   */
  postRecorded(step: Step, kind: EntryKind, reference: string | null, postings: readonly Posting[]): void {
    this.post(step, kind, reference, postings);
    step.record(POSTED, recordedPost(kind, reference, postings));
  }

  balance(address: Address, asset: AssetCode): Decimal {
    return this.balances.balance(address, asset);
  }

  /** A halted asset takes no new orders and moves nowhere until an operator has looked. */
  isHalted(asset: AssetCode): boolean {
    return this.halted.has(asset);
  }

  halt(asset: AssetCode, why: string): void {
    if (this.halted.has(asset)) return;
    this.halted.add(asset);
    this.log.error('ledger.asset_halted', { asset, why });
  }

  get haltedAssets(): readonly AssetCode[] {
    return [...this.halted];
  }

  /** All accounts of a user as they are in memory; empty when not loaded. */
  accountsInMemory(owner: UserId): readonly Account[] {
    return this.balances.ofOwner(owner);
  }

  /** Every account in memory, for checks. */
  everyAccount(): Iterable<Account> {
    return this.balances.all();
  }

  /** Saves the account with the step and tells its owner, once for all postings of a step. */
  private touch(step: Step, account: Account): void {
    step.write(balanceWriter, account);
    const { holding, held } = account;
    if (holding === undefined || held === undefined) return;
    if (this.tellingStep !== step) {
      this.tellingStep = step;
      this.told = [];
    }
    let told = this.told.find((one) => one.holding === holding && one.product === held.product);
    if (told === undefined) {
      told = new Told(holding, held.product);
      this.told.push(told);
      step.tell(balanceChanged, told);
    }
    told.refresh();
  }
}

/** The fact of a changed balance while its step still goes on. */
class Told implements BalanceChanged {
  readonly holding: Holding;
  readonly product: Product;
  private readonly slot: number;
  private availableAtoms = 0n;
  private frozenAtoms = 0n;

  constructor(holding: Holding, product: Product) {
    this.holding = holding;
    this.product = product;
    this.slot = availableSlot(product);
  }

  get owner(): UserId {
    return this.holding.owner;
  }

  get asset(): AssetCode {
    return this.holding.asset;
  }

  get available(): Decimal {
    return Decimal.ofAtoms(this.availableAtoms);
  }

  get frozen(): Decimal {
    return Decimal.ofAtoms(this.frozenAtoms);
  }

  toJSON(): BalanceChanged {
    const { owner, product, asset, available, frozen } = this;
    return { owner, product, asset, available, frozen };
  }

  /** Takes the balances as they are now. */
  refresh(): void {
    const { slots } = this.holding;
    this.availableAtoms = slots[this.slot]?.atoms ?? 0n;
    this.frozenAtoms = slots[this.slot + 1]?.atoms ?? 0n;
  }
}
