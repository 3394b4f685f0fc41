import type { Refused } from '@exchange/core/refusal.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { Waiting } from './batch.ts';
import type { AnyCommand } from './command.ts';
import type { Submission } from './submission.ts';

/** Stores an operation's answers in a shorter form and restores them. */
export interface AnswerCodec {
  keep(result: unknown): string;
  restore(stored: string): unknown;
}

/** A command to be executed, with its caller's options. */
export interface Asked {
  readonly command: AnyCommand;
  readonly input: unknown;
  readonly actor: string | undefined;
  readonly submission: Submission | undefined;
  readonly answers: AnswerCodec;
  /** Maps the outcome to the caller's answer; without it the caller receives the whole outcome. */
  readonly answer: ((outcome: unknown) => unknown) | undefined;
}

/** A step and its caller, from acceptance to the answer. It may be run more than once. */
export class QueuedStep implements Waiting {
  readonly asked: Asked;
  /** How often it was run again because of bugs in other steps. */
  takenBack = 0;
  private readonly keys: IdempotencyStore;
  private readonly resolve: (value: unknown) => void;
  private readonly reject: (cause: unknown) => void;
  /** Result of the last run. */
  private result: unknown;
  private refusal: Refused | undefined;

  constructor(
    request: Asked,
    keys: IdempotencyStore,
    resolve: (value: unknown) => void,
    reject: (cause: unknown) => void,
  ) {
    this.asked = request;
    this.keys = keys;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** Records a successful run; `committed` will answer the caller with the result. */
  stands(result: unknown): void {
    this.result = result;
    this.refusal = undefined;
  }

  /** Records a refused run; `committed` will reject the caller with the refusal. */
  refused(refusal: Refused): void {
    this.result = undefined;
    this.refusal = refusal;
  }

  committed(): void {
    if (this.refusal !== undefined) return this.failed(this.refusal);
    const { submission } = this.asked;
    if (submission !== undefined) this.keys.settle(submission);
    this.resolve(this.result);
  }

  /** Rejects the caller. Nothing of the step was or will be stored, and its key is free again. */
  failed(cause: unknown): void {
    const { submission } = this.asked;
    if (submission !== undefined) this.keys.forget(submission);
    this.reject(cause);
  }
}
