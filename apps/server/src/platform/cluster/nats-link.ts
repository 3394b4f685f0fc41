import {
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
  type Subscription,
} from '@nats-io/transport-node';
import type { Log } from '../log.ts';
import { MESSAGE_BYTES_MAX, type Link } from './link.ts';

export interface NatsLinkOptions {
  /** Addresses of the NATS servers, separated by commas, e.g. `nats://user:password@10.0.0.5:4222`. */
  readonly url: string;
  /** Name of this connection in the NATS servers' list of connections. */
  readonly name: string;
  readonly log: Log;
}

/** Milliseconds between attempts to open the first connection, which may fail e.g. because of a wrong password. */
const FIRST_CONNECTION_EVERY_MS = 2_000;
const RECONNECT_EVERY_MS = 250;
const PING_EVERY_MS = 5_000;
/** Number of sent bytes without a confirmation of the NATS server above which messages are dropped. */
const UNCONFIRMED_BYTES_MAX = 64 * 1_048_576;
/** Number of unconfirmed bytes from which on a confirmation of the NATS server is requested. */
const CONFIRMED_EVERY_BYTES = 1_048_576;

interface Subscribed {
  readonly subject: string;
  readonly receive: (payload: Uint8Array) => void;
  subscription: Subscription | undefined;
}

/**
 * A link over NATS core. It connects in the background, so that a process can start before NATS, and reconnects until
 * it is closed.
 */
export class NatsLink implements Link {
  dropped = 0;
  isConnected = false;
  private readonly options: NatsLinkOptions;
  private readonly subscribed = new Set<Subscribed>();
  private connection: NatsConnection | undefined;
  private retry: NodeJS.Timeout | undefined;
  private opening: Promise<void>;
  private isClosed = false;
  private unconfirmedBytes = 0;
  private isConfirming = false;

  constructor(options: NatsLinkOptions) {
    this.options = options;
    this.opening = this.open();
  }

  publish(subject: string, payload: Uint8Array): void {
    if (payload.length > MESSAGE_BYTES_MAX) throw new RangeError(`a message of ${payload.length} bytes`);
    const { connection } = this;
    if (!this.isConnected || connection === undefined || this.unconfirmedBytes > UNCONFIRMED_BYTES_MAX) {
      this.dropped += 1;
      return;
    }
    this.unconfirmedBytes += payload.length;
    connection.publish(subject, payload);
    if (this.unconfirmedBytes > CONFIRMED_EVERY_BYTES) void this.confirm(connection);
  }

  subscribe(subject: string, receive: (payload: Uint8Array) => void): () => void {
    const entry: Subscribed = { subject, receive, subscription: undefined };
    this.subscribed.add(entry);
    if (this.connection !== undefined) this.receiveFrom(this.connection, entry);
    return () => {
      this.subscribed.delete(entry);
      if (this.connection?.isClosed() === false) entry.subscription?.unsubscribe();
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retry);
    await this.opening;
    const { connection, isConnected } = this;
    this.isConnected = false;
    if (connection === undefined || connection.isClosed()) return;
    // `drain` first sends the queued messages, which is only possible with a connection.
    await (isConnected ? connection.drain() : connection.close()).catch(() => undefined);
  }

  private async open(): Promise<void> {
    const { url, name, log } = this.options;
    try {
      const connection = await connect({
        ...connectionOf(url),
        name,
        noEcho: true,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_EVERY_MS,
        pingInterval: PING_EVERY_MS,
      });
      if (this.isClosed) {
        await connection.close();
        return;
      }
      this.connection = connection;
      this.isConnected = true;
      for (const entry of this.subscribed) this.receiveFrom(connection, entry);
      log.info('cluster.connected', { server: connection.getServer() });
      void this.followStatus(connection);
    } catch (cause) {
      if (this.isClosed) return;
      log.warn('cluster.not_connected', { cause });
      this.retry = setTimeout(() => {
        this.opening = this.open();
      }, FIRST_CONNECTION_EVERY_MS);
    }
  }

  private receiveFrom(connection: NatsConnection, entry: Subscribed): void {
    entry.subscription = connection.subscribe(entry.subject, {
      callback: (error, message) => {
        if (error === null) entry.receive(message.data);
        else this.options.log.error('cluster.subject_refused', { subject: entry.subject, cause: error });
      },
    });
  }

  private async followStatus(connection: NatsConnection): Promise<void> {
    const { log } = this.options;
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        this.isConnected = false;
        this.unconfirmedBytes = 0;
        if (!this.isClosed) log.warn('cluster.disconnected', { server: status.server });
      }
      if (status.type === 'reconnect') {
        this.isConnected = true;
        log.info('cluster.connected', { server: status.server });
      }
      if (status.type === 'error') log.error('cluster.server_refused', { cause: status.error });
    }
  }

  /**
   * Requests a confirmation of all bytes that were sent so far. When the confirmation arrives, only bytes sent after
   * the request count as unconfirmed.
   */
  private async confirm(connection: NatsConnection): Promise<void> {
    if (this.isConfirming) return;
    this.isConfirming = true;
    const sentBytes = this.unconfirmedBytes;
    try {
      await connection.flush();
      this.unconfirmedBytes = Math.max(0, this.unconfirmedBytes - sentBytes);
    } catch {
      // The connection was lost. `followStatus` then sets the number of unconfirmed bytes to 0.
    } finally {
      this.isConfirming = false;
    }
  }
}

/**
 * Parses `NATS_URL`: all addresses, and from the first one the user and password, or the token, and whether TLS is used
 * (`tls:`).
 */
function connectionOf(url: string): NodeConnectionOptions {
  const addresses = url.split(',').map((address) => new URL(address.trim()));
  const [first] = addresses;
  const user = decodeURIComponent(first?.username ?? '');
  const password = decodeURIComponent(first?.password ?? '');
  const options: NodeConnectionOptions = { servers: addresses.map(({ host }) => host) };
  if (first?.protocol === 'tls:') options.tls = {};
  if (password !== '') {
    options.user = user;
    options.pass = password;
  } else if (user !== '') options.token = user;
  return options;
}
