import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Participant } from '../../platform/sequencer/sequencer.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { type Account, ChangedBalance, balanceChanged } from './account.ts';
import { Balances, type EvictionBounds } from './balances.ts';
import { ISSUE, type Address, type ChainHead, type EntryKind, type Posting } from './domain.ts';
import { DraftEntry, entryWriter, type Moves } from './entry-writer.ts';
import { storedHalts, accountsOf, accountsOfOwners, chainHead } from './repository.ts';
import { Halts } from './halts.ts';
import { balanceWriter } from './tables.ts';

/** Keeps every balance in memory, posts entries in steps, and stores both with the steps' batch. */
export class Ledger implements Participant {
  readonly name = 'ledger';
  readonly halts = new Halts();
  private readonly reader: Reader;
  private readonly log: Log;
  private readonly balances: Balances;
  private readonly head: ChainHead = { sequence: 0, hash: '' };
  private readonly entries = entryWriter(this.head);
  private readonly loading = new Map<UserId, Promise<void>>();
  private readonly retained: (() => (owner: UserId) => boolean)[] = [];
  /** How often all memory was read. */
  private loads = 0;
  /** Accounts that were touched since the last check. */
  private touched: Account[] = [];
  /** Counts the steps that post; `step` is the present one, `last` the entry that it posted last. */
  private turn = 0;
  private step: Step | undefined;
  private last: DraftEntry | undefined;

  /** A replay sets `isReplay`: it repeats steps that stood, also those from before a check was added. */
  constructor({ reader, log, isReplay = false }: { reader: Reader; log: Log; isReplay?: boolean }) {
    this.reader = reader;
    this.log = log;
    this.balances = new Balances(!isReplay);
  }

  async load(): Promise<void> {
    this.loads += 1;
    for (;;) {
      const owners = this.balances.loadedOwners;
      const [{ accounts, lastId }, head, halts] = await Promise.all([
        accountsOf(this.reader, owners),
        chainHead(this.reader),
        storedHalts(this.reader),
      ]);
      // Whoever was prepared meanwhile is not among what was read, and must not be forgotten.
      if (this.balances.ownerCount > owners.length) continue;
      this.balances.replace(accounts, lastId);
      this.halts.replace(halts);
      this.touched = [];
      this.step = undefined;
      Object.assign(this.head, head);
      return;
    }
  }

  verify(): readonly string[] {
    const broken = new Set<AssetCode>();
    for (const { atoms, mayBeNegative, asset } of this.touched) {
      if (atoms < 0n && !mayBeNegative) broken.add(asset);
    }
    this.touched = [];
    for (const asset of broken) this.halt(asset, 'invariant check', 'M3 an account fell below zero');
    return [...broken].map((asset) => `M3 ${asset}`);
  }

  /** Whether the user's accounts are in memory, where they then stay until the caller's request is answered. */
  isPrepared(owner: UserId): boolean {
    return this.balances.use(owner);
  }

  /**
   * Makes sure the user's accounts are in memory: called by a command's `prepare` only. Screens read SQL (`holdingsOn`,
   * `storedBalance`), so that whoever only looks takes up no memory.
   */
  async prepare(owner: UserId): Promise<void> {
    await this.prepareAll([owner]);
  }

  /** As `prepare`, for many at once. */
  async prepareAll(owners: Iterable<UserId>): Promise<void> {
    const unread: UserId[] = [];
    const loading = new Set<Promise<void>>();
    for (const owner of new Set(owners)) {
      if (this.isPrepared(owner)) continue;
      const present = this.loading.get(owner);
      if (present === undefined) unread.push(owner);
      else loading.add(present);
    }
    if (unread.length > 0) loading.add(this.startLoading(unread));
    await Promise.all(loading);
  }

  /** How many users have their accounts in memory. */
  get ownersInMemory(): number {
    return this.balances.ownerCount;
  }

  /** Every asset of which anybody has ever had any. */
  get assets(): readonly AssetCode[] {
    return this.balances.assets;
  }

  /**
   * Registers which users a module's steps touch without preparing them, e.g. the owners of resting orders. `needed` is
   * called at each eviction and returns the question for it.
   */
  retain(needed: () => (owner: UserId) => boolean): void {
    this.retained.push(needed);
  }

  /** Removes users from memory who no step needs and who are idle or in excess; returns how many. */
  evict(bounds: Omit<EvictionBounds, 'isNeeded'>): number {
    const retained = this.retained.map((needed) => needed());
    const isNeeded = (owner: UserId) => retained.some((needs) => needs(owner));
    return this.balances.evict({ ...bounds, isNeeded });
  }

  /** One read for each user at a time: what a second one had read could be older than what steps made meanwhile. */
  private startLoading(owners: readonly UserId[]): Promise<void> {
    const loading = this.loadOwners(owners).finally(() => {
      for (const owner of owners) this.loading.delete(owner);
    });
    for (const owner of owners) this.loading.set(owner, loading);
    return loading;
  }

  private async loadOwners(owners: readonly UserId[]): Promise<void> {
    for (;;) {
      const { loads } = this;
      const accounts = await accountsOfOwners(this.reader, owners);
      // All memory was read anew meanwhile, behind batches that this read may not have seen.
      if (loads !== this.loads) continue;
      for (const owner of owners) this.balances.addOwner(owner, accounts.get(owner) ?? []);
      return;
    }
  }

  /**
   * Posts one entry: checks and moves balances in memory now, stores it with the batch. Refuses when a
   * user's available balance is too small, or an asset is halted; amounts are positive, at most 18 decimals.
   */
  post(step: Step, kind: EntryKind, reference: string | null, postings: readonly Posting[]): void {
    if (this.halts.areAny) for (const { asset } of postings) this.halts.requireMoving(asset);
    if (this.step !== step) this.begin(step);
    let entry: DraftEntry | undefined;
    let from: Account | undefined;
    for (let at = 0; at < postings.length; at += 1) {
      const { source, destination, asset, amount } = postings[at]!;
      // The postings of a trade come in pairs that one account pays.
      const before = at === 0 ? undefined : postings[at - 1]!;
      if (from === undefined || before?.source !== source || before.asset !== asset)
        from = this.balances.open(step, source, asset);
      const to = this.balances.open(step, destination, asset);
      this.balances.move(from, to, amount.atoms);
      if (entry === undefined) {
        // Most entries have one posting, so the array begins as long as that.
        entry = new DraftEntry(step.now, kind, reference, [from, to, amount], this.last);
        this.last = entry;
      } else {
        entry.moves.push(from, to, amount);
      }
      this.touch(step, from);
      this.touch(step, to);
    }
    if (entry === undefined) throw new RangeError('an entry moves something');
    step.write(this.entries, entry);
  }

  balance(address: Address, asset: AssetCode): Decimal {
    return this.balances.balance(address, asset);
  }

  /** Whether the asset exists here: some account of the house or the world has been opened in it. */
  isKnown(asset: AssetCode): boolean {
    return this.balances.isKnown(asset);
  }

  /** Whether all units of an asset were issued here, or none exist yet: nothing of it came from a network or elsewhere. */
  isIssuedOnly(asset: AssetCode): boolean {
    return this.balances.origins(asset).every((origin) => origin === ISSUE);
  }

  /** Whether a stored halt stands, which is what a command may decide by. Nothing of a halted asset moves until an operator has looked. */
  isHalted(asset: AssetCode): boolean {
    return this.halts.isHalted(asset);
  }

  /**
   * Whether postings of an asset are refused now, also for a halt that is not stored yet. For jobs, which leave out what
   * would be refused; a command would decide differently in a replay.
   */
  isStopped(asset: AssetCode): boolean {
    return this.halts.isStopped(asset);
  }

  /** Refuses no posting of an asset any later than now; `Halting` stores that. */
  halt(asset: AssetCode, by: string, why: string): void {
    if (this.halts.find(asset, by, why)) this.log.error('ledger.asset_halted', { asset, by, why });
  }

  get haltedAssets(): readonly AssetCode[] {
    return this.halts.all.map(({ asset }) => asset);
  }

  /** Every account in memory, for checks. */
  everyAccount(): Iterable<Account> {
    return this.balances.all();
  }

  /** One undo for all moves of a step: refused steps are rare, moves are not. */
  private begin(step: Step): void {
    this.step = step;
    this.turn += 1;
    this.last = undefined;
    step.onUndo(this.takeBack);
  }

  private readonly takeBack = (step: Step): void => {
    if (this.step !== step) throw new Error('another step has posted before this one was undone');
    for (let entry = this.last; entry !== undefined; entry = entry.before) moveBack(entry.moves);
    this.step = undefined;
  };

  /** Saves the account with the step and tells its owner, once for all postings of a step. */
  private touch(step: Step, account: Account): void {
    if (account.touchedIn !== this.turn) {
      account.touchedIn = this.turn;
      this.touched.push(account);
      step.write(balanceWriter, account);
    }
    const { holding, held } = account;
    if (holding === undefined || held === undefined) return;
    this.balances.markUsed(holding.loaded);
    let changed = holding.changed?.turn === this.turn ? holding.changed : undefined;
    while (changed !== undefined && changed.product !== held.product) changed = changed.before;
    if (changed === undefined) {
      changed = new ChangedBalance(holding, held.product, this.turn);
      holding.changed = changed;
      step.publish(balanceChanged, changed);
    }
    changed.refresh();
  }
}

/** Takes back what an entry moved, the last posting first. */
function moveBack(moves: Moves): void {
  for (let at = moves.length - 3; at >= 0; at -= 3) {
    const { atoms } = moves[at + 2] as Decimal;
    (moves[at] as Account).atoms += atoms;
    (moves[at + 1] as Account).atoms -= atoms;
  }
}
