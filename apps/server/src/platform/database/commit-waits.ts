import type { Instant } from '@exchange/core/time.ts';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { timeText } from '../time-text.ts';

/** Why commits wait, as far as the database knows, in words for operators. */
export interface CommitWait {
  /** The writer has waited for a synchronous standby for more than a second. */
  readonly isWaiting: boolean;
  /** Every synchronous standby by its name, with `connected`, or since when it is gone. */
  readonly standbys: ReadonlyMap<string, string>;
  /** For example `commits wait for standby s1, gone since 2026-03-01 12:03 UTC`; undefined while none waits. */
  readonly reason: string | undefined;
}

interface Parts {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The application name of the writer's session. */
  readonly writer: string;
}

interface Row {
  readonly names: string;
  readonly waits: boolean;
  readonly connected: readonly (string | null)[];
}

const LOOK_EVERY_MS = 10_000;
/** Any replica may be the synchronous one. */
const ANY = '*';

/**
 * Knows which synchronous standbys PostgreSQL waits for, and since when one is gone: PostgreSQL itself forgets a
 * standby as soon as it leaves, so this looks every ten seconds.
 */
export class CommitWaits {
  private readonly parts: Parts;
  /** When a standby was first found to be gone; undefined for one that was never seen connected. */
  private readonly goneSince = new Map<string, { at: Instant; wasSeen: boolean }>();
  private hasLooked = false;
  private last: CommitWait = { isWaiting: false, standbys: new Map(), reason: undefined };
  private timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** What the last look found. */
  get latest(): CommitWait {
    return this.last;
  }

  start(): void {
    void this.look();
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Looks now. Where the database does not answer, what was found last holds. */
  async look(): Promise<CommitWait> {
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
      if (row !== undefined) this.last = this.found(row);
    } catch {
      // The health of the database says that it is away; this says what was known before.
    }
    return this.last;
  }

  private found({ names, waits, connected }: Row): CommitWait {
    const standbys = new Map<string, string>();
    const configured = standbyNames(names);
    for (const name of this.goneSince.keys()) if (!configured.includes(name)) this.goneSince.delete(name);
    for (const name of configured) standbys.set(name, this.standingOf(name, connected));
    this.hasLooked = true;
    const awaited = [...standbys].map(([name, standing]) => `${name === ANY ? '(any)' : name}, ${standing}`);
    const reason = waits ? `commits wait for standby ${awaited.join('; ')}` : undefined;
    return { isWaiting: waits, standbys, reason };
  }

  private standingOf(name: string, connected: readonly (string | null)[]): string {
    const isThere =
      name === ANY
        ? connected.length > 0
        : connected.some((each) => each?.toLowerCase() === name.toLowerCase());
    const { clock, log } = this.parts;
    const before = this.goneSince.get(name);
    if (isThere) {
      if (before !== undefined) log.info('database.standby_connected', { standby: name });
      this.goneSince.delete(name);
      return 'connected';
    }
    // A role without the right to see replication gets rows without names.
    if (connected.includes(null)) return 'not known: the role of the server may not see replication';
    const gone = before ?? { at: clock.now(), wasSeen: this.hasLooked };
    if (before === undefined) {
      this.goneSince.set(name, gone);
      log.warn('database.standby_gone', { standby: name });
    }
    return gone.wasSeen ? `gone since ${timeText(gone.at)}` : `gone since before ${timeText(gone.at)}`;
  }
}

/** The names in a value of `synchronous_standby_names`: `s1, s2`, `FIRST 2 (s1, s2)`, `ANY 1 (s1, "s 2")`, `*`. */
export function standbyNames(setting: string): string[] {
  const list = /^\s*(?:(?:first|any)\s+)?\d+\s*\(([^]*)\)\s*$/i.exec(setting)?.[1] ?? setting;
  const names = list.match(/"(?:[^"]|"")*"|[^\s,"]+/g) ?? [];
  return names.map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name));
}
