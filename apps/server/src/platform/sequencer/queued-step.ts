import type { Refused } from '@exchange/core/refusal.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { Waiting } from './batch.ts';
import type { AnyCommand } from './command.ts';
import type { Submission } from './submission.ts';

/** A shorter form of an operation's answers, from which they can be made again. */
export interface AnswerCodec {
  keep(result: unknown): string;
  restore(kept: string): unknown;
}

/** What a caller wants to have done. */
export interface Asked {
  readonly command: AnyCommand;
  readonly input: unknown;
  readonly actor: string | undefined;
  readonly submission: Submission | undefined;
  readonly answers: AnswerCodec;
  /** What the caller is told of the outcome; all of it where this is undefined. */
  readonly answer: ((outcome: unknown) => unknown) | undefined;
}

/** A step with its caller, from its acceptance until the answer. It may have to be run more than once. */
export class QueuedStep implements Waiting {
  readonly asked: Asked;
  /** How often it was taken back through somebody else's bug. */
  takenBack = 0;
  private readonly keys: IdempotencyStore;
  private readonly resolve: (value: unknown) => void;
  private readonly reject: (cause: unknown) => void;
  /** What its last run came to. */
  private result: unknown;
  private refusal: Refused | undefined;

  constructor(
    asked: Asked,
    keys: IdempotencyStore,
    resolve: (value: unknown) => void,
    reject: (cause: unknown) => void,
  ) {
    this.asked = asked;
    this.keys = keys;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** Its run stands: `committed` will tell the caller the result. */
  stands(result: unknown): void {
    this.result = result;
    this.refusal = undefined;
  }

  /** Its run was refused: `committed` will tell the caller why. */
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

  /** Nothing of it was or will be stored; its key is free again. */
  failed(cause: unknown): void {
    const { submission } = this.asked;
    if (submission !== undefined) this.keys.forget(submission);
    this.reject(cause);
  }
}
