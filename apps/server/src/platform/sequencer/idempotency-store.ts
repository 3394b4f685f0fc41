import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely } from 'kysely';
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
 * Milliseconds for which used keys stay in memory: longer than any lookup can take, so that a key
 * is either still in memory or visible to every lookup.
 */
const REMEMBERED_MS = 15_000;
/**
 * Number of small maps of keys instead of a large one, whose growth would block the event loop.
 */
const SHARDS = 16;
const LEARNING_PAGE = 5_000;

interface Remembered {
  readonly fingerprint: string;
  readonly outcome: Promise<unknown>;
  /** Whether the step under the idempotency key is stored. */
  isSettled: boolean;
}

type Generation = readonly Map<string, Remembered>[];

/**
 * Finds the answers of idempotency keys that were used before: in memory while a step runs and shortly after,
 * then in the database. Concurrent lookups share a query. A Bloom filter over all stored keys makes nearly all
 * lookups of new keys unnecessary.
 */
export class IdempotencyStore implements FirstAnswers {
  private readonly reader: Kysely<unknown>;
  private readonly clock: Clock;
  /**
   * Two generations of idempotency keys in memory. The step of a key in neither was stored at least
   * `REMEMBERED_MS` ago.
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
  /** Filter of idempotency keys whose answers are removed after a time. */
  private readonly recentKeys: LayeredKeyFilter;
  /** Filter of idempotency keys whose answers are stored permanently. */
  private readonly permanentKeys: LayeredKeyFilter;
  /** Whether the filters contain every stored idempotency key. */
  private isLearned = false;
  private learning: Promise<void> | undefined;
  private isClosed = false;

  /** `filterBitsLog2` is the base-2 logarithm of the number of bits of a filter layer. */
  constructor(reader: Kysely<unknown>, clock: Clock, filterBitsLog2?: number) {
    this.reader = reader;
    this.clock = clock;
    this.recentKeys = new LayeredKeyFilter(filterBitsLog2);
    this.permanentKeys = new LayeredKeyFilter(filterBitsLog2);
  }

  /**
   * Reads all stored idempotency keys into the filters in the background; resolves when that has
   * ended or failed. Call this once, after this process has become the writer: from then on only
   * this process stores keys, and it adds them through `remember`.
   */
  learn(): Promise<void> {
    this.learning ??= this.learnAll().then(
      (isLearned) => {
        this.isLearned = isLearned;
      },
      () => {
        // Without the filters every idempotency key is looked up in the database, which is slower
        // but correct.
      },
    );
    return this.learning;
  }

  /** Stops reading idempotency keys; running lookups are still answered. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.learning;
  }

  /**
   * The outcome of the step that runs under this idempotency key or was stored recently; undefined
   * if there is none. Throws a refusal when the step has other fields.
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
   * Call this after the stored idempotency keys older than `before` have been removed. Their filter
   * layer is dropped an hour later, so that a clock that was set back does not make a stored key
   * look new.
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
   * Remembers a running step under its idempotency key, until it fails or for a while after it is
   * stored.
   */
  remember(submission: Submission, outcome: Promise<unknown>): void {
    const { name, hash, fingerprint } = submission;
    this.rotateGenerations();
    this.learnKey(submission, hash, this.clock.now());
    this.recent[hash.first & (SHARDS - 1)]!.set(name, { fingerprint, outcome, isSettled: false });
  }

  /**
   * Marks the step of an idempotency key as stored: later lookups find it in the database. It is
   * remembered longer only if a lookup is running, which may have started before the commit.
   */
  settle(submission: Submission): void {
    if (!this.isLookingUp && this.pending.length === 0) return this.forget(submission);
    const remembered = this.findRemembered(submission);
    if (remembered !== undefined) remembered.isSettled = true;
  }

  /** Frees the idempotency key after its step failed. */
  forget({ name, hash }: Submission): void {
    const shard = hash.first & (SHARDS - 1);
    this.recent[shard]!.delete(name);
    this.older[shard]!.delete(name);
  }

  private findRemembered({ name, hash }: Submission): Remembered | undefined {
    const shard = hash.first & (SHARDS - 1);
    return this.recent[shard]!.get(name) ?? this.older[shard]!.get(name);
  }

  /**
   * Drops the older generation of idempotency keys when it is old enough; keys of unstored steps
   * are carried over.
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
        // The callers receive the error; the next lookup tries again.
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

function newGeneration(): Generation {
  return Array.from({ length: SHARDS }, () => new Map<string, Remembered>());
}

/**
 * Stores a submission's answer in the transaction that executes it, for operations that run no step. The key
 * has to be looked up before (`Submissions.serve`); a second answer for it violates the primary key and rolls
 * the transaction back.
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
 * Milliseconds for which the answer of an idempotency key is stored. A replay does not need
 * answers, since the journal has the inputs.
 */
const STORED_MS = 7 * DAY_MS;
const REMOVAL_BATCH = 5_000;
const DROPPED_LATER_MS = 3_600_000;

/**
 * Operations that move money in or out: their idempotency keys are few and a second execution would
 * be worst, so their answers are never removed.
 */
const STORED_FOR_EVER = ['withdrawals.', 'deposits.'];

/** The same condition in SQL. It must match the predicate of the partial index literally. */
const IS_REMOVABLE = sql<boolean>`not (starts_with(operation, 'withdrawals.') or starts_with(operation, 'deposits.'))`;

function isStoredForEver(operation: string): boolean {
  return STORED_FOR_EVER.some((prefix) => operation.startsWith(prefix));
}

/**
 * Removes old answers of idempotency keys, except those that are stored permanently, in batches with pauses as
 * long as each batch took. Resolves to the number removed and to the time before which none of these is left.
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
