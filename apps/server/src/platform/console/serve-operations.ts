import { Readable } from 'node:stream';
import { fillWords } from '@exchange/core/locale.ts';
import { percentOfFraction } from '@exchange/core/percent.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import { REFUSAL_WORDS } from '@exchange/wire/words/refusals.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inLane } from '../database/lanes.ts';
import { acceptOnlyForms } from '../http/form-body.ts';
import { decodeForm, decodeFormText, type FormFields } from '../http/form.ts';
import { CONTENT_TYPES } from '../http/page.ts';
import type { Log } from '../log.ts';
import { permits, type OperatorGate } from './gate.ts';
import {
  CODE_FIELD,
  OperatorFile,
  OperatorPicture,
  takesCode,
  type Operation,
  type Operator,
} from './operation.ts';

/** A call without documents. */
const BODY_BYTES_MAX = 16_384;
/**
 * Of an operation that takes documents. The terms of a sale are the longest: texts of 35,100 characters in each of four
 * languages, of which one takes up to nine bytes in a form.
 */
const LONG_BODY_BYTES_MAX = 1_572_864;
const NO_FORM: FormFields = {};

interface Options {
  readonly operations: readonly Operation[];
  readonly listedPairs: ReadonlySet<string>;
  /** Undefined: there is no operator, and the operations do not exist. */
  readonly gate: OperatorGate | undefined;
  readonly mode: string;
  readonly log: Log;
  readonly headers: Readonly<Record<string, string>>;
}

/** Puts what operators may do on the console's port, for who is signed in there, and signing in itself. */
export function serveOperations(app: FastifyInstance, options: Options): void {
  const { operations, gate, mode, listedPairs } = options;
  acceptOnlyForms(app);
  answerRefusedBodies(app, options);
  gate?.use(operations);
  const serve = (method: 'GET' | 'POST', url: string, act: Act, served: Served = {}) =>
    app.route({
      method,
      url,
      bodyLimit: bodyBytesMost(served),
      handler: (request, reply) => answered(act, { ...options, fields: served.fields ?? {} }, request, reply),
    });
  serve('POST', '/ops/session', async ({ request, reply, gate: door }) => {
    const { name = '', password = '', code = '' } = fieldsOf(request);
    const { token, browserKey } = await door.signIn({ name, password, code, ...originOf(request) });
    void reply.header('set-cookie', [sessionCookie(request, token), browserCookie(request, browserKey)]);
    return { name };
  });
  serve('POST', '/ops/session/end', async ({ request, reply, gate: door }) => {
    await door.signOut(tokenOf(request) ?? '');
    void reply.header('set-cookie', sessionCookie(request, undefined));
    // Not "cookies": the browser's key stays, which permits nothing.
    void reply.header('clear-site-data', '"cache", "storage"');
    return {};
  });
  serve('POST', '/ops/session/set-up', ({ request, gate: door }) =>
    door.setUp(fieldsOf(request), request.ip),
  );
  serve('POST', '/ops/session/authenticator', ({ request, gate: door }) =>
    door.replaceAuthenticator(fieldsOf(request), originOf(request)),
  );
  serve('GET', '/ops/session', async ({ request, reply, gate: door }) => {
    // That nobody is signed in is an answer, and no failed call: a sign-in page asks it.
    if (tokenOf(request) === undefined) return { name: '', roles: [], mode, operations: [] };
    const operator = await signedIn(request, door);
    if (operator === undefined) {
      void reply.header('set-cookie', sessionCookie(request, undefined));
      return ended(reply);
    }
    const allowed = operations.filter((operation) => permits(operation, operator));
    return {
      name: operator.name,
      roles: operator.roles,
      mode,
      operations: allowed.map(described),
      pairs: [...listedPairs],
    };
  });
  for (const operation of operations) {
    const { method, path, preview } = operation;
    serve(method, path, (call) => perform(operation, options, call), operation);
    if (method === 'POST')
      serve('POST', `${path}/check`, (call) => perform(operation, options, call, 'check'), operation);
    if (preview !== undefined)
      serve('POST', `${path}/preview`, (call) => previewed(operation, preview, call), operation);
  }
}

/** What the description of an operation says of the bodies it receives. */
type Served = Pick<Operation, 'fields' | 'takesDocuments'>;

function bodyBytesMost({ takesDocuments }: Served): number {
  return takesDocuments === true ? LONG_BODY_BYTES_MAX : BODY_BYTES_MAX;
}

/** What a call would show to users. It changes nothing, so that whoever is signed in may ask, as approvers have to. */
async function previewed(
  operation: Operation,
  preview: NonNullable<Operation['preview']>,
  asked: Asked,
): Promise<unknown> {
  const { request, reply, gate } = asked;
  const operator = await signedIn(request, gate);
  if (operator === undefined) return ended(reply);
  const parameters = request.params as Readonly<Record<string, string>>;
  return preview({ parameters, fields: declaredFields(operation, fieldsOf(request)), operator });
}

/** An operation as the console is told of it. */
function described({ method, path, summary, fields, secondPerson, versionsOf, ...is }: Operation) {
  return {
    method,
    path,
    summary,
    mayNeedApproval: secondPerson !== undefined,
    fields: fields ?? versionsOf?.fields ?? {},
    versionsOf: versionsOf?.path,
    isQueue: is.isQueue === true,
    isFile: is.isFile === true,
    isFunding: is.isFunding === true,
    isPicture: is.isPicture === true,
    isVersioned: is.versionOf !== undefined,
    isPreviewed: is.preview !== undefined,
    takesCode: takesCode({ method, ...is }),
  };
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly gate: OperatorGate;
}
type Act = (asked: Asked) => Promise<unknown>;

/** Does what is asked, or, as `check`, only looks whether it could be done and what is unusual about it. */
async function perform(
  operation: Operation,
  { log }: Options,
  asked: Asked,
  mode: 'do' | 'check' = 'do',
): Promise<unknown> {
  const { request, reply, gate } = asked;
  const operator = await signedIn(request, gate);
  if (operator === undefined) return ended(reply);
  if (!permits(operation, operator)) {
    log.warn('operator.refused', { path: operation.path, name: operator.name });
    void reply.code(403);
    return { error: 'Your roles do not permit this.' };
  }
  const parameters = request.params as Readonly<Record<string, string>>;
  const { [CODE_FIELD]: code = '', ...sent } = fieldsOf(request);
  const fields = declaredFields(operation, sent);
  if (mode === 'check') return gate.preview(operation, { parameters, fields, operator });
  const marks = { key: headerOf(request, 'idempotency-key'), code };
  const performed = await gate.perform(operation, { parameters, fields, operator }, marks);
  if (performed.state === 'done') return performed.result;
  void reply.code(202);
  return { proposal: performed.id, expiresAt: performed.expiresAt };
}

async function answered(
  act: Act,
  { gate, log, headers, fields }: Options & { readonly fields: NonNullable<Operation['fields']> },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.headers({ ...headers, 'content-type': CONTENT_TYPES.json });
  if (gate === undefined) return reply.code(404).send('{"error":"There is no operator here."}');
  if (!isSameOrigin(request)) return reply.code(403).send('{"error":"Not from another page."}');
  try {
    const result = await inLane('operators', () => act({ request, reply, gate }));
    if (result instanceof OperatorPicture)
      return await reply.header('content-type', 'image/jpeg').send(result.jpeg);
    if (result instanceof OperatorFile)
      return await reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
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

async function signedIn(request: FastifyRequest, gate: OperatorGate): Promise<Operator | undefined> {
  const token = tokenOf(request);
  const isBackground = headerOf(request, 'x-background') !== undefined;
  return token === undefined ? undefined : gate.operatorOf(token, isBackground);
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function ended(reply: FastifyReply): { error: string } {
  void reply.code(401);
  return { error: fillWords(REFUSAL_WORDS['en-US']['l.session_ended'], {}, 'en-US') };
}

/** What was sent: the form of a POST, what follows the `?` of a GET. */
function fieldsOf({ body, method, url }: FastifyRequest): FormFields {
  const start = url.indexOf('?');
  if (method === 'GET' && start < 0) return NO_FORM;
  if (method !== 'GET' && !Buffer.isBuffer(body)) return NO_FORM;
  const decoded =
    method === 'GET' ? decodeFormText(url.slice(start + 1)) : decodeForm(body as Buffer, LONG_BODY_BYTES_MAX);
  if (!decoded.ok) throw new Refused(decoded.refusal);
  return decoded.value;
}

/** Fields that any operation may be sent besides its own, by method. */
const COMMON_FIELDS = { GET: ['before'], POST: ['reason', 'version'] } as const;

/** What an operation declares of the fields that were sent; others reach neither it nor a proposal nor the log. */
function declaredFields(
  { method, fields, versionsOf }: Pick<Operation, 'method' | 'fields' | 'versionsOf'>,
  sent: FormFields,
): FormFields {
  const declared = new Set([...Object.keys(fields ?? versionsOf?.fields ?? {}), ...COMMON_FIELDS[method]]);
  return Object.fromEntries(Object.entries(sent).filter(([name]) => declared.has(name)));
}

/** Bodies that were refused before a handler saw them are answered like other refusals, without Fastify's own words. */
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

/** A refusal as the console reads it: the field by its label, and rates in percent, as they are typed. */
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
    error: fillWords(REFUSAL_WORDS['en-US'][key], shown, 'en-US'),
    key,
    field: parameters['field'],
    seconds: parameters['seconds'],
  });
}

const SESSION = { name: 'operator_session', seconds: (8 * HOUR_MS) / 1_000, value: /^[\w-]{43}$/ } as const;
/** A browser from which an operator signed in before: its key permits nothing. */
const BROWSER = {
  name: 'operator_browser',
  seconds: (180 * DAY_MS) / 1_000,
  value: /^[\w-]{22}\.[\w-]{43}$/,
} as const;
type Cookie = typeof SESSION | typeof BROWSER;

/** The cookie that holds a session's token, or ends it. */
function sessionCookie(request: FastifyRequest, token: string | undefined): string {
  return token === undefined ? cookieOf(request, SESSION, '', 0) : cookieOf(request, SESSION, token);
}

function browserCookie(request: FastifyRequest, key: string): string {
  return cookieOf(request, BROWSER, key);
}

/**
 * A cookie that scripts cannot read and no other site sends. Over https its name begins with `__Host-`: a browser then
 * takes it from this very host alone, so that no neighbouring name can plant one.
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
  const found = (request.headers.cookie ?? '').split('; ').find((part) => part.startsWith(start));
  const value = found?.slice(start.length);
  return value !== undefined && cookie.value.test(value) ? value : undefined;
}

/** The token of a request's cookie. */
function tokenOf(request: FastifyRequest): string | undefined {
  return valueOf(request, SESSION);
}

/** Where a try to sign in comes from. */
function originOf(request: FastifyRequest): { readonly address: string; readonly browserKey: string } {
  return { address: request.ip, browserKey: valueOf(request, BROWSER) ?? '' };
}

/** Browsers say where a request comes from; what is no browser says nothing and is known by its session alone. */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site') return false;
  return origin === undefined || origin.replace(/^https?:\/\//, '') === host;
}

/** A proxy that ends TLS says so; who says it wrongly only loses their own cookie. */
function isBehindTls({ headers, protocol }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}
