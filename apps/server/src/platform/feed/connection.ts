import type { Duplex } from 'node:stream';
import type { Locale } from '@exchange/core/locale.ts';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import type { Session } from '../http/route.ts';
import { textFrame, type SharedFrame } from './frame.ts';

/** WebSocket close code “service restart” and its reason. The apps then reconnect within half a second. */
export const RESTART = { code: 1012, reason: 'restart' } as const;
const CLOSED_WITHIN_MS = 1_000;
const CLOSE_CHECK_MS = 10;
/** Milliseconds between closing one group of connections and the next. */
const SPREAD_EVERY_MS = 50;
/** Maximum number of milliseconds within which all connections are closed in groups. */
const SPREAD_MAX_MS = 10_000;

/** The methods of a subscription to a feed topic that the subscribed connection calls. */
export interface Following {
  /** Sends a new snapshot of the topic. Returns false if the topic does not exist. */
  refresh(): boolean;
  /** Called when all bytes that were buffered for the connection have been sent. */
  catchUp(): void;
  leave(): void;
}

/** The session of a signed-in connection. The feed later checks with the token whether the session has ended. */
export interface Proof {
  readonly session: Session;
  readonly token: string;
}

export interface ConnectionOptions {
  readonly id: string;
  readonly webSocket: WebSocket;
  /** The network socket below the connection's WebSocket, to which shared frames are written directly. */
  readonly socket: Duplex;
  readonly addressGroup: string;
  readonly locale: Locale;
  readonly bufferBytes: number;
  readonly nowMs: () => number;
}

/** A client connection of the live feed, with its write buffer. */
export class Connection {
  readonly id: string;
  readonly addressGroup: string;
  readonly locale: Locale;
  readonly subscriptions = new Map<string, Following>();
  proof: Proof | undefined;
  /** Monotonic time in milliseconds at which the client's last message or answer to a ping was received. */
  lastReceivedMs: number;
  /**
   * Monotonic time in milliseconds since which the client has been reading too slowly (see `write`);
   * undefined if it has not.
   */
  behindSinceMs: number | undefined;
  faults = 0;
  signIns = 0;

  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #bufferBytes: number;
  readonly #nowMs: () => number;
  readonly #acceptsCompressed: boolean;
  #lastTask: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions) {
    this.id = options.id;
    this.addressGroup = options.addressGroup;
    this.locale = options.locale;
    this.#webSocket = options.webSocket;
    this.#socket = options.socket;
    this.#bufferBytes = options.bufferBytes;
    this.#nowMs = options.nowMs;
    this.#acceptsCompressed = options.webSocket.extensions.includes('permessage-deflate');
    this.lastReceivedMs = options.nowMs();
    this.#socket.on('drain', () => this.#catchUp());
  }

  get isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  /**
   * Writes a prepared frame, unless other bytes are buffered and would exceed the limit `bufferBytes`
   * together with the frame. In that case it returns false, and the client counts as too slow until all
   * buffered bytes were sent. On a closed connection it does nothing and returns true.
   */
  write(shared: SharedFrame): boolean {
    return this.#write(this.#acceptsCompressed ? shared.compressed : shared.plain);
  }

  /**
   * Sends a message to this client only. Returns false if the message was not written because the client reads too
   * slowly.
   */
  send(message: object): boolean {
    return this.sendText(JSON.stringify(message));
  }

  sendText(text: string): boolean {
    return this.#write(textFrame(text));
  }

  #write(frame: Buffer): boolean {
    if (!this.isOpen) return true;
    const waiting = this.#socket.writableLength;
    if (waiting > 0 && waiting + frame.length > this.#bufferBytes) {
      this.behindSinceMs ??= this.#nowMs();
      return false;
    }
    this.#socket.write(frame);
    return true;
  }

  /** Runs the asynchronous tasks of a connection one after another, in the order of the calls. */
  inTurn(task: () => Promise<void>): void {
    this.#lastTask = this.#lastTask.then(task);
  }

  ping(): void {
    if (this.isOpen) this.#webSocket.ping();
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  terminate(): void {
    this.#webSocket.terminate();
  }

  #catchUp(): void {
    if (this.behindSinceMs === undefined) return;
    this.behindSinceMs = undefined;
    for (const subscription of this.subscriptions.values()) subscription.catchUp();
  }
}

/**
 * Closes all connections with the reason `restart` and calls `before` for each one first. With `perSecond` they are
 * closed in random groups, about that many or more per second, and all within about ten seconds; otherwise at once.
 * Connections that are opened meanwhile are closed with the last group. Connections that still exist a second later are
 * terminated.
 */
export async function closeAll(
  connections: ReadonlySet<Connection>,
  clock: Pick<Clock, 'monotonicMs'>,
  {
    perSecond,
    before,
  }: { readonly perSecond?: number | undefined; readonly before?: (connection: Connection) => void } = {},
): Promise<void> {
  const close = (connection: Connection) => {
    before?.(connection);
    connection.close(RESTART.code, RESTART.reason);
  };
  const perGroup =
    perSecond === undefined
      ? connections.size
      : Math.ceil(
          Math.max(
            (perSecond * SPREAD_EVERY_MS) / 1_000,
            (connections.size * SPREAD_EVERY_MS) / SPREAD_MAX_MS,
          ),
        );
  const waiting = shuffled([...connections]);
  while (waiting.length > perGroup) {
    for (const connection of waiting.splice(0, perGroup)) close(connection);
    await new Promise((resolve) => setTimeout(resolve, SPREAD_EVERY_MS));
  }
  // Closes the last group, and the connections that were opened meanwhile.
  for (const connection of connections) if (connection.isOpen) close(connection);
  const deadline = clock.monotonicMs() + CLOSED_WITHIN_MS;
  while (connections.size > 0 && clock.monotonicMs() < deadline)
    await new Promise((resolve) => setTimeout(resolve, CLOSE_CHECK_MS));
  for (const connection of connections) connection.terminate();
}

/**
 * Shuffles connections in place, because connections that were opened one after another often belong to the same proxy
 * or user.
 */
function shuffled(connections: Connection[]): Connection[] {
  for (let index = connections.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    const connection = connections[index]!;
    connections[index] = connections[other]!;
    connections[other] = connection;
  }
  return connections;
}
