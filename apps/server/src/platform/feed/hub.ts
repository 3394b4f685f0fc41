import type { Server } from 'node:http';
import type { UserId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { Charge } from '@exchange/wire/endpoint.ts';
import { FEED_LIMITS, FEED_PATH, isPrivateTopic, isTopic, type ClientMessage } from '@exchange/wire/feed.ts';
import type { Clock } from '../clock.ts';
import { inLane } from '../database/lanes.ts';
import { localeOfRequest } from '../http/caller.ts';
import { plainJson, PrerenderedJson } from '../http/exact-json.ts';
import type { Session } from '../http/route.ts';
import type { Sessions } from '../http/sessions.ts';
import { RateLimiter } from '../limits/limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { closeAll, Connection } from './connection.ts';
import {
  chargesOf,
  FAILED,
  parsed,
  refuse,
  SESSION_ENDED,
  SIGN_IN,
  tooFrequent,
  tooManyConnections,
  tooManyTopics,
  UNFIT,
  unknownTopic,
} from './protocol.ts';
import type { Channel } from './channel.ts';
import { Channels } from './channels.ts';
import { HUB_LIMITS, type Feed, type FeedRelay, type HubLimits, type TopicSource } from './feed.ts';
import { TopicFailure } from './followed-channel.ts';
import { Upgrades, type SocketService, type UpgradeOptions, type Upgraded } from './upgrades.ts';

export interface FeedHubOptions extends UpgradeOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits?: Partial<HubLimits>;
  /** Sends published updates to other processes, for their subscribers. */
  readonly relay?: FeedRelay | undefined;
  /** Source of all topics if another process publishes them; otherwise undefined. */
  readonly source?: TopicSource;
}

/**
 * Maximum number, during a connection, of its messages that are malformed, too frequent or with an invalid topic. A
 * further one ends the connection.
 */
const MOST_FAULTS = 20;
const MESSAGE_BURST = 20;
/**
 * Maximum number of sign-in attempts on a connection, which is more than apps need. A further attempt closes the
 * connection. The client may reconnect.
 */
const MOST_SIGN_INS = 20;
const SIGN_IN_WAIT_MS = 60_000;
const CLOSE = { policy: 1008 } as const;

/** The live feed: manages WebSocket connections and their subscriptions. */
export class FeedHub implements Feed {
  readonly #options: FeedHubOptions;
  readonly #limits: HubLimits;
  #upgrades: Upgrades | undefined;
  readonly #connections = new Set<Connection>();
  readonly #channels: Channels;
  readonly #messages = new RateLimiter({ perSecond: FEED_LIMITS.messagesPerSecond, burst: MESSAGE_BURST });
  readonly #updates: { add(amount?: number): void };
  #sessions: Sessions | undefined;
  readonly #sharedUsers = new Set<UserId>();
  #round: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(options: FeedHubOptions) {
    this.#options = options;
    this.#limits = { ...HUB_LIMITS, ...options.limits };
    this.#channels = new Channels(
      options.clock,
      (connection, topic, cause) => this.#refuseTopic(connection, topic, cause),
      options.source,
    );
    options.metrics.gauge(
      'feed_connections',
      'Open connections of the live feed',
      () => this.#connections.size,
    );
    options.metrics.gauge('feed_channels', 'Topics that somebody listens to', () => this.#channels.size);
    this.#updates = options.metrics.counter('feed_updates_total', 'Updates published to listeners');
  }

  serve(prefix: string, snapshot: (topic: string) => unknown): void {
    this.#channels.serve(prefix, snapshot);
  }

  servePrivate(topic: string, snapshot: (userId: UserId) => Promise<unknown>): void {
    this.#channels.servePrivate(topic, snapshot);
  }

  hasListeners(topic: string): boolean {
    return this.#channels.channel(topic) !== undefined || this.#options.relay?.isFollowed(topic) === true;
  }

  hasPrivateListener(topic: string, userId: UserId): boolean {
    return (
      this.#channels.channel(topic, userId) !== undefined ||
      this.#options.relay?.isFollowed(topic, userId) === true
    );
  }

  publish(topic: string, data: unknown): void {
    this.#publish(topic, undefined, data);
  }

  publishPrivate(topic: string, userId: UserId, data: unknown): void {
    this.#publish(topic, userId, data);
  }

  /**
   * Returns the current state of a topic for subscribers of other processes, or a promise of it for a private
   * topic; undefined if the topic does not exist.
   */
  snapshot(topic: string, userId: UserId | undefined): unknown {
    return this.#channels.snapshot(topic, userId);
  }

  /** Number of open connections of the live feed. */
  get connections(): number {
    return this.#connections.size;
  }

  /** The users for whom `share` has raised the maximum number of connections. */
  get sharedUsers(): Iterable<UserId> {
    return this.#sharedUsers;
  }

  /**
   * Accepts WebSocket connections of an HTTP server on the feed's path and on the paths of the other services
   * (`others`). All other upgrades are refused. `sessions` finds the users' sessions.
   */
  attach(server: Server, sessions: Sessions, others: readonly SocketService[] = []): void {
    this.#sessions = sessions;
    sessions.onSessionEnded((sessionId) => {
      for (const connection of this.#connections) {
        if (connection.proof?.session.id === sessionId) this.#endSession(connection);
      }
    });
    const feed: SocketService = {
      owns: (path) => path === FEED_PATH,
      admitsForeignPages: false,
      messageBytes: FEED_LIMITS.messageBytes,
      hasCapacity: (group) => this.#hasCapacity(group),
      admit: (upgraded) => this.#admit(upgraded),
      stop: () => clearInterval(this.#round),
      closeAll: (perSecond) => closeAll(this.#connections, this.#options.clock, { perSecond }),
    };
    this.#upgrades = new Upgrades(this.#options, [feed, ...others]);
    this.#upgrades.open(server);
    this.#round = setInterval(() => this.#runRound(), this.#limits.roundMs);
    this.#round.unref();
  }

  /**
   * Raises a user's maximum number of concurrent connections to `connectionsPerSharedUser`, e.g. for a demo's shared
   * account.
   */
  share(userId: UserId): void {
    this.#sharedUsers.add(userId);
  }

  /** Refuses new connections to the feed and to the other services. Open connections are served until `stop`. */
  drain(): void {
    this.#upgrades?.drain();
  }

  /**
   * Refuses new connections to the feed and to the other services until `resume` is called, and closes all open ones, so
   * that their clients connect to other processes.
   */
  async suspend(): Promise<void> {
    await this.#upgrades?.suspend();
  }

  resume(): void {
    this.#upgrades?.resume();
  }

  /**
   * Refuses new connections to the feed and to the other services, and closes all open ones, in groups if
   * `drain` was called.
   */
  async stop(): Promise<void> {
    await this.#upgrades?.stop();
  }

  #publish(topic: string, userId: UserId | undefined, data: unknown): void {
    const channel = this.#channels.channel(topic, userId);
    const { relay } = this.#options;
    if (relay?.isFollowed(topic, userId) === true) {
      const json = plainJson(data);
      relay.publish(topic, userId, json);
      this.#publishIn(channel, new PrerenderedJson(json));
    } else this.#publishIn(channel, data);
  }

  #publishIn(channel: Channel | undefined, data: unknown): void {
    if (channel === undefined) return;
    this.#updates.add();
    channel.publish(data);
  }

  #refuseTopic(connection: Connection, topic: string, cause: unknown): void {
    if (cause instanceof TopicFailure) {
      refuse(connection, cause.reason === 'absent' ? unknownTopic(topic) : FAILED, topic);
      return;
    }
    this.#options.log.error('feed.snapshot_failed', { topic, cause });
    refuse(connection, FAILED, topic);
  }

  #hasCapacity(addressGroup: string): boolean {
    let present = 0;
    for (const connection of this.#connections) if (connection.addressGroup === addressGroup) present += 1;
    return present < this.#limits.connectionsPerAddress;
  }

  #admit({ webSocket, socket, request, addressGroup }: Upgraded): void {
    const { clock } = this.#options;
    this.#count += 1;
    const connection = new Connection({
      id: String(this.#count),
      webSocket,
      socket,
      addressGroup,
      locale: localeOfRequest(request),
      bufferBytes: this.#limits.bufferBytes,
      nowMs: () => clock.monotonicMs(),
    });
    this.#connections.add(connection);
    webSocket.on('message', (bytes: Buffer, isBinary) => {
      this.#receive(connection, isBinary ? '' : bytes.toString('utf8'));
    });
    webSocket.on('pong', () => {
      connection.lastReceivedMs = clock.monotonicMs();
    });
    // A WebSocket error means that a client's message was too large or not a valid frame. The library closes the socket
    // with the reason.
    webSocket.on('error', () => undefined);
    webSocket.on('close', () => {
      this.#channels.leaveAll(connection);
      this.#connections.delete(connection);
    });
  }

  #receive(connection: Connection, text: string): void {
    const nowMs = this.#options.clock.monotonicMs();
    connection.lastReceivedMs = nowMs;
    const waitMs = this.#messages.charge(connection.id, 1, nowMs);
    const message = waitMs > 0 ? undefined : parsed(text);
    if (message === undefined) {
      refuse(connection, waitMs > 0 ? tooFrequent(waitMs) : UNFIT);
      this.#countFault(connection);
      return;
    }
    connection.inTurn(() => inLane('requests', () => this.#answer(connection, message)));
  }

  async #answer(connection: Connection, message: ClientMessage): Promise<void> {
    try {
      switch (message.op) {
        case 'ping':
          connection.send({ op: 'pong', ts: message.ts, time: this.#options.clock.now() });
          break;
        case 'auth':
          await this.#authenticate(connection, message.token);
          break;
        case 'subscribe':
          this.#subscribe(connection, message.topics);
          break;
        case 'unsubscribe':
          for (const topic of message.topics) this.#channels.leave(connection, topic);
      }
    } catch (cause) {
      if (cause instanceof Refused) {
        refuse(connection, cause.refusal);
        return;
      }
      // An error while a message is handled, e.g. of a session lookup, must not affect later messages of the
      // connection.
      this.#options.log.error('feed.failed', { op: message.op, cause });
      refuse(connection, FAILED);
    }
  }

  async #authenticate(connection: Connection, token: string): Promise<void> {
    connection.signIns += 1;
    if (connection.signIns > MOST_SIGN_INS) {
      refuse(connection, tooFrequent(SIGN_IN_WAIT_MS));
      connection.close(CLOSE.policy, 'too many sign-ins');
      return;
    }
    const session = await this.#sessionOf(connection, token);
    if (session === undefined) {
      refuse(connection, SESSION_ENDED);
      return;
    }
    let others = 0;
    for (const otherConnection of this.#connections) {
      if (otherConnection !== connection && otherConnection.proof?.session.userId === session.userId)
        others += 1;
    }
    const { connectionsPerUser, connectionsPerSharedUser } = this.#limits;
    const connectionsMax = this.#sharedUsers.has(session.userId)
      ? connectionsPerSharedUser
      : connectionsPerUser;
    if (others >= connectionsMax) {
      refuse(connection, tooManyConnections(connectionsMax));
      return;
    }
    if (connection.proof?.session.userId !== session.userId)
      this.#channels.leaveAll(connection, isPrivateTopic);
    connection.proof = { session, token };
    connection.send({ op: 'authenticated' });
  }

  /**
   * Returns the session of a token; undefined if there is none. A session that is not cached is looked up in the
   * database, for which the rate limit of the address group is charged first. Throws `Refused` if that limit is
   * exceeded.
   */
  async #sessionOf(connection: Connection, token: string): Promise<Session | undefined> {
    const remembered = this.#sessions?.remembered(token);
    if (remembered !== undefined) return remembered;
    this.#charge(connection, [SIGN_IN]);
    return this.#sessions?.find(token);
  }

  #subscribe(connection: Connection, topics: readonly string[]): void {
    const requestedTopics = [...new Set(topics)];
    // Too many topics are refused by a single answer, so that a short message cannot cause a thousand answers.
    if (requestedTopics.length > FEED_LIMITS.topics) {
      refuse(connection, tooManyTopics(requestedTopics.length));
      return;
    }
    // Only valid topics are charged to the rate limit. Invalid topics are refused by name and count as a malformed
    // message.
    const validTopics = requestedTopics.filter(isTopic);
    this.#charge(connection, chargesOf(validTopics, connection.proof !== undefined));
    for (const topic of requestedTopics) {
      if (isTopic(topic)) this.#join(connection, topic);
      else refuse(connection, unknownTopic(topic), topic);
    }
    if (validTopics.length < requestedTopics.length) this.#countFault(connection);
  }

  #countFault(connection: Connection): void {
    connection.faults += 1;
    // Callers send the refusal of the message before this call, so that the client receives it before the
    // close.
    if (connection.faults > MOST_FAULTS) connection.close(CLOSE.policy, 'too many unfit messages');
  }

  /**
   * Charges a request of a client to its rate limits. Throws `Refused` if the address group or the user exceeds a
   * limit.
   */
  #charge(connection: Connection, charges: readonly Charge[]): void {
    const { addressGroup } = connection;
    const userId = connection.proof?.session.userId;
    for (const charge of charges) {
      const seconds = this.#options.charges.charge(charge, { addressGroup, userId });
      if (seconds > 0) throw new Refused(tooFrequent(seconds * 1_000));
    }
  }

  #join(connection: Connection, topic: string): void {
    if (!connection.isOpen) return;
    const subscription = connection.subscriptions.get(topic);
    if (subscription !== undefined) {
      // A client may subscribe to a topic again, to receive a new snapshot after it has missed an update.
      subscription.refresh();
      return;
    }
    const { size } = connection.subscriptions;
    if (size >= FEED_LIMITS.topics) {
      refuse(connection, tooManyTopics(size + 1), topic);
      return;
    }
    if (isPrivateTopic(topic) && connection.proof === undefined) {
      refuse(connection, SESSION_ENDED, topic);
      return;
    }
    if (!this.#channels.join(connection, topic)) refuse(connection, unknownTopic(topic), topic);
  }

  #endSession(connection: Connection): void {
    this.#channels.leaveAll(connection, isPrivateTopic);
    connection.proof = undefined;
    connection.send({ op: 'ended', code: -2 });
    connection.close(CLOSE.policy, 'the session has ended');
  }

  #runRound(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const connection of this.#connections) {
      const isStalled = nowMs - (connection.behindSinceMs ?? nowMs) > this.#limits.stalledMs;
      if (isStalled || nowMs - connection.lastReceivedMs > this.#limits.idleMs) {
        connection.terminate();
        continue;
      }
      connection.ping();
      void this.#checkSession(connection);
    }
  }

  async #checkSession(connection: Connection): Promise<void> {
    const { proof } = connection;
    if (proof === undefined) return;
    try {
      const session = await inLane('requests', () => this.#sessions?.find(proof.token));
      if (session?.id !== proof.session.id && connection.proof === proof) this.#endSession(connection);
    } catch (cause) {
      // If the check of the sessions fails, no session ends. The next round checks again.
      this.#options.log.warn('feed.session_check_failed', { cause });
    }
  }
}
