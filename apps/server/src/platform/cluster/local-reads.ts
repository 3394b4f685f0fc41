import { Refused } from '@exchange/core/refusal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import { ReplicaBehind, type CurrentReplica, type Resume } from '../database/current-replica.ts';
import { errorMessage } from '../error-message.ts';
import type { ComponentHealth } from '../health/health.ts';
import type { Answer } from '../http/envelope.ts';
import type { FileAnswer } from '../http/file-answer.ts';
import type { IdentifiedCall, ServedCall } from '../http/identified-call.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { RecentTimes } from '../recent-times.ts';
import { StateNotLoaded } from '../state-not-loaded.ts';
import { callNameOf } from './executed-commands.ts';

/** Serves a call from the replica; resolves to undefined if the writer has to serve it. */
export type ServeLocally = (call: IdentifiedCall) => Promise<Answer | FileAnswer | undefined>;

export interface LocalReadsOptions {
  readonly replica: Pick<CurrentReplica, 'reading'>;
  readonly calls: readonly ServedCall[];
  /**
   * Returns whether the node is connected with the writer. Without a connection it does not learn of ended sessions, so
   * it answers nothing.
   */
  readonly isConnected: () => boolean;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Milliseconds after which a call of the session is sent to the writer again, which records the use of the session. It
 * is shorter than the writer's own interval of one minute, so that no minute of use is left out.
 */
const USE_SENT_EVERY_MS = MINUTE_MS / 2;
const SESSIONS_MAX = 50_000;
/** Milliseconds for which the writer serves all calls with the same name after one of them has failed here. */
const PAUSE_MS = 5_000;
/** Milliseconds for which the writer serves all calls after the replica was behind, so that not each of them waits. */
const BEHIND_PAUSE_MS = 1_000;

/** Why the writer serves the calls with a name for a while. */
interface Pause {
  readonly untilMs: number;
  readonly reason: string;
}

/**
 * The calls that an API node answers from a replica of the database. Whatever it cannot answer is left to the writer: a
 * call whose data the replica does not have in time, one that fails, and one that needs state in the writer's memory.
 */
export class LocalReads {
  private readonly options: LocalReadsOptions;
  private readonly calls: ReadonlyMap<string, ServedCall>;
  /** Monotonic times in milliseconds at which a call of a session was last left to the writer. */
  private readonly sentAt = new RecentTimes(SESSIONS_MAX);
  private readonly counted: Readonly<Record<'served' | 'behind' | 'failed', { add(): void }>>;
  /** The latest pause of each call that has failed here, by the call's name. */
  private readonly pauses = new Map<string, Pause>();
  private behindUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: LocalReadsOptions) {
    this.options = options;
    this.calls = new Map(options.calls.map((call) => [callNameOf(call), call]));
    const { metrics } = options;
    this.counted = {
      served: metrics.counter(
        'local_reads_total',
        'Calls that this API node has answered from its replica of the database.',
      ),
      behind: metrics.counter(
        'local_reads_behind_total',
        'Calls that the writer has answered because the replica was behind.',
      ),
      failed: metrics.counter(
        'local_reads_failed_total',
        'Calls that the writer has answered because reading from the replica has failed.',
      ),
    };
  }

  /** Returns a function that serves the call with the given name; undefined if only the writer serves it. */
  serving(name: string): ServeLocally | undefined {
    const call = this.calls.get(name);
    return call && ((identified) => this.serve(name, call, identified));
  }

  /** Down while the writer serves calls that have failed here. It serves them all, so the component is dispensable. */
  health(): ComponentHealth {
    const paused = [...this.pauses].filter(([name]) => this.isPaused(name));
    if (paused.length === 0) return { isUp: true };
    const reasons = paused.map(([name, { reason }]) => `${name}: ${reason}`);
    return { isUp: false, reason: `the writer answers ${reasons.join('; ')}` };
  }

  private isPaused(name: string): boolean {
    const pause = this.pauses.get(name);
    return pause !== undefined && this.options.clock.monotonicMs() < pause.untilMs;
  }

  private async serve(
    name: string,
    { serve }: ServedCall,
    call: IdentifiedCall,
  ): Promise<Answer | FileAnswer | undefined> {
    if (!this.options.isConnected()) return undefined;
    if (this.options.clock.monotonicMs() < this.behindUntilMs) {
      this.counted.behind.add();
      return undefined;
    }
    if (this.isPaused(name) || this.isUseDue(call)) return undefined;
    try {
      // The cost that depends on the fields was charged when the node checked them.
      const answer = await this.options.replica.reading(async (resume) =>
        resumable(await serve(call, undefined), resume),
      );
      this.counted.served.add();
      return answer;
    } catch (thrown) {
      if (thrown instanceof StateNotLoaded) return undefined;
      // A part of the exchange that is not started refuses with maintenance, also the sequencer.
      if (thrown instanceof Refused && thrown.refusal.kind !== 'maintenance') throw thrown;
      if (thrown instanceof ReplicaBehind) {
        this.behindUntilMs = this.options.clock.monotonicMs() + BEHIND_PAUSE_MS;
        this.counted.behind.add();
        return undefined;
      }
      this.pause(name, thrown);
      return undefined;
    }
  }

  private pause(name: string, cause: unknown): void {
    const reason = errorMessage(cause);
    this.counted.failed.add();
    this.pauses.set(name, { reason, untilMs: this.options.clock.monotonicMs() + PAUSE_MS });
    this.options.log.warn('node.read_failed', { call: name, cause: reason });
  }

  /** Returns whether the writer should serve this call, so that it records the use of the session. */
  private isUseDue({ session }: IdentifiedCall): boolean {
    if (session === undefined) return false;
    const nowMs = this.options.clock.monotonicMs();
    const sentMs = this.sentAt.get(session.id);
    if (sentMs !== undefined && nowMs - sentMs < USE_SENT_EVERY_MS) return false;
    this.sentAt.set(session.id, nowMs);
    return true;
  }
}

/** Returns an answer whose file, if it has one, reads its further parts by `resume`. */
function resumable(answer: Answer | FileAnswer, resume: Resume): Answer | FileAnswer {
  if ('body' in answer) return answer;
  const { status, code, file, about } = answer;
  const { name, type, first, rest } = file;
  return {
    status,
    code,
    about,
    file: { name, type, first, rest: resumedParts(rest, resume) },
  };
}

async function* resumedParts<Part>(
  parts: AsyncGenerator<Part, void>,
  resume: Resume,
): AsyncGenerator<Part, void> {
  try {
    for (;;) {
      const part = await resume(() => parts.next());
      if (part.done === true) return;
      yield part.value;
    }
  } finally {
    await parts.return();
  }
}
