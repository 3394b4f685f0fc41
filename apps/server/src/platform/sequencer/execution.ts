import { asOwnWork } from '../database/lanes.ts';
import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { Log } from '../log.ts';
import { Batch, type Waiting } from './batch.ts';
import { BatchRejected, Fenced, HeadBehind, type Head, type Journal } from './journal.ts';
import { PostponedSteps } from './postponed-steps.ts';
import { QueuedStep } from './queued-step.ts';
import { rebuild, type Participant } from './rebuilding.ts';
import { maintenance, outcomeUnknown, StepRunner } from './step-runner.ts';

export interface ExecutionOptions {
  secret: Uint32Array;
  clock: Clock;
  events: Events;
  log: Log;
  /** Called when this process must stop, because another process is the writer or the state cannot be loaded again. */
  onFenced: () => void;
}

/**
 * Number of callers of the open batch, including those of refused steps, from which on no further step is executed
 * until the batch is sent to the database.
 */
const BATCH_STEPS_MAX = 1_024;
/**
 * Maximum number of times that a step is run again because of bugs in other steps. After that the step's caller is
 * refused.
 */
const RERUNS_MAX = 3;

const NOBODY: readonly Waiting[] = [];

/** Runs steps one after another in memory and stores them in batches. Reloads the state if memory may be wrong. */
export class Execution {
  state: 'stopped' | 'running' | 'recovering' = 'stopped';
  recoveringSinceMs = 0;
  /** The reason why writing is halted until an operator decides; undefined if writing is not halted. */
  haltedBecause: string | undefined;
  private readonly options: ExecutionOptions;
  private readonly journal: Journal;
  private readonly participants: readonly Participant[];
  private readonly runner: StepRunner;
  private queue: QueuedStep[] = [];
  private readonly postponed = new PostponedSteps();
  private batch = new Batch();
  /** The batch that the database is currently storing. */
  private inFlight: Batch | undefined;
  private committing: Promise<void> = Promise.resolve();
  /**
   * Monotonic time in milliseconds since which a batch is being stored; undefined if none is. If it could not be stored,
   * the time stays until the recovery has ended.
   */
  private storingSinceMs: number | undefined;
  private storedSequence = 0;
  private storing = false;
  private executing = false;
  private scheduled = false;
  /** Whether a stop was requested. If a recovery is running, it is abandoned. */
  private stopping = false;
  private idleCallbacks: (() => void)[] = [];

  constructor(options: ExecutionOptions, journal: Journal, participants: readonly Participant[]) {
    this.options = options;
    this.journal = journal;
    this.runner = new StepRunner(options);
    this.participants = participants;
  }

  get queued(): number {
    return this.queue.length + this.postponed.size;
  }

  get waiting(): number {
    return this.queued + this.batch.waiting.length;
  }

  /**
   * Monotonic time in milliseconds since which a batch is being stored or a recovery is running, without a commit
   * meanwhile; undefined if nothing waits for the database.
   */
  get heldUpSinceMs(): number | undefined {
    if (this.state !== 'recovering') return this.storingSinceMs;
    return Math.min(this.recoveringSinceMs, this.storingSinceMs ?? this.recoveringSinceMs);
  }

  /** Starts executing steps. The first one gets the number after `sequence`, the last stored step. */
  start({ sequence }: Head): void {
    this.continueAfter(sequence);
    this.stopping = false;
    this.state = 'running';
  }

  push(queued: QueuedStep): void {
    this.queue.push(queued);
    this.schedule();
  }

  /**
   * Calls `committed` of `waiting` when all steps executed so far are committed, or its `failed` if they are lost.
   * Returns false, and calls neither, if none of these steps is uncommitted.
   */
  waitForCommit(waiting: Waiting): boolean {
    const last = this.lastUnstored();
    last?.waiting.push(waiting);
    return last !== undefined;
  }

  /**
   * Resolves when every queued step is stored or refused. Steps that then still wait for unfinished work of others are
   * refused.
   */
  untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.idleCallbacks.push(resolve);
      this.schedule();
    });
  }

  /**
   * Stops executing steps and refuses waiting callers. Only the batch that was already sent to the database may still
   * be stored.
   */
  halt(): void {
    this.stopping = true;
    this.refuseAll(this.discardBatch());
  }

  /**
   * Handles the loss of the database connection or of the right to write while no step runs: tries to become the writer
   * again, or stops.
   */
  connectionLost(cause: Error): void {
    // A running commit, transaction or recovery detects the loss of the connection itself.
    if (this.state !== 'running' || this.storing || this.executing) return;
    void this.recover(this.discardBatch(), cause);
  }

  /** Resolves when the batch that was being stored, if any, is committed or has failed. */
  async untilCommitted(): Promise<void> {
    await this.committing.catch(() => undefined);
  }

  /**
   * Schedules the execution of queued steps for the end of this turn of the event loop, so that requests that arrive in
   * one turn share a batch. Schedules nothing during a recovery.
   */
  private schedule(): void {
    if (this.scheduled || this.state === 'recovering') return;
    this.scheduled = true;
    // A batch contains steps of many callers, so its queries must not use the pools of the request that schedules it.
    asOwnWork(() =>
      setImmediate(() => {
        this.scheduled = false;
        this.execute();
      }),
    );
  }

  private execute(): void {
    if (this.executing || this.state !== 'running') return;
    this.executing = true;
    let next = 0;
    while (next < this.queue.length && this.batch.waiting.length < BATCH_STEPS_MAX) {
      const queued = this.queue[next]!;
      if (queued.request.command.usesSql) break;
      next += 1;
      const outcome = this.runner.run(queued);
      if (typeof outcome === 'object' && 'postponement' in outcome) {
        this.postponed.add(queued, outcome.postponement, this.options.clock.monotonicMs());
        continue;
      }
      if (this.acceptOutcome(queued, outcome)) {
        const ready = this.releasePostponed();
        if (ready.length === 0) continue;
        this.queue = [...ready, ...this.queue.slice(next)];
        next = 0;
        continue;
      }
      this.queue = [...this.discardBatchForRerun(), ...this.queue.slice(next)];
      next = 0;
      break;
    }
    if (next > 0) this.queue = this.queue.slice(next);
    this.executing = false;
    this.continueExecution();
  }

  /**
   * Returns the postponed steps whose awaited work of earlier steps has ended. Refuses those that have waited too long
   * (3 s, see `PostponedSteps`) because of maintenance.
   */
  private releasePostponed(): readonly QueuedStep[] {
    if (this.postponed.size === 0) return [];
    const { ready, late } = this.postponed.release(this.options.clock.monotonicMs());
    for (const queued of late) queued.failed(maintenance());
    return ready;
  }

  /**
   * Continues after steps were run. While the previous batch is being stored, only serializes rows of this
   * batch. Otherwise recovers after a bug, stores this batch, or runs the next steps.
   */
  private continueExecution(): void {
    if (this.storing) this.batch.prepare();
    else if (this.state === 'recovering') void this.recover([]);
    else if (!this.batch.isEmpty) void this.store(false);
    else if (this.queue.length > 0 && this.queue[0]!.request.command.usesSql) void this.runSqlSteps();
    else if (this.queue.length > 0) this.schedule();
    else this.notifyIdle();
  }

  /** Processes the outcome of a step. Returns false after a bug, because memory may be wrong from then on. */
  private acceptOutcome(queued: QueuedStep, outcome: Awaited<ReturnType<StepRunner['runWithSql']>>): boolean {
    if (outcome === 'failed') {
      if (this.state === 'running') this.state = 'recovering';
      this.recoveringSinceMs = this.options.clock.monotonicMs();
      return false;
    }
    if (typeof outcome === 'object') this.batch.addStep(outcome, queued);
    // A refusal or an answer without changes depends on state that may not be stored yet, so the caller is answered
    // after that state is committed.
    else if ((outcome === 'refused' || outcome === 'unchanged') && !this.waitForCommit(queued))
      queued.committed();
    return true;
  }

  /**
   * Discards the open batch after a bug. Its rows are read only when the batch is sealed, so the bug may have changed
   * them. Returns the batch's steps, including refused ones, which are run again before others. Steps that were run
   * again `RERUNS_MAX` times, and callers that only wait for the commit, are refused.
   */
  private discardBatchForRerun(): QueuedStep[] {
    const reruns: QueuedStep[] = [];
    for (const waiting of this.discardBatch()) {
      if (waiting instanceof QueuedStep && waiting.reruns < RERUNS_MAX) {
        waiting.reruns += 1;
        reruns.push(waiting);
      } else {
        waiting.failed(maintenance());
      }
    }
    return reruns;
  }

  private lastUnstored(): Batch | undefined {
    return this.batch.isEmpty ? this.inFlight : this.batch;
  }

  private async runSqlSteps(): Promise<void> {
    this.storing = true;
    // A step with SQL is asynchronous, and its changes may still be undone, so no other step runs meanwhile.
    this.executing = true;
    const rollBack = (): Promise<void> => this.journal.rollBackToSavepoint();
    try {
      await this.journal.begin();
      while (
        this.queue[0]?.request.command.usesSql === true &&
        this.state === 'running' &&
        this.batch.waiting.length < BATCH_STEPS_MAX
      ) {
        await this.journal.write(this.batch.takeRows());
        await this.journal.savepoint();
        const queued = this.queue.shift()!;
        this.acceptOutcome(queued, await this.runner.runWithSql(queued, this.journal, rollBack));
      }
      if (this.batch.isEmpty || this.state !== 'running') await this.journal.rollBack();
    } catch (cause) {
      this.executing = false;
      return this.recover(this.discardBatch(), cause);
    }
    this.executing = false;
    this.storing = false;
    if (this.state === 'stopped') return this.refuseAll(this.discardBatch());
    if (this.state === 'recovering') this.queue = [...this.discardBatchForRerun(), ...this.queue];
    if (!this.batch.isEmpty) return this.store(true);
    if (this.state === 'recovering') return this.recover([]);
    this.schedule();
  }

  /** Sends the open batch to the database. The steps of the next batch are executed meanwhile. */
  private async store(inTransaction: boolean): Promise<void> {
    this.storing = true;
    const batch = this.batch;
    this.batch = new Batch();
    this.inFlight = batch;
    this.storingSinceMs = this.options.clock.monotonicMs();
    try {
      this.requireSound();
      // All rows of the batch are serialized here, so that a bug in a later step cannot change them.
      const rows = batch.takeRows();
      this.committing = this.journal.commit(rows, this.storedSequence, batch.lastSequence, inTransaction);
      await this.committing;
    } catch (cause) {
      return this.recover(this.discardBatch(), cause, batch);
    }
    this.storedSequence = batch.lastSequence;
    this.storing = false;
    this.storingSinceMs = undefined;
    this.inFlight = undefined;
    // The next batch is sent before callers are answered, so that the database is not idle meanwhile.
    if (!this.batch.isEmpty) void this.store(false);
    this.answer(batch);
    if (this.state === 'recovering') return this.recover([]);
    this.execute();
  }

  /**
   * Throws `BatchRejected` if the state breaks an invariant. The participant (e.g. the ledger) that has found this
   * halts the affected part, e.g. an asset.
   */
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

  private discardBatch(): Waiting[] {
    const { waiting } = this.batch;
    this.batch = new Batch();
    return waiting;
  }

  /**
   * Recovers if memory may be wrong or ahead of the database. It reads from the journal whether the batch `sent` was
   * stored and answers the batch's callers accordingly. It refuses the callers `later` of steps that were never sent to
   * the database, and reloads all state. Afterwards the queued steps are executed. If the recovery fails, or is
   * abandoned for a stop, writing stops: the callers of `sent` read that the outcome is unknown unless the database has
   * refused the batch, and all others are refused.
   */
  private async recover(later: readonly Waiting[], cause?: unknown, sent?: Batch): Promise<void> {
    // The check for other writers and for lost steps is part of the statement that stores the batch. So with
    // these errors, and if the database has refused the statement, nothing of the batch was stored.
    const isRefused =
      cause instanceof Fenced || cause instanceof HeadBehind || cause instanceof BatchRejected;
    const inDoubt = isRefused || sent === undefined ? NOBODY : sent.waiting;
    const neverStored = isRefused && sent !== undefined ? [...sent.waiting, ...later] : later;
    const giveUp = (): void => {
      for (const waiter of inDoubt) waiter.failed(outcomeUnknown());
      this.refuseAll(neverStored);
    };
    if (cause instanceof Fenced) return this.stopFenced(giveUp);
    if (cause instanceof HeadBehind) return this.haltPermanently(giveUp, cause);
    if (this.state === 'stopped') return giveUp();
    const { log, clock } = this.options;
    this.state = 'recovering';
    this.inFlight = undefined;
    this.recoveringSinceMs = clock.monotonicMs();
    log.warn('sequencer.recovering', {
      cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : 'a step with a bug',
    });
    try {
      const { journal, participants } = this;
      const head = await rebuild({ journal, participants, log, isStopping: () => this.stopping });
      this.continueAfter(head.sequence);
      if (sent !== undefined && !isRefused && head.sequence >= sent.lastSequence) this.answer(sent);
      else for (const waiter of inDoubt) waiter.failed(maintenance());
      for (const waiter of neverStored) waiter.failed(maintenance());
      if (this.stopping) return this.refuseAll([]);
    } catch (failure) {
      // A stop was requested while the database was unreachable, so the recovery is not continued.
      if (this.stopping) return giveUp();
      if (failure instanceof HeadBehind) return this.haltPermanently(giveUp, failure);
      // Another process is the writer, or the state cannot be loaded, so this process must stop writing.
      log.error('sequencer.recovery_failed', { cause: failure });
      return this.stopFenced(giveUp);
    }
    this.storing = false;
    this.storingSinceMs = undefined;
    this.state = 'running';
    // The reloaded memory does not contain the work for which the postponed steps waited, so they are queued again.
    this.queue = [...this.postponed.removeAll(), ...this.queue];
    log.info('sequencer.recovered', { sequence: this.runner.sequence });
    this.schedule();
  }

  private continueAfter(sequence: number): void {
    this.runner.sequence = sequence;
    this.storedSequence = sequence;
  }

  /**
   * Halts writing permanently and refuses all waiting callers. The process keeps running, so that stored data
   * can be read and its health states the reason. Later steps are refused because of maintenance.
   */
  private haltPermanently(giveUp: () => void, { message }: HeadBehind): void {
    this.haltedBecause = message;
    this.options.log.error('journal.head_behind', { why: message });
    giveUp();
  }

  private stopFenced(giveUp: () => void): void {
    giveUp();
    this.options.onFenced();
  }

  private refuseAll(waiting: readonly Waiting[]): void {
    this.state = 'stopped';
    const refusal = maintenance();
    for (const waiter of waiting) waiter.failed(refusal);
    for (const queued of [...this.postponed.removeAll(), ...this.queue]) queued.failed(refusal);
    this.queue = [];
    this.storing = false;
    this.storingSinceMs = undefined;
    this.notifyIdle();
  }

  private notifyIdle(): void {
    if (this.idleCallbacks.length === 0 || this.storing || this.queue.length > 0 || !this.batch.isEmpty)
      return;
    // All other steps are done, so no step can complete the work for which the postponed ones wait. They are refused.
    for (const queued of this.postponed.removeAll()) queued.failed(maintenance());
    for (const resolve of this.idleCallbacks.splice(0)) resolve();
  }
}
