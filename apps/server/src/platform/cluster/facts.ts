import { FIELD, LINE, MESSAGE_BYTES_MAX, type Link } from './link.ts';

/** Maximum length in bytes of the first line of a message, which contains its number and generation. */
const HEAD_BYTES_MAX = 128;
const BODY_BYTES_MAX = MESSAGE_BYTES_MAX - HEAD_BYTES_MAX;
/**
 * Number of characters of waiting facts above which they are sent at once, without waiting for the end of the turn of
 * the event loop.
 */
const WAITING_CHARACTERS_MAX = 262_144;

interface StreamOptions {
  readonly link: Pick<Link, 'publish'>;
  readonly subject: string;
  /**
   * Identifies this stream among all streams on the subject. A sender that has lost its state uses a new generation.
   */
  readonly generation: string;
}

/**
 * Numbers facts (lines of text) and publishes them on a subject. All facts of a turn of the event loop form one
 * message, which costs much less than a message per fact. A batch that is too long for a message is sent in parts.
 */
export class FactStream {
  readonly generation: string;
  /** The number of the last fact, counted from 1. */
  position = 0;
  /** The number of the last message, counted from 1. A message that was dropped is counted too. */
  messages = 0;
  private readonly options: StreamOptions;
  private waiting: string[] = [];
  private waitingCharacters = 0;
  private isDue = false;

  constructor(options: StreamOptions) {
    this.options = options;
    this.generation = options.generation;
  }

  /** Adds a fact, i.e. a line of fields, to the next message. Returns the fact's number. */
  append(line: string): number {
    this.position += 1;
    this.waiting.push(line);
    this.waitingCharacters += line.length;
    if (this.waitingCharacters > WAITING_CHARACTERS_MAX) this.flush();
    else if (!this.isDue) {
      this.isDue = true;
      setImmediate(() => this.flush());
    }
    return this.position;
  }

  /** Sends the facts that were added and are not sent yet. */
  flush(): void {
    this.isDue = false;
    if (this.waiting.length === 0) return;
    const first = this.position - this.waiting.length + 1;
    const body = Buffer.from(this.waiting.join(LINE));
    this.waiting = [];
    this.waitingCharacters = 0;
    const parts = Math.max(1, Math.ceil(body.length / BODY_BYTES_MAX));
    for (let part = 0; part < parts; part += 1) {
      this.messages += 1;
      const head = [this.generation, this.messages, first, part, parts].join(FIELD);
      const piece = body.subarray(part * BODY_BYTES_MAX, (part + 1) * BODY_BYTES_MAX);
      this.options.link.publish(this.options.subject, Buffer.concat([Buffer.from(`${head}${LINE}`), piece]));
    }
  }
}

interface Message {
  readonly generation: string;
  readonly number: number;
  readonly first: number;
  readonly part: number;
  readonly parts: number;
  readonly body: Uint8Array;
}

export interface FactReaderOptions {
  /** Called with every fact and its number, in order. */
  readonly received: (line: string, position: number) => void;
  /** Called when messages were lost, before later facts are passed to `received`. */
  readonly lost: () => void;
}

/** Receives the messages of a `FactStream`, detects missing messages, and joins parts. */
export class FactReader {
  private readonly options: FactReaderOptions;
  private generation: string | undefined;
  private last = 0;
  private parts: Uint8Array[] = [];

  constructor(options: FactReaderOptions) {
    this.options = options;
  }

  /**
   * Accepts from now on the messages of this generation that follow message number `last`. Messages of other
   * generations are ignored.
   */
  follow(generation: string, last: number): void {
    this.generation = generation;
    this.last = last;
    this.parts = [];
  }

  /** Ignores all messages until the next call of `follow`. */
  stop(): void {
    this.generation = undefined;
  }

  get followed(): string | undefined {
    return this.generation;
  }

  receive(payload: Uint8Array): void {
    const message = messageOf(payload);
    if (message === undefined || message.generation !== this.generation || message.number <= this.last)
      return;
    this.requireUpTo(message.number - 1);
    this.last = message.number;
    // Earlier parts of the same batch were lost, so this part is dropped.
    if (message.part !== this.parts.length) {
      this.parts = [];
      return;
    }
    this.parts.push(message.body);
    if (this.parts.length < message.parts) return;
    const text = Buffer.concat(this.parts).toString('utf8');
    this.parts = [];
    let position = message.first;
    for (const line of text.split(LINE)) {
      this.options.received(line, position);
      position += 1;
    }
  }

  /**
   * Reports a loss if the messages up to number `last` have not all arrived. `last` is the number that the sender has
   * announced as its last one.
   */
  requireUpTo(last: number): void {
    if (last <= this.last) return;
    this.last = last;
    this.parts = [];
    this.options.lost();
  }
}

/** Reads the generation of a message without its facts; undefined for malformed bytes. */
export function generationOf(payload: Uint8Array): string | undefined {
  return messageOf(payload)?.generation;
}

function messageOf(payload: Uint8Array): Message | undefined {
  const end = payload.indexOf(LINE.charCodeAt(0));
  if (end < 0 || end > HEAD_BYTES_MAX) return undefined;
  const head = Buffer.from(payload.subarray(0, end)).toString('utf8').split(FIELD);
  const [generation = '', number, first, part, parts] = head;
  return {
    generation,
    number: Number(number),
    first: Number(first),
    part: Number(part),
    parts: Number(parts),
    body: payload.subarray(end + 1),
  };
}
