import type { TextProtocol, TextSocket } from '../feed/text-sockets.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { SocketHead } from './commands.ts';

/** Receives what the writer sends to a connection. */
export interface SocketReceiver {
  received(text: string): void;
  /** The writer has closed the connection, or messages may be missing. Nothing is received any more. */
  ended(kind: 'policy' | 'restart', reason: string): void;
}

/** A connection that the writer serves. */
export interface ForwardedSocket {
  /** Sends a message; undefined for a binary one. Nothing is sent to a writer that stops. */
  send(text: string | undefined): void;
  /** Says that the client has left. */
  close(): void;
}

/** Opens connections that the writer serves. */
export interface SocketCommands {
  /** Returns undefined when there is no writer. */
  openSocket(head: SocketHead, receiver: SocketReceiver): ForwardedSocket | undefined;
}

/** The protocol as processes offer it that have its messages served by another one. */
export interface OfferedProtocol extends Pick<
  TextProtocol,
  'owns' | 'messageBytes' | 'messagesPerSecond' | 'farewell'
> {
  /** The reason for closing a connection while there is no writer. */
  readonly unavailable: string;
}

/**
 * WebSocket connections of programs at an API node: limits, pings, slow and silent clients are its business, messages are
 * served by the writer. When another writer takes over, connections are closed for a restart: sessions, subscriptions and
 * requests without an answer do not pass from one writer to the next, and programs connect again.
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
