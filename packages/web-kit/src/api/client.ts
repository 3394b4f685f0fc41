import { Decimal } from '@exchange/core/decimal.ts';
import { DEFAULT_LOCALE } from '@exchange/core/locale.ts';
import { logout } from '@exchange/wire/user.ts';
import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { REFUSAL_CODES, SESSION_ENDED, SUCCESS } from '@exchange/wire/codes.ts';
import {
  API_BASE,
  type CsvEndpoint,
  type PdfEndpoint,
  type DataOf,
  type Endpoint,
  type FieldsSent,
} from '@exchange/wire/endpoint.ts';
import { steadyNow } from '../clock.ts';
import { endSession, sessionSignal, sessionToken } from '../session/session-store.ts';
import { readStored } from '../storage.ts';
import { recordServerBuild } from '../part/build.ts';
import { randomId } from '../random-id.ts';

export const CALL_TIMEOUT_MS = 12_000;

export interface CallOptions {
  /**
   * Idempotency key (`clientId`) of a request to an endpoint that accepts one: requests with the same key are executed
   * once. If it is missing, such a request gets a random key.
   */
  readonly clientId?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** The value of a form field: text, or a value that is converted to text. */
type SentValue<T> = string extends NonNullable<T> ? T | number | boolean | Decimal | null : T | null;
export type CallFields<E extends Endpoint> = { [K in keyof FieldsSent<E>]: SentValue<FieldsSent<E>[K]> };

type HasNoRequiredFields<Fields> =
  Fields extends Record<string, never> ? true : Partial<Fields> extends Fields ? true : false;

type CallArguments<E extends Endpoint> =
  HasNoRequiredFields<FieldsSent<E>> extends true
    ? [fields?: CallFields<E>, options?: CallOptions]
    : [fields: CallFields<E>, options?: CallOptions];

interface Envelope {
  readonly code: number;
  readonly msg?: string;
  readonly errKey?: string;
  readonly status?: string;
  readonly data?: unknown;
  readonly tick?: unknown;
}

const endedListeners = new Set<(message: string) => void>();

/**
 * Registers a listener that is called with the server's message when the server has ended the session (code −2).
 * Returns a function that removes the listener.
 */
export function onSessionEnded(listener: (message: string) => void): () => void {
  endedListeners.add(listener);
  return () => endedListeners.delete(listener);
}

/**
 * Ends the session on this device after the server has ended it, and calls the listeners of `onSessionEnded`
 * with `message`.
 */
export function sessionEndedByServer(message: string): void {
  endSession();
  for (const listener of endedListeners) listener(message);
}

let origin = '';

/** Sets the server's origin, to which requests are sent. By default it is the page's own origin. Only tests set it. */
export function setServerOrigin(address: string): void {
  origin = address;
}

/** The session with which a request is sent: its token, and a signal that is aborted when the session ends. */
export interface RequestSession {
  readonly token: string | undefined;
  readonly session: AbortSignal;
}

function currentSession(): RequestSession {
  return { token: sessionToken(), session: sessionSignal() };
}

/**
 * Calls an endpoint and returns the data of its response. Throws `CallRefused` if the server refuses the request, and
 * `CallFailed` if there is no usable response. For an endpoint that requires a user, throws `SessionChanged` if a user
 * has signed in or out meanwhile. If the caller aborts the request, rejects with the reason of the abort.
 */
export async function call<E extends Endpoint>(endpoint: E, ...args: CallArguments<E>): Promise<DataOf<E>> {
  const [fields = {}, options = {}] = args;
  const sentUnder = currentSession();
  const { token } = sentUnder;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? CALL_TIMEOUT_MS);
  return guardBySession(endpoint, sentUnder, async () => {
    const response = await fetchEndpoint(endpoint, { ...fields }, { token, timeout, options });
    const envelope = await envelopeOf(response);
    if (response.status === 200 && isSuccess(endpoint, envelope)) {
      return () => (endpoint.envelope === 'tick' ? envelope.tick : envelope.data) as DataOf<E>;
    }
    return () => throwRefusal(envelope, token);
  });
}

/**
 * Runs `read` and the function that it resolves to, and returns the result of that function. If the endpoint requires a
 * user and the session of the request has ended meanwhile, throws `SessionChanged` instead of returning the result or
 * throwing `CallFailed`.
 */
async function guardBySession<Answer>(
  endpoint: Endpoint,
  { session }: RequestSession,
  read: () => Promise<() => Answer>,
): Promise<Answer> {
  try {
    const getAnswer = await read();
    if (endpoint.access.who === 'user') session.throwIfAborted();
    return getAnswer();
  } catch (error) {
    // If the session has ended, the failure of its request must not be shown to the next user.
    if (endpoint.access.who === 'user' && error instanceof CallFailed) session.throwIfAborted();
    throw error;
  }
}

const FILE_TYPES = ['text/csv', 'application/pdf'];

/**
 * Requests a file and returns the response while its body is still arriving. Throws like `call`. If a user
 * signs in or out, the body is aborted. When the signal `timeout` is aborted, the request or the body fails,
 * so the caller determines how long a download may take.
 */
export async function callForFile<E extends CsvEndpoint | PdfEndpoint>(
  endpoint: E,
  fields: CallFields<E>,
  { timeout, signal }: { timeout: AbortSignal; signal: AbortSignal },
): Promise<Response> {
  const sentUnder = currentSession();
  const { token, session } = sentUnder;
  return guardBySession(endpoint, sentUnder, async () => {
    const options = { signal: AbortSignal.any([signal, session]) };
    const response = await fetchEndpoint(endpoint, { ...fields }, { token, timeout, options });
    const type = response.headers.get('content-type') ?? '';
    if (response.status === 200 && FILE_TYPES.some((fileType) => type.startsWith(fileType)))
      return () => response;
    const envelope = await envelopeOf(response);
    return () => throwRefusal(envelope, token);
  });
}

/**
 * Returns URL, headers and session for a request that `call` cannot send. The sender must abort the request when
 * `sentUnder.session` is aborted.
 */
export function requestTarget({ path }: Endpoint) {
  const sentUnder = currentSession();
  return { url: `${origin}${API_BASE}${path}`, headers: headersOf(sentUnder.token), sentUnder };
}

/** Parses the response to a request that was sent without `call`. Throws like `call`. */
export async function parseResponse<E extends Endpoint>(
  endpoint: E,
  response: Response,
  sentUnder: RequestSession,
): Promise<DataOf<E>> {
  return guardBySession(endpoint, sentUnder, async () => {
    const envelope = await envelopeOf(response);
    if (response.status === 200 && isSuccess(endpoint, envelope)) return () => envelope.data as DataOf<E>;
    return () => throwRefusal(envelope, sentUnder.token);
  });
}

/** Pauses in milliseconds before the second, third and fourth attempt to end a session on the server. */
const LOGOUT_PAUSES_MS = [2_000, 10_000, 30_000];

/**
 * Signs the user out: immediately on this device, and in the background on the server. If the server cannot be reached,
 * the request is repeated at most three times. The server's response is ignored.
 */
export function signOut(): void {
  const token = sessionToken();
  endSession();
  if (token !== undefined) void endSessionOnServer(token);
}

async function endSessionOnServer(token: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await fetchEndpoint(logout, {}, { token, timeout: AbortSignal.timeout(CALL_TIMEOUT_MS), options: {} });
      return;
    } catch {
      // The server cannot be reached. The number of attempts is limited, because the session expires on the server
      // anyway.
      const pauseMs = LOGOUT_PAUSES_MS[attempt];
      if (pauseMs === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function throwRefusal(envelope: Envelope, token: string | undefined): never {
  // Code `outcomeUnknown`: the server does not know whether the request was executed. It is handled like a missing
  // response, as a `CallFailed`.
  if (envelope.code === REFUSAL_CODES.outcomeUnknown)
    throw new CallFailed('answer', envelope.msg ?? 'l.error');
  // If the request had an old token, its late response must not end the user's new session.
  if (envelope.code === SESSION_ENDED && token !== undefined && token === sessionToken()) {
    sessionEndedByServer(envelope.msg ?? 'l.session_ended');
  }
  throw new CallRefused(envelope.code, envelope.msg ?? 'l.error', envelope.errKey, parametersOf(envelope));
}

async function fetchEndpoint(
  endpoint: Endpoint,
  fields: Record<string, unknown>,
  { token, timeout, options }: { token: string | undefined; timeout: AbortSignal; options: CallOptions },
): Promise<Response> {
  if (endpoint.idempotent) fields['clientId'] = options.clientId ?? randomId();
  const form = toFormData(fields);
  const isGet = endpoint.method === 'GET';
  const query = isGet && form.size > 0 ? `?${form.toString()}` : '';
  try {
    const response = await fetch(`${origin}${API_BASE}${endpoint.path}${query}`, {
      method: endpoint.method,
      headers: headersOf(token),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      // The response to a logout has the header `Clear-Site-Data: "cache"`, which empties the browser's cache of this
      // site. Browsers obey it only if the request was sent with credentials.
      credentials: endpoint.path === logout.path ? 'same-origin' : 'omit',
      // The browser completes the logout request even if the user closes the tab immediately.
      keepalive: endpoint.path === logout.path,
      cache: 'no-store',
      ...(isGet ? {} : { body: form }),
    });
    recordServerBuild(response);
    return response;
  } catch (error) {
    // `fetch` rejects if the server is unreachable, after the timeout, and if the caller aborts. Each of the three
    // cases has a different error.
    if (options.signal?.aborted) throw error;
    if (timeout.aborted) throw new CallFailed('timeout', 'l.timeout');
    throw new CallFailed('network', 'l.network');
  }
}

function headersOf(token: string | undefined): Record<string, string> {
  const locale = readStored(SESSION_KEYS.locale) ?? DEFAULT_LOCALE;
  return {
    'Accept-Language': `${locale},${locale.slice(0, 2)}`,
    'X-Lang': locale,
    ...(token === undefined ? {} : { 'X-Access-Token': token }),
  };
}

async function envelopeOf(response: Response): Promise<Envelope> {
  try {
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number') {
      return body as Envelope;
    }
  } catch {
    // The body is no JSON, for example because it is a proxy's error page, or because the timeout cut it off. It is
    // therefore no answer of the server.
  }
  throw new CallFailed('answer', 'l.error');
}

function isSuccess(endpoint: Endpoint, envelope: Envelope): boolean {
  if (envelope.code !== SUCCESS) return false;
  return endpoint.envelope === 'plain' || envelope.status === undefined || envelope.status === 'ok';
}

function parametersOf({ data }: Envelope): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
}

/** Thrown if the server understood a request and refused to execute it. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  /** Code from the API's table of codes. −2 means that the session has ended. */
  readonly code: number;
  /** Translation key of the error sentence, `l.…`, if the server sent one. */
  readonly errKey: string | undefined;
  /** Values for the placeholders of the error sentence: `field`, `limit`, `value`, `unit`, … */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, errKey?: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.errKey = errKey;
    this.data = data;
  }

  /** Name of the form field that the server refuses; undefined if the refusal concerns no field. */
  get field(): string | undefined {
    return typeof this.data['field'] === 'string' ? this.data['field'] : undefined;
  }

  /**
   * True if the requested `id` is malformed or absent, or the user may not see anything with this id. Another attempt
   * would fail, too.
   */
  get isMissing(): boolean {
    const isBadId = this.errKey === 'l.field_invalid' || this.errKey === 'l.field_required';
    return this.errKey === 'l.not_found' || (isBadId && this.field === 'id');
  }

  /** True if the refusal is temporary (rate limiting or maintenance) and not caused by the content of the request. */
  get isTemporary(): boolean {
    return this.code === REFUSAL_CODES.rateLimited || this.code === REFUSAL_CODES.maintenance;
  }
}

/**
 * Thrown if a request got no usable response: there is no connection, the timeout has passed, the response is not from
 * the server, or the server states that the outcome is unknown. The server may have executed the request or not.
 */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly reason: 'network' | 'timeout' | 'answer';

  constructor(reason: CallFailed['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Removes the fields and list items of a request that are null, undefined or an empty text, at every depth.
 */
export function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks).filter(isPresent);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, withoutBlanks(field)] as const)
      .filter(([, field]) => isPresent(field)),
  );
}

/**
 * Converts fields to the form-encoded body of a request: without blank fields, with booleans as `1` or `0`,
 * decimals in plain notation, and lists and objects as JSON.
 */
export function toFormData(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(withoutBlanks(fields) as Record<string, unknown>)) {
    form.append(key, fieldText(value));
  }
  return form;
}

function fieldText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value instanceof Decimal) return value.toString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Milliseconds between a failed request and its retry. A connection that was just lost needs time to recover. */
const PAUSE_MS = 1_000;

/**
 * Sends an idempotent request, and sends it a second time if the first attempt fails with `CallFailed` before its
 * timeout. `send` uses the same idempotency key for both attempts, so that the server executes the request once. Both
 * attempts together have the timeout of one request; if it leaves no time for a second attempt, the error of the first
 * is thrown. Throws `SessionChanged` if the session has changed before the second attempt.
 */
export async function retryOnce<Answer>(send: (timeoutMs: number) => Promise<Answer>): Promise<Answer> {
  const startedMs = steadyNow();
  const session = sessionSignal();
  try {
    return await send(CALL_TIMEOUT_MS);
  } catch (error) {
    // A refusal is a response, and after a timeout there is no time for a second attempt. Both errors are thrown
    // unchanged.
    const leftMs = Math.floor(CALL_TIMEOUT_MS - PAUSE_MS - (steadyNow() - startedMs));
    if (!(error instanceof CallFailed) || error.reason === 'timeout' || leftMs <= 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    session.throwIfAborted();
    return send(leftMs);
  }
}
