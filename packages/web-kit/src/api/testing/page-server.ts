import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setServerOrigin } from '../client.ts';

/** A request of the page that the mock server has received completely. */
export interface PageRequest {
  /** Path and query of the request. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Form fields of the request body. */
  readonly form: URLSearchParams;
}

/** A running test server, which the test has to stop. */
export interface PageServer {
  /** Closes all connections and stops listening. */
  stop(): Promise<void>;
}

/** Starts a real HTTP server on a free port. Its address becomes the origin of the page and of the page's requests. */
export async function startPageServer(
  answer: (request: PageRequest, response: ServerResponse) => void,
): Promise<PageServer> {
  // Idle connections stay open without a time limit. Page and server are in one process. If it pauses, a server with a
  // limit would close a connection just when the page sends its next request on it.
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
