import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { Answered } from '../calling.ts';
import type { Account } from './account.ts';
import type { Pacer } from './pacer.ts';
import { fieldsToSend, REPEATABLE_CALLS, type Intent } from './repeatable-calls.ts';
import { callsOf, type Sending, type Wave } from './wave-plan.ts';

/** What came back for each intent, an entry for every copy. */
export type Answers = ReadonlyMap<Intent, readonly Answered<unknown>[]>;

/** Requests of one account that are under way at the same time. */
const LANES = 4;
/** Each pause after a request without an answer is twice the last one: the machine has to start a server meanwhile. */
const PAUSE_MS = { first: 100, longest: 1_600 } as const;

/** Sends a wave: every account its own queue over several connections, each copy until it has an answer. */
export class WaveSender {
  readonly problems: string[] = [];
  /** Requests that had to be made again. */
  repeated = 0;
  /** Copies that were answered. */
  answered = 0;
  private readonly wave: Wave;
  private readonly accounts: readonly Account[];
  private readonly pacers: readonly Pacer[];
  private readonly heard = new Map<Intent, Answered<unknown>[]>();
  /** By intent: resolves with the id of what it has made. */
  private readonly made = new Map<Intent, Waiting>();
  private awaited: { readonly count: number; readonly reached: () => void }[] = [];
  private isAbandoned = false;

  constructor(wave: Wave, accounts: readonly Account[], pacers: readonly Pacer[]) {
    this.wave = wave;
    this.accounts = accounts;
    this.pacers = pacers;
    for (const { target } of wave.intents)
      if (target !== undefined && !this.made.has(target)) this.made.set(target, newWaiting());
  }

  get answers(): Answers {
    return this.heard;
  }

  /** The id of the order or alert that an intent has made. */
  readonly idOf = async (intent: Intent): Promise<string | undefined> => {
    return this.made.get(intent)?.id;
  };

  /** Resolves once everything was answered. */
  async send(): Promise<void> {
    const queues = this.wave.queues.map(async (queue, owner) => {
      const left = queue.values();
      await Promise.all(Array.from({ length: LANES }, () => this.sendFrom(left, owner)));
    });
    await Promise.all(queues);
  }

  /** Resolves once this share of all copies was answered. */
  async reached(share: number): Promise<void> {
    const count = Math.floor(callsOf(this.wave) * share);
    if (this.answered >= count) return;
    await new Promise<void>((resolve) => {
      this.awaited.push({ count, reached: resolve });
    });
  }

  /** Gives up what has no answer yet. */
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
    for (let copy = 0; copy < copies; copy += 1) await this.pacers[owner]!.turn(limit);
    await Promise.all(Array.from({ length: copies }, () => this.insist(intent, id)));
  }

  private async insist(intent: Intent, id: string | undefined): Promise<void> {
    const account = this.accounts[intent.owner]!;
    const endpoint: Endpoint = REPEATABLE_CALLS[intent.kind];
    const fields = fieldsToSend(intent, id);
    let pauseMs: number = PAUSE_MS.first;
    while (!this.isAbandoned) {
      try {
        const answer = await account.attempt(endpoint, fields);
        if (answer !== undefined && !isForLater(answer)) return this.keep(intent, answer);
      } catch (cause) {
        // An answer that nobody should get.
        this.problems.push(`${intent.kind} ${intent.key}: ${String(cause)}`);
        return;
      }
      this.repeated += 1;
      await sleep(pauseMs * (0.5 + Math.random()));
      await this.pacers[intent.owner]!.turn(endpoint.charge.limit);
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest);
    }
  }

  private keep(intent: Intent, answer: Answered<unknown>): void {
    this.answered += 1;
    this.heard.set(intent, [...(this.heard.get(intent) ?? []), answer]);
    this.made.get(intent)?.tell((answer.data as { id?: string } | undefined)?.id);
    const due = this.awaited.filter(({ count }) => count <= this.answered);
    this.awaited = this.awaited.filter((waiting) => !due.includes(waiting));
    for (const { reached } of due) reached();
  }
}

/** Refusals by where the market is just now. Nothing was done, and the same request id is free. */
const FOR_LATER: ReadonlySet<string | undefined> = new Set([
  'l.no_liquidity',
  'l.oco_prices',
  'l.stop_price_side',
  'l.price_band_low',
  'l.price_band_high',
]);

/** Whether to ask again: right after a start the house has not quoted yet, and prices may be far off. */
function isForLater({ errKey }: Answered<unknown>): boolean {
  return FOR_LATER.has(errKey);
}

interface Waiting {
  readonly id: Promise<string | undefined>;
  readonly tell: (id: string | undefined) => void;
}

function newWaiting(): Waiting {
  let tell: Waiting['tell'] = () => undefined;
  const id = new Promise<string | undefined>((resolve) => {
    tell = resolve;
  });
  return { id, tell };
}
