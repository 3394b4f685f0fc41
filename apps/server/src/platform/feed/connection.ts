import type { Duplex } from 'node:stream';
import type { ServerMessage } from '@exchange/wire/feed.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { WebSocket } from 'ws';
import type { Session } from '../http/route.ts';
import { textFrame, type SharedFrame } from './frame.ts';

/** A topic that a connection follows. */
export interface Following {
  /** Sends a new snapshot. */
  refresh(): boolean;
  /** Told when everything that was waiting for the reader has left. */
  catchUp(): void;
  leave(): void;
}

/** Who a connection has proven to be; the token is kept to ask again whether its session lives. */
export interface Proof {
  readonly session: Session;
  readonly token: string;
}

export interface ConnectionOptions {
  readonly id: string;
  readonly webSocket: WebSocket;
  /** The socket below the WebSocket: frames that many share are written to it directly. */
  readonly socket: Duplex;
  readonly addressGroup: string;
  readonly locale: Locale;
  readonly bufferBytes: number;
  readonly nowMs: () => number;
}

/** One reader of the feed, with what is waiting for it. */
export class Connection {
  readonly id: string;
  readonly addressGroup: string;
  readonly locale: Locale;
  readonly subscriptions = new Map<string, Following>();
  proof: Proof | undefined;
  /** When something last came from it, and since when it has not been reading as fast as we write; monotonic. */
  lastReceivedMs: number;
  behindSinceMs: number | undefined;
  faults = 0;
  signIns = 0;

  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #bufferBytes: number;
  readonly #nowMs: () => number;
  readonly #takesCompressed: boolean;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions) {
    this.id = options.id;
    this.addressGroup = options.addressGroup;
    this.locale = options.locale;
    this.#webSocket = options.webSocket;
    this.#socket = options.socket;
    this.#bufferBytes = options.bufferBytes;
    this.#nowMs = options.nowMs;
    this.#takesCompressed = options.webSocket.extensions.includes('permessage-deflate');
    this.lastReceivedMs = options.nowMs();
    this.#socket.on('drain', () => this.#catchUp());
  }

  get isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  /**
   * Writes a ready frame, unless more than the allowed bytes would then wait for this reader: false means it
   * was not written, and that the reader is behind until everything waiting has left.
   */
  write(shared: SharedFrame): boolean {
    return this.#write(this.#takesCompressed ? shared.compressed : shared.plain);
  }

  /** Sends to this reader alone; what does not fit any more is lost, since it will be cut off soon. */
  send(message: ServerMessage): void {
    this.#write(textFrame(JSON.stringify(message)));
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

  /** Does one thing after the other, in the order in which they were asked for. */
  inTurn(task: () => Promise<void>): void {
    this.#turn = this.#turn.then(task);
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
