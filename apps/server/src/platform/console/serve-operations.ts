import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { fillWords } from '@exchange/core/locale.ts';
import { percentOfFraction } from '@exchange/core/percent.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import { formFieldsOf, offeredOperation, START_FIELD } from '@exchange/wire/operation.ts';
import { operatorRefusal } from '@exchange/wire/words/operator-refusals.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inLane } from '../database/lanes.ts';
import { acceptOnlyForms } from '../http/form-body.ts';
import { decodeForm, decodeFormText, type FormFields } from '../http/form.ts';
import { CONTENT_TYPES } from '../http/page.ts';
import type { Log } from '../log.ts';
import { permits, type OperatorGate, type SessionMark } from './gate.ts';
import { CODE_FIELD, OperatorFile, OperatorPicture, type Operation, type Operator } from './operation.ts';

/** Content types of downloaded files by the end of their names. All other files are CSV. */
const FILE_TYPES: ReadonlyMap<string, string> = new Map([
  ['.json', CONTENT_TYPES.json],
  ['.html', CONTENT_TYPES.html],
]);

/** Maximum size in bytes of the body of an operator's call without documents. */
const BODY_BYTES_MAX = 16_384;
/**
 * Maximum size in bytes of the body of an operator's call with documents. The longest documents are the terms of a
 * sale: 35,100 characters in each of four languages, with up to nine bytes per character in a form.
 */
const LONG_BODY_BYTES_MAX = 1_572_864;
const NO_FORM: FormFields = {};
const RETRY_SECONDS = 5;
const NOT_STARTED =
  '{"error":"The exchange is starting, or another server is its writer. Nothing was changed; try again in a moment."}';

interface Options {
  readonly operations: readonly Operation[];
  readonly listedPairs: ReadonlySet<string>;
  /** Authenticates operators; undefined if there are no operators, so that no operations are served. */
  readonly gate: OperatorGate | undefined;
  /**
   * Returns whether all modules have started; by default true. Before that, e.g. on a standby process, no operation is
   * executed.
   */
  readonly isStarted?: (() => boolean) | undefined;
  readonly mode: string;
  readonly log: Log;
  readonly headers: Readonly<Record<string, string>>;
}

/** Registers the operations and the sign-in of operators on the operators' port. */
export function serveOperations(app: FastifyInstance, options: Options): void {
  const { operations, gate, mode, listedPairs } = options;
  acceptOnlyForms(app);
  answerRefusedBodies(app, options);
  gate?.use(operations);
  const serve = (method: 'GET' | 'POST', url: string, action: Action, body: BodyDescription = {}) =>
    app.route({
      method,
      url,
      bodyLimit: bodyLimitOf(body),
      handler: (request, reply) =>
        answerAction(action, { ...options, fields: formFieldsOf(body) }, request, reply),
    });
  serve('POST', '/ops/session', async ({ request, reply, gate: operatorGate }) => {
    const { name = '', password = '', code = '' } = fieldsOf(request);
    const { token, browserKey } = await operatorGate.signIn({ name, password, code, ...originOf(request) });
    void reply.header('set-cookie', [sessionCookie(request, token), browserCookie(request, browserKey)]);
    return { name };
  });
  serve('POST', '/ops/session/end', async ({ request, reply, gate: operatorGate }) => {
    await operatorGate.signOut(tokenOf(request) ?? '');
    void reply.header('set-cookie', sessionCookie(request, undefined));
    // The browser clears its cache and storage, but not its cookies: the cookie with the browser key must remain, which
    // grants no access. The header `set-cookie` removes the session's cookie.
    void reply.header('clear-site-data', '"cache", "storage"');
    return {};
  });
  serve('POST', '/ops/session/set-up', ({ request, gate: operatorGate }) =>
    operatorGate.setUp(fieldsOf(request), request.ip),
  );
  serve('POST', '/ops/session/authenticator', ({ request, gate: operatorGate }) =>
    operatorGate.replaceAuthenticator(fieldsOf(request), originOf(request)),
  );
  serve('POST', '/ops/session/period', async ({ request, reply, gate: operatorGate }) => {
    const operator = await operatorOf(request, operatorGate);
    if (operator === undefined) return answerSessionEnded(reply);
    const { [CODE_FIELD]: code = '' } = fieldsOf(request);
    return { period: await operatorGate.openPeriod(operator, sessionOf(request), code) };
  });
  serve('POST', '/ops/session/period/end', async ({ request, reply, gate: operatorGate }) => {
    const operator = await operatorOf(request, operatorGate);
    if (operator === undefined) return answerSessionEnded(reply);
    await operatorGate.endPeriod(operator, sessionOf(request));
    return {};
  });
  serve('GET', '/ops/session/period', async ({ request, reply, gate: operatorGate }) => {
    const operator = await operatorOf(request, operatorGate);
    if (operator === undefined) return answerSessionEnded(reply);
    return { period: await operatorGate.periodOf(sessionOf(request)) };
  });
  serve('GET', '/ops/session', async ({ request, reply, gate: operatorGate }) => {
    // The sign-in page makes this request before there is a session, so the answer without a session must not be an
    // error.
    if (tokenOf(request) === undefined) return { name: '', roles: [], mode, operations: [] };
    const operator = await operatorOf(request, operatorGate);
    if (operator === undefined) {
      void reply.header('set-cookie', sessionCookie(request, undefined));
      return answerSessionEnded(reply);
    }
    const allowed = operations.filter((operation) => permits(operation, operator));
    return {
      name: operator.name,
      roles: operator.roles,
      mode,
      operations: allowed.map(offeredOperation),
      pairs: [...listedPairs],
    };
  });
  for (const operation of operations) {
    const { method, path, preview } = operation;
    serve(method, path, (call) => perform(operation, options, call), operation);
    if (method === 'POST')
      serve('POST', `${path}/check`, (call) => perform(operation, options, call, 'check'), operation);
    if (preview !== undefined)
      serve('POST', `${path}/preview`, (call) => previewCall(operation, preview, call), operation);
  }
}

/** The part of an operation that determines which request bodies the operation accepts. */
type BodyDescription = Pick<Operation, 'fields' | 'canStartLater' | 'takesDocuments'>;

function bodyLimitOf({ takesDocuments }: BodyDescription): number {
  return takesDocuments === true ? LONG_BODY_BYTES_MAX : BODY_BYTES_MAX;
}

/**
 * Returns the preview of an operator's call. Every signed-in operator may request it, because it changes nothing and
 * approvers need it. Without a session it answers with an error instead.
 */
async function previewCall(
  operation: Operation,
  preview: NonNullable<Operation['preview']>,
  call: OperationRequest,
): Promise<unknown> {
  const { request, reply, gate } = call;
  const operator = await operatorOf(request, gate);
  if (operator === undefined) return answerSessionEnded(reply);
  const parameters = request.params as Readonly<Record<string, string>>;
  return preview({ parameters, fields: declaredFields(operation, fieldsOf(request)), operator });
}

interface OperationRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly gate: OperatorGate;
}
type Action = (request: OperationRequest) => Promise<unknown>;

/**
 * Passes an operator's call to the gate, which executes or proposes it. Without a session or a permitted role it
 * answers with an error instead, and logs a role that is not permitted. In the mode `check` it executes nothing: it
 * checks whether the call could be executed, and returns the information for its confirmation.
 */
async function perform(
  operation: Operation,
  { log }: Options,
  call: OperationRequest,
  mode: 'do' | 'check' = 'do',
): Promise<unknown> {
  const { request, reply, gate } = call;
  const operator = await operatorOf(request, gate);
  if (operator === undefined) return answerSessionEnded(reply);
  if (!permits(operation, operator)) {
    log.warn('operator.refused', { path: operation.path, name: operator.name });
    void reply.code(403);
    return { error: 'Your roles do not permit this.' };
  }
  const parameters = request.params as Readonly<Record<string, string>>;
  const { [CODE_FIELD]: code = '', ...sent } = fieldsOf(request);
  const fields = declaredFields(operation, sent);
  const session = sessionOf(request);
  if (mode === 'check') return gate.preview(operation, { parameters, fields, operator }, session);
  const marks = { key: headerOf(request, 'idempotency-key'), code, session };
  const performed = await gate.perform(operation, { parameters, fields, operator }, marks);
  if (performed.state === 'done') return performed.result;
  void reply.code(202);
  return { proposal: performed.id, expiresAt: performed.expiresAt };
}

async function answerAction(
  action: Action,
  { gate, isStarted, log, headers, fields }: Options & { readonly fields: NonNullable<Operation['fields']> },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.headers({ ...headers, 'content-type': CONTENT_TYPES.json });
  if (gate === undefined) return reply.code(404).send('{"error":"There is no operator here."}');
  if (!isSameOrigin(request)) return reply.code(403).send('{"error":"Not from another page."}');
  // Before the modules have started, the database may have an older schema, or lack this server's privileges after a
  // restore.
  if (isStarted?.() === false) return reply.code(503).header('retry-after', RETRY_SECONDS).send(NOT_STARTED);
  try {
    const result = await inLane('operators', () => action({ request, reply, gate }));
    if (result instanceof OperatorPicture)
      return await reply.header('content-type', 'image/jpeg').send(result.jpeg);
    if (result instanceof OperatorFile)
      return await reply
        .headers({
          'content-type': FILE_TYPES.get(extname(result.name)) ?? 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${result.name}"`,
        })
        .send(Readable.from(result.parts));
    return await reply.send(JSON.stringify(result ?? {}));
  } catch (cause) {
    if (cause instanceof Refused) {
      const isOver = cause.refusal.key === 'l.operator_codes_ended';
      if (isOver) log.warn('operator.codes_guessed', { path: request.routeOptions.url ?? '' });
      return reply.code(isOver ? 401 : 400).send(refusalText(cause.refusal, fields));
    }
    log.error('operator.failed', { path: request.routeOptions.url ?? '', cause });
    return reply.code(500).send('{"error":"It failed; the log says why."}');
  }
}

async function operatorOf(request: FastifyRequest, gate: OperatorGate): Promise<Operator | undefined> {
  const token = tokenOf(request);
  const isBackground = headerOf(request, 'x-background') !== undefined;
  return token === undefined ? undefined : gate.operatorOf(token, isBackground);
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function answerSessionEnded(reply: FastifyReply): { error: string } {
  void reply.code(401);
  return { error: fillWords(operatorRefusal('l.session_ended'), {}, 'en-US') };
}

/**
 * Returns the fields of an operator's request: the form of a POST, the query of a GET. Throws `Refused` if they cannot
 * be decoded.
 */
function fieldsOf({ body, method, url }: FastifyRequest): FormFields {
  const start = url.indexOf('?');
  if (method === 'GET' && start < 0) return NO_FORM;
  if (method !== 'GET' && !Buffer.isBuffer(body)) return NO_FORM;
  const decoded =
    method === 'GET' ? decodeFormText(url.slice(start + 1)) : decodeForm(body as Buffer, LONG_BODY_BYTES_MAX);
  if (!decoded.ok) throw new Refused(decoded.refusal);
  return decoded.value;
}

/** Form fields that every operation accepts in addition to its own ones, by HTTP method. */
const COMMON_FIELDS = { GET: ['before'], POST: ['reason', 'version'] } as const;

/**
 * Returns the sent fields that the operation describes or that every operation of its method accepts, and the start
 * field if the operation can start later. Other fields are dropped, so that they reach neither the operation nor
 * proposals nor the log.
 */
function declaredFields(
  { method, fields, canStartLater }: Pick<Operation, 'method' | 'fields' | 'canStartLater'>,
  sent: FormFields,
): FormFields {
  const declared = new Set([...Object.keys(fields ?? {}), ...COMMON_FIELDS[method]]);
  if (canStartLater === true) declared.add(START_FIELD);
  return Object.fromEntries(Object.entries(sent).filter(([name]) => declared.has(name)));
}

/**
 * Answers requests that fail outside the handlers of operations, e.g. because of a refused body, with sentences of the
 * console instead of the messages of the library Fastify.
 */
function answerRefusedBodies(app: FastifyInstance, { log, headers }: Options): void {
  app.setErrorHandler((cause: Error & { readonly statusCode?: number }, request, reply) => {
    void reply.headers({ ...headers, 'content-type': CONTENT_TYPES.json });
    if (cause instanceof Refused) return reply.code(415).send(refusalText(cause.refusal, {}));
    const status = cause.statusCode ?? 500;
    if (status === 413) return reply.code(413).send(refusalText(refusal('generic', 'l.body_too_large'), {}));
    if (status < 500) return reply.code(status).send(refusalText(refusal('generic', 'l.body_encoding'), {}));
    log.error('operator.failed', { path: request.routeOptions.url ?? '', cause });
    return reply.code(500).send('{"error":"It failed; the log says why."}');
  });
}

/**
 * Returns a refusal's answer for the console. Its sentence contains the labels of fields, and rates in
 * percent as operators enter them.
 */
function refusalText({ key, parameters }: Refusal, fields: NonNullable<Operation['fields']>): string {
  const name = parameters['field'] ?? '';
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const isRate = field?.kind === 'percent' || parameters['scale'] === 'fraction';
  const shown = Object.fromEntries(
    Object.entries(parameters).map(([parameter, value]) => {
      if (parameter === 'field' && field !== undefined) return [parameter, field.label];
      const percent = isRate ? percentOfFraction(value) : undefined;
      return [parameter, percent === undefined ? value : `${percent} %`];
    }),
  );
  return JSON.stringify({
    error: fillWords(operatorRefusal(key), shown, 'en-US'),
    key,
    field: parameters['field'],
    seconds: parameters['seconds'],
  });
}

const SESSION = { name: 'operator_session', seconds: (8 * HOUR_MS) / 1_000, value: /^[\w-]{43}$/ } as const;
/** Cookie that marks a browser from which an operator has signed in before. It grants no access. */
const BROWSER = {
  name: 'operator_browser',
  seconds: (180 * DAY_MS) / 1_000,
  value: /^[\w-]{22}\.[\w-]{43}$/,
} as const;
type Cookie = typeof SESSION | typeof BROWSER;

/** Returns the cookie header that sets the token of an operator's session or removes it. */
function sessionCookie(request: FastifyRequest, token: string | undefined): string {
  return token === undefined ? cookieOf(request, SESSION, '', 0) : cookieOf(request, SESSION, token);
}

function browserCookie(request: FastifyRequest, key: string): string {
  return cookieOf(request, BROWSER, key);
}

/**
 * Returns the `set-cookie` header of a cookie that scripts cannot read and that browsers do not send with
 * requests from other sites. Over https its name begins with `__Host-`, so that browsers accept it only from
 * this exact host and not from a sibling domain.
 */
function cookieOf(
  request: FastifyRequest,
  cookie: Cookie,
  value: string,
  age: number = cookie.seconds,
): string {
  const bounds = isBehindTls(request) ? 'Path=/; Secure' : 'Path=/ops';
  return `${nameIn(request, cookie)}=${value}; ${bounds}; Max-Age=${age}; HttpOnly; SameSite=Strict`;
}

function nameIn(request: FastifyRequest, { name }: Cookie): string {
  return isBehindTls(request) ? `__Host-${name}` : name;
}

function valueOf(request: FastifyRequest, cookie: Cookie): string | undefined {
  const start = `${nameIn(request, cookie)}=`;
  const pair = (request.headers.cookie ?? '').split('; ').find((part) => part.startsWith(start));
  const value = pair?.slice(start.length);
  return value !== undefined && cookie.value.test(value) ? value : undefined;
}

/** Returns the operator's session token from a request's cookie; undefined without the cookie. */
function tokenOf(request: FastifyRequest): string | undefined {
  return valueOf(request, SESSION);
}

/** Returns the session token of a request, empty without a session cookie, and its network address. */
function sessionOf(request: FastifyRequest): SessionMark {
  return { token: tokenOf(request) ?? '', address: request.ip };
}

/**
 * Returns the network address of a sign-in attempt and the browser key from its cookie, empty without the
 * cookie.
 */
function originOf(request: FastifyRequest): { readonly address: string; readonly browserKey: string } {
  return { address: request.ip, browserKey: valueOf(request, BROWSER) ?? '' };
}

/**
 * Returns false for a request from a page of another site or, by its `Origin` header, of another host. A request
 * without an origin, e.g. a navigation or the request of a program, is authenticated by its session alone.
 */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site') return false;
  return origin === undefined || origin.replace(/^https?:\/\//, '') === host;
}

/**
 * Returns whether the browser uses https, to this server or, according to the proxy's header, to a proxy. A client that
 * sets the header falsely harms only its own cookie.
 */
function isBehindTls({ headers, protocol }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}
