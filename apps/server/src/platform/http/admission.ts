import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../limits/address-group.ts';
import type { Limits } from '../limits/limits.ts';
import { Places, type PlaceLimits, type Release } from '../limits/places.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { addressOf } from './address.ts';
import { closeWithin, tolerateResets } from './last-word.ts';

/** What a port admits at once. An address group is what `addressGroup` counts as one caller. */
export interface AdmissionLimits {
  /** Open connections of one address group; those that a configured proxy opens are not counted by address. */
  readonly connectionsPerAddress: number;
  readonly connections: number;
  /** Requests of one connection that wait for the one before them; one more ends the connection. */
  readonly pipelined: number;
  /** After so many answers of HTTP 429 in a row the connection ends. */
  readonly refusalsInARow: number;
  /** A connection on which no byte moves for so long during a request or its answer is ended. */
  readonly stalledMs: number;
  /** Calls and pages that are being served. */
  readonly underWay: PlaceLimits;
  /** Answers that are large or cost much: from before they are made until they are sent. */
  readonly heavy: PlaceLimits;
}

/**
 * An office behind one address works: twenty people with seven connections each, whose pages ask once in five
 * seconds, have a few requests under way.
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

/** Operators are few; what the public port does takes none of these. */
export const OPERATOR_ADMISSION_LIMITS: AdmissionLimits = {
  ...ADMISSION_LIMITS,
  connectionsPerAddress: 100,
  connections: 500,
};

const NO_PLACES_LIMIT: PlaceLimits = { all: Infinity, perGroup: Infinity, waitingPerGroup: Infinity };

/** Admits everybody, for measurements and for tests of other things. */
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
  /** Undefined for a port that is not measured. */
  readonly metrics: Pick<Metrics, 'counter' | 'gauge'> | undefined;
  readonly proxyHeader: string | undefined;
}

export type ServeRequest = (request: IncomingMessage, response: ServerResponse) => void;

const CONNECTION = { limit: 'connection', weight: 1 } as const;
/** A connection that ends for misuse costs its address as much as several. */
const MISUSE = { limit: 'connection', weight: 5 } as const;

/** Refused connections that are held open, unread, and for how long. */
const HELD_MOST = 1_000;
const HELD_MS = 1_000;

/** One open connection: whether a request of it is being served, and those that wait. */
interface Line {
  isBusy: boolean;
  hasEnded: boolean;
  refusals: number;
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
}

/** Node's parser as far as it is known here: what it calls for each request, and what 2 as an answer does (it stops). */
interface Parser {
  onIncoming?: () => number;
}
const STOPS_PARSER = 2;

/**
 * What one port admits: so many connections of an address and in all, one request of a connection at a time, so many
 * requests of an address under way, and few heavy answers. Nothing is read, decoded or made before it is admitted.
 */
export class Admission {
  readonly limits: AdmissionLimits;
  readonly #options: AdmissionOptions;
  readonly #underWay: Places;
  readonly #heavy: Places;
  readonly #connections = new Map<string, number>();
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #refused: { add(): void } | undefined;
  readonly #misused: { add(): void } | undefined;
  #connected = 0;
  #held = 0;

  constructor(options: AdmissionOptions) {
    const { limits, metrics } = options;
    this.limits = limits;
    this.#options = options;
    this.#underWay = new Places(limits.underWay);
    this.#heavy = new Places(limits.heavy);
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

  /** The address group that a request counts for. */
  groupOf(request: IncomingMessage): string {
    return addressGroup(addressOf(request, this.#options.proxyHeader));
  }

  /** Open connections of an address group. */
  connectionsOf(group: string): number {
    return this.#connections.get(group) ?? 0;
  }

  /** Places itself before everything that listens to a server's connections and requests. Call it last. */
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

  /** Charges an address for bytes that are no request. */
  chargeMisuse(socket: Socket): void {
    this.#misused?.add();
    if (this.#options.proxyHeader === undefined)
      this.#options.charges.charge(MISUSE, { addressGroup: groupOfSocket(socket), userId: undefined });
  }

  /** A place for a request whose body is there; undefined where too many of its address wait already. */
  enter(group: string): Release | Promise<Release> | undefined {
    return this.#underWay.enter(group);
  }

  /** A place for an answer that is large or costs much; undefined where too many of its address wait already. */
  enterHeavy(group: string): Release | Promise<Release> | undefined {
    return this.#heavy.enter(group);
  }

  #admits(socket: Socket): boolean {
    const { proxyHeader, charges } = this.#options;
    // Of a proxy's connections nobody knows yet whose requests will come over them.
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
      const left = this.connectionsOf(group) - 1;
      if (left > 0) this.#connections.set(group, left);
      else this.#connections.delete(group);
    });
    this.#lines.set(socket, { isBusy: false, hasEnded: false, refusals: 0, waiting: [] });
    return true;
  }

  /**
   * Closes a connection unread, a second later: whoever opens another as soon as one is closed gets no further than
   * once a second with each. Beyond a number of those that are held it is closed at once.
   */
  #refuse(socket: Socket): void {
    tolerateResets(socket);
    if (this.#held >= HELD_MOST) {
      socket.destroy();
      return;
    }
    this.#held += 1;
    closeWithin(socket, HELD_MS);
    socket.once('close', () => {
      this.#held -= 1;
    });
  }

  #receive(request: IncomingMessage, response: ServerResponse, serve: ServeRequest): void {
    const line = this.#lines.get(request.socket);
    // Not through the guarded port, as a test's injected request.
    if (line === undefined) return serve(request, response);
    if (line.hasEnded) return undefined;
    if (!line.isBusy) return this.#begin(line, { request, response }, serve);
    if (line.waiting.length < this.limits.pipelined) line.waiting.push({ request, response });
    else this.#end(request.socket, line);
    return undefined;
  }

  #begin(line: Line, next: Line['waiting'][number], serve: ServeRequest): void {
    const { request, response } = next;
    line.isBusy = true;
    // Announced in the answer, so that no caller sends another request into a connection that closes.
    if (line.refusals >= this.limits.refusalsInARow - 1) response.shouldKeepAlive = false;
    response.once('close', () => this.#finish(line, response, serve));
    serve(request, response);
  }

  #finish(line: Line, response: ServerResponse, serve: ServeRequest): void {
    line.refusals = response.statusCode === 429 ? line.refusals + 1 : 0;
    if (line.refusals === this.limits.refusalsInARow) this.#misused?.add();
    line.isBusy = false;
    const next = line.waiting.shift();
    if (next === undefined || line.hasEnded) return;
    // Other connections first: a packet full of requests is not served in one turn.
    line.isBusy = true;
    setImmediate(() => {
      if (!next.response.destroyed && !line.hasEnded) this.#begin(line, next, serve);
    });
  }

  /** Ends a connection that sends more than it waits for, and the reading of what it has sent. */
  #end(socket: Socket, line: Line): void {
    line.hasEnded = true;
    line.waiting.length = 0;
    // Without this the rest of the packet, perhaps two thousand requests, would still be read.
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
