import type { Clock } from '../../platform/clock.ts';
import type { StreamReceiver } from '../../platform/cluster/follower.ts';
import type { TextSocket } from '../../platform/feed/text-sockets.ts';
import type { SocketService } from '../../platform/feed/upgrades.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Assets } from '../assets/index.ts';
import { frameOfText, isListenKey } from './listen-keys.ts';
import { socketsOf, StreamsFeed, type UserStreamNames } from './streams-feed.ts';
import { StreamTopics, type Framing } from './stream-topics.ts';

/**
 * Source of the streams that another process publishes: opens and closes them by name. `address` is the IP
 * address of the reader; it is empty for market data.
 */
interface StreamSource {
  openStream(name: string, address: string, receiver: StreamReceiver): void;
  closeStream(name: string, address: string): void;
}

interface Parts {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly assets: Pick<Assets, 'findPair' | 'findCoin'>;
  readonly source: StreamSource;
}

/**
 * Serves the streams for trading programs at a node that is not the writer. The node answers stream requests itself;
 * the payloads come from the writer. When another process becomes the writer, streams of market data continue; programs
 * can detect missing trades and book changes by their numbers. Connections that read users' events are closed, because
 * missed events are not sent again.
 */
export function createFollowedStreams({ clock, metrics, assets, source }: Parts): readonly SocketService[] {
  const isListed = (symbol: string) => {
    const listed = assets.findPair(symbol);
    return listed !== undefined && assets.findCoin(listed.pair.base) !== undefined;
  };
  const topics = new StreamTopics(clock, isListed);
  topics.onOpened = ({ name }) =>
    source.openStream(name, '', {
      received: (text) => topics.publishText(name, text),
      ended: () => topics.end(name, 'the stream has ended'),
    });
  topics.onClosed = ({ name }) => source.closeStream(name, '');
  const feed = new StreamsFeed({ clock, topics, users: new FollowedUserStreams(clock, source) });
  metrics.gauge('feed_node_stream_connections', 'Open connections for streams of programs', () => feed.size);
  metrics.gauge('feed_node_streams', 'Streams of market data that are read', () => topics.size);
  return socketsOf([feed], { clock });
}

/** A connection that receives a user's events. */
interface Reader {
  readonly socket: TextSocket;
  readonly framing: Framing;
}

/** Event streams of users by listen keys. Only the writer knows which listen keys exist. */
class FollowedUserStreams implements UserStreamNames {
  private readonly clock: Clock;
  private readonly source: StreamSource;
  /**
   * Readers by listen key and IP address, then by connection. The address matters because API keys can be
   * limited to addresses.
   */
  private readonly readers = new Map<string, Map<string, Reader>>();

  constructor(clock: Clock, source: StreamSource) {
    this.clock = clock;
    this.source = source;
  }

  /**
   * Adds a reader of a listen key's events. Returns false only if `name` does not have the form of a listen key. The
   * writer checks later whether the key exists; if it does not, the readers receive the event of an expired key and are
   * disconnected from the stream.
   */
  join(name: string, socket: TextSocket, framing: Framing): boolean {
    if (!isListenKey(name)) return false;
    const key = keyOf(name, socket);
    const existing = this.readers.get(key);
    const readers = existing ?? new Map<string, Reader>();
    readers.set(socket.id, { socket, framing });
    this.readers.set(key, readers);
    const { address } = socket;
    if (existing === undefined)
      this.source.openStream(name, address, {
        received: (text) => {
          for (const reader of readers.values()) reader.socket.write(frameOfText(text, name, reader.framing));
          if (text.startsWith(EXPIRED_BEGINS)) this.close(name, socket);
        },
        ended: (reason) => this.end(key, name, reason),
      });
    return true;
  }

  leave(name: string, socket: TextSocket): void {
    const readers = this.readers.get(keyOf(name, socket));
    readers?.delete(socket.id);
    if (readers?.size === 0) this.close(name, socket);
  }

  private close(name: string, socket: TextSocket): void {
    if (this.readers.delete(keyOf(name, socket))) this.source.closeStream(name, socket.address);
  }

  private end(key: string, name: string, reason: 'unknown' | 'lost'): void {
    const readers = this.readers.get(key);
    this.readers.delete(key);
    for (const { socket, framing } of readers?.values() ?? [])
      if (reason === 'lost') socket.close('events may be missing: connect again');
      else socket.write(frameOfText(this.expiry(name), name, framing));
  }

  private expiry(listenKey: string): string {
    return JSON.stringify({ e: 'listenKeyExpired', E: this.clock.now(), listenKey });
  }
}

const EXPIRED_BEGINS = '{"e":"listenKeyExpired"';

function keyOf(name: string, { address }: TextSocket): string {
  return `${name} ${address}`;
}
