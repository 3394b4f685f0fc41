import { Refused, refusal } from '@exchange/core/refusal.ts';
import type { Kysely } from 'kysely';
import type { DatabaseConnection } from '../database/pool.ts';
import { IdempotencyStore, removeOldAnswers } from './idempotency-store.ts';
import { CommandRegistry, type AnyCommand, type Command } from './command.ts';
import { Execution, type ExecutionOptions } from './execution.ts';
import { Journal, type Head } from './journal.ts';
import { QueuedStep, type Asked, type AnswerCodec } from './queued-step.ts';
import type { Participant } from './rebuilding.ts';
import { type EpochBounds, RequestEpochs } from './request-epochs.ts';
import { maintenance } from './step-runner.ts';
import { Submissions, type Submission } from './submission.ts';

export type { AnswerCodec, Participant };

export interface ExecuteOptions<Outcome, Answer = Outcome> {
  /** Who asks; undefined for the house itself. */
  readonly actor?: string | undefined;
  /** The actor's request under the actor's own key: executed once, the same again gives the first answer. */
  readonly submission?: Submission | undefined;
  /** What the caller is told, made of the outcome within the step, before later steps can change it. */
  readonly answer?: ((outcome: Outcome) => Answer) | undefined;
  /** How the answer is kept for the key; as JSON unless told otherwise. */
  readonly answers?: AnswerCodec | undefined;
}

const AS_JSON: AnswerCodec = {
  keep: (result) => JSON.stringify(result ?? null),
  restore: (kept) => JSON.parse(kept) as unknown,
};

/** More callers than this are turned away at once instead of being answered too late. */
const QUEUE_MAX = 20_000;
/** A short recovery is waited for; during a longer one new callers are turned away at once. */
const RECOVERY_TIMEOUT_MS = 3_000;

export interface SequencerOptions extends ExecutionOptions {
  connection: DatabaseConnection;
  reader: Kysely<unknown>;
}

/**
 * The one door for money. Steps run strictly one after another against memory; what they decided is
 * written by group commit: one batch is stored while the next is being executed and written down, and nobody is answered
 * before their batch is durable. There is no timer: a batch is whatever waited while the last one was stored.
 */
export class Sequencer {
  /** Serves requests that carry a key; whoever accepts such requests passes them through this. */
  readonly submissions: Submissions;
  private readonly options: SequencerOptions;
  private readonly journal: Journal;
  private readonly keys: IdempotencyStore;
  private readonly execution: Execution;
  private readonly participants: Participant[] = [];
  private readonly commands = new CommandRegistry();
  private readonly epochs = new RequestEpochs();
  private head: Head | undefined;
  /** What was accepted is finished, and nothing more is. */
  private isClosing = false;

  constructor(options: SequencerOptions) {
    this.options = options;
    const { connection, log } = options;
    this.journal = new Journal(connection, log, (cause) => this.execution.connectionLost(cause));
    this.keys = new IdempotencyStore(options.reader, options.clock);
    this.submissions = new Submissions(this.keys);
    this.execution = new Execution(options, this.journal, this.participants);
  }

  join(participant: Participant): void {
    this.participants.push(participant);
  }

  /**
   * Becomes the writer, waiting as a standby while another is. `prepare` runs in between, when no other
   * process can be the writer and this one has not touched a table yet.
   */
  async acquire(prepare?: () => Promise<void>): Promise<void> {
    await this.journal.lock();
    await prepare?.();
    this.head = await this.journal.takeOver();
  }

  /** Loads all state and begins to take steps; becomes the writer first where `acquire` was not called. */
  async start(): Promise<void> {
    if (this.head === undefined) await this.acquire();
    for (const participant of this.participants) await participant.load();
    void this.keys.learn();
    this.execution.begin(this.head!);
  }

  /** Finishes what was accepted and lets go of the writer's lock. */
  async stop(): Promise<void> {
    if (this.isRunning) {
      this.isClosing = true;
      await this.execution.untilIdle();
    }
    this.failStop();
    await this.execution.untilCommitted();
    await this.keys.close();
    await this.journal.close();
  }

  /**
   * Stops at once because memory cannot be trusted: whatever is queued, or executed but not on its way to the
   * database, is refused and never stored. A commit under way may finish and is answered by its outcome.
   * `stop` is still to be called.
   */
  failStop(): void {
    this.head = undefined;
    this.execution.halt();
  }

  get isRunning(): boolean {
    return this.execution.state === 'running' && !this.isClosing;
  }

  /** Whether it waits for another process, which is the writer, to end. */
  get isStandby(): boolean {
    return this.journal.isStandby;
  }

  /** Why nothing is written until an operator has decided; undefined while nothing of the kind happened. */
  get haltedBecause(): string | undefined {
    return this.execution.haltedBecause;
  }

  get queueLength(): number {
    return this.execution.waiting;
  }

  /** Removes the answers of keys that have been stored long enough; `store` is a connection that may delete. */
  async removeOldAnswers(store: Kysely<unknown>): Promise<void> {
    const { before } = await removeOldAnswers(store, this.options.clock);
    this.keys.removedBefore(before);
  }

  /** Makes commands known; each before it is executed for the first time. */
  register(commands: readonly AnyCommand[]): void {
    this.commands.add(commands);
  }

  /**
   * Runs a command as one step. Resolves after its commit; a refusal undoes it and rejects with `Refused`. A step
   * without `submission` that changes nothing is answered and leaves nothing in the journal. With `submission`, the
   * same submission again gives the first answer.
   */
  execute<Input, Outcome, Answer = Outcome>(
    command: Command<Input, Outcome>,
    input: Input,
    options: ExecuteOptions<Outcome, Answer> = {},
  ): Promise<Answer> {
    if (!this.commands.has(command)) throw new Error(`the command ${command.name} is not registered`);
    const epoch = this.epochs.enter();
    const leave = () => this.epochs.leave(epoch);
    let answered: Promise<Answer>;
    try {
      const preparing = command.prepare?.(input);
      answered =
        preparing === undefined
          ? this.enqueue(command, input, options)
          : preparing.then(() => this.enqueue(command, input, options));
    } catch (cause) {
      leave();
      throw cause;
    }
    answered.then(leave, leave);
    return answered;
  }

  /**
   * Begins a new epoch of requests, for caches that remove what no step can need any more (see `RequestEpochs`).
   * Undefined while no steps are taken: memory is loaded or rebuilt then, and nothing may be removed from it.
   */
  beginEpoch(): EpochBounds | undefined {
    return this.execution.state === 'running' ? this.epochs.advance() : undefined;
  }

  /**
   * Resolves once all that memory shows is stored; rejects where it may be lost. Whoever answers from memory
   * without a step waits for this first: what a step did can still be taken back.
   */
  async settled(): Promise<void> {
    if (this.execution.state !== 'running') throw maintenance();
    await new Promise<void>((resolve, reject) => {
      if (!this.execution.await({ committed: resolve, failed: reject })) resolve();
    });
  }

  private enqueue<Input, Outcome, Answer>(
    command: Command<Input, Outcome>,
    input: Input,
    { actor, submission, answers = AS_JSON, answer }: ExecuteOptions<Outcome, Answer>,
  ): Promise<Answer> {
    const asked = { command, input, actor, answers, answer: answer as Asked['answer'] };
    try {
      if (submission === undefined) return this.accept({ ...asked, submission: undefined });
      requireOwn(submission, command, actor);
      const running = this.keys.running(submission);
      if (running !== undefined) return running as Promise<Answer>;
      const submitted = { ...asked, submission };
      const finding = this.keys.find(submission);
      return finding === undefined ? this.accept(submitted) : this.answerOrAccept(submitted, finding);
    } catch (cause) {
      // Callers expect a promise, whatever the answer.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- it is passed on as it came
      return Promise.reject(cause);
    }
  }

  private async answerOrAccept<T>(
    asked: Asked & { submission: Submission },
    finding: Promise<string | undefined>,
  ): Promise<T> {
    const stored = await finding;
    if (stored !== undefined) return (await asked.answers.restore(stored)) as T;
    // The same key may have come in by another request while this one was looking.
    const arrived = this.keys.running(asked.submission);
    return (arrived as Promise<T> | undefined) ?? this.accept<T>(asked);
  }

  private accept<T>(asked: Asked): Promise<T> {
    this.requireOpen();
    const { submission } = asked;
    const outcome = new Promise<T>((resolve, reject) => {
      this.execution.push(new QueuedStep(asked, this.keys, resolve as (value: unknown) => void, reject));
    });
    if (submission !== undefined) this.keys.remember(submission, outcome);
    return outcome;
  }

  private requireOpen(): void {
    const { state, recoveringSinceMs, queued } = this.execution;
    const waitedMs = state === 'recovering' ? this.options.clock.monotonicMs() - recoveringSinceMs : 0;
    if (state === 'stopped' || this.isClosing || waitedMs > RECOVERY_TIMEOUT_MS) throw maintenance();
    if (queued >= QUEUE_MAX) throw new Refused(refusal('maintenance', 'l.busy'));
  }
}

/** A submission's answer is found by its operation and actor, so it serves no other command and nobody else. */
function requireOwn(
  { operation, actor: submitter }: Submission,
  command: AnyCommand,
  actor: string | undefined,
): void {
  if (operation !== command.name)
    throw new Error(`a submission of ${operation} cannot execute ${command.name}`);
  if (submitter !== actor) throw new Error(`a submission of ${operation} is executed for another actor`);
}
