import { Refused, refusal } from '@exchange/core/refusal.ts';
import type { Kysely } from 'kysely';
import type { Reader } from '../database/database.ts';
import type { DatabaseConnection } from '../database/pool.ts';
import { IdempotencyStore, removeOldAnswers } from './idempotency-store.ts';
import { CommandRegistry, type AnyCommand, type Command } from './command.ts';
import { Execution, type ExecutionOptions } from './execution.ts';
import { StandbyFollower, type Following, type FollowingOptions } from './following.ts';
import { Journal, type Head } from './journal.ts';
import { QueuedStep, type CommandRequest, type AnswerCodec } from './queued-step.ts';
import type { Participant } from './rebuilding.ts';
import { type EpochBounds, RequestEpochs } from './request-epochs.ts';
import { maintenance } from './step-runner.ts';
import { Submissions, type Submission } from './submission.ts';

export type { AnswerCodec, Participant };

export interface ExecuteOptions<Outcome, Answer = Outcome> {
  /**
   * Id of the user or operator who requests the step, or the name of an attempt at due work (see `Bulkhead`);
   * undefined for other steps of the exchange itself.
   */
  readonly actor?: string | undefined;
  /** The request with the actor's idempotency key. It is executed once, and a repetition returns the first answer. */
  readonly submission?: Submission | undefined;
  /**
   * Maps the command's outcome to the caller's answer. It runs inside the step, before later steps can change objects
   * of the outcome.
   */
  readonly answer?: ((outcome: Outcome) => Answer) | undefined;
  /** Converts the answer for storage under the idempotency key; if absent, the answer is stored as JSON. */
  readonly answers?: AnswerCodec | undefined;
}

const AS_JSON: AnswerCodec = {
  serialize: (result) => JSON.stringify(result ?? null),
  restore: (text) => JSON.parse(text) as unknown,
};

/**
 * Number of queued steps, including those that wait for unfinished work, from which on a further step is refused with
 * `l.busy`.
 */
const QUEUE_MAX = 20_000;
/**
 * Milliseconds from the start of a recovery during which new steps are queued. After that they are refused with
 * `l.maintenance` until the recovery has ended.
 */
const RECOVERY_TIMEOUT_MS = 3_000;

export interface SequencerOptions extends ExecutionOptions {
  connection: DatabaseConnection;
  reader: Reader;
  /**
   * Options for following the writer's state as a standby. If absent, this process does not follow, and a takeover
   * loads all state.
   */
  following?: FollowingOptions | undefined;
}

export interface AcquireOptions {
  /**
   * Called when this process holds the writer's lock, before it takes over. Resolves to true if it has changed the
   * schema.
   */
  readonly prepare?: () => Promise<boolean>;
  /**
   * Reads data that modules need at their start. Called on a standby after its state was loaded, and again when a
   * takeover is likely. It must not write.
   */
  readonly readAhead?: () => void;
}

/**
 * Executes all changes of money. Steps run strictly one after another in memory, and their rows are stored by group
 * commit: a batch is stored while the next one is executed. A result is answered only after its batch is durable. A
 * batch is closed when the previous one has been stored. There is no timer.
 */
export class Sequencer {
  /** Serves requests that have an idempotency key. Every such request must be passed through this object. */
  readonly submissions: Submissions;
  private readonly options: SequencerOptions;
  private readonly journal: Journal;
  private readonly keys: IdempotencyStore;
  private readonly execution: Execution;
  private readonly participants: Participant[] = [];
  private readonly commands = new CommandRegistry();
  private readonly epochs = new RequestEpochs();
  private head: Head | undefined;
  /**
   * Keeps the state current while this process waits as a standby; undefined if it has never waited or does not follow.
   */
  private follower: StandbyFollower | undefined;
  /** Whether the sequencer is stopping: accepted steps are finished, and new steps are refused. */
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

  /** Becomes the writer. Waits as a standby while another process is the writer. */
  async acquire({ prepare, readAhead }: AcquireOptions = {}): Promise<void> {
    await this.journal.lock({
      onHeld: () => this.follow(readAhead),
      onFree: () => {
        if (this.follower?.anticipate() === true) readAhead?.();
      },
    });
    this.follower?.end();
    if ((await prepare?.()) === true) this.follower?.abandon('the schema was migrated');
    this.head = await this.journal.takeOver();
  }

  /**
   * Loads the state and starts executing steps. Of state that was followed as a standby only the changes are loaded.
   * Becomes the writer first, unless `acquire` was called.
   */
  async start(): Promise<void> {
    if (this.head === undefined) await this.acquire();
    const head = this.head!;
    const isWarm = (await this.follower?.takeOver(head)) ?? false;
    for (const participant of this.participants)
      if (!isWarm || participant.following === undefined) await participant.load(head.sequence);
    void this.keys.learn();
    this.execution.start(head);
  }

  private follow(onLoaded: (() => void) | undefined): void {
    const { following, reader, clock, log } = this.options;
    if (following === undefined) return;
    const { participants } = this;
    this.follower ??= new StandbyFollower({
      copying: following.copying,
      isSchemaCurrent: following.isSchemaCurrent,
      reader,
      clock,
      log,
      participants,
      onLoaded,
    });
    this.follower.start();
  }

  /** Refuses new steps, finishes the accepted ones and releases the writer's lock. */
  async stop(): Promise<void> {
    if (this.isRunning) {
      this.isClosing = true;
      await this.execution.untilIdle();
    }
    this.follower?.abandon('the process stops');
    this.failStop();
    await this.execution.untilCommitted();
    await this.keys.close();
    await this.journal.close();
  }

  /**
   * Stops at once, because memory cannot be trusted. Steps that are queued, or executed but not yet sent to the
   * database, are refused and never stored. A running commit may finish, and its callers are answered accordingly.
   * `stop` must be called as well.
   */
  failStop(): void {
    this.head = undefined;
    this.execution.halt();
  }

  get isRunning(): boolean {
    return this.execution.state === 'running' && !this.isClosing;
  }

  /**
   * Number of the epoch that this process opened when it became the writer; undefined before that and after `failStop`.
   * Recoveries open further epochs in the database, but do not change this number.
   */
  get epoch(): bigint | undefined {
    return this.head?.epoch;
  }

  /** Whether this process is a standby, which waits until another process stops being the writer. */
  get isStandby(): boolean {
    return this.journal.isStandby;
  }

  /**
   * Progress of this standby in following the writer's state; undefined if this process does not follow or
   * has never waited for the writer's lock.
   */
  get following(): Following | undefined {
    return this.follower?.progress;
  }

  /** The reason why writing is halted until an operator decides; undefined if writing is not halted. */
  get haltedBecause(): string | undefined {
    return this.execution.haltedBecause;
  }

  /**
   * Milliseconds for which the database has stored nothing although something waits for it, or has not answered the
   * renewal of the lease; 0 if it answers. Infinite while writing is halted until an operator decides.
   */
  get heldUpMs(): number {
    if (this.haltedBecause !== undefined) return Number.POSITIVE_INFINITY;
    const { heldUpSinceMs } = this.execution;
    const waitedMs = heldUpSinceMs === undefined ? 0 : this.options.clock.monotonicMs() - heldUpSinceMs;
    return Math.max(waitedMs, this.journal.unansweredMs);
  }

  get queueLength(): number {
    return this.execution.waiting;
  }

  /**
   * Removes stored answers of idempotency keys that are older than seven days, except those of withdrawals
   * and deposits, over `store`, which must be able to delete rows.
   */
  async removeOldAnswers(store: Kysely<unknown>): Promise<void> {
    const { before } = await removeOldAnswers(store, this.options.clock);
    this.keys.removedBefore(before);
  }

  /** Registers commands. A command must be registered before its first execution. */
  register(commands: readonly AnyCommand[]): void {
    this.commands.add(commands);
  }

  /**
   * Executes a command as one step and resolves to the answer after the step's commit. A refusal undoes the step and
   * rejects with `Refused`. A step without `submission` that changes nothing gets no journal entry. A repeated
   * `submission` resolves to its first answer.
   */
  execute<Input, Outcome, Answer = Outcome>(
    command: Command<Input, Outcome>,
    input: Input,
    options: ExecuteOptions<Outcome, Answer> = {},
  ): Promise<Answer> {
    if (!this.commands.has(command)) throw new Error(`the command ${command.name} is not registered`);
    const epoch = this.epochs.enter();
    const leaveEpoch = () => this.epochs.leave(epoch);
    let answerPromise: Promise<Answer>;
    try {
      const preparing = command.prepare?.(input);
      answerPromise =
        preparing === undefined
          ? this.enqueue(command, input, options)
          : preparing.then(() => this.enqueue(command, input, options));
    } catch (cause) {
      leaveEpoch();
      throw cause;
    }
    answerPromise.then(leaveEpoch, leaveEpoch);
    return answerPromise;
  }

  /**
   * Starts a new epoch of requests, for caches that remove items which no step needs any more (see
   * `RequestEpochs`). Returns its number and the oldest epoch with running requests; undefined while state is
   * being loaded or reloaded, when nothing may be removed.
   */
  beginEpoch(): EpochBounds | undefined {
    return this.execution.state === 'running' ? this.epochs.advance() : undefined;
  }

  /**
   * Resolves when all changes that are in memory now are committed. Rejects if they may be lost, and whenever the
   * sequencer is not running. A caller that answers from memory without a step must wait for this, because uncommitted
   * changes can still be undone.
   */
  async settled(): Promise<void> {
    if (this.execution.state !== 'running') throw maintenance();
    await new Promise<void>((resolve, reject) => {
      if (!this.execution.waitForCommit({ committed: resolve, failed: reject })) resolve();
    });
  }

  private enqueue<Input, Outcome, Answer>(
    command: Command<Input, Outcome>,
    input: Input,
    { actor, submission, answers = AS_JSON, answer }: ExecuteOptions<Outcome, Answer>,
  ): Promise<Answer> {
    const request = { command, input, actor, answers, answer: answer as CommandRequest['answer'] };
    try {
      if (submission === undefined) return this.accept({ ...request, submission: undefined });
      requireOwn(submission, command, actor);
      const running = this.keys.running(submission);
      if (running !== undefined) return running as Promise<Answer>;
      const submitted = { ...request, submission };
      const finding = this.keys.find(submission);
      return finding === undefined ? this.accept(submitted) : this.answerOrAccept(submitted, finding);
    } catch (cause) {
      // Errors are returned as a rejected promise, because callers do not expect a synchronous exception.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caught value is rethrown unchanged
      return Promise.reject(cause);
    }
  }

  private async answerOrAccept<T>(
    request: CommandRequest & { submission: Submission },
    finding: Promise<string | undefined>,
  ): Promise<T> {
    const stored = await finding;
    if (stored !== undefined) return (await request.answers.restore(stored)) as T;
    // During the lookup, another request with the same idempotency key may have been accepted, so this is checked
    // again.
    const concurrent = this.keys.running(request.submission);
    return (concurrent as Promise<T> | undefined) ?? this.accept<T>(request);
  }

  private accept<T>(request: CommandRequest): Promise<T> {
    this.requireOpen();
    const { submission } = request;
    const outcome = new Promise<T>((resolve, reject) => {
      this.execution.push(new QueuedStep(request, this.keys, resolve as (value: unknown) => void, reject));
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

/**
 * Throws if a submission's operation or actor differs from the executed command's. Its stored answer would otherwise be
 * found under another operation or actor.
 */
function requireOwn(
  { operation, actor: submitter }: Submission,
  command: AnyCommand,
  actor: string | undefined,
): void {
  if (operation !== command.name)
    throw new Error(`a submission of ${operation} cannot execute ${command.name}`);
  if (submitter !== actor) throw new Error(`a submission of ${operation} is executed for another actor`);
}
