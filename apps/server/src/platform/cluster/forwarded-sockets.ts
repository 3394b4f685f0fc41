import type { TextProtocol, TextSocket } from '../feed/text-sockets.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { SocketHead } from './commands.ts';

/** Receives the writer's messages for a WebSocket connection of a trading program at this node. */
export interface SocketReceiver {
  received(text: string): void;
  /**
   * Called when the writer has closed the connection, or when messages of the writer may have been lost. No further
   * messages follow.
   */
  ended(kind: 'policy' | 'restart', reason: string): void;
}

/** A trading program's WebSocket connection at this node whose messages the writer serves. */
export interface ForwardedSocket {
  /**
   * Forwards a client's message to the writer; undefined stands for a binary message. Does nothing while the writer is
   * stopping.
   */
  send(text: string | undefined): void;
  /** Informs the writer that the client has disconnected. */
  close(): void;
}

/** Opens connections to be served by the writer. */
export interface SocketCommands {
  /**
   * Announces a new connection to the writer. Returns the object that forwards the client's messages to the
   * writer; undefined if there is no writer.
   */
  openSocket(head: SocketHead, receiver: SocketReceiver): ForwardedSocket | undefined;
}

/** The parts of a WebSocket protocol that an API node needs in order to forward messages to the writer. */
export interface OfferedProtocol extends Pick<
  TextProtocol,
  'owns' | 'messageBytes' | 'messagesPerSecond' | 'farewell'
> {
  /**
   * Close reason, in words, that the node sends to WebSocket clients whose connections it closes while there
   * is no writer.
   */
  readonly unavailable: string;
}

/**
 * WebSocket connections of trading programs at an API node. The node applies limits, sends pings, and closes
 * connections of slow and silent clients. The writer serves the messages. When another writer takes over, the
 * connections are closed, because sessions, subscriptions and unanswered requests are not known to the next writer.
 */
export class ForwardedSockets implements TextProtocol {
  readonly owns: (path: string) => boolean;
  readonly messageBytes: number;
  readonly messagesPerSecond: number;
  private readonly offered: OfferedProtocol;
  private readonly commands: SocketCommands;
  private readonly sockets = new Map<string, ForwardedSocket>();

  constructor(
    offered: OfferedProtocol,
    { commands, metrics }: { readonly commands: SocketCommands; readonly metrics: Metrics },
  ) {
    this.offered = offered;
    this.owns = offered.owns;
    this.messageBytes = offered.messageBytes;
    this.messagesPerSecond = offered.messagesPerSecond;
    this.commands = commands;
    metrics.gauge(
      'cluster_program_sockets',
      'Connections of programs whose messages the writer serves',
      () => this.sockets.size,
    );
  }

  opened(socket: TextSocket): void {
    const { id, url, address, addressGroup } = socket;
    const forwarded = this.commands.openSocket(
      { url, address, addressGroup },
      {
        received: (text) => socket.sendText(text),
        ended: (kind, reason) => {
          this.sockets.delete(id);
          socket.close(reason, kind);
        },
      },
    );
    if (forwarded === undefined) socket.close(this.offered.unavailable, 'restart');
    else this.sockets.set(id, forwarded);
  }

  received({ id }: TextSocket, text: string | undefined): void {
    this.sockets.get(id)?.send(text);
  }

  closed({ id }: TextSocket): void {
    this.sockets.get(id)?.close();
    this.sockets.delete(id);
  }

  farewell(): string | undefined {
    return this.offered.farewell();
  }
}
