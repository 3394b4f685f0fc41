import type { Instant } from '@exchange/core/time.ts';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { timeText } from '../time-text.ts';
import { PeriodicTask } from '../jobs/periodic-task.ts';

/** Describes whether commits wait for synchronous replication, and for which standby, with texts for operators. */
export interface CommitWait {
  /**
   * Whether, at the last poll, a statement of the writer had waited for a synchronous standby for more than a second.
   */
  readonly isWaiting: boolean;
  /**
   * State of every synchronous standby by name: `connected`, the time since which it is gone, or that it is unknown.
   */
  readonly standbys: ReadonlyMap<string, string>;
  /**
   * Why commits wait, e.g. `commits wait for standby s1, gone since 2026-03-01 12:03 UTC`; undefined if no commit
   * waits.
   */
  readonly reason: string | undefined;
}

interface Parts {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Application name of the writer's database session, by which PostgreSQL lists it. */
  readonly writer: string;
}

interface Row {
  readonly names: string;
  readonly waits: boolean;
  readonly connected: readonly (string | null)[];
}

const POLL_EVERY_MS = 10_000;
/** Wildcard in `synchronous_standby_names`: any replica may be the synchronous standby. */
const ANY = '*';

/**
 * Monitors the synchronous standbys for which PostgreSQL waits, and records since when each one is gone. PostgreSQL
 * itself does not record this, so this class polls every ten seconds.
 */
export class CommitWaits {
  private readonly parts: Parts;
  /**
   * The time of the first poll at which each missing standby was missing. `wasSeen` is false if that was the first poll
   * of all, so that the standby may have been gone for longer.
   */
  private readonly goneSince = new Map<string, { at: Instant; wasSeen: boolean }>();
  private hasPolled = false;
  private last: CommitWait = { isWaiting: false, standbys: new Map(), reason: undefined };
  private readonly polls = new PeriodicTask(() => this.poll(), { everyMs: POLL_EVERY_MS });

  constructor(parts: Parts) {
    this.parts = parts;
  }

  get latest(): CommitWait {
    return this.last;
  }

  start(): void {
    void this.poll();
    this.polls.start();
  }

  async stop(): Promise<void> {
    await this.polls.stop();
  }

  /** Polls the state of the synchronous standbys. Returns the previous result if the database does not answer. */
  async poll(): Promise<CommitWait> {
    try {
      const { rows } = await this.parts.pool.query<Row>(
        `select current_setting('synchronous_standby_names') as names,
           exists (
             select from pg_stat_activity
             where datname = current_database() and application_name = $1 and wait_event = 'SyncRep'
               and clock_timestamp() - state_change > interval '1 second'
           ) as waits,
           array(select application_name from pg_stat_replication where state is distinct from 'backup') as connected`,
        [this.parts.writer],
      );
      const row = rows[0];
      if (row !== undefined) this.last = this.updateFrom(row);
    } catch {
      // The poll failed. The health check of the database reports the problem, so nothing is reported here.
    }
    return this.last;
  }

  private updateFrom({ names, waits, connected }: Row): CommitWait {
    const standbys = new Map<string, string>();
    const configured = standbyNames(names);
    for (const name of this.goneSince.keys()) if (!configured.includes(name)) this.goneSince.delete(name);
    for (const name of configured) standbys.set(name, this.stateOf(name, connected));
    this.hasPolled = true;
    const awaited = [...standbys].map(([name, state]) => `${name === ANY ? '(any)' : name}, ${state}`);
    const reason = waits ? `commits wait for standby ${awaited.join('; ')}` : undefined;
    return { isWaiting: waits, standbys, reason };
  }

  private stateOf(name: string, connected: readonly (string | null)[]): string {
    const isThere =
      name === ANY
        ? connected.length > 0
        : connected.some((application) => application?.toLowerCase() === name.toLowerCase());
    const { clock, log } = this.parts;
    const missing = this.goneSince.get(name);
    if (isThere) {
      if (missing !== undefined) log.info('database.standby_connected', { standby: name });
      this.goneSince.delete(name);
      return 'connected';
    }
    // The role may not see the names of some connected standbys. The standby `name` may be one of them, so its state is
    // unknown.
    if (connected.includes(null)) return 'not known: the role of the server may not see replication';
    const gone = missing ?? { at: clock.now(), wasSeen: this.hasPolled };
    if (missing === undefined) {
      this.goneSince.set(name, gone);
      log.warn('database.standby_gone', { standby: name });
    }
    return gone.wasSeen ? `gone since ${timeText(gone.at)}` : `gone since before ${timeText(gone.at)}`;
  }
}

/**
 * Returns the names of the standbys in a value of `synchronous_standby_names`, such as `s1, s2`, `FIRST 2
 * (s1, s2)`, `ANY 1 (s1, "s 2")` or `*`, without quotes.
 */
export function standbyNames(setting: string): string[] {
  const list = /^\s*(?:(?:first|any)\s+)?\d+\s*\(([^]*)\)\s*$/i.exec(setting)?.[1] ?? setting;
  const names = list.match(/"(?:[^"]|"")*"|[^\s,"]+/g) ?? [];
  return names.map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name));
}
