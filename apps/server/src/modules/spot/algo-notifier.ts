import type { Pair } from '@exchange/core/pair.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Events } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import { deliverNotices, type NoticeParts } from '../messages/index.ts';
import { algoChanged } from './events.ts';
import { algoNotices } from './algo-repository.ts';
import { algoMessage } from './words/algo-words.ts';

/**
 * Interval in milliseconds at which queued messages about algo orders are sent in groups, so that trading is not slowed
 * down.
 */
const SEND_EVERY_MS = 250;

interface Deps extends NoticeParts {
  readonly events: Events;
  readonly log: Log;
  readonly pairOf: (symbol: string) => Pair;
}

/**
 * Sends owners the messages about pauses and ends of their algo orders. The journal step that changes an algo order
 * also stores its message in a queue in the database; the transaction that writes the message to the inbox deletes it
 * from the queue, so that a crash neither loses nor repeats a message. The queued messages of system accounts and
 * sub-accounts are deleted without being sent.
 */
export class AlgoNotifier {
  private readonly deps: Deps;
  /**
   * Whether the database may contain queued messages: true after a start, after a step that queued one, and after a
   * failure. If false, the queue is not read.
   */
  private mayWait = true;
  private readonly task = new PeriodicTask(() => this.send(), { everyMs: SEND_EVERY_MS });

  constructor(deps: Deps) {
    this.deps = deps;
    deps.events.on(algoChanged, ({ hasNotice }) => {
      if (hasNotice) this.mayWait = true;
    });
  }

  start(): void {
    this.task.start();
  }

  /** Stops after the messages that are being sent. Queued messages are sent after the next start. */
  stop(): Promise<void> {
    return this.task.stop();
  }

  /**
   * Sends all queued messages. Those that fail stay queued and are tried again by later calls, after growing pauses;
   * never rejects.
   */
  async send(): Promise<void> {
    if (!this.mayWait) return;
    this.mayWait = false;
    const { log, pairOf } = this.deps;
    try {
      const failed = await deliverNotices(this.deps, 'algo notices', algoNotices, (news) =>
        news.map((item) => algoMessage(item, pairOf)),
      );
      if (failed.length > 0) this.mayWait = true;
    } catch (cause) {
      this.mayWait = true;
      log.warn('spot.algo_not_notified', { cause });
    }
  }
}
