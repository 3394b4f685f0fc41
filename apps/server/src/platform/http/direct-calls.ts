import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { FORM_LIMITS, FORM_TYPE } from './form.ts';

/** Serves one call whose body, if it has one, has come in whole. */
export type ServeCall = (
  request: IncomingMessage,
  body: Buffer | undefined,
  response: ServerResponse,
) => void;

/**
 * Calls that come as they should (known path and method, a form of declared and allowed length) are served
 * straight from node's server. Whatever is unusual about a request goes through the framework, which serves
 * the same routes and knows how to refuse: so nothing is refused here, and nothing is served differently.
 */
export class DirectCalls {
  private readonly calls = new Map<string, { readonly method: string; readonly serve: ServeCall }>();
  private readonly isWelcome: (request: IncomingMessage) => boolean;
  private isClosing = false;

  /** `isWelcome` tells which requests need not be refused before they are read. */
  constructor(isWelcome: (request: IncomingMessage) => boolean) {
    this.isWelcome = isWelcome;
  }

  add(method: 'GET' | 'POST', path: string, serve: ServeCall): void {
    this.calls.set(path, { method, serve });
  }

  /**
   * Takes its place before the framework's listener. Whatever is no direct call reaches the framework only where
   * `admits` says so; otherwise `admits` has answered it.
   */
  precede(
    server: Server,
    admits: (request: IncomingMessage, response: ServerResponse) => boolean = () => true,
  ): void {
    const [framework] = server.listeners('request') as [(...parts: unknown[]) => void];
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      if (!this.take(request, response) && admits(request, response)) framework(request, response);
    });
  }

  /** From now on the framework answers everything: it tells callers that their connections end. */
  close(): void {
    this.isClosing = true;
  }

  private take(request: IncomingMessage, response: ServerResponse): boolean {
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
    // Its other spellings go the framework's way.
    if (headers['content-type'] !== FORM_TYPE || length === undefined) return false;
    if (Number(length) > FORM_LIMITS.bodyBytes) return false;
    gather(request, (body) => call.serve(request, body, response));
    return true;
  }
}

/** A request that breaks off before its end is answered by nobody: nobody is there any more. */
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
