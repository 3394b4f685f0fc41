import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { inLane } from '../database/lanes.ts';
import { addressOf } from './address.ts';
import type { Admission } from './admission.ts';

/**
 * An HTTP request to an API with its own formats. Query and body are exactly as the client has sent them, because
 * clients sign them.
 */
export interface MountedRequest {
  readonly method: string;
  /** URL path of the request, without the query. */
  readonly path: string;
  /** Query of the request as the client has sent it, without the question mark. */
  readonly query: string;
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
  /** IP address of the caller. Behind a proxy it is the address in the proxy's header. */
  readonly address: string;
  /** The range of IP addresses around the caller's address that counts as one caller. */
  readonly addressGroup: string;
}

export interface MountedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * An API with its own paths, limits, errors and formats, such as the public trading API. The server serves it beside
 * the endpoints of the apps. The API answers all requests below its prefixes, except those that the server refuses
 * before it reads the body or because the body is too large.
 */
export interface MountedApi {
  /** Path prefixes of the API such as `/api/v3`, each of which is followed by a slash in requests. */
  readonly prefixes: readonly string[];
  /** Answers an HTTP request. Never rejects. */
  serve(request: MountedRequest): MountedAnswer | Promise<MountedAnswer>;
  /**
   * Returns a function that charges further callers, by their address groups, for the answer to a successful request that
   * they get too. It returns the headers of such a caller's answer; with status and body if the caller is refused.
   */
  sharing?(request: MountedRequest): (addressGroup: string) => SharedMountedAnswer;
  /** Returns the API's answer to a request whose address group has too many requests waiting. */
  busy(): MountedAnswer;
}

/** The answer to a caller that shares the answer of another. Without status and body these are as in the shared answer. */
export interface SharedMountedAnswer extends Pick<MountedAnswer, 'headers'> {
  readonly status?: number;
  readonly body?: string;
}

/** Returns a function that tests whether a request with this target (path and query) belongs to one of the APIs. */
export function belongsToApi(apis: readonly MountedApi[]): (target: string | undefined) => boolean {
  const prefixes = apis.flatMap((api) => api.prefixes.map((prefix) => `${prefix}/`));
  return (target = '') => prefixes.some((prefix) => target.startsWith(prefix));
}

interface Mounting {
  readonly admission: Admission;
  /** Headers of the API's answers. Headers of the same name in an answer take precedence. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /**
   * Name of the header in which a trusted proxy reports the client's IP address; undefined without a proxy.
   */
  readonly proxyHeader: string | undefined;
}

/**
 * Makes the server pass the requests below the API's paths to the API. The API receives request bodies of every content
 * type as unparsed bytes. A request that `admission` does not admit gets the API's `busy` answer.
 */
export async function mountApi(app: FastifyInstance, api: MountedApi, mounting: Mounting): Promise<void> {
  const { admission, headers, bodyBytes, proxyHeader } = mounting;
  await app.register((scope, _options, registered) => {
    scope.removeAllContentTypeParsers();
    const parseBytes = { parseAs: 'buffer', bodyLimit: bodyBytes } as const;
    scope.addContentTypeParser('*', parseBytes, (_request, body, done) => done(null, body));
    for (const prefix of api.prefixes)
      scope.all(`${prefix}/*`, async (request, reply) => {
        const addressGroup = admission.groupOf(request.raw);
        const release = await admission.enter(addressGroup);
        if (release !== undefined) reply.raw.once('close', release);
        const mark = request.url.indexOf('?');
        const answer =
          release === undefined
            ? api.busy()
            : await inLane('requests', () =>
                api.serve({
                  method: request.method,
                  path: mark < 0 ? request.url : request.url.slice(0, mark),
                  query: mark < 0 ? '' : request.url.slice(mark + 1),
                  body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
                  headers: request.headers,
                  address: addressOf(request.raw, proxyHeader),
                  addressGroup,
                }),
              );
        return reply
          .code(answer.status)
          .headers({ ...headers, ...answer.headers })
          .send(answer.body);
      });
    registered();
  });
}
