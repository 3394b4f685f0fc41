import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { FORM_LIMITS, FORM_TYPE } from './form.ts';

/** Serves a request whose body, if any, has arrived completely. */
export type ServeCall = (
  request: IncomingMessage,
  body: Buffer | undefined,
  response: ServerResponse,
) => void;

/**
 * Serves ordinary API requests (known path and method, and for POST a form of a declared and allowed
 * length) directly from node's HTTP server. All other requests go to the framework, which serves the
 * same routes in the same way and answers errors.
 */
export class DirectCalls {
  private readonly calls = new Map<string, { readonly method: string; readonly serve: ServeCall }>();
  private readonly isWelcome: (request: IncomingMessage) => boolean;
  private isClosing = false;

  /**
   * `isWelcome` returns whether a request can be served without being refused before its body is
   * read.
   */
  constructor(isWelcome: (request: IncomingMessage) => boolean) {
    this.isWelcome = isWelcome;
  }

  add(method: 'GET' | 'POST', path: string, serve: ServeCall): void {
    this.calls.set(path, { method, serve });
  }

  /**
   * Inserts itself before the framework's request listener. Requests that are not served directly
   * reach the framework if `admits` returns true; otherwise `admits` has answered them.
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

  /**
   * Passes all further requests to the framework, which informs clients that their connections are
   * being closed.
   */
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
    // Other spellings of the content type are handled by the framework.
    if (headers['content-type'] !== FORM_TYPE || length === undefined) return false;
    if (Number(length) > FORM_LIMITS.bodyBytes) return false;
    gather(request, (body) => call.serve(request, body, response));
    return true;
  }
}

/** Collects a request's body. `done` is not called when the client disconnects before the end. */
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
