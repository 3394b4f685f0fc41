import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely } from 'kysely';
import type { Reader } from '../database/database.ts';
import type { Clock } from '../clock.ts';
import { hashOf, LayeredKeyFilter, type NameHash } from './key-filter.ts';
import { rowWriter } from './row-writer.ts';
import {
  requireSameSubmission,
  submissionName,
  type FirstAnswers,
  type Submission,
  type SubmissionKey,
} from './submission.ts';

interface AnsweredSubmission extends SubmissionKey {
  readonly fingerprint: string;
  readonly answer: string;
  readonly at: number;
}

export const idempotencyWriter = rowWriter<AnsweredSubmission>({
  table: 'idempotency',
  columns: {
    actor: 'uuid',
    operation: 'word',
    key: 'text',
    fingerprint: 'word',
    answer: 'text',
    at: 'bigint',
  },
  cells: (row) => [row.actor, row.operation, row.key, row.fingerprint, row.answer, row.at],
});

interface Stored {
  readonly fingerprint: string;
  readonly answer: string;
}

/**
 * Minimum time in milliseconds for which the key of a stored step remains in memory if a lookup runs when the step is
 * stored. This is longer than a lookup takes, so that a key is either in memory or visible to every lookup.
 */
const REMEMBERED_MS = 15_000;
/** Number of maps over which the keys are spread. A single large map would block the event loop when it grows. */
const SHARDS = 16;
const LEARNING_PAGE = 5_000;

interface Remembered {
  readonly fingerprint: string;
  readonly outcome: Promise<unknown>;
  /** Whether the key's step is stored in the database. */
  isSettled: boolean;
}

type Generation = readonly Map<string, Remembered>[];

/**
 * Finds the answers of used idempotency keys: in memory while a step runs and shortly afterwards, later in the
 * database. Concurrent lookups share a query. A Bloom filter over all stored keys avoids nearly all lookups of new
 * keys.
 */
export class IdempotencyStore implements FirstAnswers {
  private readonly reader: Reader;
  private readonly clock: Clock;
  /**
   * The newer of two generations of used keys in memory. If a used key is in neither generation, its answer is stored,
   * and every running lookup sees it.
   */
  private recent: Generation = newGeneration();
  private older: Generation = newGeneration();
  private rotatedAtMs = 0;
  private pending: {
    submission: SubmissionKey;
    resolve: (stored: Stored | undefined) => void;
    reject: (cause: unknown) => void;
  }[] = [];
  private isLookingUp = false;
  /** Filter of the keys whose answers are removed after seven days. */
  private readonly recentKeys: LayeredKeyFilter;
  /** Filter of the keys whose answers are stored permanently. */
  private readonly permanentKeys: LayeredKeyFilter;
  /** Whether the filters contain all stored keys. */
  private isLearned = false;
  private learning: Promise<void> | undefined;
  private isClosed = false;

  /** `filterBitsLog2` is the base-2 logarithm of the number of bits of a filter layer. */
  constructor(reader: Reader, clock: Clock, filterBitsLog2?: number) {
    this.reader = reader;
    this.clock = clock;
    this.recentKeys = new LayeredKeyFilter(filterBitsLog2);
    this.permanentKeys = new LayeredKeyFilter(filterBitsLog2);
  }

  /**
   * Reads all stored keys into the filters in the background. Resolves when this has ended or failed. Call it after
   * this process has become the writer: from then on only this process stores keys, and it adds each one by `remember`.
   */
  learn(): Promise<void> {
    this.learning ??= this.learnAll().then(
      (isLearned) => {
        this.isLearned = isLearned;
      },
      () => {
        // Without the filters every key is looked up in the database, which is slower but correct.
      },
    );
    return this.learning;
  }

  /** Stops reading the stored idempotency keys into the filters. Running lookups are still answered. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.learning;
  }

  /**
   * Returns the outcome of a running or recently stored step with the submission's key; undefined if there is
   * none. Throws `Refused` if that step had other fields.
   */
  running(submission: Submission): Promise<unknown> | undefined {
    const remembered = this.findRemembered(submission);
    if (remembered === undefined) return undefined;
    requireSameSubmission(remembered.fingerprint, submission);
    return remembered.outcome;
  }

  find(submission: Submission): Promise<string | undefined> | undefined {
    const mayBeStored = !this.isLearned || this.filterOf(submission).mayHave(submission.hash);
    return !submission.isNew && mayBeStored ? this.findStored(submission) : undefined;
  }

  expect(submission: Submission): void {
    this.learnKey(submission, submission.hash, this.clock.now());
  }

  /**
   * Call this after the stored keys older than `before` were removed. Drops the filter layers whose keys are all at
   * least an hour older than that. The hour ensures that a clock that was set back does not make a stored key look new.
   */
  removedBefore(before: Instant): void {
    this.recentKeys.dropBefore(before - DROPPED_LATER_MS);
  }

  private learnKey(key: SubmissionKey, hash: NameHash, at: number): void {
    this.filterOf(key).add(hash, at);
  }

  private filterOf({ operation }: SubmissionKey): LayeredKeyFilter {
    return isStoredForEver(operation) ? this.permanentKeys : this.recentKeys;
  }

  private async findStored(submission: Submission): Promise<string | undefined> {
    const stored = await new Promise<Stored | undefined>((resolve, reject) => {
      this.pending.push({ submission, resolve, reject });
      if (!this.isLookingUp) void this.runLookups();
    });
    if (stored === undefined) return undefined;
    requireSameSubmission(stored.fingerprint, submission);
    return stored.answer;
  }

  /**
   * Records a running step under its key. The record remains in memory until the step fails or is stored. If a lookup
   * is running when the step is stored, it remains for at least `REMEMBERED_MS` longer.
   */
  remember(submission: Submission, outcome: Promise<unknown>): void {
    const { name, hash, fingerprint } = submission;
    this.rotateGenerations();
    this.learnKey(submission, hash, this.clock.now());
    this.recent[shardOf(submission)]!.set(name, { fingerprint, outcome, isSettled: false });
  }

  /**
   * Records that a key's step is stored, so that later lookups find it in the database. If a lookup is running or
   * waiting, which may have started before the commit, the key remains in memory for at least `REMEMBERED_MS`.
   * Otherwise it is removed from memory at once.
   */
  settle(submission: Submission): void {
    if (!this.isLookingUp && this.pending.length === 0) return this.forget(submission);
    const remembered = this.findRemembered(submission);
    if (remembered === undefined) return;
    // The time for which the key remains in memory starts now, however long the step took.
    this.forget(submission);
    remembered.isSettled = true;
    this.recent[shardOf(submission)]!.set(submission.name, remembered);
  }

  /**
   * Removes a key from memory: after its step failed, so that the key can be used again, or when every later lookup
   * finds its answer in the database.
   */
  forget(submission: Submission): void {
    const shard = shardOf(submission);
    this.recent[shard]!.delete(submission.name);
    this.older[shard]!.delete(submission.name);
  }

  private findRemembered(submission: Submission): Remembered | undefined {
    const shard = shardOf(submission);
    return this.recent[shard]!.get(submission.name) ?? this.older[shard]!.get(submission.name);
  }

  /**
   * If `REMEMBERED_MS` have passed since the last rotation, drops the older generation, makes the newer one
   * the older, and begins a new one. Keys of unstored steps are moved from the dropped to the new generation.
   */
  private rotateGenerations(): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.rotatedAtMs < REMEMBERED_MS) return;
    this.rotatedAtMs = nowMs;
    const dropped = this.older;
    this.older = this.recent;
    this.recent = newGeneration();
    for (const [shard, names] of dropped.entries()) {
      for (const [name, remembered] of names)
        if (!remembered.isSettled) this.recent[shard]!.set(name, remembered);
    }
  }

  private async learnAll(): Promise<boolean> {
    let last: SubmissionKey = { actor: '00000000-0000-0000-0000-000000000000', operation: '', key: '' };
    while (!this.isClosed) {
      const page = await sql<SubmissionKey & { at: bigint }>`
        select actor, operation, key, at from idempotency
        where (actor, operation, key) > (${last.actor}::uuid, ${last.operation}, ${last.key})
        order by actor, operation, key limit ${LEARNING_PAGE}
      `.execute(this.reader);
      for (const row of page.rows) this.learnKey(row, hashOf(submissionName(row)), Number(row.at));
      const end = page.rows.at(-1);
      if (end === undefined || page.rows.length < LEARNING_PAGE) return true;
      last = end;
    }
    return false;
  }

  private async runLookups(): Promise<void> {
    this.isLookingUp = true;
    while (this.pending.length > 0) {
      const lookups = this.pending;
      this.pending = [];
      try {
        const answers = await this.read(lookups.map(({ submission }) => submission));
        for (const { submission, resolve } of lookups) resolve(answers.get(submissionName(submission)));
      } catch (cause) {
        // The callers of these lookups receive the error. A later lookup of the same key queries the database again.
        for (const { reject } of lookups) reject(cause);
      }
    }
    this.isLookingUp = false;
  }

  private async read(submissions: readonly SubmissionKey[]): Promise<Map<string, Stored>> {
    const actors = submissions.map(({ actor }) => actor);
    const operations = submissions.map(({ operation }) => operation);
    const keys = submissions.map(({ key }) => key);
    const result = await sql<SubmissionKey & Stored>`
      select i.actor, i.operation, i.key, i.fingerprint, i.answer
      from unnest(${actors}::uuid[], ${operations}::text[], ${keys}::text[]) as a(actor, operation, key)
      join idempotency i on i.actor = a.actor and i.operation = a.operation and i.key = a.key
    `.execute(this.reader);
    return new Map(result.rows.map((row) => [submissionName(row), row]));
  }
}

/** Returns the index of the map that contains the key of a submission; it is the same in both generations. */
function shardOf({ hash }: Submission): number {
  return hash.first & (SHARDS - 1);
}

function newGeneration(): Generation {
  return Array.from({ length: SHARDS }, () => new Map<string, Remembered>());
}

/**
 * Stores a submission's answer in the transaction that executes it, for operations that run no step. Call it inside
 * `Submissions.serve`, which looks the key up. A second answer for the key violates the primary key and rolls the
 * transaction back.
 */
export async function storeFirstAnswer(
  transaction: Kysely<unknown>,
  { actor, operation, key, fingerprint }: Submission,
  { answer, at }: { readonly answer: unknown; readonly at: Instant },
): Promise<void> {
  const text = JSON.stringify(answer ?? null);
  await sql`
    insert into idempotency (actor, operation, key, fingerprint, answer, at)
    values (${actor}::uuid, ${operation}, ${key}, ${fingerprint}, ${text}, ${BigInt(at)})
  `.execute(transaction);
}

/**
 * Milliseconds for which answers that are not permanent are stored. A replay does not need them, because the journal
 * contains the inputs.
 */
const STORED_MS = 7 * DAY_MS;
const REMOVAL_BATCH = 5_000;
const DROPPED_LATER_MS = 3_600_000;

/**
 * Prefixes of operations whose answers are never removed. They move money in or out, so a second execution would be
 * worst, and their keys are few.
 */
const STORED_FOR_EVER = ['withdrawals.', 'deposits.'];

/** SQL condition for answers that may be removed. It must equal the predicate of the partial index literally. */
const IS_REMOVABLE = sql<boolean>`not (starts_with(operation, 'withdrawals.') or starts_with(operation, 'deposits.'))`;

function isStoredForEver(operation: string): boolean {
  return STORED_FOR_EVER.some((prefix) => operation.startsWith(prefix));
}

/**
 * Removes answers older than `STORED_MS`, except those that are stored permanently. It works in batches and pauses
 * after each batch for as long as the batch took. Resolves to the number of removed answers and to the time before
 * which no removable answer is left.
 */
export async function removeOldAnswers(
  store: Kysely<unknown>,
  clock: Clock,
): Promise<{ removed: number; before: Instant }> {
  const before = instant(clock.now() - STORED_MS);
  for (let removed = 0; ;) {
    const beganMs = clock.monotonicMs();
    const { numAffectedRows = 0n } = await sql`
      delete from idempotency where ctid = any(array(
        select ctid from idempotency where at < ${before} and ${IS_REMOVABLE}
        order by at limit ${REMOVAL_BATCH}
      ))
    `.execute(store);
    removed += Number(numAffectedRows);
    if (numAffectedRows < REMOVAL_BATCH) return { removed, before };
    await new Promise((resolve) => setTimeout(resolve, clock.monotonicMs() - beganMs));
  }
}
