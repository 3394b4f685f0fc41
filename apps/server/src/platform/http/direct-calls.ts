import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { FORM_LIMITS, FORM_TYPE } from './form.ts';

/** Handles a request whose body has arrived completely; `body` is undefined for a GET. */
export type ServeCall = (
  request: IncomingMessage,
  body: Buffer | undefined,
  response: ServerResponse,
) => void;

/**
 * Serves ordinary API requests directly from node's HTTP server, which is faster than the framework. A request is
 * ordinary if its path and method are known and, for POST, its body is a form of a declared and permitted length. The
 * framework serves all other requests. It has the same routes and answers errors.
 */
export class DirectCalls {
  private readonly calls = new Map<string, { readonly method: string; readonly serve: ServeCall }>();
  private readonly isWelcome: (request: IncomingMessage) => boolean;
  private isClosing = false;

  /**
   * `isWelcome` returns whether the server may read the body of a request. The framework refuses the other requests.
   */
  constructor(isWelcome: (request: IncomingMessage) => boolean) {
    this.isWelcome = isWelcome;
  }

  add(method: 'GET' | 'POST', path: string, serve: ServeCall): void {
    this.calls.set(path, { method, serve });
  }

  /**
   * Replaces the server's request listener. Requests that are not served directly reach the framework's listener if
   * `admits` returns true. If it returns false, it has answered the request itself.
   */
  precede(
    server: Server,
    admits: (request: IncomingMessage, response: ServerResponse) => boolean = () => true,
  ): void {
    const [frameworkListener] = server.listeners('request') as [(...parts: unknown[]) => void];
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      if (!this.tryServe(request, response) && admits(request, response))
        frameworkListener(request, response);
    });
  }

  /** Passes all further requests to the framework, whose answers tell clients that their connections will be closed. */
  close(): void {
    this.isClosing = true;
  }

  private tryServe(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.isClosing) return false;
    const call = this.calls.get(pathOf(request.url ?? ''));
    if (call === undefined || call.method !== request.method || !this.isWelcome(request)) return false;
    const { headers } = request;
    const length = headers['content-length'];
    if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
    if (call.method === 'GET') {
      if (length !== undefined) return false;
      call.serve(request, undefined, response);
      return true;
    }
    // If the content type is spelled differently, the framework serves the request.
    if (headers['content-type'] !== FORM_TYPE || length === undefined) return false;
    if (Number(length) > FORM_LIMITS.bodyBytes) return false;
    gather(request, (body) => call.serve(request, body, response));
    return true;
  }
}

/** Collects a request's body. `done` is not called if the client disconnects before the end. */
function gather(request: IncomingMessage, done: (body: Buffer) => void): void {
  let first: Buffer | undefined;
  let parts: Buffer[] | undefined;
  request.on('data', (part: Buffer) => {
    if (first === undefined) first = part;
    else if (parts === undefined) parts = [first, part];
    else parts.push(part);
  });
  request.on('end', () => done(parts === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(parts)));
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}
