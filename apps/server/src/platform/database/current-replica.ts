import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { inTime } from '../in-time.ts';
import type { ConnectionSource } from './database.ts';

/**
 * A position in the history of the database: the epoch of the writer, and the position in the write-ahead log. Of two
 * positions with the same epoch, the one that is further in the log contains everything of the other. The epoch tells
 * a replica that still follows a former primary apart from one that follows the present one.
 */
interface Position {
  readonly epoch: bigint;
  /** Number of bytes of the write-ahead log up to the position; undefined for a primary, which has everything. */
  readonly wal: bigint | undefined;
}

/** What a call requires of each replica from which it reads, and until when it waits for that. */
interface Requirement {
  readonly position: Position;
  readonly waitsUntilMs: number;
}

interface PositionRow {
  readonly is_replica: boolean;
  readonly wal: string | null;
  readonly epoch: bigint;
}

export interface CurrentReplicaOptions {
  readonly primary: Pick<pg.Pool, 'query'>;
  /**
   * Connections to the replica, or to a proxy in front of several replicas. Each connection must lead to the same
   * database as long as it is open, so there must be no pooler between.
   */
  readonly replica: Pick<pg.Pool, 'connect'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Runs a later part of a call. */
export type Resume = <T>(continued: () => Promise<T>) => Promise<T>;

/** Thrown if a replica lacks data that were committed before the call, or if this could not be found out. */
export class ReplicaBehind extends Error {
  override readonly name = 'ReplicaBehind';
}

/** Milliseconds that a call, or a later part of it, waits in total for replicas that are behind. */
const WAIT_MS = 200;
const POLL_EVERY_MS = 5;
/** Milliseconds within which the primary must say its position, and within which a connection must be free. */
const ANSWER_MS = 1_000;

/**
 * Everything that was acknowledged is flushed to the log of the primary, so the flushed position covers it. On a
 * replica the replayed position says what queries see.
 */
const PRIMARY_POSITION = `select pg_is_in_recovery() as is_replica,
  (case when pg_is_in_recovery() then null else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::text as wal,
  (select epoch from writer where id = 1) as epoch`;
const REPLICA_POSITION = `select pg_is_in_recovery() as is_replica,
  (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as wal,
  (select epoch from writer where id = 1) as epoch`;

/**
 * Reads from a replica without ever showing less than what was committed before the call. The primary says its
 * position at the beginning of each call, and every connection is asked, before it is used, whether its database has
 * reached this position.
 */
export class CurrentReplica {
  /** Connections that are checked if the query belongs to a call of `reading`, and returned unchecked otherwise. */
  readonly connections: ConnectionSource = {
    connect: () => this.checkedClient(),
    end: () => Promise.resolve(),
  };
  private readonly options: CurrentReplicaOptions;
  private readonly requirements = new AsyncLocalStorage<Requirement>();
  /** The latest known position of the database of each connection. */
  private readonly seen = new WeakMap<pg.PoolClient, Position>();
  /** The query of the primary's position that is running; settles without an error. */
  private running: Promise<unknown> = Promise.resolve();
  /** The query that begins when the running one has ended. Calls that arrive meanwhile share it. */
  private next: Promise<Position> | undefined;

  constructor(options: CurrentReplicaOptions) {
    this.options = options;
  }

  /**
   * Runs `work`, whose queries over `connections` see everything that was committed before the call. Throws
   * `ReplicaBehind` if the database does not reach this position within 200 ms, or if the primary does not say it.
   * `work` receives a function for what continues after its end, such as further parts of a file: queries of the function
   * that it is called with see everything up to the same position.
   */
  async reading<T>(work: (resume: Resume) => Promise<T>): Promise<T> {
    const position = await withinAnswerTime(this.primaryPosition());
    const resume: Resume = (continued) => {
      const waitsUntilMs = this.options.clock.monotonicMs() + WAIT_MS;
      return this.requirements.run({ position, waitsUntilMs }, continued);
    };
    return resume(() => work(resume));
  }

  /** Reads the primary's position by a query that begins after the call. Calls at the same time share a query. */
  private primaryPosition(): Promise<Position> {
    this.next ??= this.running.then(() => {
      this.next = undefined;
      const position = this.readPrimary();
      this.running = position.catch(() => undefined);
      return position;
    });
    return this.next;
  }

  private async readPrimary(): Promise<Position> {
    const { rows } = await this.options.primary.query<PositionRow>(PRIMARY_POSITION);
    const { is_replica: isReplica, wal, epoch } = rows[0]!;
    if (isReplica || wal === null) throw new ReplicaBehind('the address of the primary leads to a replica');
    return { epoch, wal: BigInt(wal) };
  }

  private async checkedClient(): Promise<pg.PoolClient> {
    const client = await this.client();
    const requirement = this.requirements.getStore();
    if (requirement === undefined) return client;
    try {
      await this.awaitPosition(client, requirement);
    } catch (cause) {
      // A connection that is only behind can be used again; one whose query has failed is closed.
      client.release(cause instanceof ReplicaBehind ? undefined : true);
      throw cause;
    }
    return client;
  }

  private async awaitPosition(client: pg.PoolClient, { position, waitsUntilMs }: Requirement): Promise<void> {
    const known = this.seen.get(client);
    if (known !== undefined && covers(known, position)) return;
    for (;;) {
      const { rows } = await client.query<PositionRow>(REPLICA_POSITION);
      const { is_replica: isReplica, wal, epoch } = rows[0]!;
      const reached = { epoch, wal: isReplica && wal !== null ? BigInt(wal) : undefined };
      // A database that is no replica now may become one later, so this is not stored.
      if (reached.wal !== undefined) this.seen.set(client, reached);
      if (covers(reached, position)) return;
      if (this.options.clock.monotonicMs() >= waitsUntilMs) throw new ReplicaBehind('the replica is behind');
      await sleep(POLL_EVERY_MS);
    }
  }

  /** Returns a connection. Throws if none is free within `ANSWER_MS`; it is released when it becomes free later. */
  private async client(): Promise<pg.PoolClient> {
    const connecting = this.options.replica.connect();
    try {
      return await withinAnswerTime(connecting);
    } catch (cause) {
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw cause;
    }
  }
}

function covers(reached: Position, required: Position): boolean {
  if (reached.epoch !== required.epoch) return false;
  return reached.wal === undefined || required.wal === undefined || reached.wal >= required.wal;
}

/** Waits for an answer of a database. Throws if it takes longer than `ANSWER_MS`. */
function withinAnswerTime<T>(work: Promise<T>): Promise<T> {
  return inTime(work, ANSWER_MS, () => {
    throw new Error(`no answer within ${ANSWER_MS} ms`);
  });
}
