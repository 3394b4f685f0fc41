import type { UserId } from '@exchange/core/ids.ts';
import type { Clock } from '../clock.ts';
import type { TopicReceiver, TopicSource } from '../feed/feed.ts';
import type { ComponentHealth } from '../health/health.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { FactReader, generationOf } from './facts.ts';
import { FIELD, LINE, SUBJECTS, type Link } from './link.ts';
import type { ProcessFigures } from './processes.ts';
import { keyOf, streamKey } from './publisher.ts';

/** Receives the events of a stream for trading programs. */
export interface StreamReceiver {
  received(text: string): void;
  /**
   * Called when the stream ends: with `unknown` if the writer has no stream of this name or sends too many to this node
   * already, with `lost` if events were lost or the writer has closed the stream. No further events follow.
   */
  ended(reason: 'unknown' | 'lost'): void;
}

export interface ClusterFollowerOptions {
  readonly link: Link;
  /** Name of this run of the process. No other process has it. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Called when the writer reports that a user's session was ended before it expired. */
  readonly sessionEnded: (sessionId: string, userId: UserId) => void;
  /**
   * Called with the id of each account that several people share. A higher limit of concurrent connections
   * applies to it.
   */
  readonly userShared: (userId: UserId) => void;
}

const CHECK_EVERY_MS = 500;
const SIGN_OF_LIFE_EVERY_MS = 1_000;
/** Milliseconds after which a request to the writer that has no answer is repeated. */
const ANSWER_MS = 2_000;
const REQUESTS_AT_ONCE = 512;
/** Milliseconds without an announcement of the writer after which the health check reports the writer as missing. */
const WRITER_SILENT_MS = 3_000;
const LINES_PER_MESSAGE = 1_000;

/** A topic or stream that this process receives from the writer. */
interface Followed {
  readonly key: string;
  readonly scope: 'public' | 'private';
  /** Builds the line that requests the topic or stream from the writer; its argument is the request's id. */
  readonly request: (requestId: string) => string;
  readonly topic: TopicReceiver | undefined;
  readonly stream: StreamReceiver | undefined;
  /** Id of the last request while the request is unanswered; otherwise undefined. */
  requestId: string | undefined;
  requestedMs: number;
}

/**
 * A feed node's end of the connection to the writer: requests topics and streams, and receives their facts. It detects
 * lost messages by their numbers. After a loss, and when another writer has taken over, it fetches the snapshots again.
 */
export class ClusterFollower implements TopicSource {
  private readonly options: ClusterFollowerOptions;
  private readonly followed = new Map<string, Followed>();
  /** Keys of the topics and streams whose request is not sent yet. */
  private readonly due = new Set<string>();
  private readonly inFlight = new Map<string, Followed>();
  private endings: string[] = [];
  private readonly publicFacts: FactReader;
  private readonly ownFacts: FactReader;
  private readonly subscriptions: (() => void)[];
  private epoch: bigint | undefined;
  private heardMs: number;
  private sentMs = 0;
  private lastRequest = 0;
  private isSending = false;
  private readonly timer: NodeJS.Timeout;
  private readonly counted: Readonly<Record<'losses' | 'facts' | 'requests', { add(): void }>>;

  constructor(options: ClusterFollowerOptions) {
    this.options = options;
    const { link, name, clock } = options;
    this.heardMs = clock.monotonicMs();
    const received = (line: string, position: number) => this.receiveFact(line.split(FIELD), position);
    this.publicFacts = new FactReader({ received, lost: () => this.lose('public') });
    this.ownFacts = new FactReader({ received, lost: () => this.lose('private') });
    this.subscriptions = [
      link.subscribe(SUBJECTS.writer, (payload) => this.receiveWriter(payload)),
      link.subscribe(SUBJECTS.facts, (payload) => this.publicFacts.receive(payload)),
      link.subscribe(SUBJECTS.factsOf(name), (payload) => this.receiveOwn(payload)),
      link.subscribe(SUBJECTS.sessionEnded, (payload) => this.receiveSessionEnded(payload)),
    ];
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS);
    this.counted = this.measure(options.metrics);
  }

  private measure(metrics: Metrics) {
    metrics.gauge('cluster_epoch', 'The period of the writer that this feed node follows', () =>
      this.epoch === undefined ? undefined : Number(this.epoch),
    );
    metrics.gauge(
      'cluster_writer_silent_seconds',
      'Seconds since the last announcement of the writer',
      () => this.writerSilentMs / 1_000,
    );
    metrics.gauge(
      'cluster_following',
      'Topics and streams that this feed node follows',
      () => this.followed.size,
    );
    metrics.gauge(
      'cluster_snapshots_pending',
      'Topics and streams whose snapshot has not arrived',
      () => this.due.size + this.inFlight.size,
    );
    return {
      losses: metrics.counter('cluster_losses_total', 'Times that messages of the writer were missing'),
      facts: metrics.counter('cluster_facts_received_total', 'Facts received from the writer'),
      requests: metrics.counter('cluster_requests_total', 'Requests for snapshots and streams'),
    };
  }

  open(topic: string, userId: UserId | undefined, receiver: TopicReceiver): void {
    this.follow({
      key: keyOf(topic, userId),
      scope: userId === undefined ? 'public' : 'private',
      request: (requestId) => ['open', requestId, topic, userId ?? ''].join(FIELD),
      topic: receiver,
      stream: undefined,
    });
  }

  refetch(topic: string, userId: UserId | undefined): void {
    const followed = this.followed.get(keyOf(topic, userId));
    if (followed !== undefined) this.request(followed);
  }

  close(topic: string, userId: UserId | undefined): void {
    this.unfollow(keyOf(topic, userId), ['close', topic, userId ?? ''].join(FIELD));
  }

  /**
   * Requests a stream for trading programs from the writer and receives its events. If `address` is empty, the stream
   * contains market data. Otherwise it contains a user's events, and `address` is the reader's network address.
   */
  openStream(name: string, address: string, receiver: StreamReceiver): void {
    this.follow({
      key: streamKey(name, address),
      scope: address === '' ? 'public' : 'private',
      request: (requestId) => ['read', requestId, name, address].join(FIELD),
      topic: undefined,
      stream: receiver,
    });
  }

  closeStream(name: string, address: string): void {
    this.unfollow(streamKey(name, address), ['leave', name, address].join(FIELD));
  }

  /**
   * Returns the health of the connection to NATS. Without the connection the node reports that it is down, so
   * that load balancers use other nodes.
   */
  linkHealth(): ComponentHealth {
    return this.options.link.isConnected
      ? { isUp: true }
      : { isUp: false, reason: 'waits for the connection to NATS' };
  }

  /**
   * Returns, for the operators' list of processes, the epoch of the writer that this feed node follows, the
   * milliseconds since the writer's last announcement, and the number of topics and streams without an
   * answer.
   */
  figures(): ProcessFigures {
    return {
      epoch: this.epoch?.toString(),
      writerHeardMs: Math.round(this.writerSilentMs),
      pending: this.due.size + this.inFlight.size,
    };
  }

  /** Milliseconds since the writer was last heard; before its first announcement since the start of this node. */
  get writerSilentMs(): number {
    return this.options.clock.monotonicMs() - this.heardMs;
  }

  writerHealth(): ComponentHealth {
    const silentMs = this.writerSilentMs;
    const facts = { epoch: String(this.epoch ?? 'none'), following: this.followed.size };
    if (this.epoch !== undefined && silentMs <= WRITER_SILENT_MS) return { isUp: true, facts };
    const reason = `waits for the writer, which was heard ${Math.round(silentMs / 1_000)} s ago`;
    return { isUp: false, reason: this.epoch === undefined ? 'waits for a writer' : reason, facts };
  }

  /** Ends all subscriptions of this feed node and notifies the writer that the node stops. */
  stop(): void {
    clearInterval(this.timer);
    this.sendToWriter(['bye']);
    for (const end of this.subscriptions) end();
  }

  private follow(followed: Omit<Followed, 'requestId' | 'requestedMs'>): void {
    const entry: Followed = Object.assign(followed, { requestId: undefined, requestedMs: 0 });
    this.followed.set(entry.key, entry);
    this.request(entry);
  }

  private unfollow(key: string, line: string): void {
    const followed = this.followed.get(key);
    if (followed === undefined) return;
    this.forget(followed);
    this.endings.push(line);
    this.sendSoon();
  }

  private forget(followed: Followed): void {
    this.followed.delete(followed.key);
    this.due.delete(followed.key);
    if (followed.requestId !== undefined) this.inFlight.delete(followed.requestId);
  }

  /**
   * Queues the request for a topic or stream, which is sent at the end of this turn of the event loop. An answer to an
   * earlier request for it is ignored.
   */
  private request(followed: Followed): void {
    if (followed.requestId !== undefined) this.inFlight.delete(followed.requestId);
    followed.requestId = undefined;
    this.due.add(followed.key);
    this.sendSoon();
  }

  private sendSoon(): void {
    if (this.isSending) return;
    this.isSending = true;
    setImmediate(() => {
      this.isSending = false;
      this.send();
    });
  }

  /**
   * Sends the writer all queued `close` and `leave` messages for topics and streams that no client uses any more.
   * Then sends queued requests for topics and streams until `REQUESTS_AT_ONCE` requests are unanswered; the others
   * stay queued. Does nothing without a writer or a connection.
   */
  private send(): void {
    const { clock, link } = this.options;
    if (this.epoch === undefined || !link.isConnected) return;
    const nowMs = clock.monotonicMs();
    const lines = this.endings;
    this.endings = [];
    for (const key of this.due) {
      if (this.inFlight.size >= REQUESTS_AT_ONCE) break;
      this.due.delete(key);
      const followed = this.followed.get(key);
      if (followed === undefined) continue;
      this.lastRequest += 1;
      followed.requestId = String(this.lastRequest);
      followed.requestedMs = nowMs;
      this.inFlight.set(followed.requestId, followed);
      this.counted.requests.add();
      lines.push(followed.request(followed.requestId));
    }
    for (let start = 0; start < lines.length; start += LINES_PER_MESSAGE)
      this.sendToWriter(lines.slice(start, start + LINES_PER_MESSAGE));
  }

  private sendToWriter(lines: readonly string[]): void {
    const { link, name, clock } = this.options;
    if (this.epoch === undefined) return;
    this.sentMs = clock.monotonicMs();
    link.publish(SUBJECTS.toWriter(this.epoch), Buffer.from([name, ...lines].join(LINE)));
  }

  private check(): void {
    const nowMs = this.options.clock.monotonicMs();
    for (const followed of this.inFlight.values()) {
      if (nowMs - followed.requestedMs < ANSWER_MS) break;
      this.request(followed);
    }
    if (this.due.size > 0 || this.endings.length > 0) this.send();
    if (nowMs - this.sentMs >= SIGN_OF_LIFE_EVERY_MS) this.sendToWriter([]);
  }

  private receiveWriter(payload: Uint8Array): void {
    const lines = Buffer.from(payload).toString('utf8').split(LINE);
    const [[epochText = '', messages] = [], ...nodes] = lines.map((line) => line.split(FIELD));
    if (!/^\d{1,19}$/.test(epochText)) return;
    const epoch = BigInt(epochText);
    // Announcements of a writer that was replaced are ignored.
    if (this.epoch !== undefined && epoch < this.epoch) return;
    this.heardMs = this.options.clock.monotonicMs();
    if (epoch !== this.epoch) {
      this.followWriter(epoch, Number(messages));
      return;
    }
    this.publicFacts.requireUpTo(Number(messages));
    const [, generation, ownMessages] = nodes.find(([name]) => name === this.options.name) ?? [];
    if (generation !== undefined) {
      this.followRegistration(generation);
      this.ownFacts.requireUpTo(Number(ownMessages));
    } else if (this.ownFacts.followed === undefined) this.sendToWriter([]);
    else {
      this.ownFacts.stop();
      this.startAgain('forgotten');
    }
  }

  private followWriter(epoch: bigint, messages: number): void {
    const hadWriter = this.epoch !== undefined;
    this.epoch = epoch;
    this.publicFacts.follow(String(epoch), messages);
    this.ownFacts.stop();
    this.options.log.info('cluster.following', { epoch: String(epoch) });
    if (hadWriter) this.startAgain('writer');
    this.sendToWriter([]);
    this.send();
  }

  /**
   * Receives the writer's facts for this node in the given generation. A new generation means that the writer had
   * removed the node with all its topics, so that everything is requested again.
   */
  private followRegistration(generation: string): void {
    const { followed } = this.ownFacts;
    if (followed === generation) return;
    this.ownFacts.follow(generation, 0);
    if (followed !== undefined) this.startAgain('forgotten');
  }

  private receiveOwn(payload: Uint8Array): void {
    const generation = generationOf(payload);
    if (generation === undefined || !generation.startsWith(`${this.epoch}.`)) return;
    this.followRegistration(generation);
    this.ownFacts.receive(payload);
  }

  private receiveSessionEnded(payload: Uint8Array): void {
    const [sessionId = '', userId = ''] = Buffer.from(payload).toString('utf8').split(FIELD);
    this.options.sessionEnded(sessionId, userId as UserId);
  }

  private lose(scope: Followed['scope']): void {
    this.counted.losses.add();
    this.options.log.warn('cluster.messages_lost', { scope });
    for (const followed of this.followed.values())
      // Requests all topics and streams of market data again whose facts were lost; streams of users' events
      // end instead. Answers to requests are private facts, so after a loss of private facts the unanswered
      // requests for public topics are repeated too.
      if (followed.scope === scope) this.invalidate(followed);
      else if (scope === 'private' && followed.requestId !== undefined) this.request(followed);
  }

  /**
   * Requests all topics and streams of market data again, because there is another writer, or because the
   * writer had removed this node. Streams of users' events end instead.
   */
  private startAgain(why: 'writer' | 'forgotten'): void {
    this.options.log.info('cluster.fetching_again', { why, count: this.followed.size });
    this.endings = [];
    for (const followed of this.followed.values()) this.invalidate(followed);
  }

  /**
   * Marks a topic as outdated, and requests the topic or the stream of market data again. A stream of a user's events
   * ends instead, because lost events cannot be requested again.
   */
  private invalidate(followed: Followed): void {
    const { topic, stream, scope } = followed;
    if (stream !== undefined && scope === 'private') {
      this.forget(followed);
      stream.ended('lost');
      return;
    }
    topic?.invalidate();
    this.request(followed);
  }

  private receiveFact([kind, ...fields]: readonly string[], position: number): void {
    const [first = '', second = '', third = '', fourth = ''] = fields;
    this.counted.facts.add();
    switch (kind) {
      case 'update':
        this.update(first, second === '' ? undefined : (second as UserId), third, position);
        return;
      case 'snapshot':
        this.install(first, { position: Number(second), status: third, json: fourth });
        return;
      case 'stream':
        this.followed.get(streamKey(first, second))?.stream?.received(third);
        return;
      case 'opened':
        this.confirmStream(first, second === 'yes');
        return;
      case 'ended':
        this.endStream(streamKey(first, second), 'lost');
        return;
      case 'shared':
        this.options.userShared(first as UserId);
        return;
      default:
      // A newer version of a writer may send kinds of facts that this version does not have; they are ignored.
    }
  }

  private update(topic: string, userId: UserId | undefined, json: string, position: number): void {
    const followed = this.followed.get(keyOf(topic, userId));
    if (followed !== undefined) followed.topic?.update(json, position);
    else if (userId !== undefined) {
      // No client of this node uses the topic any more. The node's `close` message may have been lost, so it is sent
      // again.
      this.endings.push(['close', topic, userId].join(FIELD));
      this.sendSoon();
    }
  }

  private install(
    requestId: string,
    { position, status, json }: { readonly position: number; readonly status: string; readonly json: string },
  ): void {
    const followed = this.inFlight.get(requestId);
    if (followed === undefined) return;
    this.inFlight.delete(requestId);
    followed.requestId = undefined;
    if (status === 'found') followed.topic?.install(json, position);
    else {
      this.forget(followed);
      followed.topic?.end(status === 'absent' ? 'absent' : 'failed');
    }
    if (this.due.size > 0) this.sendSoon();
  }

  private confirmStream(requestId: string, isKnown: boolean): void {
    const followed = this.inFlight.get(requestId);
    if (followed === undefined) return;
    this.inFlight.delete(requestId);
    followed.requestId = undefined;
    if (!isKnown) this.endStream(followed.key, 'unknown');
    if (this.due.size > 0) this.sendSoon();
  }

  private endStream(key: string, reason: 'unknown' | 'lost'): void {
    const followed = this.followed.get(key);
    if (followed === undefined) return;
    this.forget(followed);
    followed.stream?.ended(reason);
  }
}
