import { FEED_LIMITS, isPrivateTopic, type ClientMessage, type ServerMessage } from '@exchange/wire/feed.ts';
import { deviceNow, learnServerTime } from '../clock.ts';

/**
 * One WebSocket to the server for the whole page. Topics are asked for once however many listen; a lost
 * connection comes back by itself after a wait that doubles, with jitter, and asks for everything again.
 */

export type FeedState = 'connecting' | 'live' | 'stale';
export type TopicMessage = Extract<ServerMessage, { topic: string; type: string }>;
export type TopicListener = (message: TopicMessage) => void;
/** Why a topic is refused: the key of the sentence, and what fills it. */
export type TopicRefusal = Pick<Extract<ServerMessage, { op: 'refused' }>, 'errKey' | 'data'>;
export type RefusalListener = (refusal: TopicRefusal) => void;

/** `readyState` of a socket that is not open yet. */
const CONNECTING = 0;

/** The part of the browser's WebSocket that is used. */
export interface FeedSocket {
  readonly readyState: number;
  addEventListener(type: 'open' | 'close', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  send(text: string): void;
  close(): void;
}

export interface FeedOptions {
  readonly url: () => string;
  readonly token: () => string | undefined;
  readonly onState: (state: FeedState) => void;
  /** The server has ended the session. */
  readonly onEnded: () => void;
  readonly connect?: (url: string) => FeedSocket;
  readonly random?: () => number;
  readonly firstWaitMs?: number;
  readonly pingEveryMs?: number;
  /** How long an answer to a ping, or anything else, may take. */
  readonly answerWithinMs?: number;
  readonly openWithinMs?: number;
  readonly staleAfterMs?: number;
}

interface Topic {
  readonly listeners: Map<TopicListener, RefusalListener | undefined>;
  seq: number | undefined;
}

const OPEN = 1;
/** The server failed, and may do better next time. */
const FAILED_KEY = 'l.error';
const LONGEST_WAIT_MS = 15_000;
const FIRST_WAIT_MS = 500;
/** Together at most as long as prices may stand still unmarked: a silence is noticed within 10 seconds. */
const PING_EVERY_MS = 4_000;
const ANSWER_WITHIN_MS = 6_000;
/** A server that takes the connection and says nothing would keep the browser waiting for minutes. */
const OPEN_WITHIN_MS = 15_000;
const STALE_AFTER_MS = 10_000;

export class FeedClient {
  private readonly options: FeedOptions;
  private readonly topics = new Map<string, Topic>();
  private readonly wanted = new Set<string>();
  private readonly unwanted = new Set<string>();
  private readonly failed = new Set<string>();
  private socket: FeedSocket | undefined;
  private signedIn = false;
  private stopped = true;
  private failures = 0;
  private flushing = false;
  private pingTimer: ReturnType<typeof setInterval> | undefined;
  /** Runs from the first ping, or the beginning of a connection, after which nothing was received. */
  private silenceTimer: ReturnType<typeof setTimeout> | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private staleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FeedOptions) {
    this.options = options;
  }

  /** Whether the server knows whose connection it is: private topics arrive only then. */
  get isSignedIn(): boolean {
    return this.signedIn;
  }

  /** Whether a topic that is listened to has arrived, and nothing of it was missed since. */
  receives(name: string): boolean {
    return this.topics.get(name)?.seq !== undefined;
  }

  /** Connects, and stays connected until `stop`. */
  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.open();
  }

  stop(): void {
    this.stopped = true;
    this.drop();
    clearTimeout(this.retryTimer);
    clearTimeout(this.staleTimer);
    this.staleTimer = undefined;
  }

  /** Connects afresh, as after a sign-in or sign-out, or when the device is back on a network. */
  reconnect(): void {
    if (this.stopped) return;
    this.failures = 0;
    this.drop();
    clearTimeout(this.retryTimer);
    this.open();
  }

  /** Listens to a topic: a snapshot, then updates, or a refusal of the topic. Gives the way to stop listening. */
  subscribe(name: string, listener: TopicListener, onRefused?: RefusalListener): () => void {
    let topic = this.topics.get(name);
    if (topic === undefined) {
      topic = { listeners: new Map(), seq: undefined };
      this.topics.set(name, topic);
      this.want(name);
    }
    topic.listeners.set(listener, onRefused);
    return () => this.forget(name, listener);
  }

  /** Asks once more for a topic that was refused. */
  ask(name: string): void {
    if (this.topics.has(name)) this.want(name);
  }

  private forget(name: string, listener: TopicListener): void {
    const topic = this.topics.get(name);
    if (topic === undefined || !topic.listeners.delete(listener) || topic.listeners.size > 0) return;
    this.topics.delete(name);
    this.wanted.delete(name);
    this.unwanted.add(name);
    this.flushSoon();
  }

  private want(name: string): void {
    this.unwanted.delete(name);
    this.wanted.add(name);
    this.flushSoon();
  }

  /** Listeners come and go many at a time when a screen changes; they are sent to the server in one message. */
  private flushSoon(): void {
    if (this.flushing) return;
    this.flushing = true;
    queueMicrotask(() => {
      this.flushing = false;
      this.flush();
    });
  }

  private flush(): void {
    if (this.socket?.readyState !== OPEN) return;
    const dropped = [...this.unwanted];
    this.unwanted.clear();
    if (dropped.length > 0) this.send({ op: 'unsubscribe', topics: dropped });
    const asked = [...this.wanted].filter((name) => this.signedIn || !isPrivateTopic(name));
    for (const name of asked) this.wanted.delete(name);
    for (let from = 0; from < asked.length; from += FEED_LIMITS.topics) {
      this.send({ op: 'subscribe', topics: asked.slice(from, from + FEED_LIMITS.topics) });
    }
  }

  private open(): void {
    const connect = this.options.connect ?? ((url: string): FeedSocket => new WebSocket(url));
    const socket = connect(this.options.url());
    this.socket = socket;
    this.options.onState('connecting');
    this.expectLife();
    this.expectAnswer(this.options.openWithinMs ?? OPEN_WITHIN_MS);
    socket.addEventListener('open', () => this.opened(socket));
    socket.addEventListener('message', ({ data }) => this.receive(socket, String(data)));
    socket.addEventListener('close', () => this.closed(socket));
  }

  private opened(socket: FeedSocket): void {
    if (socket !== this.socket) return;
    this.answered();
    this.failures = 0;
    this.unwanted.clear();
    for (const [name, topic] of this.topics) {
      topic.seq = undefined;
      this.wanted.add(name);
    }
    const token = this.options.token();
    if (token !== undefined) this.send({ op: 'auth', token });
    this.flush();
    this.alive();
    this.ping();
    this.pingTimer = setInterval(() => this.ping(), this.options.pingEveryMs ?? PING_EVERY_MS);
  }

  private receive(socket: FeedSocket, text: string): void {
    if (socket !== this.socket) return;
    this.answered();
    const message = JSON.parse(text) as ServerMessage;
    if ('topic' in message && 'type' in message) this.deliver(message);
    else if (message.op === 'refused') {
      this.refused(message);
      this.askAgainLater(message);
    } else if (message.op === 'authenticated') {
      this.signedIn = true;
      this.flush();
    } else if (message.op === 'pong') learnServerTime(message.time, message.ts, deviceNow());
    else if (message.op === 'ended') {
      this.options.onEnded();
      // The server closes this connection; the next one is nobody's, and nobody needs to wait for it.
      this.drop();
      this.open();
    }
  }

  private refused({ topic, ...refusal }: Extract<ServerMessage, { op: 'refused' }>): void {
    const listeners = topic === undefined ? undefined : this.topics.get(topic)?.listeners;
    for (const onRefused of listeners?.values() ?? []) onRefused?.(refusal);
  }

  /**
   * What the server could not do for the moment is asked for again with the next ping: a topic that failed to begin,
   * or, where a whole message was refused, all that have not begun. A topic that there is not stays refused.
   */
  private askAgainLater({ topic: name, errKey }: Extract<ServerMessage, { op: 'refused' }>): void {
    if (name !== undefined && errKey !== FAILED_KEY) return;
    for (const [other, { seq }] of this.topics) {
      if (seq === undefined && (name === undefined || name === other)) this.failed.add(other);
    }
  }

  private deliver(message: TopicMessage): void {
    const topic = this.topics.get(message.topic);
    if (topic === undefined) return;
    if (message.type === 'update') {
      // Updates that overtake the snapshot they belong to are part of it.
      if (topic.seq === undefined || message.seq <= topic.seq) return;
      if (message.seq !== topic.seq + 1) {
        topic.seq = undefined;
        this.want(message.topic);
        return;
      }
    }
    topic.seq = message.seq;
    for (const listener of topic.listeners.keys()) listener(message);
  }

  private ping(): void {
    for (const name of this.failed) if (this.topics.has(name)) this.want(name);
    this.failed.clear();
    this.send({ op: 'ping', ts: deviceNow() });
    this.expectAnswer(this.options.answerWithinMs ?? ANSWER_WITHIN_MS);
  }

  /** Counts from a question, not from the last word: a page whose timers sleep has not asked either. */
  private expectAnswer(withinMs: number): void {
    this.silenceTimer ??= setTimeout(() => this.fellSilent(), withinMs);
  }

  private answered(): void {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = undefined;
  }

  /** What is shown is as old as the silence, so it is stale at once. */
  private fellSilent(): void {
    this.drop();
    this.options.onState('stale');
    this.retry();
  }

  private closed(socket: FeedSocket): void {
    if (socket !== this.socket) return;
    this.drop();
    if (!this.stopped) this.retry();
  }

  private drop(): void {
    clearInterval(this.pingTimer);
    this.answered();
    this.signedIn = false;
    const socket = this.socket;
    this.socket = undefined;
    // What it still sends is ignored: each listener first asks whether the socket is the present one.
    // A browser complains of a socket that is closed before it is open.
    if (socket?.readyState === CONNECTING) socket.addEventListener('open', () => socket.close());
    else socket?.close();
  }

  private retry(): void {
    this.options.onState('connecting');
    this.expectLife();
    const fullMs = (this.options.firstWaitMs ?? FIRST_WAIT_MS) * 2 ** Math.min(this.failures, 10);
    this.failures += 1;
    const random = this.options.random ?? Math.random;
    const waitMs = Math.min(LONGEST_WAIT_MS, fullMs) * (0.5 + random() / 2);
    this.retryTimer = setTimeout(() => this.open(), waitMs);
  }

  private expectLife(): void {
    this.staleTimer ??= setTimeout(
      () => this.options.onState('stale'),
      this.options.staleAfterMs ?? STALE_AFTER_MS,
    );
  }

  private alive(): void {
    clearTimeout(this.staleTimer);
    this.staleTimer = undefined;
    this.options.onState('live');
  }

  private send(message: ClientMessage): void {
    if (this.socket?.readyState === OPEN) this.socket.send(JSON.stringify(message));
  }
}
