import { Refused, refusal } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { DatabaseConnection } from '../database/pool.ts';
import type { Events } from '../events.ts';
import type { Log } from '../log.ts';
import { AnsweredKeys, answeredKeyWriter, intentOf, type Intent } from './answered-keys.ts';
import { Batch } from './batch.ts';
import { BatchRejected, Fenced, Journal, type Head } from './journal.ts';
import { StepRecord, type SqlStep, type Step } from './step.ts';

/** State in memory that is a cache of the database: dropped and read anew when memory cannot be trusted. */
export interface Participant {
  readonly name: string;
  /** Forgets everything and reads the state as stored. */
  load(): Promise<void>;
  /** After each batch: names what is broken, so that it can be halted; empty when all invariants hold. */
  verify?(): readonly string[];
}

export interface RunOptions {
  /** Who asks, where the caller brings a key of his own. */
  readonly actor?: string | undefined;
  /** The caller's key for this intent; with it, the result must be plain JSON. */
  readonly key?: string | undefined;
  /** What the key stands for: the same key with another input is refused. */
  readonly input?: unknown;
  /** How the answer is kept for the key; as JSON unless told otherwise. */
  readonly answers?: KeptAnswers | undefined;
}

/** A shorter form of an operation's answers, from which they can be made again. */
export interface KeptAnswers {
  keep(result: unknown): string;
  restore(kept: string): unknown;
}

const AS_JSON: KeptAnswers = {
  keep: (result) => JSON.stringify(result ?? null),
  restore: (kept) => JSON.parse(kept) as unknown,
};

interface Asked {
  readonly operation: string;
  readonly intent: Intent | undefined;
  readonly answers: KeptAnswers;
  readonly usesSql: boolean;
  readonly body: (step: never) => unknown;
}

interface Queued extends Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

/** A batch this large commits before more is executed. */
const BATCH_STEPS_MAX = 1_024;
/** More callers than this are turned away at once instead of being answered too late. */
const QUEUE_MAX = 20_000;
/** A short recovery is waited for; during a longer one new callers are turned away at once. */
const RECOVERY_PATIENCE_MS = 3_000;
/** A database that was just restarted may break connections once more while state is read. */
const LOAD_ATTEMPTS = 20;
const LOAD_PAUSE_MS = 250;

export interface SequencerOptions {
  connection: DatabaseConnection;
  reader: Kysely<unknown>;
  secret: Uint32Array;
  clock: Clock;
  events: Events;
  log: Log;
  /** This process may no longer write: it has to stop. */
  onFenced: () => void;
}

/**
 * The one door for money. Steps run strictly one after another against memory; what they decided is
 * written by group commit: one batch is stored while the next is being executed and written down, and nobody is answered
 * before his batch is durable. There is no timer: a batch is whatever waited while the last one was stored.
 */
export class Sequencer {
  private readonly options: SequencerOptions;
  private readonly journal: Journal;
  private readonly keys: AnsweredKeys;
  private readonly participants: Participant[] = [];
  private queue: Queued[] = [];
  private batch = new Batch();
  /** The batch that the database is storing. */
  private inFlight: Batch | undefined;
  private sequence = 0;
  private storedSequence = 0;
  private lastNow: Instant = instant(0);
  private storing = false;
  private executing = false;
  private scheduled = false;
  private state: 'stopped' | 'running' | 'recovering' | 'closing' = 'stopped';
  /** A step threw something that is not a refusal: memory is suspect from here on. */
  private poisoned = false;
  private isWriter = false;
  private recoveringSinceMs = 0;
  /** The owner wants an end: a recovery under way is not finished. */
  private stopping = false;
  private idle: (() => void)[] = [];

  constructor(options: SequencerOptions) {
    this.options = options;
    this.journal = new Journal(options.connection, options.log);
    this.keys = new AnsweredKeys(options.reader, () => options.clock.monotonicMs());
  }

  join(participant: Participant): void {
    this.participants.push(participant);
  }

  /**
   * Becomes the writer, waiting as a standby while another is. `prepare` runs in between, when no other
   * process can be the writer and this one has not touched a table yet.
   */
  async acquire(prepare?: () => Promise<void>): Promise<void> {
    this.stopping = false;
    await this.journal.lock();
    await prepare?.();
    const head = await this.journal.takeOver();
    this.sequence = head.sequence;
    this.storedSequence = head.sequence;
    this.isWriter = true;
  }

  /** Loads all state and begins to take steps; becomes the writer first where `acquire` was not called. */
  async start(): Promise<void> {
    if (!this.isWriter) await this.acquire();
    for (const participant of this.participants) await participant.load();
    this.keys.learn();
    this.state = 'running';
  }

  /** Finishes what was accepted and lets go of the writer's lock. */
  async stop(): Promise<void> {
    if (this.state === 'running') {
      this.state = 'closing';
      await this.untilIdle();
    }
    this.stopping = true;
    this.isWriter = false;
    this.state = 'stopped';
    await this.keys.close();
    await this.journal.close();
  }

  get isRunning(): boolean {
    return this.state === 'running';
  }

  /** Whether it waits for another process, which is the writer, to end. */
  get isStandby(): boolean {
    return this.journal.isStandby;
  }

  get queueLength(): number {
    return this.queue.length + this.batch.waiting.length;
  }

  /** Runs a step that needs only memory. Resolves after its commit; a refusal undoes it and rejects with `Refused`. */
  run<T>(operation: string, options: RunOptions, body: (step: Step) => T): Promise<T> {
    return this.enqueue(operation, options, false, body);
  }

  /** Runs a step that reads or writes SQL inside the batch's transaction; it sees what earlier steps wrote. */
  runWithSql<T>(operation: string, options: RunOptions, body: (step: SqlStep) => Promise<T>): Promise<T> {
    return this.enqueue(operation, options, true, body);
  }

  /**
   * Resolves once all that memory shows is stored; rejects where it may be lost. Whoever answers from memory
   * without a step waits for this first: what a step did can still be taken back.
   */
  async settled(): Promise<void> {
    if (this.state !== 'running' && this.state !== 'closing')
      throw new Refused(refusal('maintenance', 'l.maintenance'));
    const last = this.lastUnstored();
    if (last === undefined) return;
    await new Promise<void>((resolve, reject) => {
      last.waiting.push({ committed: resolve, failed: reject });
    });
  }

  private enqueue<T>(
    operation: string,
    options: RunOptions,
    usesSql: boolean,
    body: (step: never) => unknown,
  ): Promise<T> {
    const { actor, key, input, answers = AS_JSON } = options;
    const keyed = actor !== undefined && key !== undefined;
    try {
      if (!keyed) return this.accept<T>({ operation, intent: undefined, answers, usesSql, body });
      const intent = intentOf({ actor, operation, key }, input);
      const asked = { operation, intent, answers, usesSql, body };
      const running = this.keys.running(intent);
      if (running !== undefined) return running as Promise<T>;
      if (this.keys.mayBeStored(intent)) return this.answerOrAccept<T>(asked);
      return this.accept<T>(asked);
    } catch (cause) {
      // Callers expect a promise, whatever the answer.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- it is passed on as it came
      return Promise.reject(cause);
    }
  }

  private async answerOrAccept<T>(asked: Asked & { intent: Intent }): Promise<T> {
    const stored = await this.keys.stored(asked.intent);
    if (stored !== undefined) return (await asked.answers.restore(stored)) as T;
    // The same key may have come in by another request while this one was looking.
    const arrived = this.keys.running(asked.intent);
    return (arrived as Promise<T> | undefined) ?? this.accept<T>(asked);
  }

  private accept<T>(asked: Asked): Promise<T> {
    this.requireOpen();
    const { operation, intent, answers, usesSql, body } = asked;
    const outcome = new Promise<T>((resolve, reject) => {
      this.queue.push({
        operation,
        intent,
        answers,
        usesSql,
        body,
        resolve: (result) => {
          if (intent !== undefined) this.keys.settle(intent);
          resolve(result as T);
        },
        reject: (cause) => {
          if (intent !== undefined) this.keys.forget(intent);
          reject(cause);
        },
      });
    });
    if (intent !== undefined) this.keys.remember(intent, outcome);
    this.schedule();
    return outcome;
  }

  private requireOpen(): void {
    const { clock } = this.options;
    const waitedMs = this.state === 'recovering' ? clock.monotonicMs() - this.recoveringSinceMs : 0;
    if (this.state === 'stopped' || this.state === 'closing' || waitedMs > RECOVERY_PATIENCE_MS) {
      throw new Refused(refusal('maintenance', 'l.maintenance'));
    }
    if (this.queue.length >= QUEUE_MAX) throw new Refused(refusal('maintenance', 'l.busy'));
  }

  /** Requests that arrive in the same turn of the event loop share a batch. */
  private schedule(): void {
    if (this.scheduled || this.state === 'recovering') return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.execute();
    });
  }

  private execute(): void {
    if (this.executing || (this.state !== 'running' && this.state !== 'closing')) return;
    this.executing = true;
    let next = 0;
    while (next < this.queue.length && this.batch.waiting.length < BATCH_STEPS_MAX && !this.poisoned) {
      if (this.queue[next]!.usesSql) break;
      this.runInMemory(this.queue[next]!);
      next += 1;
    }
    if (next > 0) this.queue = this.queue.slice(next);
    this.executing = false;
    if (this.storing) {
      this.batch.prepare();
      return;
    }
    if (!this.batch.isEmpty) void this.store(false);
    else if (this.poisoned) void this.recover([]);
    else if (this.queue.length > 0 && this.queue[0]!.usesSql) void this.runSqlSteps();
    else if (this.queue.length > 0) this.schedule();
    else this.tellIdle();
  }

  private newStep(): StepRecord {
    const now = this.options.clock.now();
    if (now > this.lastNow) this.lastNow = now;
    this.sequence += 1;
    return new StepRecord(this.sequence, this.lastNow, this.options.secret);
  }

  private runInMemory(queued: Queued): void {
    const step = this.newStep();
    try {
      const result = (queued.body as (step: Step) => unknown)(step);
      this.keep(queued, step, result);
    } catch (cause) {
      this.undo(queued, step, cause);
    }
  }

  private keep(queued: Queued, step: StepRecord, result: unknown): void {
    if (queued.intent !== undefined) {
      const { actor, operation, key, fingerprint } = queued.intent;
      const answer = queued.answers.keep(result);
      step.write(answeredKeyWriter, { actor, operation, key, fingerprint, answer, at: step.now });
    }
    this.batch.keep(step, { committed: () => queued.resolve(result), failed: queued.reject });
  }

  private undo(queued: Queued, step: StepRecord, cause: unknown): void {
    step.undo();
    this.sequence -= 1;
    if (cause instanceof Refused) {
      this.refuse(queued, cause);
      return;
    }
    this.poisoned = true;
    this.options.log.error('sequencer.step_failed', { operation: queued.operation, cause });
    queued.reject(cause);
  }

  /** What a refusal rests on may be lost like anything else that is not stored yet: it is told when that is. */
  private refuse({ reject }: Queued, cause: Refused): void {
    const last = this.lastUnstored();
    if (last === undefined) reject(cause);
    else last.waiting.push({ committed: () => reject(cause), failed: reject });
  }

  private lastUnstored(): Batch | undefined {
    return this.batch.isEmpty ? this.inFlight : this.batch;
  }

  private async runSqlSteps(): Promise<void> {
    this.storing = true;
    // A step with SQL waits in its middle: whoever came in between would see what may yet be undone.
    this.executing = true;
    try {
      await this.journal.begin();
      while (
        this.queue[0]?.usesSql === true &&
        !this.poisoned &&
        this.batch.waiting.length < BATCH_STEPS_MAX
      ) {
        await this.journal.write(this.batch.takeRows());
        await this.journal.savepoint();
        await this.runSqlStep(this.queue.shift()!);
      }
      if (this.batch.isEmpty) await this.journal.rollBack();
    } catch (cause) {
      this.executing = false;
      return this.recover(this.takeWaiting(), cause);
    }
    this.executing = false;
    this.storing = false;
    if (!this.batch.isEmpty) return this.store(true);
    this.schedule();
  }

  private async runSqlStep(queued: Queued): Promise<void> {
    const step = this.newStep();
    const sqlStep: SqlStep = Object.assign(step, { sql: this.journal.transaction });
    try {
      const result = await (queued.body as (step: SqlStep) => Promise<unknown>)(sqlStep);
      this.keep(queued, step, result);
    } catch (cause) {
      this.undo(queued, step, cause);
      await this.journal.rollBackToSavepoint();
    }
  }

  /** Stores the open batch; meanwhile the next one is executed. */
  private async store(inTransaction: boolean): Promise<void> {
    this.storing = true;
    const batch = this.batch;
    this.batch = new Batch();
    this.inFlight = batch;
    try {
      this.requireSound();
      await this.journal.commit(batch.takeRows(), this.storedSequence, batch.lastSequence, inTransaction);
    } catch (cause) {
      return this.recover([...batch.waiting, ...this.takeWaiting()], cause, batch);
    }
    this.storedSequence = batch.lastSequence;
    this.storing = false;
    this.inFlight = undefined;
    // The database gets what was decided meanwhile before anybody is answered: neither waits for the other.
    if (!this.batch.isEmpty) void this.store(false);
    this.answer(batch);
    this.execute();
  }

  /** A batch that breaks an invariant is not stored: what is broken is halted by its owner. */
  private requireSound(): void {
    const broken = this.participants.flatMap((participant) => participant.verify?.() ?? []);
    if (broken.length === 0) return;
    this.options.log.error('sequencer.invariant_broken', { broken });
    throw new BatchRejected(`invariant broken: ${broken.join(', ')}`);
  }

  private answer(batch: Batch): void {
    for (const waiting of batch.waiting) waiting.committed();
    this.options.events.publish(batch.events);
  }

  private takeWaiting(): Batch['waiting'] {
    const { waiting } = this.batch;
    this.batch = new Batch();
    return waiting;
  }

  /**
   * Memory may be ahead of what is stored: establish what the journal holds, answer the callers of the
   * batch in question by that, refuse the later ones (nothing of theirs was sent), and load all state anew.
   */
  private async recover(waiting: Batch['waiting'], cause?: unknown, inDoubt?: Batch): Promise<void> {
    if (cause instanceof Fenced) return this.giveUp(waiting);
    const stateAfter = this.state === 'closing' ? 'closing' : 'running';
    this.state = 'recovering';
    this.inFlight = undefined;
    this.recoveringSinceMs = this.options.clock.monotonicMs();
    this.options.log.warn('sequencer.recovering', {
      cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : 'poisoned step',
    });
    try {
      const head = await this.readAnew();
      const survived =
        inDoubt !== undefined && !(cause instanceof BatchRejected) && head.sequence >= inDoubt.lastSequence;
      const answered = survived ? new Set(inDoubt.waiting) : new Set();
      if (survived) this.answer(inDoubt);
      const lost = new Refused(refusal('maintenance', 'l.maintenance'));
      for (const waiter of waiting) if (!answered.has(waiter)) waiter.failed(lost);
      if (this.stopping) return this.refuseAll(waiting);
    } catch (failure) {
      // Asked to stop while the database was away: nothing is left to recover for.
      if (this.stopping) return this.refuseAll(waiting);
      // Fenced, or the state cannot be read: this process must not go on writing.
      this.options.log.error('sequencer.recovery_failed', { cause: failure });
      return this.giveUp(waiting);
    }
    this.poisoned = false;
    this.storing = false;
    this.state = stateAfter;
    this.options.log.info('sequencer.recovered', { sequence: this.sequence });
    this.schedule();
  }

  /** Becomes the writer again and loads all state; once more when the database goes away in between. */
  private async readAnew(): Promise<Head> {
    for (let attempt = 1; ; attempt += 1) {
      const head = await this.journal.takeOver();
      try {
        for (const participant of this.participants) await participant.load();
        this.sequence = head.sequence;
        this.storedSequence = head.sequence;
        return head;
      } catch (failure) {
        if (this.stopping || attempt === LOAD_ATTEMPTS) throw failure;
        this.options.log.warn('sequencer.load_failed', { attempt, cause: failure });
        await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS));
      }
    }
  }

  private giveUp(waiting: Batch['waiting']): void {
    this.refuseAll(waiting);
    this.options.onFenced();
  }

  private refuseAll(waiting: Batch['waiting']): void {
    this.state = 'stopped';
    const lost = new Refused(refusal('maintenance', 'l.maintenance'));
    for (const waiter of waiting) waiter.failed(lost);
    for (const queued of this.queue) queued.reject(lost);
    this.queue = [];
    this.storing = false;
    this.tellIdle();
  }

  private untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.idle.push(resolve);
      this.schedule();
    });
  }

  private tellIdle(): void {
    if (this.storing || this.queue.length > 0 || !this.batch.isEmpty) return;
    for (const resolve of this.idle.splice(0)) resolve();
  }
}
