import { HOUR_MS, type Instant } from '@exchange/core/time.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AskedPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { Calendar } from './calendar.ts';
import { hourOf, statementText, type StampedContent } from './domain.ts';
import { attestedMessages, digestOf, readTimestamp, timestampBytes, upgraded } from './opentimestamps.ts';
import {
  newestStamp,
  oldestWaiting,
  saveProof,
  saveStatement,
  stampAt,
  stamps,
  waitingStamps,
  type Stamp,
  type StoredProof,
} from './repository.ts';

/** Maximum number of the newest hourly stamps without a Bitcoin block whose proofs each run tries to complete. */
const ASKED_HOURS = 48;
/**
 * Maximum number of older stamps without a block that a run tries in addition. Each run continues where the previous
 * one ended, so that all waiting proofs of a calendar are completed some runs after the calendar answers again.
 */
const ASKED_OLDER_HOURS = 24;
/** Health reports a problem if the newest stamp is older than this many milliseconds. */
const OVERDUE_MS = 3 * HOUR_MS;
/**
 * Health reports a proof that no Bitcoin block attests this many milliseconds after the start of its stamp's
 * hour; usually a block attests it earlier.
 */
const UNATTESTED_MS = 48 * HOUR_MS;

export interface StampsParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader' | 'store'>;
  readonly log: Log;
  /** The calendars that stamp; without calendars nothing is stamped. */
  readonly calendars: readonly Calendar[];
  /**
   * Returns the data of a statement: each pair's newest checkpoint of index prices and newest part of the recorded
   * order book, and the newest liabilities.
   */
  readonly published: () => Promise<Omit<StampedContent, 'at'>>;
}

/**
 * Time stamps from outside the exchange. Once an hour, the digest of a statement with the newest checkpoints and
 * recorded books of all pairs and the root of the newest liabilities is sent to calendars of OpenTimestamps, which
 * commit to it in Bitcoin blocks. Their proofs show that the recorded prices and books have not been changed since.
 */
export class Stamps {
  private readonly parts: StampsParts;
  private readonly runs = new SerialRuns(() => this.stampAll());
  /** The failure of each calendar in the latest run, by its URL. */
  private failures: ReadonlyMap<string, string> = new Map();
  /**
   * The next run tries the older stamps of hours before this one, in addition to the newest stamps. Undefined if it
   * starts with the newest of the older stamps.
   */
  private olderBefore: Instant | undefined;

  constructor(parts: StampsParts) {
    this.parts = parts;
  }

  /**
   * Stores the statement of the current hour if it is missing and a checkpoint was published. Submits it to
   * the calendars that have no proof of it, and completes the stored proofs for which the calendars report a
   * Bitcoin block. Does nothing without calendars.
   */
  stampDue(): Promise<void> {
    return this.runs.run();
  }

  stop(): Promise<void> {
    return this.runs.whenIdle();
  }

  list(page: AskedPage) {
    return stamps(this.parts.database.reader, rowsOfPage(page));
  }

  /** The stamp of the hour of an instant. Refuses with `l.not_found` if there is none. */
  async at(at: Instant): Promise<Stamp> {
    const stamp = await stampAt(this.parts.database.reader, hourOf(at));
    if (stamp === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return stamp;
  }

  async health(): Promise<ComponentHealth> {
    const { calendars, clock, database } = this.parts;
    if (calendars.length === 0) return { isUp: true, facts: { stamping: 'off: STAMP_CALENDARS is not set' } };
    const newest = await newestStamp(database.reader);
    const facts = {
      last: newest === undefined ? 'none' : new Date(newest.hour).toISOString(),
      failing: [...this.failures.keys()].join(' '),
    };
    const isLate = newest !== undefined && clock.now() - newest.at > OVERDUE_MS;
    if (isLate) return { isUp: false, reason: `no stamp since ${facts.last}`, facts };
    if (this.failures.size === calendars.length)
      return { isUp: false, reason: 'no calendar answers, so nothing is stamped', facts };
    const oldest = await oldestWaiting(database.reader, this.urls);
    return oldest !== undefined && clock.now() - oldest > UNATTESTED_MS
      ? { isUp: false, reason: `a calendar has no block for ${new Date(oldest).toISOString()}`, facts }
      : { isUp: true, facts };
  }

  private async stampAll(): Promise<void> {
    const { calendars, clock, database, published } = this.parts;
    if (calendars.length === 0) return;
    const at = clock.now();
    const hour = hourOf(at);
    if ((await stampAt(database.reader, hour)) === undefined) {
      const content = await published();
      if (content.checkpoints.length > 0) {
        const statement = statementText({
          at,
          checkpoints: content.checkpoints,
          books: content.books,
          liabilities: content.liabilities,
        });
        await saveStatement(database.store, { hour, at, statement });
      }
    }
    const failures = new Map<string, string>();
    const current = await stampAt(database.reader, hour);
    if (current !== undefined)
      for (const calendar of calendars)
        await this.attempt(calendar, failures, () => this.submit(calendar, current));
    for (const stamp of await this.askedStamps()) await this.upgradeProofs(stamp, failures);
    this.failures = failures;
  }

  /**
   * The stamps with at least one proof without a block that a run tries to complete: the newest ones, and a
   * portion of the older ones. Sets `olderBefore`, from which the next run continues with the older ones.
   */
  private async askedStamps(): Promise<Stamp[]> {
    const { reader } = this.parts.database;
    const newest = await waitingStamps(reader, { calendars: this.urls, limit: ASKED_HOURS });
    const last = newest.at(-1)?.hour;
    if (newest.length < ASKED_HOURS || last === undefined) return newest;
    const older = await waitingStamps(reader, {
      calendars: this.urls,
      before: this.olderBefore === undefined || this.olderBefore > last ? last : this.olderBefore,
      limit: ASKED_OLDER_HOURS,
    });
    this.olderBefore = older.length < ASKED_OLDER_HOURS ? undefined : older.at(-1)?.hour;
    return [...newest, ...older];
  }

  private get urls(): readonly string[] {
    return this.parts.calendars.map(({ url }) => url);
  }

  private async submit(calendar: Calendar, { hour, statement, proofs }: Stamp): Promise<void> {
    if (proofs.some((proof) => proof.calendar === calendar.url)) return;
    const digest = digestOf(statement);
    const proof = await calendar.submit(digest);
    await saveProof(this.parts.database.store, hour, storedProof(calendar, digest, proof));
  }

  private async upgradeProofs(stamp: Stamp, failures: Map<string, string>): Promise<void> {
    const byUrl = new Map(this.parts.calendars.map((calendar) => [calendar.url, calendar]));
    for (const proof of stamp.proofs) {
      const calendar = byUrl.get(proof.calendar);
      if (calendar === undefined || proof.block !== undefined || failures.has(calendar.url)) continue;
      await this.attempt(calendar, failures, () => this.upgrade(calendar, stamp, proof));
    }
  }

  /**
   * Fetches the rest of a proof from a calendar, and stores the proof if a Bitcoin block then attests it. The proof may
   * name another server than the configured one, such as a member of a pool. The exchange sends requests only to
   * configured servers, so that no answer can make it connect to another address.
   */
  private async upgrade(
    calendar: Calendar,
    { hour, statement }: Stamp,
    { proof }: StoredProof,
  ): Promise<void> {
    const digest = digestOf(statement);
    const known = this.parts.calendars;
    let timestamp = readTimestamp(proof);
    for (const { message, attestation } of attestedMessages(digest, timestamp)) {
      if (attestation.kind !== 'pending') continue;
      const server = known.find(({ url }) => url === attestation.url) ?? calendar;
      const answer = await server.upgrade(message);
      if (answer === undefined) continue;
      const upgrade = readTimestamp(answer);
      timestamp = upgraded(digest, timestamp, { url: attestation.url, attested: message, upgrade });
    }
    const next = storedProof(calendar, digest, timestampBytes(timestamp));
    if (next.block !== undefined) await saveProof(this.parts.database.store, hour, next);
  }

  /**
   * Runs `work` with a calendar, unless earlier work with this calendar failed in the same run. A failure is added to
   * `failures`, and logged if it differs from the calendar's failure in the previous run. The caller continues with the
   * other calendars.
   */
  private async attempt(
    calendar: Calendar,
    failures: Map<string, string>,
    work: () => Promise<void>,
  ): Promise<void> {
    if (failures.has(calendar.url)) return;
    try {
      await work();
    } catch (cause) {
      const problem = errorMessage(cause);
      failures.set(calendar.url, problem);
      if (this.failures.get(calendar.url) !== problem)
        this.parts.log.warn('stamps.calendar_failed', { calendar: calendar.url, cause });
    }
  }
}

/**
 * Checks a calendar's proof and returns it with the lowest block that attests the digest. Throws if neither a
 * calendar nor a block attests the digest.
 */
function storedProof({ url }: Calendar, digest: Buffer, proof: Buffer): StoredProof {
  const attested = attestedMessages(digest, readTimestamp(proof));
  if (attested.every(({ attestation }) => attestation.kind === 'other'))
    throw new Error(`${url} attests nothing about the digest`);
  const blocks = attested.flatMap(({ attestation }) =>
    attestation.kind === 'bitcoin' ? [attestation.height] : [],
  );
  return { calendar: url, proof, block: blocks.length === 0 ? undefined : Math.min(...blocks) };
}
