import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { ApiResponse } from '../calling.ts';
import type { Account } from './account.ts';
import type { Pacer } from './pacer.ts';
import { fieldsToSend, REPEATABLE_CALLS, type IntendedRequest } from './repeatable-calls.ts';
import { callsOf, type Sending, type Wave } from './wave-plan.ts';

/** The responses to each request, one for every copy. */
export type Answers = ReadonlyMap<IntendedRequest, readonly ApiResponse<unknown>[]>;

/**
 * Number of queue items of an account that are sent concurrently; an item is a request with its simultaneous copies.
 */
const LANES = 4;
/**
 * Pauses in milliseconds before retries. The pause doubles with each retry up to `longest` and is multiplied by a
 * random factor from 0.5 to 1.5. Long pauses leave processor time to the starting server.
 */
const PAUSE_MS = { first: 100, longest: 1_600 } as const;

/**
 * Sends a wave: for each account a queue of requests over several connections. A copy of a request is sent again if it
 * gets no answer or a refusal that is only temporary (`FOR_LATER`).
 */
export class WaveSender {
  readonly problems: string[] = [];
  /** Number of times that a copy of a request was sent again. */
  repeated = 0;
  /** Number of copies of requests that were answered. */
  answered = 0;
  private readonly wave: Wave;
  private readonly accounts: readonly Account[];
  private readonly pacers: readonly Pacer[];
  private readonly responses = new Map<IntendedRequest, ApiResponse<unknown>[]>();
  /** Ids of created orders and alerts, by the request that creates them. */
  private readonly createdIds = new Map<IntendedRequest, PendingId>();
  private thresholds: { readonly count: number; readonly reached: () => void }[] = [];
  private isAbandoned = false;

  constructor(wave: Wave, accounts: readonly Account[], pacers: readonly Pacer[]) {
    this.wave = wave;
    this.accounts = accounts;
    this.pacers = pacers;
    for (const { target } of wave.requests)
      if (target !== undefined && !this.createdIds.has(target)) this.createdIds.set(target, pendingId());
  }

  get answers(): Answers {
    return this.responses;
  }

  /**
   * Resolves to the id of the order or alert that a request creates, once that request is answered; to undefined if it
   * created none. Only ids that another request of the wave needs are recorded; for all others the result is undefined
   * at once.
   */
  readonly idOf = async (intent: IntendedRequest): Promise<string | undefined> => {
    return this.createdIds.get(intent)?.id;
  };

  /**
   * Resolves when every copy of the wave's requests has been answered or has got a malformed response (see `problems`),
   * or sooner after a call of `abandon`.
   */
  async send(): Promise<void> {
    const queues = this.wave.queues.map(async (queue, owner) => {
      const remaining = queue.values();
      await Promise.all(Array.from({ length: LANES }, () => this.sendFrom(remaining, owner)));
    });
    await Promise.all(queues);
  }

  /**
   * Resolves when this share (0 to 1) of all copies of the wave's requests has been answered; at once if it has been
   * already.
   */
  async waitForShare(share: number): Promise<void> {
    const count = Math.floor(callsOf(this.wave) * share);
    if (this.answered >= count) return;
    await new Promise<void>((resolve) => {
      this.thresholds.push({ count, reached: resolve });
    });
  }

  /** Ends the sending: no further request is sent, and unanswered ones are not repeated. */
  abandon(): void {
    this.isAbandoned = true;
  }

  private async sendFrom(queue: IterableIterator<Sending>, owner: number): Promise<void> {
    for (const sending of queue) {
      if (this.isAbandoned) return;
      await this.sendTogether(sending, owner);
    }
  }

  private async sendTogether({ intent, copies }: Sending, owner: number): Promise<void> {
    const id = intent.target === undefined ? undefined : await this.idOf(intent.target);
    const { limit } = REPEATABLE_CALLS[intent.kind].charge;
    for (let copy = 0; copy < copies; copy += 1) await this.pacers[owner]!.waitForTurn(limit);
    await Promise.all(Array.from({ length: copies }, () => this.sendUntilAnswered(intent, id)));
  }

  private async sendUntilAnswered(intent: IntendedRequest, id: string | undefined): Promise<void> {
    const account = this.accounts[intent.owner]!;
    const endpoint: Endpoint = REPEATABLE_CALLS[intent.kind];
    const fields = fieldsToSend(intent, id);
    let pauseMs: number = PAUSE_MS.first;
    while (!this.isAbandoned) {
      try {
        const answer = await account.requestOnce(endpoint, fields);
        if (answer !== undefined && !isForLater(answer)) return this.recordResponse(intent, answer);
      } catch (cause) {
        // The response has a form that no client should receive, so the error is recorded as a problem and
        // the request is not sent again.
        this.problems.push(`${intent.kind} ${intent.key}: ${String(cause)}`);
        return;
      }
      this.repeated += 1;
      await sleep(pauseMs * (0.5 + Math.random()));
      await this.pacers[intent.owner]!.waitForTurn(endpoint.charge.limit);
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest);
    }
  }

  private recordResponse(intent: IntendedRequest, answer: ApiResponse<unknown>): void {
    this.answered += 1;
    this.responses.set(intent, [...(this.responses.get(intent) ?? []), answer]);
    this.createdIds.get(intent)?.resolve((answer.data as { id?: string } | undefined)?.id);
    const due = this.thresholds.filter(({ count }) => count <= this.answered);
    this.thresholds = this.thresholds.filter((waiting) => !due.includes(waiting));
    for (const { reached } of due) reached();
  }
}

/**
 * Keys of refusals that depend on the current market. The refused request was not executed and can be
 * repeated with its request id.
 */
const FOR_LATER: ReadonlySet<string | undefined> = new Set([
  'l.no_liquidity',
  'l.oco_prices',
  'l.stop_price_side',
  'l.price_band_low',
  'l.price_band_high',
]);

/**
 * Returns whether a refusal is temporary, so that the request must be repeated with its request id. Right after a
 * start, for example, the market maker has no quotes yet.
 */
function isForLater({ errKey }: ApiResponse<unknown>): boolean {
  return FOR_LATER.has(errKey);
}

interface PendingId {
  readonly id: Promise<string | undefined>;
  readonly resolve: (id: string | undefined) => void;
}

function pendingId(): PendingId {
  let resolveId: PendingId['resolve'] = () => undefined;
  const id = new Promise<string | undefined>((resolve) => {
    resolveId = resolve;
  });
  return { id, resolve: resolveId };
}
