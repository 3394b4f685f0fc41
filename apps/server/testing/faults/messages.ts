/** Just enough of PostgreSQL's protocol, version 3, to know where a message ends and what it asks for. */

/** One message of a connection that is being proxied. */
export interface Message {
  /** The type's letter; empty for the opening messages, which have none. */
  readonly type: string;
  /** The whole message as it was on the wire. */
  readonly bytes: Buffer;
}

const LENGTH_BYTES = 4;
const PROTOCOL_3 = 196_608;

/** Cuts a stream of bytes into messages, whatever the pieces are in which they arrive. */
export class MessageSplitter {
  private rest: Buffer = Buffer.alloc(0);
  /** Whether the messages that come next begin with their type. */
  private isTyped: boolean;

  /** `opening`: the stream begins with messages without a type, as that of a client does. */
  constructor({ opening }: { opening: boolean }) {
    this.isTyped = !opening;
  }

  /** Takes more bytes and gives the messages that are complete now. */
  take(bytes: Buffer): Message[] {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const head = this.isTyped ? 1 : 0;
      if (this.rest.length < head + LENGTH_BYTES) return messages;
      const end = head + this.rest.readInt32BE(head);
      if (this.rest.length < end) return messages;
      const whole = this.rest.subarray(0, end);
      this.rest = this.rest.subarray(end);
      messages.push({ type: head === 0 ? '' : String.fromCharCode(whole[0]!), bytes: whole });
      if (head === 0) this.isTyped = isStartup(whole);
    }
  }
}

/** Whether an opening message begins a session; the others ask for encryption or cancel a statement. */
export function isStartup(bytes: Buffer): boolean {
  return bytes.readInt32BE(LENGTH_BYTES) === PROTOCOL_3;
}

/** The `application_name` in an opening message; empty when it names none. */
export function applicationOf(startup: Buffer): string {
  const words = startup
    .subarray(2 * LENGTH_BYTES)
    .toString('utf8')
    .split('\0');
  for (let index = 0; index + 1 < words.length; index += 2)
    if (words[index] === 'application_name') return words[index + 1]!;
  return '';
}

/** What a client asked for in one go: the messages up to the one that wants an answer. */
export interface Request {
  readonly bytes: Buffer;
  /** SQL of a simple query; empty otherwise. */
  readonly text: string;
  /** Name of the prepared statement that is run; empty otherwise. */
  readonly statement: string;
}

/** Puts the messages of one request together. */
export function requestOf(messages: readonly Message[]): Request {
  const query = messages.find(({ type }) => type === 'Q');
  const bind = messages.find(({ type }) => type === 'B');
  return {
    bytes: Buffer.concat(messages.map(({ bytes }) => bytes)),
    text: query === undefined ? '' : textAt(query.bytes, 1 + LENGTH_BYTES),
    // A bind names its portal first.
    statement: bind === undefined ? '' : textAt(bind.bytes, bind.bytes.indexOf(0, 1 + LENGTH_BYTES) + 1),
  };
}

/** Whether the database says that it is done with a request. */
export function isReady({ type }: Message): boolean {
  return type === 'Z';
}

/** Whether the session is inside a transaction, by the message that says it is ready. */
export function isInTransaction({ bytes }: Message): boolean {
  return String.fromCharCode(bytes[1 + LENGTH_BYTES]!) !== 'I';
}

export interface DatabaseError {
  readonly severity: 'ERROR' | 'FATAL' | 'PANIC';
  /** SQLSTATE. */
  readonly state: string;
  readonly message: string;
}

/** An answer that says what went wrong, as the database would write it. */
export function errorBytes({ severity, state, message }: DatabaseError): Buffer {
  const fields = `S${severity}\0V${severity}\0C${state}\0M${message}\0\0`;
  return typed('E', Buffer.from(fields, 'utf8'));
}

/** The answer that says: ready for the next request, outside a transaction. */
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
