import type { Refused } from '@exchange/core/refusal.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { Waiting } from './batch.ts';
import type { AnyCommand } from './command.ts';
import type { Submission } from './submission.ts';

/**
 * Interface of objects that convert a command's answers to a text for storage under an idempotency key, and
 * back.
 */
export interface AnswerCodec {
  serialize(result: unknown): string;
  restore(stored: string): unknown;
}

/** A command that waits to be executed, with the options of its caller. */
export interface CommandRequest {
  readonly command: AnyCommand;
  readonly input: unknown;
  readonly actor: string | undefined;
  readonly submission: Submission | undefined;
  readonly answers: AnswerCodec;
  /** Maps the command's outcome to the caller's answer. By default the answer is the whole outcome. */
  readonly answer: ((outcome: unknown) => unknown) | undefined;
}

/** A step and its caller, from acceptance to the answer. The step may be run more than once. */
export class QueuedStep implements Waiting {
  readonly request: CommandRequest;
  /** Number of times that the step was run again because of bugs in other steps. */
  reruns = 0;
  private readonly keys: IdempotencyStore;
  private readonly resolve: (value: unknown) => void;
  private readonly reject: (cause: unknown) => void;
  /** Answer for the caller from the last run of the step's command; undefined if that run was refused. */
  private result: unknown;
  private refusal: Refused | undefined;

  constructor(
    request: CommandRequest,
    keys: IdempotencyStore,
    resolve: (value: unknown) => void,
    reject: (cause: unknown) => void,
  ) {
    this.request = request;
    this.keys = keys;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** Records a successful run of the step; `committed` will answer the caller with the result. */
  setResult(result: unknown): void {
    this.result = result;
    this.refusal = undefined;
  }

  /** Records a refused run of the step; `committed` will reject the caller with the refusal. */
  setRefusal(refusal: Refused): void {
    this.result = undefined;
    this.refusal = refusal;
  }

  committed(): void {
    if (this.refusal !== undefined) return this.failed(this.refusal);
    const { submission } = this.request;
    if (submission !== undefined) this.keys.settle(submission);
    this.resolve(this.result);
  }

  /**
   * Rejects the step's caller and frees the idempotency key. Nothing of the step was stored, unless this process stops
   * writing before it has read the outcome of the step's commit.
   */
  failed(cause: unknown): void {
    const { submission } = this.request;
    if (submission !== undefined) this.keys.forget(submission);
    this.reject(cause);
  }
}
