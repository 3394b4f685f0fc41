/**
 * The part of PostgreSQL's protocol, version 3, that is needed to split messages and to identify requests.
 */

/** A message of the PostgreSQL protocol. */
export interface Message {
  /** The type letter of a PostgreSQL message; empty for startup messages, which have no type. */
  readonly type: string;
  /** The complete message in PostgreSQL's wire format. */
  readonly bytes: Buffer;
}

const LENGTH_BYTES = 4;
const PROTOCOL_3 = 196_608;

/** Splits a stream of bytes, which arrives in arbitrary chunks, into messages of the PostgreSQL protocol. */
export class MessageSplitter {
  private rest: Buffer = Buffer.alloc(0);
  /** True if the next message begins with a type letter, false while a startup message without one is expected. */
  private isTyped: boolean;

  /** `opening` is true for a client's stream, whose first messages have no type letter. */
  constructor({ opening }: { opening: boolean }) {
    this.isTyped = !opening;
  }

  /** Adds bytes of the stream and returns the messages that are now complete. */
  push(bytes: Buffer): Message[] {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const head = this.isTyped ? 1 : 0;
      if (this.rest.length < head + LENGTH_BYTES) return messages;
      const end = head + this.rest.readInt32BE(head);
      if (this.rest.length < end) return messages;
      const message = this.rest.subarray(0, end);
      this.rest = this.rest.subarray(end);
      messages.push({ type: head === 0 ? '' : String.fromCharCode(message[0]!), bytes: message });
      if (head === 0) this.isTyped = isStartup(message);
    }
  }
}

/**
 * Returns whether a PostgreSQL message without a type letter opens a session. Other startup messages request
 * encryption or cancel a statement.
 */
export function isStartup(bytes: Buffer): boolean {
  return bytes.readInt32BE(LENGTH_BYTES) === PROTOCOL_3;
}

/** Returns the `application_name` in a startup message; empty if it has none. */
export function applicationOf(startup: Buffer): string {
  const words = startup
    .subarray(2 * LENGTH_BYTES)
    .toString('utf8')
    .split('\0');
  for (let index = 0; index + 1 < words.length; index += 2)
    if (words[index] === 'application_name') return words[index + 1]!;
  return '';
}

/**
 * A complete request of a PostgreSQL client: all messages up to the one that requires a response.
 */
export interface Request {
  readonly bytes: Buffer;
  /** SQL text of a simple query; empty for other requests. */
  readonly text: string;
  /** Name of the prepared statement that the request binds and executes; empty for other requests. */
  readonly statement: string;
}

/** Builds the description of a PostgreSQL request from the request's messages. */
export function requestOf(messages: readonly Message[]): Request {
  const query = messages.find(({ type }) => type === 'Q');
  const bind = messages.find(({ type }) => type === 'B');
  return {
    bytes: Buffer.concat(messages.map(({ bytes }) => bytes)),
    text: query === undefined ? '' : textAt(query.bytes, 1 + LENGTH_BYTES),
    // A PostgreSQL bind message has the name of its portal before the statement's name.
    statement: bind === undefined ? '' : textAt(bind.bytes, bind.bytes.indexOf(0, 1 + LENGTH_BYTES) + 1),
  };
}

/** Returns whether the PostgreSQL message signals that the database is ready for the next request. */
export function isReady({ type }: Message): boolean {
  return type === 'Z';
}

/** Returns whether PostgreSQL's ready message reports an open transaction. */
export function isInTransaction({ bytes }: Message): boolean {
  return String.fromCharCode(bytes[1 + LENGTH_BYTES]!) !== 'I';
}

export interface DatabaseError {
  readonly severity: 'ERROR' | 'FATAL' | 'PANIC';
  /** PostgreSQL's five-character error code (SQLSTATE). */
  readonly state: string;
  readonly message: string;
}

/** Returns the bytes of an error response in PostgreSQL's wire format. */
export function errorBytes({ severity, state, message }: DatabaseError): Buffer {
  const fields = `S${severity}\0V${severity}\0C${state}\0M${message}\0\0`;
  return typed('E', Buffer.from(fields, 'utf8'));
}

/** Returns the bytes of PostgreSQL's message "ready for the next request, outside a transaction". */
export function readyBytes(): Buffer {
  return typed('Z', Buffer.from('I'));
}

function typed(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(1 + LENGTH_BYTES);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(LENGTH_BYTES + content.length, 1);
  return Buffer.concat([head, content]);
}

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start, bytes.indexOf(0, start));
}
