import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setServerOrigin } from '../client.ts';

/** A request of the page, completely received by the mock server. */
export interface PageRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Form fields of the request body. */
  readonly form: URLSearchParams;
}

/** A running test server. */
export interface PageServer {
  /** Closes all connections and stops listening. */
  stop(): Promise<void>;
}

/** Starts a real HTTP server on a free port and makes it the origin of the page and of its calls. */
export async function startPageServer(
  answer: (request: PageRequest, response: ServerResponse) => void,
): Promise<PageServer> {
  // Connections stay open without a limit. Mock server and page share a process; if it pauses, a server with
  // a limit would close the connection at the moment at which the page sends its next request on it.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const form = new URLSearchParams(body);
      answer({ url: request.url ?? '', headers: request.headers, form }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  location.href = `${origin}/`;
  setServerOrigin(origin);
  return {
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
