import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { addressOf } from '../http/address.ts';
import { closeWithin, lastWord, tolerateResets } from '../http/last-word.ts';
import { hostOf } from '../http/own-names.ts';
import { addressGroup } from '../limits/address-group.ts';
import type { Limits } from '../limits/limits.ts';

export interface UpgradeOptions {
  readonly charges: Pick<Limits, 'charge'>;
  readonly proxyHeader: string | undefined;
  readonly publicUrl: string | undefined;
  /** Tests whether a `Host` header names this server. By default every name is accepted. */
  readonly isOwnName?: ((host: string | undefined) => boolean) | undefined;
}

/** An accepted WebSocket connection. */
export interface Upgraded {
  readonly webSocket: WebSocket;
  /** The network socket that carries the WebSocket. */
  readonly socket: Duplex;
  readonly request: IncomingMessage;
  /** IP address of the connection's client. */
  readonly address: string;
  /** The range of IP addresses around the client's address that counts as one caller. */
  readonly addressGroup: string;
}

/** A service that accepts WebSocket connections on its own paths. */
export interface SocketService {
  /** Returns whether connections to a path, without its query, belong to the service. */
  readonly owns: (path: string) => boolean;
  /** Whether pages of other sites may connect. This is safe if the service does not trust cookies or origins. */
  readonly admitsForeignPages: boolean;
  /** Maximum length in bytes of a client's message. */
  readonly messageBytes: number;
  /** Returns whether an address group may open another connection. */
  hasCapacity(addressGroup: string): boolean;
  /** Called with each accepted WebSocket connection, which the service serves from then on. */
  admit(upgraded: Upgraded): void;
  /** Ends the periodic work of the service, before its connections are closed for the last time. */
  stop?(): void;
  /**
   * Closes all connections with the reason `restart`. With `perSecond` they are closed in groups, at least this number
   * per second; otherwise at once. Clients that do not answer are disconnected after a second. The service can admit
   * connections afterwards.
   */
  closeAll(perSecond?: number): Promise<void>;
}

/** Answers to refused WebSocket upgrades: status code with reason, and further header lines. */
interface Rejection {
  readonly status: string;
  readonly headers?: readonly string[];
}

/**
 * Rate-limit cost of an attempt to open a WebSocket, accepted or not. It is charged to the address group. While the
 * server drains or stops, attempts are refused without a charge.
 */
const UPGRADE = { limit: 'publicRead', weight: 1 } as const;
const STOPPING: Rejection = { status: '503 Service Unavailable', headers: ['Retry-After: 1'] };
/**
 * Minimum number of connections per second that each service closes at a stop after `drain`, when clients reconnect to
 * other processes. Without `drain` all connections are closed at once.
 */
const HANDED_OVER_PER_SECOND = 2_000;
const TOO_MANY = '429 Too Many Requests';
/** Milliseconds from the refusal of an invalid handshake until its connection is closed at the latest. */
const HANDSHAKE_MS = 1_000;

/**
 * Parameters of WebSocket compression for clients that offer it. Without context takeover, a compressed frame is valid
 * for all clients. Clients' messages are short, so a small client window is sufficient and saves memory.
 */
const COMPRESSION = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  clientMaxWindowBits: 10,
} as const;

interface Mounted {
  readonly service: SocketService;
  readonly webSockets: WebSocketServer;
}

/** Accepts upgrade requests as WebSocket connections and passes them to the service of their path, or refuses them. */
export class Upgrades {
  readonly #options: UpgradeOptions;
  readonly #mounted: readonly Mounted[];
  #isClosed = false;
  #isDrained = false;
  /** Whether all upgrades are refused until `resume` is called. */
  #isSuspended = false;

  constructor(options: UpgradeOptions, services: readonly SocketService[]) {
    this.#options = options;
    this.#mounted = services.map((service) => ({
      service,
      webSockets: new WebSocketServer({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: COMPRESSION,
        maxPayload: service.messageBytes,
      }),
    }));
  }

  /**
   * Attaches to an HTTP server: each upgrade request is passed to the service that owns its path, or refused.
   */
  open(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // The error listener is added first, because the client may reset the connection at any time.
      tolerateResets(socket);
      const path = request.url?.split('?')[0] ?? '';
      const mounted = this.#mounted.find(({ service }) => service.owns(path));
      const group = addressGroup(addressOf(request, this.#options.proxyHeader));
      const rejection = this.#rejectionOf(request, group, mounted?.service);
      if (rejection === undefined) this.#upgrade(request, socket, head, mounted!);
      else lastWord(socket, rejection.status, rejection.headers);
    });
  }

  /** Refuses all further upgrades. Open connections are served until `stop`. */
  drain(): void {
    this.#isClosed = true;
    this.#isDrained = true;
  }

  /**
   * Refuses all upgrades until `resume` is called, and hands all connections over: they are closed in groups, so that
   * their clients connect to other processes.
   */
  async suspend(): Promise<void> {
    this.#isSuspended = true;
    await Promise.all(this.#mounted.map(({ service }) => service.closeAll(HANDED_OVER_PER_SECOND)));
  }

  resume(): void {
    this.#isSuspended = false;
  }

  /** Refuses all further upgrades and closes the connections of all services, in groups if `drain` was called. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    const perSecond = this.#isDrained ? HANDED_OVER_PER_SECOND : undefined;
    await Promise.all(
      this.#mounted.map(async ({ service }) => {
        service.stop?.();
        await service.closeAll(perSecond);
      }),
    );
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, { service, webSockets }: Mounted): void {
    let isOpen = false;
    const address = addressOf(request, this.#options.proxyHeader);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      isOpen = true;
      service.admit({ webSocket, socket, request, address, addressGroup: addressGroup(address) });
    });
    // If the handshake was invalid, the WebSocket library has already answered it. The connection is closed at the
    // latest after `HANDSHAKE_MS`.
    if (!isOpen) closeWithin(socket, HANDSHAKE_MS);
  }

  #rejectionOf(
    request: IncomingMessage,
    group: string,
    service: SocketService | undefined,
  ): Rejection | undefined {
    const { charges, publicUrl, isOwnName } = this.#options;
    if (this.#isClosed || this.#isSuspended) return STOPPING;
    const seconds = charges.charge(UPGRADE, { addressGroup: group, userId: undefined });
    if (seconds > 0) return { status: TOO_MANY, headers: [`Retry-After: ${seconds}`] };
    if (isOwnName?.(hostOf(request)) === false) return { status: '421 Misdirected Request' };
    if (service === undefined) return { status: '404 Not Found' };
    if (!service.admitsForeignPages && !isOwnOrigin(request, publicUrl)) return { status: '403 Forbidden' };
    return service.hasCapacity(group) ? undefined : { status: TOO_MANY };
  }
}

/**
 * Returns whether an upgrade request does not come from a page of another site. Browsers send the page's origin. Other
 * clients usually send none. They are accepted, because no page controls them.
 */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || (publicUrl !== undefined && new URL(publicUrl).origin === origin);
}
