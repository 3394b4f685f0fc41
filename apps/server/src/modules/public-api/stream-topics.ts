import type { Clock } from '../../platform/clock.ts';
import { SharedFrame } from '../../platform/feed/frame.ts';
import { FrameDistributor, type FrameSource } from '../../platform/feed/spreader.ts';
import type { TextSocket } from '../../platform/feed/text-sockets.ts';
import { marketStreamOf, type MarketStream } from './stream-names-domain.ts';

/** The form of stream payloads on a connection: unwrapped, or wrapped with the name of their stream. */
export type Framing = 'bare' | 'combined';

/**
 * Maximum number of readers of a stream to which an update is written at once. With more readers, the
 * distributor writes it in parts between other work.
 */
const SMALL_TOPIC = 50;
/**
 * Maximum number of unwritten updates of a stream; at this number its readers are disconnected.
 */
const WAITING_MAX = 1_000;

interface Reader {
  readonly socket: TextSocket;
  readonly framing: Framing;
}

/** An update of a stream, encoded once for each framing that is used. */
class Update {
  private readonly name: string;
  private readonly json: string;
  private readonly frames: Partial<Record<Framing, SharedFrame>> = {};

  constructor(name: string, json: string) {
    this.name = name;
    this.json = json;
  }

  frame(framing: Framing): SharedFrame {
    const existing = this.frames[framing];
    if (existing !== undefined) return existing;
    const text = framing === 'bare' ? this.json : `{"stream":"${this.name}","data":${this.json}}`;
    const frame = new SharedFrame(text, true);
    this.frames[framing] = frame;
    return frame;
  }
}

/** A stream of market data that has at least one reader. */
export class StreamTopic implements FrameSource {
  readonly name: string;
  readonly stream: MarketStream;
  readonly readers = new Map<string, Reader>();
  private readonly waiting: { readonly update: Update; readonly readers: readonly Reader[] }[] = [];
  private position = 0;

  constructor(name: string, stream: MarketStream) {
    this.name = name;
    this.stream = stream;
  }

  /**
   * Writes the oldest waiting update to at most `most` of its remaining readers. Returns whether readers or updates are
   * still waiting.
   */
  sendNext(most: number): boolean {
    const [first] = this.waiting;
    if (first === undefined) return false;
    const end = Math.min(this.position + most, first.readers.length);
    for (; this.position < end; this.position += 1) {
      const { socket, framing } = first.readers[this.position]!;
      // Readers that have unsubscribed since the update was published do not receive it.
      if (this.readers.has(socket.id)) socket.write(first.update.frame(framing));
    }
    if (this.position === first.readers.length) {
      this.waiting.shift();
      this.position = 0;
    }
    return this.waiting.length > 0;
  }

  /** Closes the connections of all readers and drops the updates that are not written yet. */
  end(reason: string): void {
    for (const { socket } of this.readers.values()) socket.close(reason);
    this.waiting.length = 0;
    this.position = 0;
  }

  /**
   * Appends an update for the readers that the stream has now. If `WAITING_MAX` updates are unwritten, first
   * disconnects all readers and drops these updates. Returns true if the update can be written at once: the stream has
   * at most `SMALL_TOPIC` readers, and no older update is unwritten.
   */
  append(json: string): boolean {
    if (this.waiting.length >= WAITING_MAX) this.end('the server cannot keep up');
    this.waiting.push({ update: new Update(this.name, json), readers: [...this.readers.values()] });
    return this.readers.size <= SMALL_TOPIC && this.waiting.length === 1;
  }
}

/** The market data streams that at least one connection reads, with their readers. */
export class StreamTopics {
  private readonly distributor: FrameDistributor;
  private readonly topics = new Map<string, StreamTopic>();
  /** Called before the first reader of a stream is added. */
  onOpened: (topic: StreamTopic) => void = () => undefined;
  /** Called after the last reader of a stream has left it. */
  onClosed: (topic: StreamTopic) => void = () => undefined;

  private readonly isListed: (symbol: string) => boolean;

  constructor(clock: Pick<Clock, 'monotonicMs'>, isListed: (symbol: string) => boolean) {
    this.isListed = isListed;
    this.distributor = new FrameDistributor(clock);
  }

  get size(): number {
    return this.topics.size;
  }

  all(): Iterable<StreamTopic> {
    return this.topics.values();
  }

  /**
   * Adds a reader of a market data stream. Returns false, without adding it, if no stream has this name or its pair is
   * not listed.
   */
  join(name: string, socket: TextSocket, framing: Framing): boolean {
    let topic = this.topics.get(name);
    if (topic === undefined) {
      const stream = marketStreamOf(name);
      if (stream === undefined) return false;
      if (stream.symbol !== undefined && !this.isListed(stream.symbol)) return false;
      topic = new StreamTopic(name, stream);
      this.onOpened(topic);
      this.topics.set(name, topic);
    }
    topic.readers.set(socket.id, { socket, framing });
    return true;
  }

  leave(name: string, socket: TextSocket): void {
    const topic = this.topics.get(name);
    topic?.readers.delete(socket.id);
    if (topic?.readers.size !== 0) return;
    this.topics.delete(name);
    this.onClosed(topic);
  }

  /** Ends a stream and closes the connections of its readers; the next reader opens the stream again. */
  end(name: string, reason: string): void {
    const topic = this.topics.get(name);
    this.topics.delete(name);
    topic?.end(reason);
  }

  isRead(name: string): boolean {
    return this.topics.has(name);
  }

  /** A market data stream by its name; undefined if no connection reads it. */
  find(name: string): StreamTopic | undefined {
    return this.topics.get(name);
  }

  /** Publishes a payload to the readers of a stream; serializes it once for all of them. */
  publish(name: string, payload: unknown): void {
    if (this.topics.has(name)) this.publishText(name, JSON.stringify(payload));
  }

  /** Publishes a payload that is serialized already to the readers of a stream, if it has any. */
  publishText(name: string, json: string): void {
    const topic = this.topics.get(name);
    if (topic === undefined) return;
    if (topic.append(json)) while (topic.sendNext(SMALL_TOPIC));
    else this.distributor.add(topic);
  }
}
