import {
  parsedJson,
  requestIdOf,
  streamRequest,
  STREAMS_PER_CONNECTION,
  type RequestId,
  type StreamRequest,
} from '@exchange/wire/public-api/streams.ts';
import type { Clock } from '../../platform/clock.ts';
import { TextSockets, type TextProtocol, type TextSocket } from '../../platform/feed/text-sockets.ts';
import type { SocketService } from '../../platform/feed/upgrades.ts';
import type { Framing, StreamTopics } from './stream-topics.ts';

const BARE_PATH = '/ws';
const COMBINED_PATH = '/stream';
const CODES = { unknownProperty: 0, wrongType: 1, invalidRequest: 2, invalidJson: 3 } as const;

/** Adds connections to the event streams of users, which are read with listen keys, and removes them. */
export interface UserStreamNames {
  /**
   * Adds a reader of a user's events. Returns false if no listen key has this name or it has expired. A node
   * that is not the writer checks only the key's form; an unknown key then ends the stream later.
   */
  join(name: string, socket: TextSocket, framing: Framing): boolean;
  leave(name: string, socket: TextSocket): void;
}

interface Parts {
  readonly clock: Clock;
  readonly topics: Pick<StreamTopics, 'join' | 'leave'>;
  readonly users: UserStreamNames;
}

interface Reading {
  framing: Framing;
  /** Names of the streams to which a connection is subscribed, in the order of its subscriptions. */
  readonly names: Set<string>;
}

/**
 * The streams for programs at `/ws/<name>` and `/stream?streams=<name>/<name>`. A connection can subscribe to further
 * streams by requests. A connection on `/stream` receives payloads with the name of their stream, one on `/ws` the
 * payloads alone; a request can change this.
 */
export class StreamsFeed implements TextProtocol {
  /** Maximum size of a message in bytes, enough for a request that names as many streams as a connection can read. */
  readonly messageBytes = 65_536;
  readonly messagesPerSecond = 5;
  private readonly parts: Parts;
  private readonly readings = new Map<string, Reading>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Number of open connections to the streams. */
  get size(): number {
    return this.readings.size;
  }

  readonly owns = (path: string): boolean =>
    path === BARE_PATH || path.startsWith(`${BARE_PATH}/`) || path === COMBINED_PATH;

  opened(socket: TextSocket): void {
    const [path = '', query = ''] = socket.url.split('?');
    const isCombined = path === COMBINED_PATH;
    const reading: Reading = { framing: isCombined ? 'combined' : 'bare', names: new Set() };
    this.readings.set(socket.id, reading);
    const listed = isCombined
      ? (new URLSearchParams(query).get('streams') ?? '')
      : path.slice(BARE_PATH.length + 1);
    // Unknown stream names in the URL are ignored, because some clients connect with an arbitrary name
    // and subscribe afterwards.
    for (const streamName of decoded(listed).split('/').slice(0, STREAMS_PER_CONNECTION))
      if (streamName !== '') this.join(reading, streamName, socket);
  }

  received(socket: TextSocket, text: string | undefined): void {
    const reading = this.readings.get(socket.id);
    if (reading === undefined) return;
    const json = text === undefined ? undefined : parsedJson(text);
    if (json === undefined) {
      refuse(
        socket,
        CODES.invalidJson,
        'Invalid JSON: a request is an object with method, params and id',
        null,
      );
      return;
    }
    const read = streamRequest.safeParse(json);
    if (read.success) this.answer(socket, reading, read.data);
    else refuse(socket, CODES.invalidRequest, `Invalid request: ${problemOf(read.error)}`, requestIdOf(json));
  }

  closed(socket: TextSocket): void {
    const reading = this.readings.get(socket.id);
    this.readings.delete(socket.id);
    for (const streamName of reading?.names ?? []) this.leave(streamName, socket);
  }

  farewell(): string {
    return JSON.stringify({ e: 'serverShutdown', E: this.parts.clock.now() });
  }

  private answer(
    socket: TextSocket,
    reading: Reading,
    { id: requestId = null, ...sent }: StreamRequest,
  ): void {
    switch (sent.method) {
      case 'SUBSCRIBE':
        this.subscribe(socket, reading, sent.params, requestId);
        return;
      case 'UNSUBSCRIBE':
        for (const streamName of sent.params) {
          reading.names.delete(streamName);
          this.leave(streamName, socket);
        }
        reply(socket, null, requestId);
        return;
      case 'LIST_SUBSCRIPTIONS':
        reply(socket, [...reading.names], requestId);
        return;
      case 'GET_PROPERTY':
        if (sent.params[0] === 'combined') reply(socket, reading.framing === 'combined', requestId);
        else
          refuse(
            socket,
            CODES.unknownProperty,
            `Unknown property: ${sent.params[0].slice(0, 40)}`,
            requestId,
          );
        return;
      case 'SET_PROPERTY':
        this.setProperty(socket, reading, sent.params, requestId);
    }
  }

  private subscribe(
    socket: TextSocket,
    reading: Reading,
    streamNames: readonly string[],
    requestId: RequestId,
  ): void {
    const added = streamNames.filter((streamName) => !reading.names.has(streamName));
    if (reading.names.size + new Set(added).size > STREAMS_PER_CONNECTION) {
      refuse(
        socket,
        CODES.invalidRequest,
        `Invalid request: at most ${STREAMS_PER_CONNECTION} streams`,
        requestId,
      );
      return;
    }
    for (const streamName of added) {
      if (this.join(reading, streamName, socket)) continue;
      refuse(socket, CODES.invalidRequest, `Invalid request: unknown stream ${streamName}`, requestId);
      return;
    }
    reply(socket, null, requestId);
  }

  private setProperty(
    socket: TextSocket,
    reading: Reading,
    [property, value]: readonly [string, unknown],
    requestId: RequestId,
  ): void {
    if (property !== 'combined') {
      refuse(socket, CODES.unknownProperty, `Unknown property: ${property.slice(0, 40)}`, requestId);
      return;
    }
    if (typeof value !== 'boolean') {
      refuse(socket, CODES.wrongType, 'Invalid value type: expected Boolean', requestId);
      return;
    }
    reading.framing = value ? 'combined' : 'bare';
    for (const streamName of reading.names) this.join(reading, streamName, socket);
    reply(socket, null, requestId);
  }

  private join(reading: Reading, streamName: string, socket: TextSocket): boolean {
    const { topics, users } = this.parts;
    const isKnown =
      topics.join(streamName, socket, reading.framing) || users.join(streamName, socket, reading.framing);
    if (isKnown) reading.names.add(streamName);
    return isKnown;
  }

  private leave(streamName: string, socket: TextSocket): void {
    this.parts.topics.leave(streamName, socket);
    this.parts.users.leave(streamName, socket);
  }
}

/** Creates a socket service for each protocol; the limits on connections are counted for each protocol separately. */
export function socketsOf(
  protocols: readonly TextProtocol[],
  parts: ConstructorParameters<typeof TextSockets>[1],
): SocketService[] {
  return protocols.map((protocol) => new TextSockets(protocol, parts));
}

function reply(socket: TextSocket, result: unknown, requestId: RequestId): void {
  socket.sendText(JSON.stringify({ result, id: requestId }));
}

function refuse(socket: TextSocket, code: number, msg: string, requestId: RequestId): void {
  socket.sendText(JSON.stringify({ error: { code, msg }, id: requestId }));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A text with malformed escapes becomes the empty text, which is the name of no stream.
    return '';
  }
}

function problemOf({
  issues,
}: {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string {
  const [first] = issues;
  return first === undefined ? 'malformed' : `${first.path.join('.') || 'request'}: ${first.message}`;
}
