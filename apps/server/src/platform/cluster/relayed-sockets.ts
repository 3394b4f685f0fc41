import { inLane } from '../database/lanes.ts';
import type { SharedFrame } from '../feed/frame.ts';
import type { TextProtocol, TextSocket } from '../feed/text-sockets.ts';
import { bodyField, bodyOfField, type SocketHead } from './commands.ts';
import { FIELD } from './link.ts';

export interface RelayedSocketsOptions {
  /** The protocol that serves the connections, as if they were open at this process itself. */
  readonly protocol: TextProtocol;
  /** Name of the API node, by which its connections are distinguished from those of other nodes. */
  readonly node: string;
  /** Sends a line to the API node. */
  readonly send: (line: string) => void;
}

/** Maximum number of connections of an API node. Further ones are closed at once. */
const SOCKETS_MAX = 20_000;
/** Maximum number of messages of an API node that are served at once. A further one closes its connection. */
const RUNNING_MAX = 4_096;

/**
 * The writer's end of the WebSocket connections of one API node. It passes their messages to the protocol and sends the
 * protocol's answers to the node. If messages may have been lost, all connections are closed.
 */
export class RelayedSockets {
  private readonly options: RelayedSocketsOptions;
  private readonly sockets = new Map<string, RelayedSocket>();
  private running = 0;

  constructor(options: RelayedSocketsOptions) {
    this.options = options;
  }

  /** Number of this API node's open connections. */
  get size(): number {
    return this.sockets.size;
  }

  /** Number of messages from this API node's connections that are being served. */
  get runningCount(): number {
    return this.running;
  }

  open(id: string, head: SocketHead): void {
    const { protocol, node, send } = this.options;
    if (this.sockets.size >= SOCKETS_MAX) {
      send(['socket-close', id, 'policy', 'too many connections'].join(FIELD));
      return;
    }
    const socket = new RelayedSocket(`${node}.${id}`, head, {
      send: (kind, ...fields) => send([kind, id, ...fields].join(FIELD)),
      ended: () => this.close(id),
    });
    this.sockets.set(id, socket);
    protocol.opened(socket);
  }

  /**
   * Serves a message of a connection. An empty field stands for a binary message of the client. Closes the connection
   * if `RUNNING_MAX` messages of this API node are being served already.
   */
  receive(id: string, field: string): void {
    const socket = this.sockets.get(id);
    if (socket === undefined) return;
    if (this.running >= RUNNING_MAX) {
      socket.close('too many requests');
      return;
    }
    const text = field === '' ? undefined : bodyOfField(field);
    this.running += 1;
    void inLane('requests', async () => this.options.protocol.received(socket, text)).finally(() => {
      this.running -= 1;
    });
  }

  /** Removes a connection whose client has disconnected, or that this process has closed. */
  close(id: string): void {
    const socket = this.sockets.get(id);
    if (socket === undefined) return;
    this.sockets.delete(id);
    socket.isOpen = false;
    this.options.protocol.closed(socket);
  }

  /**
   * Closes all connections: with `restart` because this process stops, after sending the protocol's farewell message,
   * or with `lost` because messages may have been lost.
   */
  closeAll(why: 'restart' | 'lost'): void {
    const farewell = why === 'restart' ? this.options.protocol.farewell() : undefined;
    for (const socket of this.sockets.values()) {
      if (farewell !== undefined) socket.sendText(farewell);
      if (why === 'restart') socket.end('restart', 'restart');
      else socket.end('policy', 'messages may be missing: connect again');
    }
  }
}

interface RelayedParts {
  readonly send: (kind: 'socket-text' | 'socket-close', ...fields: readonly string[]) => void;
  readonly ended: () => void;
}

/** A connection at an API node, in the form in which the protocol uses connections. */
class RelayedSocket implements TextSocket {
  readonly id: string;
  readonly url: string;
  readonly address: string;
  readonly addressGroup: string;
  isOpen = true;
  private readonly parts: RelayedParts;

  constructor(id: string, { url, address, addressGroup }: SocketHead, parts: RelayedParts) {
    this.id = id;
    this.url = url;
    this.address = address;
    this.addressGroup = addressGroup;
    this.parts = parts;
  }

  write(frame: SharedFrame): void {
    this.sendText(frame.text);
  }

  sendText(text: string): void {
    if (this.isOpen) this.parts.send('socket-text', bodyField(text));
  }

  close(reason: string): void {
    this.end('policy', reason);
  }

  end(kind: 'policy' | 'restart', reason: string): void {
    if (!this.isOpen) return;
    this.parts.send('socket-close', kind, reason);
    this.parts.ended();
  }
}
