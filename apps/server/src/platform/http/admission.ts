import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../limits/address-group.ts';
import type { Limits } from '../limits/limits.ts';
import { Slots, type PlaceLimits, type Release } from '../limits/places.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { addressOf } from './address.ts';
import { closeWithin, tolerateResets } from './last-word.ts';

/**
 * Limits of an HTTP port. Some are per address group, which is the range of IP addresses that counts as one caller (see
 * `addressGroup`).
 */
export interface AdmissionLimits {
  /**
   * Maximum number of open connections per address group. Further ones are refused. The limit does not apply behind a
   * configured proxy, whose connections carry requests of many clients.
   */
  readonly connectionsPerAddress: number;
  readonly connections: number;
  /**
   * Maximum number of requests that may wait on a connection while an earlier request is served. A further request
   * closes the connection.
   */
  readonly pipelined: number;
  /** Number of consecutive answers with HTTP 429 after which the connection is closed. */
  readonly refusalsInARow: number;
  /** Milliseconds without a transferred byte after which a connection is closed during a request or its answer. */
  readonly stalledMs: number;
  /** Limits on the number of requests that are being served at the same time. */
  readonly underWay: PlaceLimits;
  /** Limits of answers that are large or expensive, from their computation until they are sent. */
  readonly heavy: PlaceLimits;
}

/**
 * Default limits. They suffice for an office behind one IP address: twenty users with seven connections each, whose
 * pages poll every five seconds.
 */
export const ADMISSION_LIMITS: AdmissionLimits = {
  connectionsPerAddress: 150,
  connections: 10_000,
  pipelined: 16,
  refusalsInARow: 10,
  stalledMs: 30_000,
  underWay: { all: 1_000, perGroup: 24, waitingPerGroup: 1_000 },
  heavy: { all: 12, perGroup: 2, waitingPerGroup: 8 },
};

/** Limits of the operators' HTTP port, counted separately from those of the public port. */
export const OPERATOR_ADMISSION_LIMITS: AdmissionLimits = {
  ...ADMISSION_LIMITS,
  connectionsPerAddress: 100,
  connections: 500,
};

const NO_PLACES_LIMIT: PlaceLimits = { all: Infinity, perGroup: Infinity, waitingPerGroup: Infinity };

/**
 * Limits without bounds, except for pipelined requests and stalled connections. For benchmarks, and for tests of other
 * parts.
 */
export const NO_ADMISSION_LIMITS: AdmissionLimits = {
  ...ADMISSION_LIMITS,
  connectionsPerAddress: Infinity,
  connections: Infinity,
  refusalsInARow: Infinity,
  underWay: NO_PLACES_LIMIT,
  heavy: NO_PLACES_LIMIT,
};

export interface AdmissionOptions {
  readonly limits: AdmissionLimits;
  readonly charges: Pick<Limits, 'charge'>;
  /** Receives the metrics of the HTTP port; undefined for a port without metrics. */
  readonly metrics: Pick<Metrics, 'counter' | 'gauge'> | undefined;
  readonly proxyHeader: string | undefined;
}

export type ServeRequest = (request: IncomingMessage, response: ServerResponse) => void;

const CONNECTION = { limit: 'connection', weight: 1 } as const;
/** Cost of a misuse of a connection, charged to its address group. It equals the cost of five new connections. */
const MISUSE = { limit: 'connection', weight: 5 } as const;

/**
 * Maximum number of refused connections that stay open for a second without being read. Further refused ones are closed
 * at once.
 */
const REFUSED_OPEN_MAX = 1_000;
/** Milliseconds after their refusal at which refused connections are closed. */
const REFUSED_OPEN_MS = 1_000;

/**
 * State of an open connection: whether a request is being served, whether the server has ended the connection, the
 * number of consecutive answers with HTTP 429, and the waiting requests.
 */
interface RequestQueue {
  isBusy: boolean;
  hasEnded: boolean;
  refusals: number;
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
}

/**
 * The part of node's undocumented HTTP parser that is used here. The parser calls `onIncoming` for each request, and
 * stops when `onIncoming` returns 2.
 */
interface Parser {
  onIncoming?: () => number;
}
const STOPS_PARSER = 2;

/**
 * Enforces the limits of an HTTP port: on connections, running requests and heavy answers, in total and per address
 * group. Connections of a proxy are limited in total only. It serves only one request of a connection at a time.
 */
export class Admission {
  readonly limits: AdmissionLimits;
  readonly #options: AdmissionOptions;
  readonly #running: Slots;
  readonly #heavy: Slots;
  readonly #connections = new Map<string, number>();
  readonly #lines = new WeakMap<Socket, RequestQueue>();
  readonly #refused: { add(): void } | undefined;
  readonly #misused: { add(): void } | undefined;
  #connected = 0;
  #openRefused = 0;

  constructor(options: AdmissionOptions) {
    const { limits, metrics } = options;
    this.limits = limits;
    this.#options = options;
    this.#running = new Slots(limits.underWay);
    this.#heavy = new Slots(limits.heavy);
    if (metrics === undefined) return;
    this.#refused = metrics.counter(
      'http_connections_refused_total',
      'Connections of the public port beyond the limits of their address or of all',
    );
    this.#misused = metrics.counter(
      'http_connections_ended_total',
      'Connections of the public port ended after too many pipelined requests, malformed bytes or refusals',
    );
    metrics.gauge('http_connections', 'Open connections of the public port', () => this.#connected);
    metrics.gauge('http_heavy_answers', 'Large answers being made or sent', () => this.#heavy.present);
  }

  /** Returns the address group of the client that sent a request. */
  groupOf(request: IncomingMessage): string {
    return addressGroup(addressOf(request, this.#options.proxyHeader));
  }

  /** Returns the number of open connections of an address group. */
  connectionsOf(group: string): number {
    return this.#connections.get(group) ?? 0;
  }

  /**
   * Applies the limits of connections and of pipelined requests to a server: connections and requests reach the
   * server's listeners only after they are admitted. The listeners themselves call `enter` and `enterHeavy`. Call this
   * after the listeners were added.
   */
  guard(server: Server): void {
    server.timeout = this.limits.stalledMs;
    const connected = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (!this.#admits(socket)) return;
      for (const listener of connected) listener.call(server, socket);
    });
    const requested = server.listeners('request') as ServeRequest[];
    server.removeAllListeners('request');
    const serve: ServeRequest = (request, response) => {
      for (const listener of requested) listener.call(server, request, response);
    };
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#receive(request, response, serve);
    });
  }

  /**
   * Counts a misuse of a connection, such as bytes that are not a valid HTTP request, and charges it to the
   * connection's address group. Behind a proxy nothing is charged, because the address would be the proxy's.
   */
  chargeMisuse(socket: Socket): void {
    this.#misused?.add();
    if (this.#options.proxyHeader === undefined)
      this.#options.charges.charge(MISUSE, { addressGroup: groupOfSocket(socket), userId: undefined });
  }

  /**
   * Requests a slot for a request. Its body has arrived before, except that of an upload. Returns the
   * function that frees the slot, or, if no slot is free, a promise of this function. Returns undefined if
   * `waitingPerGroup` requests of the address group are waiting already.
   */
  enter(group: string): Release | Promise<Release> | undefined {
    return this.#running.enter(group);
  }

  /**
   * Requests a slot for a heavy answer. Returns the function that frees the slot, or, if no slot is free, a
   * promise of this function. Returns undefined if `waitingPerGroup` requests of the address group are
   * waiting already.
   */
  enterHeavy(group: string): Release | Promise<Release> | undefined {
    return this.#heavy.enter(group);
  }

  #admits(socket: Socket): boolean {
    const { proxyHeader, charges } = this.#options;
    // A proxy's connection carries requests of many clients, so it has no address group.
    const group = proxyHeader === undefined ? groupOfSocket(socket) : undefined;
    const present = group === undefined ? 0 : this.connectionsOf(group);
    const isFull =
      this.#connected >= this.limits.connections ||
      present >= this.limits.connectionsPerAddress ||
      (group !== undefined && charges.charge(CONNECTION, { addressGroup: group, userId: undefined }) > 0);
    if (isFull) {
      this.#refused?.add();
      this.#refuse(socket);
      return false;
    }
    this.#connected += 1;
    if (group !== undefined) this.#connections.set(group, present + 1);
    socket.once('close', () => {
      this.#connected -= 1;
      if (group === undefined) return;
      const remaining = this.connectionsOf(group) - 1;
      if (remaining > 0) this.#connections.set(group, remaining);
      else this.#connections.delete(group);
    });
    this.#lines.set(socket, { isBusy: false, hasEnded: false, refusals: 0, waiting: [] });
    return true;
  }

  /**
   * Closes a refused connection after a second without reading it, which delays reconnections. If `REFUSED_OPEN_MAX`
   * refused connections are open already, closes it at once.
   */
  #refuse(socket: Socket): void {
    tolerateResets(socket);
    if (this.#openRefused >= REFUSED_OPEN_MAX) {
      socket.destroy();
      return;
    }
    this.#openRefused += 1;
    closeWithin(socket, REFUSED_OPEN_MS);
    socket.once('close', () => {
      this.#openRefused -= 1;
    });
  }

  #receive(request: IncomingMessage, response: ServerResponse, serve: ServeRequest): void {
    const line = this.#lines.get(request.socket);
    // The request did not arrive over an admitted connection, e.g. because a test injected it, so no limits apply.
    if (line === undefined) return serve(request, response);
    if (line.hasEnded) return undefined;
    if (!line.isBusy) return this.#serveNext(line, { request, response }, serve);
    if (line.waiting.length < this.limits.pipelined) line.waiting.push({ request, response });
    else this.#end(request.socket, line);
    return undefined;
  }

  #serveNext(line: RequestQueue, next: RequestQueue['waiting'][number], serve: ServeRequest): void {
    const { request, response } = next;
    line.isBusy = true;
    // After `refusalsInARow - 1` consecutive refusals, the next answer announces that the connection will be
    // closed, so that the client does not send another request on it.
    if (line.refusals >= this.limits.refusalsInARow - 1) response.shouldKeepAlive = false;
    response.once('close', () => this.#finish(line, response, serve));
    serve(request, response);
  }

  #finish(line: RequestQueue, response: ServerResponse, serve: ServeRequest): void {
    line.refusals = response.statusCode === 429 ? line.refusals + 1 : 0;
    if (line.refusals === this.limits.refusalsInARow) this.#misused?.add();
    line.isBusy = false;
    const next = line.waiting.shift();
    if (next === undefined || line.hasEnded) return;
    // The next request is served in a later turn of the event loop, so that other connections are served in between.
    line.isBusy = true;
    setImmediate(() => {
      if (!next.response.destroyed && !line.hasEnded) this.#serveNext(line, next, serve);
    });
  }

  /**
   * Closes a connection with more than `pipelined` waiting requests, stops parsing what it has sent, and
   * charges this as a misuse.
   */
  #end(socket: Socket, line: RequestQueue): void {
    line.hasEnded = true;
    line.waiting.length = 0;
    // Stops the HTTP parser, which would otherwise parse the rest of the packet with possibly thousands of requests.
    const { parser } = socket as Socket & { parser?: Parser | null };
    if (parser) parser.onIncoming = () => STOPS_PARSER;
    this.chargeMisuse(socket);
    socket.destroy();
  }
}

function groupOfSocket(socket: Socket): string {
  const { remoteAddress = 'unknown' } = socket;
  return addressGroup(
    remoteAddress.startsWith('::ffff:') ? remoteAddress.slice('::ffff:'.length) : remoteAddress,
  );
}
