import type { Duplex } from 'node:stream';
import type { Locale } from '@exchange/core/locale.ts';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import type { Session } from '../http/route.ts';
import { textFrame, type SharedFrame } from './frame.ts';

/** The closing status “service restart”, and its reason, after which the pages reconnect within half a second. */
export const RESTART = { code: 1012, reason: 'restart' } as const;
const CLOSED_WITHIN_MS = 1_000;
const CLOSE_CHECK_MS = 10;
/** Connections are closed in groups of this length of time when they are spread. */
const SPREAD_EVERY_MS = 50;
/** The longest time over which connections are closed. */
const SPREAD_MAX_MS = 10_000;

/** A connection's subscription of a feed topic. */
export interface Following {
  /** Sends a new snapshot of the topic; false when the topic does not exist. */
  refresh(): boolean;
  /** Called when all bytes that were buffered for the connection have been sent. */
  catchUp(): void;
  leave(): void;
}

/** The signed-in user of a connection; the token is stored to check later whether its session is still live. */
export interface Proof {
  readonly session: Session;
  readonly token: string;
}

export interface ConnectionOptions {
  readonly id: string;
  readonly webSocket: WebSocket;
  /** The socket below the WebSocket; shared frames are written to it directly. */
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
  /**
   * Monotonic times in milliseconds: of the last received message, and since when the client has
   * been reading too slowly.
   */
  lastReceivedMs: number;
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
   * Writes a prepared frame unless bytes are buffered and would exceed the limit with it. False means that it was not written;
   * the client is behind until all buffered bytes have been sent. On a closed connection does nothing and returns
   * true.
   */
  write(shared: SharedFrame): boolean {
    return this.#write(this.#acceptsCompressed ? shared.compressed : shared.plain);
  }

  /** Sends a message to this client only. False means that it was not written, like `write`. */
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

  /** Runs tasks one after another, in the order of the calls. */
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
 * Closes all connections with the reason `restart`, each after a call of `before`: at once, or with `perSecond` in
 * random groups, at least about that many per second and all in about ten seconds. Connections that are opened
 * meanwhile are closed with the last group. Those that still exist a second after it are terminated.
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
  // Closes also the connections that were opened since the first pass.
  for (const connection of connections) if (connection.isOpen) close(connection);
  const deadline = clock.monotonicMs() + CLOSED_WITHIN_MS;
  while (connections.size > 0 && clock.monotonicMs() < deadline)
    await new Promise((resolve) => setTimeout(resolve, CLOSE_CHECK_MS));
  for (const connection of connections) connection.terminate();
}

/** Shuffles connections in place; neighbouring ones often belong to one proxy or one user. */
function shuffled(connections: Connection[]): Connection[] {
  for (let index = connections.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    const connection = connections[index]!;
    connections[index] = connections[other]!;
    connections[other] = connection;
  }
  return connections;
}
