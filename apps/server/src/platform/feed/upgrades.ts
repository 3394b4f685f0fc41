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
  /** Whether the server goes by this value of `Host`; without it, by any. */
  readonly isOwnName?: ((host: string | undefined) => boolean) | undefined;
}

/** Somebody who has been let in. */
export interface Upgraded {
  readonly webSocket: WebSocket;
  /** The socket below the WebSocket. */
  readonly socket: Duplex;
  readonly request: IncomingMessage;
  readonly addressGroup: string;
}

/** Why somebody is not let in: status code and reason, and the lines that go with them. */
interface Rejection {
  readonly status: string;
  readonly headers?: readonly string[];
}

/** Whoever asks for a connection pays for it, let in or not. */
const UPGRADE = { limit: 'publicRead', weight: 1 } as const;
const STOPPING: Rejection = { status: '503 Service Unavailable' };
const TOO_MANY = '429 Too Many Requests';
/** How long a handshake that was refused may take to take its answer. */
const HANDSHAKE_MS = 1_000;

/**
 * For readers who offer it. Without memory of earlier messages one compressed frame fits all of them; what
 * they send is short, so a small window of theirs is enough and keeps a reader's share of memory small.
 */
const COMPRESSION = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  clientMaxWindowBits: 10,
} as const;

/** Where connections come in: makes WebSockets of requests to upgrade, or refuses them. */
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

  /** `hasCapacity` says whether one more may come from an address. */
  constructor(
    options: UpgradeOptions,
    hasCapacity: (addressGroup: string) => boolean,
    upgraded: (upgrade: Upgraded) => void,
  ) {
    this.#options = options;
    this.#hasCapacity = hasCapacity;
    this.#upgraded = upgraded;
  }

  /** Takes every request to upgrade that an HTTP server gets. */
  open(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Before anything else: the client may reset the connection at any moment from here on.
      tolerateResets(socket);
      const group = addressGroup(addressOf(request, this.#options.proxyHeader));
      const rejection = this.#rejectionOf(request, group);
      if (rejection === undefined) this.#upgrade(request, socket, head, group);
      else lastWord(socket, rejection.status, rejection.headers);
    });
  }

  /** Refuses everybody from now on. */
  close(): void {
    this.#isClosed = true;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, group: string): void {
    let isOpen = false;
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      isOpen = true;
      this.#upgraded({ webSocket, socket, request, addressGroup: group });
    });
    // A handshake that is none has had its answer.
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
 * Whether a request to connect comes from a page of ours. A browser names the page's origin; what is no
 * browser names none, and cannot be tricked into calling.
 */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || (publicUrl !== undefined && new URL(publicUrl).origin === origin);
}
