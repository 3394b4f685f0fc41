import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { FollowedState } from '../../platform/sequencer/followed-state.ts';
import type { Participant } from '../../platform/sequencer/sequencer.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { type Account, ChangedBalance, balanceChanged } from './account.ts';
import { Balances, type EvictionBounds, type StoredAccount } from './balances.ts';
import { ISSUE, type Address, type ChainHead, type EntryKind, type Posting } from './domain.ts';
import { DraftEntry, entryWriter, type Moves } from './entry-writer.ts';
import { storedHalts, accountsOf, accountsOfOwners, chainHead } from './repository.ts';
import { FollowedLedger } from './following.ts';
import { Halts } from './halts.ts';
import { balanceWriter } from './tables.ts';

/** Keeps balances in memory, posts entries in steps, and stores both with the batch of the steps. */
export class Ledger implements Participant {
  readonly name = 'ledger';
  readonly halts = new Halts();
  readonly following: FollowedState;
  private readonly reader: Reader;
  private readonly log: Log;
  private readonly balances: Balances;
  private readonly head: ChainHead = { sequence: 0, hash: '' };
  private readonly entries = entryWriter(this.head);
  private readonly loading = new Map<UserId, Promise<void>>();
  private readonly retained: (() => (owner: UserId) => boolean)[] = [];
  /** Number of times that all balances in memory were reloaded. */
  private loads = 0;
  /**
   * Ledger accounts whose balances in memory changed since the last call of `verify`, which checks that none is
   * negative.
   */
  private touched: Account[] = [];
  /**
   * Number of the current ledger turn; each step that posts entries is one turn. `step` is the step of that turn, and
   * `last` the latest entry of this step.
   */
  private turn = 0;
  private step: Step | undefined;
  private last: DraftEntry | undefined;

  /** If `isReplay` is true, checks are left out that did not exist yet when some of the replayed steps ran. */
  constructor({ reader, log, isReplay = false }: { reader: Reader; log: Log; isReplay?: boolean }) {
    this.reader = reader;
    this.log = log;
    this.balances = new Balances(!isReplay);
    const { balances, head } = this;
    this.following = new FollowedLedger(
      {
        balances,
        head,
        replace: ({ accounts, lastId }, halts, newHead) => {
          this.loads += 1;
          this.replace(accounts, lastId, newHead);
          this.halts.replace(halts);
        },
        setHalts: (halts) => this.halts.replace(halts),
      },
      reader,
    );
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
      // The result lacks users who were loaded during the database read. They must not be dropped, so the read is
      // repeated.
      if (this.balances.ownerCount > owners.length) continue;
      this.replace(accounts, lastId, head);
      this.halts.replace(halts);
      return;
    }
  }

  private replace(accounts: readonly StoredAccount[], lastId: number, head: ChainHead): void {
    this.balances.replace(accounts, lastId);
    this.touched = [];
    this.step = undefined;
    Object.assign(this.head, head);
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

  /** True if the user's accounts are in memory. Then they are not evicted before the caller's request has ended. */
  isPrepared(owner: UserId): boolean {
    return this.balances.use(owner);
  }

  /**
   * Loads the user's accounts into memory, for a command's `prepare`, and for the rare read that needs the
   * newest balances. Screens read SQL instead (`holdingsOn`, `storedBalance`), so that they use no memory.
   */
  async prepare(owner: UserId): Promise<void> {
    await this.prepareAll([owner]);
  }

  /**
   * Loads the balances of several users into memory, for a command's `prepare`, and for the owners of the open orders
   * that spot loads.
   */
  async prepareAll(owners: Iterable<UserId>): Promise<void> {
    const unread: UserId[] = [];
    const loading = new Set<Promise<void>>();
    for (const owner of new Set(owners)) {
      if (this.isPrepared(owner)) continue;
      const pending = this.loading.get(owner);
      if (pending === undefined) unread.push(owner);
      else loading.add(pending);
    }
    if (unread.length > 0) loading.add(this.startLoading(unread));
    await Promise.all(loading);
  }

  /** Number of users whose accounts are in memory. */
  get ownersInMemory(): number {
    return this.balances.ownerCount;
  }

  /** All assets that ever had a house or world account. */
  get assets(): readonly AssetCode[] {
    return this.balances.assets;
  }

  /**
   * Registers users whom a module's steps access without preparing them, e.g. the owners of resting orders.
   * `needed` is called for each eviction and returns a predicate that is true for users who must not be
   * evicted.
   */
  retain(needed: () => (owner: UserId) => boolean): void {
    this.retained.push(needed);
  }

  /**
   * Evicts balances of idle users, and of the least recently used ones above the limit, from memory, except of users
   * whose balances a step may need. Returns the number of evicted users.
   */
  evict(bounds: Omit<EvictionBounds, 'isNeeded'>): number {
    const retained = this.retained.map((needed) => needed());
    const isNeeded = (owner: UserId) => retained.some((needs) => needs(owner));
    return this.balances.evict({ ...bounds, isNeeded });
  }

  /**
   * Starts to load the balances of these users into memory. Concurrent calls wait for this load instead of
   * starting a second one, which could read balances that are older than later steps.
   */
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
      // All balances in memory were replaced while this user's accounts were read, so the result may lack newer
      // batches; the accounts are read again.
      if (loads !== this.loads) continue;
      for (const owner of owners) this.balances.addOwner(owner, accounts.get(owner) ?? []);
      return;
    }
  }

  /**
   * Posts an entry: checks and changes balances in memory, publishes the changed balances, and stores the entry with
   * the batch. Refuses if a user's available balance is too small, if an asset is halted, or if an account cannot be
   * opened (`Balances.open`). There is at least one posting; amounts are positive, with at most 18 decimals.
   */
  post(step: Step, kind: EntryKind, reference: string | null, postings: readonly Posting[]): void {
    if (this.halts.hasAny) for (const { asset } of postings) this.halts.requireNotHalted(asset);
    if (this.step !== step) this.startStep(step);
    let entry: DraftEntry | undefined;
    let sourceAccount: Account | undefined;
    for (let index = 0; index < postings.length; index += 1) {
      const { source, destination, asset, amount } = postings[index]!;
      // The postings of a trade come in pairs with the same source, so the account is looked up
      // once.
      const previous = index === 0 ? undefined : postings[index - 1]!;
      if (sourceAccount === undefined || previous?.source !== source || previous.asset !== asset)
        sourceAccount = this.balances.open(step, source, asset);
      const destinationAccount = this.balances.open(step, destination, asset);
      this.balances.move(sourceAccount, destinationAccount, amount.atoms);
      if (entry === undefined) {
        // Most entries have one posting; this array literal has the right capacity for it.
        entry = new DraftEntry(
          step.now,
          kind,
          reference,
          [sourceAccount, destinationAccount, amount],
          this.last,
        );
        this.last = entry;
      } else {
        entry.moves.push(sourceAccount, destinationAccount, amount);
      }
      this.touch(step, sourceAccount);
      this.touch(step, destinationAccount);
    }
    if (entry === undefined) throw new RangeError('an entry moves something');
    step.write(this.entries, entry);
  }

  /** Posts an entry with one posting, like `post`. Most entries have one: holds and releases of orders' funds. */
  postOne(
    step: Step,
    kind: EntryKind,
    reference: string | null,
    { source, destination, asset, amount }: Posting,
  ): void {
    if (this.halts.hasAny) this.halts.requireNotHalted(asset);
    if (this.step !== step) this.startStep(step);
    const sourceAccount = this.balances.open(step, source, asset);
    const destinationAccount = this.balances.open(step, destination, asset);
    this.balances.move(sourceAccount, destinationAccount, amount.atoms);
    const moves = [sourceAccount, destinationAccount, amount];
    const entry = new DraftEntry(step.now, kind, reference, moves, this.last);
    this.last = entry;
    this.touch(step, sourceAccount);
    this.touch(step, destinationAccount);
    step.write(this.entries, entry);
  }

  balance(address: Address, asset: AssetCode): Decimal {
    return this.balances.balance(address, asset);
  }

  /** Returns whether the asset exists on the exchange: a house or world account has been opened in it. */
  isKnown(asset: AssetCode): boolean {
    return this.balances.isKnown(asset);
  }

  /** Returns whether all units of an asset were issued by the exchange, or none exist yet. */
  isIssuedOnly(asset: AssetCode): boolean {
    return this.balances.origins(asset).every((origin) => origin === ISSUE);
  }

  /**
   * Returns whether the asset has a stored halt; commands may use only this. Postings of a halted asset are
   * refused until an operator lifts the halt.
   */
  isHalted(asset: AssetCode): boolean {
    return this.halts.isHalted(asset);
  }

  /**
   * Returns whether postings of the asset are refused now, including halts that are not stored yet. For jobs
   * that skip such assets; commands must not use it, because a replay would decide differently.
   */
  isStopped(asset: AssetCode): boolean {
    return this.halts.isStopped(asset);
  }

  /** Refuses postings of the asset from now on. The halt is in memory only; the `Halting` service stores it. */
  halt(asset: AssetCode, by: string, why: string): void {
    if (this.halts.markHalted(asset, by, why)) this.log.error('ledger.asset_halted', { asset, by, why });
  }

  get haltedAssets(): readonly AssetCode[] {
    return this.halts.all.map(({ asset }) => asset);
  }

  /** All ledger accounts in memory, for checks. */
  everyAccount(): Iterable<Account> {
    return this.balances.all();
  }

  /**
   * Called at the first posting of a step. Registers one undo callback for the step, and not one per posting, because
   * refused steps are rare and postings are frequent.
   */
  private startStep(step: Step): void {
    this.step = step;
    this.turn += 1;
    this.last = undefined;
    step.onUndo(this.rollBack);
  }

  private readonly rollBack = (step: Step): void => {
    if (this.step !== step) throw new Error('another step has posted before this one was undone');
    for (let entry = this.last; entry !== undefined; entry = entry.before) revertPostings(entry.moves);
    this.step = undefined;
  };

  /**
   * Stores a changed account with the step, and publishes the change of its balance if it is a user's; both
   * once per step.
   */
  private touch(step: Step, account: Account): void {
    if (account.touchedIn !== this.turn) {
      account.touchedIn = this.turn;
      this.touched.push(account);
      step.write(balanceWriter, account);
    }
    const { holding, ownedAddress } = account;
    if (holding === undefined || ownedAddress === undefined) return;
    this.balances.markUsed(holding.loaded);
    let event = holding.changed?.turn === this.turn ? holding.changed : undefined;
    while (event !== undefined && event.product !== ownedAddress.product) event = event.before;
    if (event === undefined) {
      event = new ChangedBalance(holding, ownedAddress.product, this.turn);
      holding.changed = event;
      step.publish(balanceChanged, event);
    }
    event.refresh();
  }
}

/** Reverts the postings of a ledger entry in memory, last posting first. */
function revertPostings(moves: Moves): void {
  for (let at = moves.length - 3; at >= 0; at -= 3) {
    const { atoms } = moves[at + 2] as Decimal;
    (moves[at] as Account).atoms += atoms;
    (moves[at + 1] as Account).atoms -= atoms;
  }
}
