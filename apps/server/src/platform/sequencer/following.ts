import type { CopyRows, Database, Reader } from '../database/database.ts';
import { errorMessage } from '../error-message.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { StateDiffers, Unfollowable, type FollowedState, type Snapshot } from './followed-state.ts';
import type { Head } from './journal.ts';
import type { Participant } from './rebuilding.ts';
import { inTime } from '../in-time.ts';

export interface FollowingOptions {
  readonly copying: Database['copying'];
  /** Resolves to whether the database has the schema of this server version. Only reads from the database. */
  readonly isSchemaCurrent: () => Promise<boolean>;
}

interface Parts extends FollowingOptions {
  readonly reader: Reader;
  readonly participants: readonly Participant[];
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
  /** Called each time after the standby has loaded the whole state. */
  readonly onLoaded?: (() => void) | undefined;
}

/** How far the writer has come: its epoch, and the number of the last stored step. */
interface Position {
  readonly epoch: bigint;
  readonly sequence: number;
}

/** How far this standby has followed the writer's state, for operators. */
export interface Following {
  /** Whether the state is loaded, so that a takeover only has to read the latest changes. */
  readonly isWarm: boolean;
  /** Number of steps that were stored at the last check and are not in memory; undefined while nothing is loaded. */
  readonly stepsBehind: number | undefined;
  /** Milliseconds since a check last found the state current; undefined while nothing is loaded. */
  readonly checkedMsAgo: number | undefined;
  /** Reason why no state is loaded; undefined if the state is loaded. */
  readonly reason: string | undefined;
}

/**
 * Milliseconds after which a standby begins to follow. After a quick restart, the lock may still belong to the previous
 * process's session for a moment, and following would then be useless.
 */
const FIRST_AFTER_MS = 1_000;
/** Minimum and maximum pause in milliseconds between two checks of the writer's position. */
const PAUSE_MIN_MS = 500;
const PAUSE_MAX_MS = 10_000;
/**
 * Length of the pause after an update, as a multiple of the update's duration, so that following uses little
 * processor time.
 */
const PAUSE_PER_WORK = 20;
/** Pause in milliseconds after a failure, and while the database has the schema of another version. */
const PAUSE_AFTER_FAILURE_MS = 5_000;
/** Milliseconds that a takeover waits for a running load or update, before it loads everything itself. */
const RUN_ENDS_WITHIN_MS = 5_000;

/**
 * Keeps the large state of a standby current while another process is the writer. It regularly checks the number of the
 * last stored step, reads the changes, and pauses in proportion to the duration of the reading. When another epoch
 * begins, the state is loaded again, because the database may be another one that lacks steps.
 */
export class StandbyFollower {
  private readonly parts: Parts;
  private readonly states: readonly FollowedStateOf[];
  /** How far the state in memory has at least come (epoch and step); undefined while nothing is loaded. */
  private position: Position | undefined;
  /**
   * How far the state had come when it was compared with the database (epoch and step); undefined if it was
   * not compared since it was last read.
   */
  private confirmed: Position | undefined;
  /**
   * Whether the writer's lock was found free after the last read began, so that the next read is probably the
   * last one before a takeover.
   */
  private isTakeoverLikely = false;
  private storedSequence = 0;
  private checkedAtMs = 0;
  private reason = 'it has not been loaded yet';
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isEnded = true;
  private readonly abortion = new AbortController();

  constructor(parts: Parts) {
    this.parts = parts;
    this.states = parts.participants.flatMap(({ name, following }) =>
      following === undefined ? [] : [{ name, following }],
    );
  }

  /**
   * Begins to follow the writer's state, also after `end`. Does nothing while it follows, or after `abandon`.
   */
  start(): void {
    if (!this.isEnded || this.abortion.signal.aborted) return;
    this.isEnded = false;
    this.schedule(FIRST_AFTER_MS);
  }

  /**
   * Called when no process holds the writer's lock: starts reading the last changes and comparing the state with the
   * database. If no step is stored before the takeover, the takeover need not read the changes again. Returns false if
   * no state is loaded.
   */
  anticipate(): boolean {
    if (this.isEnded || this.position === undefined) return false;
    this.isTakeoverLikely = true;
    if (this.running === undefined) {
      clearTimeout(this.timer);
      this.begin();
    }
    return true;
  }

  /** Ends following. A running read continues until `takeOver` or `abandon`. */
  end(): void {
    this.isEnded = true;
    clearTimeout(this.timer);
  }

  /** Ends following permanently and aborts a running read. The takeover must load everything. */
  abandon(reason: string): void {
    this.end();
    this.invalidate(reason);
    this.abortion.abort();
  }

  get progress(): Following {
    const { position, reason } = this;
    if (position === undefined)
      return { isWarm: false, stepsBehind: undefined, checkedMsAgo: undefined, reason };
    return {
      isWarm: true,
      stepsBehind: Math.max(0, this.storedSequence - position.sequence),
      checkedMsAgo: Math.max(0, Math.round(this.parts.clock.monotonicMs() - this.checkedAtMs)),
      reason: undefined,
    };
  }

  /**
   * Reads the last changes after this process has become the writer. Returns true if the followed state is current, and
   * false if the state must be loaded.
   */
  async takeOver(head: Head): Promise<boolean> {
    const { log, clock } = this.parts;
    const startedMs = clock.monotonicMs();
    this.end();
    try {
      await this.runEnds();
      await this.readLast(head);
    } catch (cause) {
      const why = errorMessage(cause);
      this.abandon(why);
      if (cause instanceof StateDiffers) log.error('sequencer.standby_differs', { why });
      else log.warn('sequencer.standby_cold', { why });
      return false;
    } finally {
      for (const { following } of this.states) following.end?.();
    }
    log.info('sequencer.standby_warm', {
      ms: Math.round(clock.monotonicMs() - startedMs),
      readAhead: this.isConfirmedUpTo(head),
    });
    return true;
  }

  private async runEnds(): Promise<void> {
    await inTime(Promise.resolve(this.running), RUN_ENDS_WITHIN_MS, () => {
      throw new Unfollowable('its last read has not ended in time');
    });
  }

  private async readLast({ epoch, sequence }: Head): Promise<void> {
    const { position } = this;
    if (position === undefined) throw new Unfollowable(this.reason);
    if (position.epoch !== epoch - 1n) throw new Unfollowable('another epoch began since its last read');
    const requireStored = (stored: Position | undefined) => {
      // After a change of the primary database the pool's connections may still lead to the earlier one,
      // which lacks the new epoch. The state that this standby followed is then not used, and all state is
      // loaded again.
      if (stored?.epoch !== epoch || stored.sequence !== sequence)
        throw new Unfollowable('its connection does not lead to the writer’s database');
    };
    if (this.isConfirmedUpTo({ epoch, sequence })) {
      requireStored(await positionOf(this.parts.reader));
      return;
    }
    await this.parts.copying(async (copy) => {
      requireStored(await positionIn(copy));
      if (position.sequence > sequence) throw new StateDiffers('memory is ahead of the database');
      const snapshot = { copy, signal: this.abortion.signal };
      for (const { following } of this.states) await following.update(snapshot);
      await this.confirm(snapshot);
    });
  }

  /** Returns whether no step was stored between the comparison before the takeover and the takeover. */
  private isConfirmedUpTo({ epoch, sequence }: Head): boolean {
    return this.confirmed?.epoch === epoch - 1n && this.confirmed.sequence === sequence;
  }

  private async confirm(snapshot: Snapshot): Promise<void> {
    for (const { name, following } of this.states) {
      try {
        await following.confirm(snapshot);
      } catch (cause) {
        if (cause instanceof StateDiffers) throw new StateDiffers(`${name}: ${cause.message}`, { cause });
        throw cause;
      }
    }
  }

  private schedule(pauseMs: number): void {
    if (this.isEnded) return;
    this.timer = setTimeout(() => this.begin(), pauseMs);
    this.timer.unref();
  }

  private begin(): void {
    const startedMs = this.parts.clock.monotonicMs();
    const isLast = this.isTakeoverLikely;
    this.isTakeoverLikely = false;
    this.running = this.run(isLast).then((pause) => {
      this.running = undefined;
      // The writer's lock has become free during this read, so the last changes are read at once.
      if (this.isTakeoverLikely && !this.isEnded) {
        this.begin();
        return;
      }
      const workMs = this.parts.clock.monotonicMs() - startedMs;
      this.schedule(Math.max(pause, Math.min(PAUSE_MAX_MS, workMs * PAUSE_PER_WORK)));
    });
  }

  /** Loads or updates the state if necessary. Returns the minimum pause in milliseconds until the next run. */
  private async run(isLast: boolean): Promise<number> {
    const { log } = this.parts;
    try {
      if (this.position === undefined) return await this.load();
      await this.update(this.position, isLast);
      return PAUSE_MIN_MS;
    } catch (cause) {
      if (this.isEnded) {
        this.invalidate(errorMessage(cause));
        return PAUSE_AFTER_FAILURE_MS;
      }
      this.invalidate(errorMessage(cause));
      // State that cannot be updated is loaded again soon. After a fault, the pause until the next attempt is longer.
      if (cause instanceof Unfollowable) return PAUSE_MIN_MS;
      log.warn('sequencer.following_failed', { cause });
      return PAUSE_AFTER_FAILURE_MS;
    }
  }

  private async load(): Promise<number> {
    const { isSchemaCurrent, copying, clock, log } = this.parts;
    if (!(await isSchemaCurrent())) {
      this.reason = 'the database has the schema of another version';
      return PAUSE_AFTER_FAILURE_MS;
    }
    const startedMs = clock.monotonicMs();
    const position = await copying(async (copy) => {
      const stored = await positionIn(copy);
      if (stored === undefined) return undefined;
      for (const { following } of this.states) await following.load({ copy, signal: this.abortion.signal });
      return stored;
    });
    if (position === undefined) return PAUSE_AFTER_FAILURE_MS;
    this.arrived(position, startedMs);
    log.info('sequencer.standby_loaded', {
      sequence: position.sequence,
      ms: Math.round(clock.monotonicMs() - startedMs),
    });
    this.parts.onLoaded?.();
    return PAUSE_MIN_MS;
  }

  private async update(position: Position, isLast: boolean): Promise<void> {
    const { reader, copying, clock } = this.parts;
    const startedMs = clock.monotonicMs();
    const newest = await positionOf(reader);
    if (!isLast && newest.epoch === position.epoch && newest.sequence === position.sequence) {
      this.arrived(position, startedMs);
      return;
    }
    this.confirmed = undefined;
    this.storedSequence = newest.sequence;
    await copying(async (copy) => {
      const stored = await positionIn(copy);
      if (stored === undefined || stored.sequence < position.sequence || stored.epoch !== position.epoch) {
        // After `end`, the new epoch may be that of this process itself, which has just taken over. Then this is no
        // fault.
        if (this.isEnded) return;
        throw new Unfollowable('another epoch has begun');
      }
      const snapshot = { copy, signal: this.abortion.signal };
      for (const { following } of this.states) await following.update(snapshot);
      this.arrived(stored, startedMs);
      if (isLast) await this.confirmAhead(snapshot, stored);
    });
  }

  /**
   * Compares the state with the database before the takeover. If they agree, the takeover compares again only
   * if a further step was stored. A difference is not reported here, because the takeover compares again and
   * reports it.
   */
  private async confirmAhead(snapshot: Snapshot, position: Position): Promise<void> {
    try {
      await this.confirm(snapshot);
      this.confirmed = position;
    } catch (cause) {
      if (!(cause instanceof StateDiffers)) throw cause;
    }
  }

  private invalidate(reason: string): void {
    this.position = undefined;
    this.confirmed = undefined;
    this.reason = reason;
  }

  private arrived(position: Position, atMs: number): void {
    if (this.abortion.signal.aborted) return;
    this.position = position;
    this.storedSequence = Math.max(this.storedSequence, position.sequence);
    this.checkedAtMs = atMs;
  }
}

interface FollowedStateOf {
  readonly name: string;
  readonly following: FollowedState;
}

const POSITION = 'select epoch, sequence from writer where id = 1';

async function positionIn(copy: CopyRows): Promise<Position | undefined> {
  let position: Position | undefined;
  await copy(POSITION, ([epoch, sequence]) => {
    position = { epoch: BigInt(epoch!), sequence: Number(sequence) };
  });
  return position;
}

async function positionOf(reader: Reader): Promise<Position> {
  const row = await reader
    .withTables<{ writer: { id: number; epoch: bigint; sequence: bigint } }>()
    .selectFrom('writer')
    .select(['epoch', 'sequence'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  return { epoch: row.epoch, sequence: Number(row.sequence) };
}
