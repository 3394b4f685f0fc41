import type { UserId } from '@exchange/core/ids.ts';
import type { ExecutionMessage } from '@exchange/wire/feed.ts';
import type { Clock } from '../clock.ts';
import type { TopicReceiver, TopicSource } from '../feed/feed.ts';
import { PeriodicTask } from '../jobs/periodic-task.ts';
import type { ClusterFollower } from './follower.ts';
import type { Link } from './link.ts';

export interface ExecutionNoticeOptions {
  /** Provides all topics. Its `writerSilentMs` is the number of milliseconds since the last announcement of the writer. */
  readonly source: TopicSource & Pick<ClusterFollower, 'writerSilentMs'>;
  readonly link: Pick<Link, 'isConnected'>;
  readonly clock: Clock;
}

const TOPIC = 'execution';
const CHECKED_EVERY_MS = 500;
/**
 * Milliseconds without an announcement of the writer after which clients are informed. The writer announces itself every
 * 200 ms, and a standby that has loaded takes over within about a second.
 */
const NOTICED_AFTER_MS = 2_000;
/** Milliseconds between two checks after which this process itself was suspended, so that it may not have heard the writer. */
const SUSPENDED_AFTER_MS = 1_500;

/**
 * A feed node's source of topics, which says by itself that orders wait while no writer announces itself. The writer
 * publishes the topic `execution`, so without a writer nobody else can state it, and screens would show an old
 * order book without a word.
 */
export class ExecutionNotice implements TopicSource {
  private readonly options: ExecutionNoticeOptions;
  private readonly checks = new PeriodicTask(() => this.check(), { everyMs: CHECKED_EVERY_MS });
  private topic: SubstitutedTopic | undefined;
  private checkedMs: number;
  /** The last time at which the silence of the writer said nothing about the writer. */
  private deafMs: number;

  constructor(options: ExecutionNoticeOptions) {
    this.options = options;
    this.checkedMs = options.clock.monotonicMs();
    this.deafMs = this.checkedMs;
  }

  start(): void {
    this.checks.start();
  }

  async stop(): Promise<void> {
    await this.checks.stop();
  }

  open(topic: string, userId: UserId | undefined, receiver: TopicReceiver): void {
    const { source } = this.options;
    if (topic !== TOPIC) {
      source.open(topic, userId, receiver);
      return;
    }
    this.topic = new SubstitutedTopic(receiver);
    source.open(topic, userId, this.topic);
  }

  refetch(topic: string, userId: UserId | undefined): void {
    this.options.source.refetch(topic, userId);
  }

  close(topic: string, userId: UserId | undefined): void {
    if (topic === TOPIC) this.topic = undefined;
    this.options.source.close(topic, userId);
  }

  private check(): void {
    const { source, link, clock } = this.options;
    const nowMs = clock.monotonicMs();
    if (!link.isConnected || nowMs - this.checkedMs > SUSPENDED_AFTER_MS) this.deafMs = nowMs;
    this.checkedMs = nowMs;
    if (source.writerSilentMs < NOTICED_AFTER_MS) this.topic?.restore();
    else if (nowMs - this.deafMs >= NOTICED_AFTER_MS) this.topic?.substitute({ waitingSince: clock.now() });
  }
}

/**
 * Receives the topic from the writer and passes it on. While the topic is substituted, the receiver has the state that
 * this process has given to it.
 */
class SubstitutedTopic implements TopicReceiver {
  private readonly receiver: TopicReceiver;
  /** The last state from the writer; undefined if it is not known, e.g. because another writer leads. */
  private last: { readonly json: string; readonly position: number } | undefined;
  private isSubstituted = false;

  constructor(receiver: TopicReceiver) {
    this.receiver = receiver;
  }

  install(json: string, position: number): void {
    this.last = { json, position };
    if (this.isSubstituted) this.restore();
    else this.receiver.install(json, position);
  }

  /** An update of this topic is its whole state. */
  update(json: string, position: number): void {
    this.last = { json, position };
    if (this.isSubstituted) this.restore();
    else this.receiver.update(json, position);
  }

  invalidate(): void {
    this.last = undefined;
    this.isSubstituted = false;
    this.receiver.invalidate();
  }

  end(reason: 'absent' | 'failed'): void {
    this.receiver.end(reason);
  }

  /** Passes a state of this process to the receiver, unless it has one already. */
  substitute(message: ExecutionMessage): void {
    if (this.isSubstituted) return;
    this.isSubstituted = true;
    this.replace(JSON.stringify(message), this.last?.position ?? 0);
  }

  /** Passes the writer's last state to the receiver again. Without one, the next state from the writer replaces it. */
  restore(): void {
    if (!this.isSubstituted || this.last === undefined) return;
    this.isSubstituted = false;
    this.replace(this.last.json, this.last.position);
  }

  /** Clients that have a state already get a new one only after `invalidate`. */
  private replace(json: string, position: number): void {
    this.receiver.invalidate();
    this.receiver.install(json, position);
  }
}
