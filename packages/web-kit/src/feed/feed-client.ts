import { FEED_LIMITS, isPrivateTopic, type ClientMessage, type ServerMessage } from '@exchange/wire/feed.ts';
import { deviceNow, learnServerTime } from '../clock.ts';

/**
 * The client of the live feed: one WebSocket connection for the whole page. Each topic is subscribed once, however many
 * listeners it has. A lost connection is reopened after an exponential backoff with jitter, and all topics are
 * subscribed again.
 */

export type FeedState = 'connecting' | 'live' | 'stale';
export type TopicMessage = Extract<ServerMessage, { topic: string; type: string }>;
export type TopicListener = (message: TopicMessage) => void;
/** Why the server refuses a topic: translation key and parameters of the text that the page shows. */
export type TopicRefusal = Pick<Extract<ServerMessage, { op: 'refused' }>, 'errKey' | 'data'>;
export type RefusalListener = (refusal: TopicRefusal) => void;

const CONNECTING = 0;

/** The subset of the browser's WebSocket that the client uses. */
export interface FeedSocket {
  readonly readyState: number;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'close', listener: (event: { code?: number }) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  send(text: string): void;
  close(): void;
}

export interface FeedOptions {
  readonly url: () => string;
  readonly token: () => string | undefined;
  readonly onState: (state: FeedState) => void;
  /** Called when the server has ended the session. */
  readonly onEnded: () => void;
  readonly connect?: (url: string) => FeedSocket;
  readonly random?: () => number;
  readonly firstWaitMs?: number;
  readonly pingEveryMs?: number;
  /**
   * Maximum time in milliseconds between a ping and the next message, by default `ANSWER_WITHIN_MS`; after it
   * the connection is considered lost.
   */
  readonly answerWithinMs?: number;
  readonly openWithinMs?: number;
  readonly staleAfterMs?: number;
}

interface Topic {
  readonly listeners: Map<TopicListener, RefusalListener | undefined>;
  seq: number | undefined;
}

const OPEN = 1;
/** Refusal key of a temporary server failure; the client subscribes to the topic again. */
const FAILED_KEY = 'l.error';
/** Refusal keys of messages that the server may accept when they are sent again later. */
const TEMPORARY_KEYS: ReadonlySet<string | undefined> = new Set([FAILED_KEY, 'l.rate_limited']);
/** WebSocket close code of a server that restarts; the client reconnects after at most `RESTART_WAIT_MS`. */
const RESTART_CODE = 1012;
/**
 * Maximum wait in milliseconds before the page reconnects to a restarted server; the random wait spreads the
 * connections of all pages.
 */
const RESTART_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const FIRST_WAIT_MS = 500;
/**
 * Ping interval and answer timeout in milliseconds. Together they are 10 seconds: the longest time that prices of a
 * lost connection are shown without being marked as stale.
 */
const PING_EVERY_MS = 4_000;
const ANSWER_WITHIN_MS = 6_000;
/**
 * Maximum time in milliseconds for a connection to open. The browser alone would wait for minutes for a server that
 * never responds.
 */
const OPEN_WITHIN_MS = 15_000;
const STALE_AFTER_MS = 10_000;

export class FeedClient {
  private readonly options: FeedOptions;
  private readonly topics = new Map<string, Topic>();
  private readonly topicsToSubscribe = new Set<string>();
  private readonly topicsToUnsubscribe = new Set<string>();
  private readonly failedTopics = new Set<string>();
  private socket: FeedSocket | undefined;
  private isAuthenticated = false;
  private mustAuthenticateAgain = false;
  private isStopped = true;
  private failures = 0;
  private isFlushScheduled = false;
  private pingTimer: ReturnType<typeof setInterval> | undefined;
  /**
   * Timeout that starts with the first ping or connection attempt after the last received message, and ends the
   * connection.
   */
  private silenceTimer: ReturnType<typeof setTimeout> | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private staleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FeedOptions) {
    this.options = options;
  }

  /**
   * Whether the server has authenticated the connection for a signed-in user; over an unauthenticated connection, the
   * server delivers no private topics.
   */
  get isSignedIn(): boolean {
    return this.isAuthenticated;
  }

  /** True if the snapshot of the subscribed topic `name` has arrived and no update has been missed since. */
  receives(name: string): boolean {
    return this.topics.get(name)?.seq !== undefined;
  }

  /** Connects to the live feed, and reconnects until `stop` is called. */
  start(): void {
    if (!this.isStopped) return;
    this.isStopped = false;
    this.open();
  }

  stop(): void {
    this.isStopped = true;
    this.closeSocket();
    clearTimeout(this.retryTimer);
    clearTimeout(this.staleTimer);
    this.staleTimer = undefined;
  }

  /**
   * Closes the connection and opens a new one at once; to be called after a sign-in, after a sign-out, and
   * when the network is back. Does nothing while the client is stopped.
   */
  reconnect(): void {
    if (this.isStopped) return;
    this.failures = 0;
    this.closeSocket();
    clearTimeout(this.retryTimer);
    this.open();
  }

  /**
   * Delivers a topic's messages to `listener` and its refusals to `onRefused`. The first listener subscribes
   * to the topic and gets its snapshot, then updates; a further listener gets only what arrives after this
   * call. Returns a function that removes the listener; without listeners the topic is unsubscribed.
   */
  subscribe(name: string, listener: TopicListener, onRefused?: RefusalListener): () => void {
    let topic = this.topics.get(name);
    if (topic === undefined) {
      topic = { listeners: new Map(), seq: undefined };
      this.topics.set(name, topic);
      this.requestTopic(name);
    }
    topic.listeners.set(listener, onRefused);
    return () => this.removeListener(name, listener);
  }

  /** Subscribes again to a topic that was refused, if the topic still has a listener. */
  resubscribe(name: string): void {
    if (this.topics.has(name)) this.requestTopic(name);
  }

  private removeListener(name: string, listener: TopicListener): void {
    const topic = this.topics.get(name);
    if (topic === undefined || !topic.listeners.delete(listener) || topic.listeners.size > 0) return;
    this.topics.delete(name);
    this.topicsToSubscribe.delete(name);
    this.topicsToUnsubscribe.add(name);
    this.scheduleFlush();
  }

  private requestTopic(name: string): void {
    this.topicsToUnsubscribe.delete(name);
    this.topicsToSubscribe.add(name);
    this.scheduleFlush();
  }

  /**
   * Sends all changes of subscriptions made in the same task in one message, because a change of the screen adds and
   * removes many listeners.
   */
  private scheduleFlush(): void {
    if (this.isFlushScheduled) return;
    this.isFlushScheduled = true;
    queueMicrotask(() => {
      this.isFlushScheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    if (this.socket?.readyState !== OPEN) return;
    const topics = [...this.topicsToUnsubscribe];
    this.topicsToUnsubscribe.clear();
    if (topics.length > 0) this.send({ op: 'unsubscribe', topics });
    const allowedTopics = [...this.topicsToSubscribe].filter(
      (name) => this.isAuthenticated || !isPrivateTopic(name),
    );
    for (const name of allowedTopics) this.topicsToSubscribe.delete(name);
    for (let start = 0; start < allowedTopics.length; start += FEED_LIMITS.topics) {
      this.send({ op: 'subscribe', topics: allowedTopics.slice(start, start + FEED_LIMITS.topics) });
    }
  }

  private open(): void {
    const connect = this.options.connect ?? ((url: string): FeedSocket => new WebSocket(url));
    const socket = connect(this.options.url());
    this.socket = socket;
    this.options.onState('connecting');
    this.startStaleTimer();
    this.startSilenceTimer(this.options.openWithinMs ?? OPEN_WITHIN_MS);
    socket.addEventListener('open', () => this.onOpen(socket));
    socket.addEventListener('message', ({ data }) => this.receive(socket, String(data)));
    socket.addEventListener('close', ({ code }) => this.onClose(socket, code));
  }

  private onOpen(socket: FeedSocket): void {
    if (socket !== this.socket) return;
    this.stopSilenceTimer();
    this.failures = 0;
    this.topicsToUnsubscribe.clear();
    for (const [name, topic] of this.topics) {
      topic.seq = undefined;
      this.topicsToSubscribe.add(name);
    }
    this.authenticate();
    this.flush();
    this.markLive();
    this.ping();
    this.pingTimer = setInterval(() => this.ping(), this.options.pingEveryMs ?? PING_EVERY_MS);
  }

  private receive(socket: FeedSocket, text: string): void {
    if (socket !== this.socket) return;
    this.stopSilenceTimer();
    const message = JSON.parse(text) as ServerMessage;
    if ('topic' in message && 'type' in message) this.deliver(message);
    else if (message.op === 'refused') {
      this.onRefusal(message);
      this.retryWithNextPing(message);
    } else if (message.op === 'authenticated') {
      this.isAuthenticated = true;
      this.flush();
    } else if (message.op === 'pong') learnServerTime(message.time, message.ts, deviceNow());
    else if (message.op === 'ended') {
      this.options.onEnded();
      // The server ends the session and closes the socket as well. The client does not wait for that: it closes the
      // socket and opens a new one at once, over which it sends no session token, so it receives only public topics.
      this.closeSocket();
      this.open();
    }
  }

  private onRefusal({ topic, ...refusal }: Extract<ServerMessage, { op: 'refused' }>): void {
    const listeners = topic === undefined ? undefined : this.topics.get(topic)?.listeners;
    for (const onRefused of listeners?.values() ?? []) onRefused?.(refusal);
  }

  /**
   * A topic that the server refused with `FAILED_KEY` is subscribed again at the next ping. When the server refused a
   * whole message, all topics without a snapshot are subscribed again at the next ping; if that refusal is temporary
   * and the connection is unauthenticated, the client also sends its token again, because the refused message may have
   * contained it. A topic that does not exist stays refused.
   */
  private retryWithNextPing({ topic: name, errKey }: Extract<ServerMessage, { op: 'refused' }>): void {
    if (name !== undefined && errKey !== FAILED_KEY) return;
    if (name === undefined && !this.isAuthenticated && TEMPORARY_KEYS.has(errKey))
      this.mustAuthenticateAgain = true;
    for (const [subscribedName, { seq }] of this.topics) {
      if (seq === undefined && (name === undefined || name === subscribedName))
        this.failedTopics.add(subscribedName);
    }
  }

  private deliver(message: TopicMessage): void {
    const topic = this.topics.get(message.topic);
    if (topic === undefined) return;
    if (message.type === 'update') {
      // An update that arrives before the topic's snapshot is dropped, and also an update that the snapshot already
      // contains by its sequence number.
      if (topic.seq === undefined || message.seq <= topic.seq) return;
      if (message.seq !== topic.seq + 1) {
        topic.seq = undefined;
        this.requestTopic(message.topic);
        return;
      }
    }
    topic.seq = message.seq;
    for (const listener of topic.listeners.keys()) listener(message);
  }

  private authenticate(): void {
    this.mustAuthenticateAgain = false;
    const token = this.options.token();
    if (token !== undefined) this.send({ op: 'auth', token });
  }

  private ping(): void {
    if (this.mustAuthenticateAgain) this.authenticate();
    for (const name of this.failedTopics) if (this.topics.has(name)) this.requestTopic(name);
    this.failedTopics.clear();
    this.send({ op: 'ping', ts: deviceNow() });
    this.startSilenceTimer(this.options.answerWithinMs ?? ANSWER_WITHIN_MS);
  }

  /**
   * Starts the silence timeout unless it is running. Pings and connection attempts start the timeout, and received
   * messages do not: a page whose timers were suspended has not sent pings, so silence does not mean that the
   * connection is lost.
   */
  private startSilenceTimer(withinMs: number): void {
    this.silenceTimer ??= setTimeout(() => this.onSilence(), withinMs);
  }

  private stopSilenceTimer(): void {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = undefined;
  }

  /**
   * The server has not answered in time: the data on screen may be outdated, so they are marked stale at once, and the
   * client reconnects.
   */
  private onSilence(): void {
    this.closeSocket();
    this.options.onState('stale');
    this.retry();
  }

  private onClose(socket: FeedSocket, code: number | undefined): void {
    if (socket !== this.socket) return;
    this.closeSocket();
    if (this.isStopped) return;
    if (code === RESTART_CODE) this.retryWithin(RESTART_WAIT_MS);
    else this.retry();
  }

  private closeSocket(): void {
    clearInterval(this.pingTimer);
    this.stopSilenceTimer();
    this.isAuthenticated = false;
    const socket = this.socket;
    this.socket = undefined;
    // Messages of the closed socket are ignored: each listener compares its own socket with the current one. A socket
    // that is still connecting is closed when it opens, because browsers log an error if it is closed earlier.
    if (socket?.readyState === CONNECTING) socket.addEventListener('open', () => socket.close());
    else socket?.close();
  }

  /** Connects again after a random time of at most `longestMs`, without counting a failed attempt. */
  private retryWithin(longestMs: number): void {
    this.options.onState('connecting');
    this.startStaleTimer();
    const random = this.options.random ?? Math.random;
    this.retryTimer = setTimeout(() => this.open(), longestMs * random());
  }

  private retry(): void {
    this.options.onState('connecting');
    this.startStaleTimer();
    const fullMs = (this.options.firstWaitMs ?? FIRST_WAIT_MS) * 2 ** Math.min(this.failures, 10);
    this.failures += 1;
    const random = this.options.random ?? Math.random;
    const waitMs = Math.min(LONGEST_WAIT_MS, fullMs) * (0.5 + random() / 2);
    this.retryTimer = setTimeout(() => this.open(), waitMs);
  }

  private startStaleTimer(): void {
    this.staleTimer ??= setTimeout(
      () => this.options.onState('stale'),
      this.options.staleAfterMs ?? STALE_AFTER_MS,
    );
  }

  private markLive(): void {
    clearTimeout(this.staleTimer);
    this.staleTimer = undefined;
    this.options.onState('live');
  }

  private send(message: ClientMessage): void {
    if (this.socket?.readyState === OPEN) this.socket.send(JSON.stringify(message));
  }
}
