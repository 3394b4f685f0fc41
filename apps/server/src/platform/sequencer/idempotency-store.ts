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

/** Longer than any lookup can take, so that a key is either still in memory or seen by every lookup. */
const REMEMBERED_MS = 15_000;
/** One huge map stops everything for a while whenever it grows. */
const SHARDS = 16;
const LEARNING_PAGE = 5_000;

interface Remembered {
  readonly fingerprint: string;
  readonly outcome: Promise<unknown>;
  /** Whether its step was stored. */
  isSettled: boolean;
}

type Generation = readonly Map<string, Remembered>[];

/**
 * Answers for keys that were used before: in memory while a step runs and for a short time after, then in
 * the database. Lookups that wait at the same time share one query; a key that a filter over all stored
 * keys has never seen needs none.
 */
export class IdempotencyStore implements FirstAnswers {
  private readonly reader: Kysely<unknown>;
  private readonly clock: Clock;
  /** Two generations: what is in neither was settled at least `REMEMBERED_MS` ago. */
  private recent: Generation = newGeneration();
  private older: Generation = newGeneration();
  private turnedAtMs = 0;
  private pending: {
    submission: SubmissionKey;
    resolve: (found: Stored | undefined) => void;
    reject: (cause: unknown) => void;
  }[] = [];
  private looking = false;
  /** Keys that are removed after a while. */
  private readonly recentKeys: LayeredKeyFilter;
  /** Keys that are stored for ever. */
  private readonly permanentKeys: LayeredKeyFilter;
  /** Whether the filter has seen every stored key. */
  private isLearned = false;
  private learning: Promise<void> | undefined;
  private isClosed = false;

  /** `filterBitsLog2` is the size of one layer of the filters. */
  constructor(reader: Kysely<unknown>, clock: Clock, filterBitsLog2?: number) {
    this.reader = reader;
    this.clock = clock;
    this.recentKeys = new LayeredKeyFilter(filterBitsLog2);
    this.permanentKeys = new LayeredKeyFilter(filterBitsLog2);
  }

  /**
   * Reads all stored keys into the filter, in the background; resolves when that has ended, either way. To be called once, when this process has
   * become the writer: from then on nobody else stores keys, and its own pass through `remember`.
   */
  learn(): Promise<void> {
    this.learning ??= this.learnAll().then(
      (isLearned) => {
        this.isLearned = isLearned;
      },
      () => {
        // Without the filter every key is looked up, as before: slower and just as right.
      },
    );
    return this.learning;
  }

  /** Ends the learning; lookups under way are answered. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.learning;
  }

  /** The outcome of the step that runs under this key or was stored lately; undefined where there is none. Refuses other fields. */
  running(submission: Submission): Promise<unknown> | undefined {
    const found = this.known(submission);
    if (found === undefined) return undefined;
    requireSameSubmission(found.fingerprint, submission);
    return found.outcome;
  }

  find(submission: Submission): Promise<string | undefined> | undefined {
    const mayBeStored = !this.isLearned || this.filterOf(submission).mayHave(submission.hash);
    return !submission.isNew && mayBeStored ? this.stored(submission) : undefined;
  }

  expect(submission: Submission): void {
    this.learnKey(submission, submission.hash, this.clock.now());
  }

  /**
   * The stored keys older than `before` have been removed. Their part of the filter is dropped an hour later, so that
   * no clock that was put back makes a key that is still stored look new.
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

  private async stored(submission: Submission): Promise<string | undefined> {
    const found = await new Promise<Stored | undefined>((resolve, reject) => {
      this.pending.push({ submission, resolve, reject });
      if (!this.looking) void this.lookUp();
    });
    if (found === undefined) return undefined;
    requireSameSubmission(found.fingerprint, submission);
    return found.answer;
  }

  /** Remembers a step that runs under this key, until it fails or for a while after it was stored. */
  remember(submission: Submission, outcome: Promise<unknown>): void {
    const { name, hash, fingerprint } = submission;
    this.turn();
    this.learnKey(submission, hash, this.clock.now());
    this.recent[hash.first & (SHARDS - 1)]!.set(name, { fingerprint, outcome, isSettled: false });
  }

  /**
   * The step of this key was stored: whoever looks from now on finds it. Only where a lookup is under way,
   * which may have begun before, it has to be remembered a while longer.
   */
  settle(submission: Submission): void {
    if (!this.looking && this.pending.length === 0) return this.forget(submission);
    const known = this.known(submission);
    if (known !== undefined) known.isSettled = true;
  }

  /** The step of this key failed: the key is free again. */
  forget({ name, hash }: Submission): void {
    const shard = hash.first & (SHARDS - 1);
    this.recent[shard]!.delete(name);
    this.older[shard]!.delete(name);
  }

  private known({ name, hash }: Submission): Remembered | undefined {
    const shard = hash.first & (SHARDS - 1);
    return this.recent[shard]!.get(name) ?? this.older[shard]!.get(name);
  }

  /** Drops the older generation when it has been remembered long enough; what is not settled stays. */
  private turn(): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.turnedAtMs < REMEMBERED_MS) return;
    this.turnedAtMs = nowMs;
    const dropped = this.older;
    this.older = this.recent;
    this.recent = newGeneration();
    for (const [shard, names] of dropped.entries()) {
      for (const [name, known] of names) if (!known.isSettled) this.recent[shard]!.set(name, known);
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

  private async lookUp(): Promise<void> {
    this.looking = true;
    while (this.pending.length > 0) {
      const asked = this.pending;
      this.pending = [];
      try {
        const found = await this.read(asked.map(({ submission }) => submission));
        for (const { submission, resolve } of asked) resolve(found.get(submissionName(submission)));
      } catch (cause) {
        // Whoever asked is told; the next lookup tries anew.
        for (const { reject } of asked) reject(cause);
      }
    }
    this.looking = false;
  }

  private async read(submissions: readonly SubmissionKey[]): Promise<Map<string, Stored>> {
    const actors = submissions.map(({ actor }) => actor);
    const operations = submissions.map(({ operation }) => operation);
    const keys = submissions.map(({ key }) => key);
    const found = await sql<SubmissionKey & Stored>`
      select i.actor, i.operation, i.key, i.fingerprint, i.answer
      from unnest(${actors}::uuid[], ${operations}::text[], ${keys}::text[]) as a(actor, operation, key)
      join idempotency i on i.actor = a.actor and i.operation = a.operation and i.key = a.key
    `.execute(this.reader);
    return new Map(found.rows.map((row) => [submissionName(row), row]));
  }
}

function newGeneration(): Generation {
  return Array.from({ length: SHARDS }, () => new Map<string, Remembered>());
}

/**
 * Stores the answer of a submission in the transaction that executes it, for operations that take no step. The key has to
 * be looked for before (`Submissions.serve`); a second answer for it breaks the primary key and rolls the transaction back.
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

/** So long the answer to a key is stored. A replay needs none: the journal has the inputs. */
const STORED_MS = 7 * DAY_MS;
const REMOVED_AT_ONCE = 5_000;
const DROPPED_LATER_MS = 3_600_000;

/** What brings money in or out: these keys are few, and to execute one twice would be worst. Their answers stay for ever. */
const STORED_FOR_EVER = ['withdrawals.', 'deposits.'];

/** The same in SQL, word by word the condition of the index that finds what may be removed. */
const IS_REMOVABLE = sql<boolean>`not (starts_with(operation, 'withdrawals.') or starts_with(operation, 'deposits.'))`;

function isStoredForEver(operation: string): boolean {
  return STORED_FOR_EVER.some((prefix) => operation.startsWith(prefix));
}

/**
 * Removes the old answers of all operations but those that are stored for ever, some thousand at a time, resting in
 * between for as long as that took. Resolves to their count and to the instant before which none is left.
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
        order by at limit ${REMOVED_AT_ONCE}
      ))
    `.execute(store);
    removed += Number(numAffectedRows);
    if (numAffectedRows < REMOVED_AT_ONCE) return { removed, before };
    await new Promise((resolve) => setTimeout(resolve, clock.monotonicMs() - beganMs));
  }
}
