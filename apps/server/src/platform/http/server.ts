import type { Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '@exchange/core/refusal.ts';
import { API_BASE, MARKET_BASE, type Endpoint } from '@exchange/wire/endpoint.ts';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { inLane } from '../database/lanes.ts';
import type { LimitName } from '../limits/limits.ts';
import type { Release } from '../limits/places.ts';
import { Admission, ADMISSION_LIMITS, type AdmissionLimits } from './admission.ts';
import { localeOfRequest, traceIdOf } from './caller.ts';
import { refusalAnswer, type Answer } from './envelope.ts';
import { DirectCalls, type ServeCall } from './direct-calls.ts';
import { DocumentPages } from './document-pages.ts';
import { FileSender } from './file-answer.ts';
import { FORM_LIMITS } from './form.ts';
import { serveCspReports } from './csp-reports.ts';
import { acceptOnlyForms } from './form-body.ts';
import { lastWord } from './last-word.ts';
import { openApiDocument } from './openapi.ts';
import { FOREIGN_NAME_STATUS, FOREIGN_NAME_TEXT, hostOf } from './own-names.ts';
import { CONTENT_TYPES, type Page } from './page.ts';
import { limitReading } from './reading-time.ts';
import { belongsToApi, mountApi, type MountedApi } from './mounted-api.ts';
import { isServed } from './registration.ts';
import type { ServedCall } from './identified-call.ts';
import { ANSWER_HEADERS, documentHeaders, pageHeaders, transportHeaders } from './security-headers.ts';
import { answerTo, rateLimited, serveRoute, type CallerParts } from './serve-route.ts';
import { isCrossSiteWrite, isCutOff } from './unwelcome.ts';
import { readUpload, takeUploads, type ReadUpload } from './upload.ts';
import { UpgradeableRequest } from './upgradeable-request.ts';

export interface HttpServerOptions extends Omit<CallerParts, 'admission'> {
  readonly mode: 'demo' | 'live';
  readonly version: string;
  readonly publicUrl: string | undefined;
  /** Tests whether a `Host` header names this server. By default every name is accepted. */
  readonly isOwnName?: (host: string | undefined) => boolean;
  readonly endpoints: readonly Endpoint[];
  /** All endpoints that are served in the server's mode, demo or live. */
  readonly calls: readonly ServedCall[];
  readonly pages: readonly Page[];
  /** APIs with their own paths and formats, e.g. the public trading API. */
  readonly apis?: readonly MountedApi[];
  /** Limits of the HTTP port on connections and running requests; `ADMISSION_LIMITS` if absent. */
  readonly admissionLimits?: AdmissionLimits | undefined;
}

export const HTTP_LIMITS = {
  headerBytes: 16_384,
  headersMs: 10_000,
  keepAliveMs: 65_000,
} as const;

const LOGOUT_PATH = '/user/logout';
const NOT_FOUND = refusal('generic', 'l.not_found');
const CROSS_SITE = refusal('generic', 'l.cross_site');
const UNKNOWN_PATH = { limit: 'publicRead', weight: 1 } as const;
/**
 * Rate-limit cost of pages, some of which are rendered with data from the database.
 */
const PAGE = { limit: 'publicRead', weight: 2 } as const;
/** Rate-limit cost of the OpenAPI document and its viewer, which are large. */
const DOCUMENT = { limit: 'publicRead', weight: 2 } as const;
/**
 * Rate-limit cost of requests that neither `DirectCalls` nor an API with its own limits serves. Most of them are for
 * files in memory; a browser's first visit of a page requests dozens of files.
 */
const FILE = { limit: 'file', weight: 1 } as const;

/** Creates the HTTP server for calls, pages and documents. It does not listen yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const admission = new Admission({
    limits: options.admissionLimits ?? ADMISSION_LIMITS,
    charges: options.limits,
    metrics: options.metrics,
    proxyHeader: options.proxyHeader,
  });
  const servedOptions = { ...options, admission };
  const { calls } = options;
  const app = fastify({
    logger: false,
    bodyLimit: FORM_LIMITS.bodyBytes,
    // 0 disables node's timeout, which counts from the start of the request. The limits of `limitReading` apply
    // instead.
    requestTimeout: 0,
    keepAliveTimeout: HTTP_LIMITS.keepAliveMs,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      IncomingMessage: UpgradeableRequest,
      maxHeaderSize: HTTP_LIMITS.headerBytes,
      headersTimeout: HTTP_LIMITS.headersMs,
      connectionsCheckingInterval: 2_000,
    },
    routerOptions: { querystringParser: () => ({}) },
    clientErrorHandler: (error, socket) => {
      if (error.code !== 'ECONNRESET') admission.chargeMisuse(socket);
      refuseBrokenRequest(error, socket);
    },
    frameworkErrors: (_error, request, reply) => {
      send(reply, unknownPath(request.raw, servedOptions));
    },
  });
  const headers = { ...ANSWER_HEADERS, ...transportHeaders(options.publicUrl) };
  acceptOnlyForms(app);
  refuseUnwelcome(app, options, headers);
  answerFailures(app, servedOptions, headers);
  const files = new FileSender(options);
  const direct = new DirectCalls((request) => !isRefused(request, options));
  const parts = { headers, files, direct };
  for (const call of calls.filter(({ endpoint }) => !endpoint.takesFile))
    registerCall(app, call, servedOptions, parts);
  await takeUploads(app, (scope) => {
    for (const call of calls.filter(({ endpoint }) => endpoint.takesFile))
      registerUpload(scope, call, servedOptions, parts);
  });
  const { apis = [] } = options;
  const isApiRequest = belongsToApi(apis);
  direct.precede(
    app.server,
    // APIs with their own formats charge requests to their own limits.
    (request, response) => isApiRequest(request.url) || chargeFile(request, response, servedOptions, headers),
  );
  admission.guard(app.server);
  limitReading(app.server);
  app.addHook('preClose', (done) => {
    direct.close();
    done();
  });
  for (const page of options.pages)
    if (options.mode === 'demo' || !page.demoOnly) registerPage(app, page, servedOptions);
  for (const api of apis)
    await mountApi(app, api, {
      admission,
      headers,
      bodyBytes: FORM_LIMITS.bodyBytes,
      proxyHeader: options.proxyHeader,
    });
  await serveCspReports(app, options);
  registerUnknownCalls(app, servedOptions, headers);
  registerDocuments(app, servedOptions);
  return app;
}

/** The options of the HTTP server, together with the object that enforces the limits of its port. */
type Served = HttpServerOptions & { readonly admission: Admission };

/**
 * Charges a request that `DirectCalls` does not serve to the rate limit `file` of the client's address group, before it
 * is routed. Such requests are e.g. for files, pages, uploads and unknown paths. If the limit is exceeded, answers with
 * HTTP 429 and returns false.
 */
function chargeFile(
  request: IncomingMessage,
  response: ServerResponse,
  options: Served,
  headers: Readonly<Record<string, string>>,
): boolean {
  const seconds = chargeAddress(request, options, FILE);
  if (seconds === 0) return true;
  const stamp = { ts: options.clock.now(), traceId: traceIdOf(request) };
  const locale = localeOfRequest(request);
  const { status, body } = refusalAnswer(rateLimited(seconds), locale, stamp, isMarketCall(request));
  // The connection is closed, because otherwise the unread body would be parsed as the next request.
  if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
    response.shouldKeepAlive = false;
  const length = String(Buffer.byteLength(body));
  response
    .writeHead(status, { ...headers, 'retry-after': String(seconds), 'content-length': length })
    .end(body);
  return false;
}

function chargeAddress(
  request: IncomingMessage,
  { admission, limits }: Served,
  charge: { readonly limit: LimitName; readonly weight: number },
): number {
  return limits.charge(charge, { addressGroup: admission.groupOf(request), userId: undefined });
}

interface RouteParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly files: FileSender;
  readonly direct: DirectCalls;
}

/**
 * Returns a function that admits and serves a request to an endpoint and writes its answer. A request that is not
 * admitted gets the refusal of a rate limit.
 */
function answerer(
  call: ServedCall,
  options: Served,
  { headers, files }: RouteParts,
): (request: IncomingMessage, body: Buffer | ReadUpload | undefined, response: ServerResponse) => void {
  const serve = serveRoute(call, options);
  const headerLines = Object.entries({ ...headers, ...logoutHeaders(call.endpoint) }).flat();
  const { admission } = options;
  const write = (response: ServerResponse, { status, body, retryAfter }: Answer) => {
    const lines = [...headerLines, 'content-length', String(Buffer.byteLength(body))];
    if (retryAfter !== undefined) lines.push('retry-after', retryAfter);
    response.writeHead(status, lines).end(body);
  };
  const serveAdmitted = ({ request, body, response }: PendingCall, release: Release): void => {
    if (response.destroyed) return release();
    response.once('close', release);
    void inLane('requests', () => serve(request, body, response)).then((answer) =>
      'body' in answer ? write(response, answer) : files.send(response, { ...answer, headers }),
    );
    return undefined;
  };
  return (request, body, response) => {
    const entering = admission.enter(admission.groupOf(request));
    const pendingCall = { request, body, response };
    if (entering === undefined) {
      const stamp = { ts: options.clock.now(), traceId: traceIdOf(request) };
      write(response, refusalAnswer(rateLimited(1), localeOfRequest(request), stamp, isMarketCall(request)));
    } else if (entering instanceof Promise)
      void entering.then((release) => serveAdmitted(pendingCall, release));
    else serveAdmitted(pendingCall, entering);
  };
}

/**
 * Returns the header that makes the browser clear its cache when a user signs out; no header for other
 * endpoints. The browser's storage is not cleared, because language, theme and device id must remain. The
 * apps remove personal data themselves.
 */
function logoutHeaders({ path }: Endpoint): Readonly<Record<string, string>> {
  return path === LOGOUT_PATH ? { 'clear-site-data': '"cache"' } : {};
}

/** A request whose body has arrived or, for an upload, can be read by calling `body`. */
interface PendingCall {
  readonly request: IncomingMessage;
  readonly body: Buffer | ReadUpload | undefined;
  readonly response: ServerResponse;
}

/** Registers an endpoint with an upload. The body is read only after the caller is identified. */
function registerUpload(scope: FastifyInstance, call: ServedCall, options: Served, parts: RouteParts): void {
  const answer = answerer(call, options, parts);
  scope.post(API_BASE + call.endpoint.path, (request, reply) => {
    void reply.hijack();
    answer(request.raw, (sender) => readUpload(request, sender), reply.raw);
  });
}

function registerCall(app: FastifyInstance, call: ServedCall, options: Served, parts: RouteParts): void {
  const { direct } = parts;
  const { method } = call.endpoint;
  const url = API_BASE + call.endpoint.path;
  const answer: ServeCall = answerer(call, options, parts);
  direct.add(method, url, answer);
  app.route({
    method,
    url,
    handler: (request, reply) => {
      // The answer is written to node's response directly, because the framework would send headers and body in two
      // packets.
      void reply.hijack();
      answer(request.raw, request.body as Buffer | undefined, reply.raw);
    },
  });
}

function send(
  reply: FastifyReply,
  answer: Answer,
  headers: Readonly<Record<string, string>> = ANSWER_HEADERS,
): void {
  void reply.code(answer.status).headers(headers).send(answer.body);
}

/**
 * Refuses requests for a host name that is not this server's (status 421), and cross-site requests that may
 * change data (status 403, see `isCrossSiteWrite`), before their body is read.
 */
function refuseUnwelcome(
  app: FastifyInstance,
  options: HttpServerOptions,
  headers: Readonly<Record<string, string>>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (options.isOwnName?.(hostOf(request.raw)) === false) {
      void reply.code(FOREIGN_NAME_STATUS).type(CONTENT_TYPES.text).send(FOREIGN_NAME_TEXT);
    } else if (isCrossSiteWrite(request.raw)) {
      const stamp = { ts: options.clock.now(), traceId: traceIdOf(request.raw) };
      const locale = localeOfRequest(request.raw);
      send(reply, refusalAnswer(CROSS_SITE, locale, stamp, isMarketCall(request.raw), 403), headers);
    } else done();
  });
}

function isRefused(request: IncomingMessage, { isOwnName }: HttpServerOptions): boolean {
  return isOwnName?.(hostOf(request)) === false || isCrossSiteWrite(request);
}

function answerFailures(
  app: FastifyInstance,
  options: Served,
  headers: Readonly<Record<string, string>>,
): void {
  const cutBodies = options.metrics.counter(
    'http_bodies_cut_total',
    'Bodies whose caller left before their end',
  );
  app.setErrorHandler((error, request, reply) => {
    if (isCutOff(request.raw, error)) {
      cutBodies.add();
      options.log.debug('http.body_cut', { path: request.url });
      void reply.hijack();
      reply.raw.destroy();
      return;
    }
    answerFailure(error, request, reply, { ...options, headers });
  });
}

/**
 * Answers an error of the HTTP framework or of a page. An error that has a refusal (see `refusalOf`) is answered with
 * this refusal. Another client error is answered with its own status, except 403 and 404, which are answered like an
 * unknown path. Any other error is answered with status 500.
 */
function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Served & { readonly headers: Readonly<Record<string, string>> },
): void {
  const stamp = { ts: options.clock.now(), traceId: traceIdOf(request.raw) };
  const answer = answerTo(error, localeOfRequest(request.raw), stamp, isMarketCall(request.raw));
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (answer.status < 500) send(reply, answer, options.headers);
  else if (status >= 400 && status < 500) {
    // A forbidden file path is answered like an unknown path, which reveals nothing about it.
    send(
      reply,
      status === 403 || status === 404 ? unknownPath(request.raw, options) : { ...answer, status },
      options.headers,
    );
  } else {
    options.log.error('http.failed', { path: request.url, cause: error });
    send(reply, answer, options.headers);
  }
}

function unknownPath(request: IncomingMessage, options: Served): Answer {
  const stamp = { ts: options.clock.now(), traceId: traceIdOf(request) };
  const seconds = chargeAddress(request, options, UNKNOWN_PATH);
  const locale = localeOfRequest(request);
  const isMarket = isMarketCall(request);
  if (seconds > 0) return refusalAnswer(rateLimited(seconds), locale, stamp, isMarket);
  return refusalAnswer(NOT_FOUND, locale, stamp, isMarket, 404);
}

/**
 * Returns whether a request's path is below the base path of the market endpoints, whose answers have another format.
 */
function isMarketCall(request: IncomingMessage): boolean {
  return request.url?.startsWith(MARKET_BASE) ?? false;
}

function registerUnknownCalls(
  app: FastifyInstance,
  options: Served,
  headers: Readonly<Record<string, string>>,
): void {
  for (const url of [API_BASE, `${API_BASE}/*`]) {
    app.all(url, (request, reply) => send(reply, unknownPath(request.raw, options), headers));
  }
}

function registerPage(app: FastifyInstance, page: Page, options: Served): void {
  const headers = { ...pageHeaders(options.publicUrl), 'cache-control': 'no-store' };
  const refuse = (reply: FastifyReply, seconds: number) =>
    reply
      .code(429)
      .headers({ ...headers, 'retry-after': String(seconds), 'content-type': CONTENT_TYPES.text })
      .send(`Too many requests. Wait ${seconds} s.\n`);
  app.route({
    method: ['GET', 'HEAD'],
    url: page.path,
    handler: async (request, reply) => {
      const seconds = chargeAddress(request.raw, options, PAGE);
      if (seconds > 0) return refuse(reply, seconds);
      const release = await options.admission.enter(options.admission.groupOf(request.raw));
      if (release === undefined) return refuse(reply, 1);
      reply.raw.once('close', release);
      const mark = request.url.indexOf('?');
      const query = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark));
      if (!query.has('lang')) query.set('lang', localeOfRequest(request.raw));
      const answer = await inLane('requests', () => page.serve(query));
      return reply
        .code(answer.status ?? 200)
        .headers({ ...headers, vary: 'accept-language', 'content-type': CONTENT_TYPES[answer.type] })
        .send(answer.body);
    },
  });
}

/**
 * Registers the OpenAPI document and its viewer. Both are created at the first request, so that they do not delay the
 * server's start, and then served from memory.
 */
function registerDocuments(app: FastifyInstance, options: Served): void {
  const { version, mode, publicUrl } = options;
  const endpoints = options.endpoints.filter((endpoint) => isServed(endpoint, mode));
  const document = openApiDocument({ version, endpoints, now: options.clock.now() });
  let text: string | undefined;
  const pages = new DocumentPages(document);
  const refuse = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const seconds = chargeAddress(request.raw, options, DOCUMENT);
    if (seconds === 0) return false;
    const stamp = { ts: options.clock.now(), traceId: traceIdOf(request.raw) };
    send(reply, refusalAnswer(rateLimited(seconds), localeOfRequest(request.raw), stamp), {
      ...ANSWER_HEADERS,
      'retry-after': String(seconds),
    });
    return true;
  };
  app.route({
    method: ['GET', 'HEAD'],
    url: `${API_BASE}/openapi.json`,
    handler: (request, reply) => {
      if (refuse(request, reply)) return reply;
      text ??= JSON.stringify(document);
      return reply.headers({ ...pageHeaders(publicUrl), 'content-type': CONTENT_TYPES.json }).send(text);
    },
  });
  const headers = documentHeaders(publicUrl);
  for (const url of ['/docs', '/docs/*']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        if (refuse(request, reply)) return reply;
        const page = await pages.find(request.url);
        return reply.code(page.status).headers(page.headers).headers(headers).send(page.body);
      },
    });
  }
  app.addHook('onClose', () => pages.close());
}

/**
 * Answers bytes that are not valid HTTP (status 400, or 431 for too large headers) and requests that did not
 * arrive in time (status 408), and closes the connection. If the client has reset the connection, only closes
 * it.
 */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else lastWord(socket, BROKEN_REQUESTS.get(error.code ?? '') ?? '400 Bad Request');
}

const BROKEN_REQUESTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
    ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  }),
);
