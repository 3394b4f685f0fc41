import type { CopyRows } from '../database/database.ts';

/** A consistent view of the database from which a standby reads. */
export interface Snapshot {
  readonly copy: CopyRows;
  /** Aborted when the state that is being read is no longer needed. Afterwards nothing in memory may be changed. */
  readonly signal: AbortSignal;
}

/**
 * Interface of objects that keep large state of a sequencer participant (state in memory that caches the
 * database) current on a standby process, so that a takeover need not load it. A standby writes nothing, and
 * nothing uses its state before `confirm`. Each function changes memory only after its last read.
 */
export interface FollowedState {
  /** Loads all state and records which rows it contains. The state may be newer than the snapshot. */
  load(snapshot: Snapshot): Promise<void>;
  /**
   * Updates the state of an earlier `load` to the snapshot by reading only the changes. If no process writes meanwhile,
   * the result equals that of `load`. Throws `Unfollowable` if the state must be loaded again.
   */
  update(snapshot: Snapshot): Promise<void>;
  /**
   * Compares sums and positions in memory with the database, and throws `StateDiffers` if they differ. Otherwise makes
   * the state available to the modules that read it. Called in the same snapshot as the preceding `update`, always
   * before the state is used, and possibly several times. More updates may follow.
   */
  confirm(snapshot: Snapshot): Promise<void>;
  /**
   * Called once at the end of a takeover, whether the takeover uses the followed state or loads all state: releases the
   * memory that only following needs.
   */
  end?(): void;
}

/** Error: the followed state cannot be updated and must be loaded again. This is not a fault. */
export class Unfollowable extends Error {
  override readonly name = 'Unfollowable';
}

/** Error: the state of a standby differs from the database, which is a bug in its updates. */
export class StateDiffers extends Error {
  override readonly name = 'StateDiffers';
}
