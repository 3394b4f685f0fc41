import { LOCALES } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { StoredVersion, VersionsBelow } from '../../platform/database/kept-versions.ts';
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
  entryOfCode,
  entryVersions,
  lockedEntry,
  versionsOfEntry,
  writeVersion,
} from './repository.ts';

/**
 * Maximum age of cached announcements and banners in milliseconds; another process may have published others meanwhile.
 */
const FRESH_MS = 5 * SECOND_MS;
const HISTORY = 200;

export interface BoardParts {
  readonly clock: Clock;
  readonly database: Database;
  /** Screens of the sites to which announcements and banners may link. */
  readonly screens: Screens;
}

/** The operator who publishes an announcement or a banner, and the operator's reason. */
export interface Publishing {
  readonly by: string;
  readonly reason: string;
}

/** The announcements, and the banners of the home screens, which all visitors see. */
export class Board {
  private readonly parts: BoardParts;
  private readonly cache = new Map<EntryKind, { readonly at: Instant; readonly entries: Promise<Entry[]> }>();

  constructor(parts: BoardParts) {
    this.parts = parts;
  }

  /**
   * Returns the URL path with which announcements and banners link to the screen with this name (the first of
   * its paths); undefined if there is no such screen.
   */
  addressOf(screen: string): string | undefined {
    return this.parts.screens.get(screen)?.[0];
  }

  /**
   * Returns the announcements that visitors see now, at most `ANNOUNCEMENTS_SHOWN`; those with the latest
   * start time come first.
   */
  async announcements(): Promise<Entry[]> {
    return (await this.shown('announcement')).slice(0, ANNOUNCEMENTS_SHOWN);
  }

  /** Returns the banners that visitors see now, ordered by their position, at most `BANNERS_SHOWN`. */
  async banners(): Promise<Entry[]> {
    const shown = await this.shown('banner');
    return shown.toSorted((a, b) => a.position - b.position).slice(0, BANNERS_SHOWN);
  }

  /**
   * Returns the newest version of every announcement, or of every banner, including withdrawn ones, for
   * operators.
   */
  all(kind: EntryKind): Promise<Entry[]> {
    return entriesOf(this.parts.database.store, kind);
  }

  history() {
    return entryVersions(this.parts.database.reader, HISTORY);
  }

  /**
   * Returns a page of the versions of one announcement or banner, newest first, each with the operator who
   * published it and the reason.
   */
  async versions(kind: EntryKind, code: string, range: VersionsBelow): Promise<StoredVersion[]> {
    const versions = await versionsOfEntry(this.parts.database.reader, kind, code, range);
    return versions.map(({ version, at, by, reason, body, position, fromAt, untilAt, isWithdrawn }) => ({
      version,
      at,
      by,
      reason,
      terms: { code, ...body, position, fromAt, untilAt, isWithdrawn },
    }));
  }

  /**
   * Returns the announcement or banner as `publish` would publish it now; nothing is stored. The version
   * number is always one higher than the published one, although `publish` creates no version for equal
   * terms. Refuses invalid terms as `publish` does.
   */
  async proposed(terms: EntryTerms): Promise<Entry> {
    const { reader } = this.parts.database;
    const published = await entryOfCode(reader, terms.code);
    await this.requirePublishable(reader, terms, published);
    return { ...terms, version: (published?.version ?? 0) + 1 };
  }

  /**
   * Publishes the next version of an announcement or a banner. If the terms equal those of the current version, no
   * version is created. Refuses invalid terms, the code of an announcement for a banner or of a banner for an
   * announcement, and a new code when `ENTRIES_MAX` announcements and banners exist.
   */
  async publish(terms: EntryTerms, { by, reason }: Publishing): Promise<Entry> {
    const { database, clock } = this.parts;
    const entry = await database.transaction(async (tx) => {
      const current = await lockedEntry(tx, terms.code);
      await this.requirePublishable(tx, terms, current);
      const next = { ...terms, version: (current?.version ?? 0) + 1 };
      if (current !== undefined && isSame(current, next)) return current;
      await writeVersion(tx, next, { at: clock.now(), by, reason });
      return next;
    });
    this.cache.clear();
    return entry;
  }

  /**
   * Withdraws an announcement or banner, so that visitors no longer see it: in this process at once, in other processes
   * within `FRESH_MS`. Refuses an unknown code with `l.not_found`. An entry whose terms are no longer valid, such as a
   * link to a screen that has been removed, can be withdrawn too.
   */
  async withdraw(code: string, publishing: Publishing): Promise<Entry> {
    const published = [...(await this.all('announcement')), ...(await this.all('banner'))].find(
      (entry) => entry.code === code,
    );
    if (published === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { version: _, ...terms } = published;
    return this.publish({ ...terms, isWithdrawn: true }, publishing);
  }

  /**
   * Refuses terms that cannot be published; `current` is the published version of the announcement or banner
   * with the code of the terms, undefined for a new code. Withdrawn terms that equal `current` in everything
   * else are always accepted.
   */
  private async requirePublishable(
    reader: Reader,
    terms: EntryTerms,
    current: Entry | undefined,
  ): Promise<void> {
    const isWithdrawal =
      current !== undefined && terms.isWithdrawn && isSame({ ...current, isWithdrawn: true }, terms);
    const problem = isWithdrawal ? undefined : entryProblem(terms, this.parts.screens);
    if (problem !== undefined) throw new Refused(problem);
    if (current !== undefined && current.kind !== terms.kind)
      throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'code', value: terms.code }));
    if (current === undefined && (await entryCount(reader)) >= ENTRIES_MAX) {
      const parameters = { field: 'code', limit: String(ENTRIES_MAX), value: String(ENTRIES_MAX + 1) };
      throw new Refused(refusal('aboveMaximum', 'l.entries_max', parameters));
    }
  }

  private async shown(kind: EntryKind): Promise<Entry[]> {
    const now = this.parts.clock.now();
    let cached = this.cache.get(kind);
    if (cached === undefined || Math.abs(now - cached.at) >= FRESH_MS) {
      cached = { at: now, entries: this.all(kind) };
      this.cache.set(kind, cached);
      cached.entries.catch(() => this.cache.delete(kind));
    }
    return (await cached.entries).filter((entry) => isShown(entry, now));
  }
}

function isSame(current: EntryTerms, next: EntryTerms): boolean {
  return textOf(current) === textOf(next);
}

function textOf({ body, code, kind, position, fromAt, untilAt, isWithdrawn }: EntryTerms): string {
  const { title, content, topic, picture, link } = body;
  const texts = [title, content].map((text) => LOCALES.map((locale) => text[locale]));
  return JSON.stringify([code, kind, position, fromAt, untilAt, isWithdrawn, texts, topic, picture, link]);
}
