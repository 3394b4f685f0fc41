import type { Clock } from '../clock.ts';
import { inLane } from '../database/lanes.ts';
import { localeOfRequest } from '../http/caller.ts';
import { RateLimiter } from '../limits/limits.ts';
import { closeAll, Connection, RESTART } from './connection.ts';
import type { SharedFrame } from './frame.ts';
import type { SocketService, Upgraded } from './upgrades.ts';

/** A client's WebSocket connection of a text protocol, such as the trading API's. */
export interface TextSocket {
  /** Id that is unique among the connections of the protocol. */
  readonly id: string;
  /** URL path and query of the request that opened the WebSocket connection. */
  readonly url: string;
  /** IP address of the connection's client. */
  readonly address: string;
  /** The range of IP addresses around the client's address that counts as one caller. */
  readonly addressGroup: string;
  readonly isOpen: boolean;
  /**
   * Writes a prepared frame to the client. A client that reads too slowly (more than `bufferBytes` would be
   * buffered) is disconnected, so that its buffered frames do not take unlimited memory.
   */
  write(frame: SharedFrame): void;
  /** Sends text over this connection only. A client that reads too slowly is disconnected, as by `write`. */
  sendText(text: string): void;
  /**
   * Closes the connection with a reason. The kind `restart` (close code 1012) informs the client that it may
   * reconnect at once. The default kind `policy` has the close code 1008.
   */
  close(reason: string, kind?: 'policy' | 'restart'): void;
}

/** A WebSocket protocol with text messages on its own paths. */
export interface TextProtocol {
  readonly owns: (path: string) => boolean;
  /** Maximum length in bytes of a client's message. */
  readonly messageBytes: number;
  readonly messagesPerSecond: number;
  opened(socket: TextSocket): void;
  /** Handles a client's message; `text` is undefined for a binary message. Never throws or rejects. */
  received(socket: TextSocket, text: string | undefined): void | Promise<void>;
  closed(socket: TextSocket): void;
  /**
   * Returns the last message that clients receive before the server stops; undefined if they receive none.
   */
  farewell(): string | undefined;
}

export interface TextSocketLimits {
  readonly connectionsPerAddress: number;
  readonly bufferBytes: number;
  /** Milliseconds between pings to a client. */
  readonly pingMs: number;
  /** Milliseconds after which a client that has sent nothing, not even an answer to a ping, is disconnected. */
  readonly silentMs: number;
}

export const TEXT_SOCKET_LIMITS: TextSocketLimits = {
  connectionsPerAddress: 300,
  bufferBytes: 1_048_576,
  pingMs: 20_000,
  silentMs: 60_000,
};

interface Parts {
  readonly clock: Clock;
  readonly limits?: Partial<TextSocketLimits>;
}

const POLICY = 1008;
/** Number of seconds whose messages (see `messagesPerSecond`) a client may send at once. */
const BURST_SECONDS = 4;

/** Manages the connections of a text protocol: applies limits, sends pings, and closes slow and silent clients. */
export class TextSockets implements SocketService {
  readonly owns: (path: string) => boolean;
  readonly admitsForeignPages = true;
  readonly messageBytes: number;
  private readonly protocol: TextProtocol;
  private readonly clock: Clock;
  private readonly limits: TextSocketLimits;
  private readonly connections = new Set<Connection>();
  private readonly perAddress = new Map<string, number>();
  private readonly messages: RateLimiter;
  private pings: NodeJS.Timeout | undefined;
  private lastPingMs = 0;
  private count = 0;

  constructor(protocol: TextProtocol, { clock, limits }: Parts) {
    this.protocol = protocol;
    this.clock = clock;
    this.limits = { ...TEXT_SOCKET_LIMITS, ...limits };
    this.owns = protocol.owns;
    this.messageBytes = protocol.messageBytes;
    const { messagesPerSecond } = protocol;
    this.messages = new RateLimiter({
      perSecond: messagesPerSecond,
      burst: messagesPerSecond * BURST_SECONDS,
    });
  }

  hasCapacity(addressGroup: string): boolean {
    return (this.perAddress.get(addressGroup) ?? 0) < this.limits.connectionsPerAddress;
  }

  admit({ webSocket, socket, request, address, addressGroup }: Upgraded): void {
    const { protocol, clock } = this;
    this.count += 1;
    const connection = new Connection({
      id: String(this.count),
      webSocket,
      socket,
      addressGroup,
      locale: localeOfRequest(request),
      bufferBytes: this.limits.bufferBytes,
      nowMs: () => clock.monotonicMs(),
    });
    const client = new Client(connection, request.url ?? '', address);
    this.connections.add(connection);
    this.perAddress.set(addressGroup, (this.perAddress.get(addressGroup) ?? 0) + 1);
    this.pings ??= setInterval(() => this.pingAll(), this.limits.pingMs).unref();
    webSocket.on('message', (bytes: Buffer, isBinary) => {
      const nowMs = clock.monotonicMs();
      connection.lastReceivedMs = nowMs;
      if (this.messages.charge(connection.id, 1, nowMs) > 0) {
        client.close('too many messages');
        return;
      }
      const text = isBinary ? undefined : bytes.toString('utf8');
      void inLane('requests', () => protocol.received(client, text));
    });
    webSocket.on('pong', () => {
      connection.lastReceivedMs = clock.monotonicMs();
    });
    webSocket.on('ping', () => {
      connection.lastReceivedMs = clock.monotonicMs();
    });
    // A WebSocket error means that a client's message was too large or not a valid frame. The library closes the socket
    // with the reason.
    webSocket.on('error', () => undefined);
    webSocket.on('close', () => this.release(connection, client));
    protocol.opened(client);
  }

  stop(): void {
    clearInterval(this.pings);
  }

  async closeAll(perSecond?: number): Promise<void> {
    const farewell = this.protocol.farewell();
    await closeAll(this.connections, this.clock, {
      perSecond,
      before: (connection) => {
        if (farewell !== undefined) connection.sendText(farewell);
      },
    });
  }

  private release(connection: Connection, client: TextSocket): void {
    const { addressGroup } = connection;
    this.connections.delete(connection);
    const others = (this.perAddress.get(addressGroup) ?? 1) - 1;
    if (others > 0) this.perAddress.set(addressGroup, others);
    else this.perAddress.delete(addressGroup);
    this.protocol.closed(client);
  }

  private pingAll(): void {
    const nowMs = this.clock.monotonicMs();
    // If this process was blocked, messages that clients have sent meanwhile are not read yet. So no client counts as
    // silent in this check.
    const wasStalled = nowMs - this.lastPingMs > 2 * this.limits.pingMs;
    this.lastPingMs = nowMs;
    for (const connection of this.connections) {
      if (wasStalled) connection.lastReceivedMs = nowMs;
      if (nowMs - connection.lastReceivedMs > this.limits.silentMs) connection.terminate();
      else connection.ping();
    }
  }
}

class Client implements TextSocket {
  readonly id: string;
  readonly url: string;
  readonly address: string;
  readonly addressGroup: string;
  private readonly connection: Connection;

  constructor(connection: Connection, url: string, address: string) {
    this.connection = connection;
    this.id = connection.id;
    this.addressGroup = connection.addressGroup;
    this.url = url;
    this.address = address;
  }

  get isOpen(): boolean {
    return this.connection.isOpen;
  }

  write(frame: SharedFrame): void {
    if (!this.connection.write(frame)) this.connection.terminate();
  }

  sendText(text: string): void {
    if (!this.connection.sendText(text)) this.connection.terminate();
  }

  close(reason: string, kind: 'policy' | 'restart' = 'policy'): void {
    this.connection.close(kind === 'restart' ? RESTART.code : POLICY, reason);
  }
}
