import type { CopyRows } from '../database/database.ts';

/** One consistent view of the database, in which a standby reads. */
export interface Snapshot {
  readonly copy: CopyRows;
  /** Aborted when the result is no longer wanted; nothing may be changed in memory afterwards. */
  readonly signal: AbortSignal;
}

/**
 * How a standby keeps large state current, so that it does not have to load it when it takes over. A standby writes nothing,
 * and its state serves nobody before `confirm`. Each function changes memory only after its last read.
 */
export interface FollowedState {
  /** Reads all state, and remembers from which rows it was made. The state may be newer than the snapshot. */
  load(snapshot: Snapshot): Promise<void>;
  /**
   * Brings the state of an earlier `load` to the snapshot and reads only what has changed. When nobody writes, the result is
   * what `load` would read. Throws `Unfollowable` when everything has to be loaded again.
   */
  update(snapshot: Snapshot): Promise<void>;
  /**
   * Called after an `update` in the same snapshot, perhaps several times, and always before the state is used: throws
   * `StateDiffers` when memory and database differ in a sum or position, and otherwise passes the state to the modules that
   * show it. Following may go on afterwards.
   */
  confirm(snapshot: Snapshot): Promise<void>;
  /** Called once after a takeover: releases the memory that only following needs. */
  end?(): void;
}

/** Error: followed state cannot be updated and has to be loaded again; nothing is wrong. */
export class Unfollowable extends Error {
  override readonly name = 'Unfollowable';
}

/** Error: the state of a standby is not what the database contains, which is a bug in following it. */
export class StateDiffers extends Error {
  override readonly name = 'StateDiffers';
}
