import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { FEED_LIMITS, FEED_PATH } from '@exchange/wire/feed.ts';
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
  /** Whether a `Host` header names this server; without it every name is accepted. */
  readonly isOwnName?: ((host: string | undefined) => boolean) | undefined;
}

/** An accepted WebSocket connection. */
export interface Upgraded {
  readonly webSocket: WebSocket;
  /** The socket below the WebSocket. */
  readonly socket: Duplex;
  readonly request: IncomingMessage;
  readonly addressGroup: string;
}

/** A refused upgrade: status with reason, and further header lines. */
interface Rejection {
  readonly status: string;
  readonly headers?: readonly string[];
}

/** The address is charged for every attempt, accepted or not. */
const UPGRADE = { limit: 'publicRead', weight: 1 } as const;
const STOPPING: Rejection = { status: '503 Service Unavailable' };
const TOO_MANY = '429 Too Many Requests';
/** How long a client with an invalid handshake may take to receive its answer. */
const HANDSHAKE_MS = 1_000;

/**
 * Compression for clients that offer it. Without context takeover, one compressed frame fits all clients. Their
 * own messages are short, so a small client window suffices and saves memory.
 */
const COMPRESSION = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  clientMaxWindowBits: 10,
} as const;

/** Accepts upgrade requests as WebSocket connections or refuses them. */
export class Upgrades {
  readonly #options: UpgradeOptions;
  readonly #hasCapacity: (addressGroup: string) => boolean;
  readonly #upgraded: (upgrade: Upgraded) => void;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: COMPRESSION,
    maxPayload: FEED_LIMITS.messageBytes,
  });
  #isClosed = false;

  /** `hasCapacity` returns whether an address group may open another connection. */
  constructor(
    options: UpgradeOptions,
    hasCapacity: (addressGroup: string) => boolean,
    upgraded: (upgrade: Upgraded) => void,
  ) {
    this.#options = options;
    this.#hasCapacity = hasCapacity;
    this.#upgraded = upgraded;
  }

  /** Handles all upgrade requests of an HTTP server. */
  open(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Must come first, because the client may reset the connection at any time.
      tolerateResets(socket);
      const group = addressGroup(addressOf(request, this.#options.proxyHeader));
      const rejection = this.#rejectionOf(request, group);
      if (rejection === undefined) this.#upgrade(request, socket, head, group);
      else lastWord(socket, rejection.status, rejection.headers);
    });
  }

  /** Refuses all further upgrades. */
  close(): void {
    this.#isClosed = true;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, group: string): void {
    let isOpen = false;
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      isOpen = true;
      this.#upgraded({ webSocket, socket, request, addressGroup: group });
    });
    // An invalid handshake has been answered by the library.
    if (!isOpen) closeWithin(socket, HANDSHAKE_MS);
  }

  #rejectionOf(request: IncomingMessage, group: string): Rejection | undefined {
    const { charges, publicUrl, isOwnName } = this.#options;
    if (this.#isClosed) return STOPPING;
    const seconds = charges.charge(UPGRADE, { addressGroup: group, userId: undefined });
    if (seconds > 0) return { status: TOO_MANY, headers: [`Retry-After: ${seconds}`] };
    if (isOwnName?.(hostOf(request)) === false) return { status: '421 Misdirected Request' };
    if (request.url?.split('?')[0] !== FEED_PATH) return { status: '404 Not Found' };
    if (!isOwnOrigin(request, publicUrl)) return { status: '403 Forbidden' };
    return this.#hasCapacity(group) ? undefined : { status: TOO_MANY };
  }
}

/**
 * Whether an upgrade request comes from a page of this server. Browsers send the page's origin; other clients
 * send none and cannot be tricked by a foreign page.
 */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || (publicUrl !== undefined && new URL(publicUrl).origin === origin);
}
