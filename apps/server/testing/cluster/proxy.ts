import { createServer, request as sendRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { FEED_PATH } from '@exchange/wire/feed.ts';

/**
 * Ports of a cluster's processes on this machine, by role. `writer` lists the ports of the active writer and of its
 * standby.
 */
export interface Backends {
  readonly api: readonly number[];
  readonly feed: readonly number[];
  readonly writer: readonly number[];
}

type Role = keyof Backends;

const CHECK_EVERY_MS = 500;
const CHECK_TIMEOUT_MS = 2_000;
const HEALTH_PATH = '/health';

/**
 * A proxy for a cluster on this machine, used if HAProxy is not installed. It forwards calls and pages to API
 * nodes and live data to feed nodes, in turn to each process that is up. If no node of the kind is up, it
 * forwards to the writer; without a writer it answers with status 503 or closes the WebSocket connection.
 */
export class ClusterProxy {
  private readonly server: Server;
  private readonly backends: Backends;
  private readonly up = new Set<number>();
  private readonly timer: NodeJS.Timeout;
  private turn = 0;

  private constructor(backends: Backends) {
    this.backends = backends;
    this.server = createServer((request, response) => {
      const port = this.choose('api');
      if (port === undefined) {
        response.writeHead(503, { 'content-type': 'text/plain' }).end('No process of the exchange is up.\n');
        return;
      }
      const { method, url, headers } = request;
      const onward = sendRequest(
        { port, method, path: url, headers: forwarded(request, headers) },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
          answer.pipe(response);
        },
      );
      onward.on('error', () => {
        if (response.headersSent) response.destroy();
        else response.writeHead(502, { 'content-type': 'text/plain' }).end('The process has just ended.\n');
      });
      request.pipe(onward);
    });
    this.server.on('upgrade', (request, socket: Socket, head: Buffer) => this.upgrade(request, socket, head));
    this.timer = setInterval(() => void this.check(), CHECK_EVERY_MS);
  }

  /** Starts a proxy on a port of this machine; 0 selects a free one. */
  static async start(port: number, backends: Backends): Promise<ClusterProxy> {
    const proxy = new ClusterProxy(backends);
    await proxy.check();
    await new Promise<void>((resolve, reject) => {
      proxy.server.once('error', reject);
      proxy.server.listen(port, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    clearInterval(this.timer);
    this.server.close();
    this.server.closeAllConnections();
  }

  private choose(role: Role): number | undefined {
    const candidates = [this.backends[role], this.backends.writer]
      .map((ports) => ports.filter((port) => this.up.has(port)))
      .find((ports) => ports.length > 0);
    this.turn += 1;
    return candidates?.[this.turn % candidates.length];
  }

  private async check(): Promise<void> {
    const ports = [...this.backends.api, ...this.backends.feed, ...this.backends.writer];
    await Promise.all(
      ports.map(async (port) => {
        try {
          const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
          const { ok } = await fetch(`http://127.0.0.1:${port}${HEALTH_PATH}`, { signal });
          if (ok) this.up.add(port);
          else this.up.delete(port);
        } catch {
          // The process does not answer, so it counts as down. A standby listens on its port only after it has taken
          // over.
          this.up.delete(port);
        }
      }),
    );
  }

  private upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const port = this.choose(roleOfSocket(request.url ?? ''));
    if (port === undefined) {
      socket.destroy();
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      for (let index = 0; index < request.rawHeaders.length; index += 2)
        lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
      lines.push(`x-forwarded-for: ${request.socket.remoteAddress ?? ''}`);
      onward.write(`${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    for (const side of [socket, onward]) {
      side.on('error', () => {
        socket.destroy();
        onward.destroy();
      });
      side.on('close', () => {
        socket.destroy();
        onward.destroy();
      });
    }
  }
}

/** Returns the role of the process that serves WebSocket connections of a path. */
function roleOfSocket(url: string): Role {
  const [path = ''] = url.split('?');
  const isLive = path === FEED_PATH || path === '/stream' || path === '/ws' || path.startsWith('/ws/');
  return isLive ? 'feed' : 'api';
}

function forwarded({ socket }: IncomingMessage, headers: IncomingMessage['headers']) {
  const sent = { ...headers };
  sent['x-forwarded-for'] = socket.remoteAddress ?? '';
  return sent;
}
