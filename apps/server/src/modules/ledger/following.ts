import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Reader } from '../../platform/database/database.ts';
import {
  StateDiffers,
  Unfollowable,
  type FollowedState,
  type Snapshot,
} from '../../platform/sequencer/followed-state.ts';
import type { Balances } from './balances.ts';
import type { ChainHead, Halt } from './domain.ts';
import { accountsChangedSince, accountSums, hashOfEntry, newestEntry } from './following-repository.ts';
import { accountsOf, chainHead, storedHalts } from './repository.ts';

/**
 * If a standby is more than this number of ledger entries behind, it reads all balances again instead of only the
 * changed ones.
 */
const ENTRIES_MAX = 200_000;
/** Greatest number of users whose balances are compared at a takeover, besides the house and world accounts. */
const OWNERS_COMPARED = 20_000;

/** The ledger's state in memory that a standby keeps current: balances, end of the hash chain, and halts. */
export interface LedgerState {
  readonly balances: Balances;
  readonly head: ChainHead;
  /** Replaces all balances, halts and the end of the hash chain in memory. */
  replace(accounts: Awaited<ReturnType<typeof accountsOf>>, halts: readonly Halt[], head: ChainHead): void;
  setHalts(halts: readonly Halt[]): void;
}

/**
 * Keeps the balances of a standby current. Balances change only with entries, which are appended in the order of their
 * numbers and name their accounts, so an update reads the accounts of the entries after the last one in memory.
 */
export class FollowedLedger implements FollowedState {
  private readonly state: LedgerState;
  private readonly reader: Reader;

  constructor(state: LedgerState, reader: Reader) {
    this.state = state;
    this.reader = reader;
  }

  async load({ signal }: Snapshot): Promise<void> {
    const { reader, state } = this;
    // The last entry is read before the balances: balances that are newer than it are read again by the next update.
    const head = await chainHead(reader);
    const [accounts, halts] = await Promise.all([
      accountsOf(reader, state.balances.loadedOwners),
      storedHalts(reader),
    ]);
    signal.throwIfAborted();
    state.replace(accounts, halts, head);
  }

  async update({ copy, signal }: Snapshot): Promise<void> {
    const { reader, state } = this;
    const { sequence, hash } = state.head;
    if (sequence > 0 && (await hashOfEntry(copy, sequence)) !== hash)
      throw new Unfollowable(`the entry ${sequence} is not the one in memory`);
    const newest = await newestEntry(copy);
    if (newest.sequence - sequence > ENTRIES_MAX)
      throw new Unfollowable(`${newest.sequence - sequence} entries are new`);
    const changed = newest.sequence === sequence ? [] : await accountsChangedSince(copy, sequence);
    const halts = await storedHalts(reader);
    signal.throwIfAborted();
    state.balances.update(changed);
    Object.assign(state.head, newest);
    state.setHalts(halts);
  }

  /**
   * Checks the balances in memory against the stored ones: compares, by coin, the number of accounts and the sum of
   * absolute balances over all house and world accounts and the accounts of at most `OWNERS_COMPARED` loaded users.
   * Throws `StateDiffers` if they differ.
   */
  async confirm({ copy }: Snapshot): Promise<void> {
    const { balances } = this.state;
    const owners = new Set<UserId>(balances.loadedOwners.slice(0, OWNERS_COMPARED));
    const sums = new Map<AssetCode, { count: number; atoms: bigint }>();
    for (const { asset, atoms, ownedAddress } of balances.all()) {
      if (ownedAddress !== undefined && !owners.has(ownedAddress.owner)) continue;
      const sum = sums.get(asset) ?? { count: 0, atoms: 0n };
      sums.set(asset, { count: sum.count + 1, atoms: sum.atoms + magnitude(atoms) });
    }
    const stored = await accountSums(copy, [...owners]);
    for (const { asset, count, magnitudes } of stored) {
      const sum = sums.get(asset);
      if (sum?.count !== count || sum.atoms !== magnitudes.atoms)
        throw new StateDiffers(`the balances of ${asset} differ from the stored ones`);
    }
    if (stored.length !== sums.size) throw new StateDiffers('memory has balances that are not stored');
  }
}

/**
 * The absolute value of a balance in atoms. The comparison sums absolute values, because the signed balances
 * of all accounts in an asset always sum to zero.
 */
function magnitude(atoms: bigint): bigint {
  return atoms < 0n ? -atoms : atoms;
}
