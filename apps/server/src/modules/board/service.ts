import { LOCALES } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { KeptVersion, VersionsBelow } from '../../platform/database/kept-versions.ts';
import {
  ANNOUNCEMENTS_SHOWN,
  BANNERS_SHOWN,
  ENTRIES_MAX,
  entryProblem,
  isShown,
  type Entry,
  type EntryKind,
  type EntryTerms,
  type Screens,
} from './domain.ts';
import {
  entriesOf,
  entryCount,
  entryVersions,
  lockedEntry,
  versionsOfEntry,
  writeVersion,
} from './repository.ts';

/** How old what is shown may be: another process may have published meanwhile. */
const FRESH_MS = 5 * SECOND_MS;
const HISTORY = 200;

export interface BoardParts {
  readonly clock: Clock;
  readonly database: Database;
  /** Where a banner may lead. */
  /** What entries may link to. */
  readonly screens: Screens;
}

/** Who publishes, and why. */
export interface Publishing {
  readonly by: string;
  readonly reason: string;
}

/** What is told to everybody: announcements, and banners of the home screens. */
export class Board {
  private readonly parts: BoardParts;
  private readonly kept = new Map<EntryKind, { readonly at: Instant; readonly entries: Promise<Entry[]> }>();

  constructor(parts: BoardParts) {
    this.parts = parts;
  }

  /** The address of a screen by its name; undefined where there is none. */
  addressOf(screen: string): string | undefined {
    return this.parts.screens.get(screen)?.[0];
  }

  /** What is out now, the newest first. */
  async announcements(): Promise<Entry[]> {
    return (await this.shown('announcement')).slice(0, ANNOUNCEMENTS_SHOWN);
  }

  /** What is out now, in its order. */
  async banners(): Promise<Entry[]> {
    const shown = await this.shown('banner');
    return shown.toSorted((one, other) => one.position - other.position).slice(0, BANNERS_SHOWN);
  }

  /** Every entry of a kind, for operators. */
  all(kind: EntryKind): Promise<Entry[]> {
    return entriesOf(this.parts.database.store, kind);
  }

  history() {
    return entryVersions(this.parts.database.reader, HISTORY);
  }

  /** The versions of one entry with who and why, the newest first. */
  async versions(kind: EntryKind, code: string, which: VersionsBelow): Promise<KeptVersion[]> {
    const found = await versionsOfEntry(this.parts.database.reader, kind, code, which);
    return found.map(({ version, at, by, reason, body, position, fromAt, untilAt, isWithdrawn }) => ({
      version,
      at,
      by,
      reason,
      terms: { code, ...body, position, fromAt, untilAt, isWithdrawn },
    }));
  }

  /** An entry as it would be published now; refused like its publication where it says something wrong. */
  async proposed(terms: EntryTerms): Promise<Entry> {
    const problem = entryProblem(terms, this.parts.screens);
    if (problem !== undefined) throw new Refused(problem);
    const found = (await this.all(terms.kind)).find(({ code }) => code === terms.code);
    return { ...terms, version: (found?.version ?? 0) + 1 };
  }

  /** Publishes the next version of an entry; one that says the same is not made twice. */
  async publish(terms: EntryTerms, { by, reason }: Publishing): Promise<Entry> {
    const problem = entryProblem(terms, this.parts.screens);
    if (problem !== undefined) throw new Refused(problem);
    const { database, clock } = this.parts;
    const made = await database.transaction(async (tx) => {
      const present = await lockedEntry(tx, terms.code);
      if (present !== undefined && present.kind !== terms.kind)
        throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'code', value: terms.code }));
      if (present === undefined && (await entryCount(tx)) >= ENTRIES_MAX) {
        const about = { field: 'code', limit: String(ENTRIES_MAX), value: String(ENTRIES_MAX + 1) };
        throw new Refused(refusal('aboveMaximum', 'l.entries_max', about));
      }
      const next = { ...terms, version: (present?.version ?? 0) + 1 };
      if (present !== undefined && isSame(present, next)) return present;
      await writeVersion(tx, next, { at: clock.now(), by, reason });
      return next;
    });
    this.kept.clear();
    return made;
  }

  /** Takes an entry down at once. */
  async withdraw(code: string, publishing: Publishing): Promise<Entry> {
    const found = [...(await this.all('announcement')), ...(await this.all('banner'))].find(
      (entry) => entry.code === code,
    );
    if (found === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { version: _, ...terms } = found;
    return this.publish({ ...terms, isWithdrawn: true }, publishing);
  }

  private async shown(kind: EntryKind): Promise<Entry[]> {
    const now = this.parts.clock.now();
    let kept = this.kept.get(kind);
    if (kept === undefined || Math.abs(now - kept.at) >= FRESH_MS) {
      kept = { at: now, entries: this.all(kind) };
      this.kept.set(kind, kept);
      kept.entries.catch(() => this.kept.delete(kind));
    }
    return (await kept.entries).filter((entry) => isShown(entry, now));
  }
}

function isSame({ version: _, ...present }: Entry, { version: __, ...next }: Entry): boolean {
  return textOf(present) === textOf(next);
}

function textOf({ body, code, kind, position, fromAt, untilAt, isWithdrawn }: EntryTerms): string {
  const { title, content, topic, picture, link } = body;
  const texts = [title, content].map((text) => LOCALES.map((locale) => text[locale]));
  return JSON.stringify([code, kind, position, fromAt, untilAt, isWithdrawn, texts, topic, picture, link]);
}
