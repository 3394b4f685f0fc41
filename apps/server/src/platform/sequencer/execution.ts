import { asOwnWork } from '../database/lanes.ts';
import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { Log } from '../log.ts';
import { Batch, type Waiting } from './batch.ts';
import { BatchRejected, Fenced, HeadBehind, type Head, type Journal } from './journal.ts';
import { PostponedSteps } from './postponed-steps.ts';
import { QueuedStep } from './queued-step.ts';
import { rebuild, type Participant } from './rebuilding.ts';
import { maintenance, StepRunner } from './step-runner.ts';

export interface ExecutionOptions {
  secret: Uint32Array;
  clock: Clock;
  events: Events;
  log: Log;
  /** This process may no longer write: it has to stop. */
  onFenced: () => void;
}

/** A batch this large commits before more is executed. */
const BATCH_STEPS_MAX = 1_024;
/** So often a step is run again because of others' bugs; then its caller hears that nothing was done. */
const TAKEN_BACK_MAX = 3;

/** Runs steps one after another in memory and stores them in batches; rebuilds memory when it is in doubt. */
export class Execution {
  state: 'stopped' | 'running' | 'recovering' = 'stopped';
  recoveringSinceMs = 0;
  /** Why nothing is written until an operator has decided; undefined in every other state. */
  haltedBecause: string | undefined;
  private readonly options: ExecutionOptions;
  private readonly journal: Journal;
  private readonly participants: readonly Participant[];
  private readonly runner: StepRunner;
  private queue: QueuedStep[] = [];
  private readonly postponed = new PostponedSteps();
  private batch = new Batch();
  /** The batch that the database is storing, and its end. */
  private inFlight: Batch | undefined;
  private committing: Promise<void> = Promise.resolve();
  private storedSequence = 0;
  private storing = false;
  private executing = false;
  private scheduled = false;
  /** The owner wants an end: a recovery under way is not finished. */
  private stopping = false;
  private idle: (() => void)[] = [];

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

  /** Takes steps from now on, behind what is stored. */
  begin({ sequence }: Head): void {
    this.goOnBehind(sequence);
    this.stopping = false;
    this.state = 'running';
  }

  push(queued: QueuedStep): void {
    this.queue.push(queued);
    this.schedule();
  }

  /** Has this told once what memory shows is stored, or lost; false where nothing waits to be stored. */
  await(waiting: Waiting): boolean {
    const last = this.lastUnstored();
    last?.waiting.push(waiting);
    return last !== undefined;
  }

  /** Resolves when everything that was queued is stored. */
  untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.idle.push(resolve);
      this.schedule();
    });
  }

  /** Nothing that is not on its way to the database goes there from here on; whoever waits for it is refused. */
  halt(): void {
    this.stopping = true;
    this.refuseAll(this.takeWaiting());
  }

  /** The writer lost its connection, or its epoch, while nothing was being stored: becomes the writer again, or ends. */
  connectionLost(cause: Error): void {
    // What is being stored fails by itself, and so does a recovery under way.
    if (this.state !== 'running' || this.storing || this.executing) return;
    void this.recover(this.takeWaiting(), cause);
  }

  /** Resolves when the batch that was on its way to the database, if any, has been answered. */
  async untilCommitted(): Promise<void> {
    await this.committing.catch(() => undefined);
  }

  /** Requests that arrive in the same turn of the event loop share a batch. */
  private schedule(): void {
    if (this.scheduled || this.state === 'recovering') return;
    this.scheduled = true;
    // Steps of many callers share a batch: whatever it asks the database is nobody's request.
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
      if (queued.asked.command.usesSql) break;
      next += 1;
      const outcome = this.runner.run(queued);
      if (typeof outcome === 'object' && 'postponement' in outcome) {
        this.postponed.add(queued, outcome.postponement, this.options.clock.monotonicMs());
        continue;
      }
      if (this.take(queued, outcome)) {
        const ready = this.releasePostponed();
        if (ready.length === 0) continue;
        this.queue = [...ready, ...this.queue.slice(next)];
        next = 0;
        continue;
      }
      this.queue = [...this.takeBack(), ...this.queue.slice(next)];
      next = 0;
      break;
    }
    if (next > 0) this.queue = this.queue.slice(next);
    this.executing = false;
    this.goOn();
  }

  /** The steps that need wait no longer for what an earlier one left over. Those that waited too long are turned away. */
  private releasePostponed(): readonly QueuedStep[] {
    if (this.postponed.size === 0) return [];
    const { ready, late } = this.postponed.release(this.options.clock.monotonicMs());
    for (const queued of late) queued.failed(maintenance());
    return ready;
  }

  /** After steps were run: stores them, or does what has to come before that. */
  private goOn(): void {
    if (this.storing) this.batch.prepare();
    else if (this.state === 'recovering') void this.recover([]);
    else if (!this.batch.isEmpty) void this.store(false);
    else if (this.queue.length > 0 && this.queue[0]!.asked.command.usesSql) void this.runSqlSteps();
    else if (this.queue.length > 0) this.schedule();
    else this.tellIdle();
  }

  /** Takes what a run came to; gives false after a bug, from which on memory is suspect. */
  private take(queued: QueuedStep, outcome: Awaited<ReturnType<StepRunner['runWithSql']>>): boolean {
    if (outcome === 'failed') {
      if (this.state === 'running') this.state = 'recovering';
      this.recoveringSinceMs = this.options.clock.monotonicMs();
      return false;
    }
    if (typeof outcome === 'object') this.batch.keep(outcome, queued);
    // What a refusal, or an answer that changed nothing, rests on may be lost like anything else that is not stored
    // yet: it is told when that is.
    else if ((outcome === 'refused' || outcome === 'unchanged') && !this.await(queued)) queued.committed();
    return true;
  }

  /**
   * Drops the open batch after a bug: its rows are read when it is sealed, and the bug may have changed them.
   * Gives its steps, refused ones too, to be run again before any other. Whoever only looked hears that what
   * was seen is lost.
   */
  private takeBack(): QueuedStep[] {
    const again: QueuedStep[] = [];
    for (const waiting of this.takeWaiting()) {
      if (waiting instanceof QueuedStep && waiting.takenBack < TAKEN_BACK_MAX) {
        waiting.takenBack += 1;
        again.push(waiting);
      } else {
        waiting.failed(maintenance());
      }
    }
    return again;
  }

  private lastUnstored(): Batch | undefined {
    return this.batch.isEmpty ? this.inFlight : this.batch;
  }

  private async runSqlSteps(): Promise<void> {
    this.storing = true;
    // A step with SQL waits in its middle: whoever came in between would see what may yet be undone.
    this.executing = true;
    const rollBack = (): Promise<void> => this.journal.rollBackToSavepoint();
    try {
      await this.journal.begin();
      while (
        this.queue[0]?.asked.command.usesSql === true &&
        this.state === 'running' &&
        this.batch.waiting.length < BATCH_STEPS_MAX
      ) {
        await this.journal.write(this.batch.takeRows());
        await this.journal.savepoint();
        const queued = this.queue.shift()!;
        this.take(queued, await this.runner.runWithSql(queued, this.journal, rollBack));
      }
      if (this.batch.isEmpty || this.state !== 'running') await this.journal.rollBack();
    } catch (cause) {
      this.executing = false;
      return this.recover(this.takeWaiting(), cause);
    }
    this.executing = false;
    this.storing = false;
    if (this.state === 'stopped') return this.refuseAll(this.takeWaiting());
    if (this.state === 'recovering') this.queue = [...this.takeBack(), ...this.queue];
    if (!this.batch.isEmpty) return this.store(true);
    if (this.state === 'recovering') return this.recover([]);
    this.schedule();
  }

  /** Stores the open batch; meanwhile the next one is executed. */
  private async store(inTransaction: boolean): Promise<void> {
    this.storing = true;
    const batch = this.batch;
    this.batch = new Batch();
    this.inFlight = batch;
    try {
      this.requireSound();
      // Sealed here and now, to the last text: a bug in a later step cannot reach what is on its way.
      const rows = batch.takeRows();
      this.committing = this.journal.commit(rows, this.storedSequence, batch.lastSequence, inTransaction);
      await this.committing;
    } catch (cause) {
      return this.recover([...batch.waiting, ...this.takeWaiting()], cause, batch);
    }
    this.storedSequence = batch.lastSequence;
    this.storing = false;
    this.inFlight = undefined;
    // The database gets what was decided meanwhile before anybody is answered: neither waits for the other.
    if (!this.batch.isEmpty) void this.store(false);
    this.answer(batch);
    if (this.state === 'recovering') return this.recover([]);
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

  private takeWaiting(): Waiting[] {
    const { waiting } = this.batch;
    this.batch = new Batch();
    return waiting;
  }

  /**
   * Memory may be ahead of what is stored, or wrong: establish what the journal holds, answer the callers of
   * the batch in question by that, refuse the later ones (nothing of theirs was sent), and load all state anew.
   */
  private async recover(waiting: readonly Waiting[], cause?: unknown, inDoubt?: Batch): Promise<void> {
    if (cause instanceof Fenced) return this.giveUp(waiting);
    if (cause instanceof HeadBehind) return this.haltForGood(waiting, cause);
    if (this.state === 'stopped') return this.refuseAll(waiting);
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
      this.goOnBehind(head.sequence);
      const survived =
        inDoubt !== undefined && !(cause instanceof BatchRejected) && head.sequence >= inDoubt.lastSequence;
      const answered = survived ? new Set(inDoubt.waiting) : new Set();
      if (survived) this.answer(inDoubt);
      for (const waiter of waiting) if (!answered.has(waiter)) waiter.failed(maintenance());
      if (this.stopping) return this.refuseAll([]);
    } catch (failure) {
      // Asked to stop while the database was away: nothing is left to recover for.
      if (this.stopping) return this.refuseAll(waiting);
      if (failure instanceof HeadBehind) return this.haltForGood(waiting, failure);
      // Fenced, or the state cannot be read: this process must not go on writing.
      log.error('sequencer.recovery_failed', { cause: failure });
      return this.giveUp(waiting);
    }
    this.storing = false;
    this.state = 'running';
    // What they waited for is another in the memory that was loaded.
    this.queue = [...this.postponed.removeAll(), ...this.queue];
    log.info('sequencer.recovered', { sequence: this.runner.sequence });
    this.schedule();
  }

  private goOnBehind(sequence: number): void {
    this.runner.sequence = sequence;
    this.storedSequence = sequence;
  }

  /** Nothing is written any more; this process stays, so that what is stored can be read and everybody hears why. */
  private haltForGood(waiting: readonly Waiting[], { message }: HeadBehind): void {
    this.haltedBecause = message;
    this.options.log.error('journal.head_behind', { why: message });
    this.refuseAll(waiting);
  }

  private giveUp(waiting: readonly Waiting[]): void {
    this.refuseAll(waiting);
    this.options.onFenced();
  }

  private refuseAll(waiting: readonly Waiting[]): void {
    this.state = 'stopped';
    const lost = maintenance();
    for (const waiter of waiting) waiter.failed(lost);
    for (const queued of [...this.postponed.removeAll(), ...this.queue]) queued.failed(lost);
    this.queue = [];
    this.storing = false;
    this.tellIdle();
  }

  private tellIdle(): void {
    if (this.idle.length === 0 || this.storing || this.queue.length > 0 || !this.batch.isEmpty) return;
    // Nobody is let in any more who could do what they wait for.
    for (const queued of this.postponed.removeAll()) queued.failed(maintenance());
    for (const resolve of this.idle.splice(0)) resolve();
  }
}
