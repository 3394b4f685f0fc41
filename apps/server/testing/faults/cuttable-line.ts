import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP line to a server on this machine that can be cut, as a network between two machines can. */
export class CuttableLine {
  private readonly listener: Server;
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(listener: Server, port: number) {
    this.listener = listener;
    listener.on('connection', (near) => {
      const far = connect(port, '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(socket);
        socket.setNoDelay(true);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
        if (this.isCut) socket.pause();
      }
    });
  }

  /** Starts to forward TCP connections from a free port to `port`, both on this machine. */
  static async open(port: number): Promise<CuttableLine> {
    const listener = createServer();
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new CuttableLine(listener, port);
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /**
   * Transmits nothing for `ms` milliseconds: connections stay open, but nothing arrives, also on new connections. What
   * was sent meanwhile arrives afterwards.
   */
  async cut(ms: number): Promise<void> {
    this.isCut = true;
    for (const socket of this.sockets) socket.pause();
    await sleep(ms);
    this.isCut = false;
    for (const socket of this.sockets) socket.resume();
  }

  async close(): Promise<void> {
    const closed = once(this.listener, 'close');
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
