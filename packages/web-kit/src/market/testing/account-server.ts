import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_BASE } from '@exchange/wire/endpoint.ts';
import { setServerOrigin } from '../../api/client.ts';

type Answer = { readonly code: number; readonly [name: string]: unknown };
type Serve = (form: URLSearchParams, token: string | undefined) => Answer | Promise<Answer>;

/** A real HTTP server with a few endpoints by path that records its requests. */
export class AccountServer {
  readonly received: { path: string; form: URLSearchParams; token: string | undefined }[] = [];
  private readonly server: Server;
  private calls: Readonly<Record<string, Serve>> = {};

  private constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const path = (request.url ?? '').slice(API_BASE.length);
        const token = request.headers['x-access-token'] as string | undefined;
        const form = new URLSearchParams(body);
        this.received.push({ path, form, token });
        void Promise.resolve(this.calls[path]?.(form, token) ?? { code: 0, msg: 'none' }).then((answer) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ msg: 'success', ...answer }));
        });
      });
    });
  }

  /** Starts listening and directs all calls to this server. */
  static async start(): Promise<AccountServer> {
    const server = new AccountServer();
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    location.href = `${origin}/`;
    setServerOrigin(origin);
    return server;
  }

  /** Replaces the served endpoints. */
  serve(calls: Readonly<Record<string, Serve>>): void {
    this.calls = calls;
    this.received.length = 0;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
