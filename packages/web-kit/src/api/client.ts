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
  /** Idempotency key of the request; generated for each request by default. */
  readonly clientId?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** A form field's value: text, or a value that is serialised to text. */
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
 * Registers a listener that gets the server's message when the server has ended the session (code −2).
 * Returns a function that removes it.
 */
export function onSessionEnded(listener: (message: string) => void): () => void {
  endedListeners.add(listener);
  return () => endedListeners.delete(listener);
}

/** Ends the session on this device after the server has ended it, and calls the listeners. */
export function sessionEndedByServer(message: string): void {
  endSession();
  for (const listener of endedListeners) listener(message);
}

let origin = '';

/** Sets the server's origin; by default it is the page's own origin. Used by tests. */
export function setServerOrigin(address: string): void {
  origin = address;
}

/** The session of a request: its token, and a signal that is aborted when the session ends. */
export interface RequestSession {
  readonly token: string | undefined;
  readonly session: AbortSignal;
}

function currentSession(): RequestSession {
  return { token: sessionToken(), session: sessionSignal() };
}

/**
 * Calls an endpoint and returns its data. Throws `CallRefused` when the server refuses, `CallFailed` without a usable
 * answer, and `SessionChanged` when a user signed in or out meanwhile; the answer is then dropped. Answers of public
 * endpoints are not dropped. An abort by the caller rejects with its reason.
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
 * Returns the answer of `read`. For an endpoint that requires a user, throws `SessionChanged` instead when
 * the session of the request has ended meanwhile.
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
    // A failed request of an earlier session must not be reported to the next user.
    if (endpoint.access.who === 'user' && error instanceof CallFailed) session.throwIfAborted();
    throw error;
  }
}

const FILE_TYPES = ['text/csv', 'application/pdf'];

/**
 * Requests a file and returns the response, whose body is still streaming. Throws like `call`. A sign-in or sign-out
 * aborts the body. `timeout` also limits the body, so the caller decides how long a download may take.
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
 * URL, headers and session for requests that `call` cannot make. The sender must abort the request with
 * `sentUnder.session`.
 */
export function requestTarget({ path }: Endpoint) {
  const sentUnder = currentSession();
  return { url: `${origin}${API_BASE}${path}`, headers: headersOf(sentUnder.token), sentUnder };
}

/** Parses a response to a request not sent by `call`; throws like `call`. */
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

/** Pauses between attempts to end a session on the server. */
const LOGOUT_PAUSES_MS = [2_000, 10_000, 30_000];

/**
 * Signs out: immediately on this device, and in the background on the server, with at most three retries while it
 * cannot be reached. The server's answer is ignored.
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
      // The server cannot be reached. Sessions expire anyway, so the number of attempts is limited.
      const pauseMs = LOGOUT_PAUSES_MS[attempt];
      if (pauseMs === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function throwRefusal(envelope: Envelope, token: string | undefined): never {
  // With this refusal code the server states that the request's outcome is unknown, so it is treated like a
  // missing response.
  if (envelope.code === REFUSAL_CODES.outcomeUnknown)
    throw new CallFailed('answer', envelope.msg ?? 'l.error');
  // A late response to a request with an old token must not end the new session.
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
      // The response to a logout clears the browser's storage, which browsers do only for requests with
      // credentials.
      credentials: endpoint.path === logout.path ? 'same-origin' : 'omit',
      // Keeps the logout request alive when the tab is closed at once.
      keepalive: endpoint.path === logout.path,
      cache: 'no-store',
      ...(isGet ? {} : { body: form }),
    });
    recordServerBuild(response);
    return response;
  } catch (error) {
    // `fetch` rejects when the server is unreachable, on a timeout and on the caller's abort; each has an
    // error of its own.
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
    // A proxy's error page is not JSON, and the timeout can cut off a response body; neither is an answer of
    // the server.
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

/** Thrown when the server understood a request and refused it. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  /** Code from the wire's table of codes; −2 means that the session has ended. */
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

  /** The form field that is refused, if any. */
  get field(): string | undefined {
    return typeof this.data['field'] === 'string' ? this.data['field'] : undefined;
  }

  /**
   * Whether the requested `id` is malformed or names nothing that the user may see; a retry would fail again.
   */
  get isMissing(): boolean {
    const isBadId = this.errKey === 'l.field_invalid' || this.errKey === 'l.field_required';
    return this.errKey === 'l.not_found' || (isBadId && this.field === 'id');
  }

  /**
   * Whether the refusal is temporary (rate limiting or maintenance) and says nothing about the request
   * itself.
   */
  get isTemporary(): boolean {
    return this.code === REFUSAL_CODES.rateLimited || this.code === REFUSAL_CODES.maintenance;
  }
}

/**
 * Thrown when a request received no usable response: no connection, a timeout, a response that is not from
 * the server, or one which says that the outcome is unknown. The request may have been executed or not.
 */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly reason: 'network' | 'timeout' | 'answer';

  constructor(reason: CallFailed['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Removes fields and list items that are null, undefined or an empty text, at every depth. */
export function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks).filter(isPresent);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, withoutBlanks(field)] as const)
      .filter(([, field]) => isPresent(field)),
  );
}

/** Form-encoded body of a call: blank fields removed, decimals in plain notation, lists and objects as JSON. */
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

/** Pause before a failed request is retried; a connection that was just lost needs time to recover. */
const PAUSE_MS = 1_000;

/**
 * Makes an idempotent call and retries it once if it failed without a usable answer before its timeout.
 * `send` uses the same key in both attempts, so that the call is executed once. Both attempts share the
 * timeout of one call; after that nothing is retried and the caller decides. Throws `SessionChanged` instead
 * of retrying under another session.
 */
export async function retryOnce<Answer>(send: (timeoutMs: number) => Promise<Answer>): Promise<Answer> {
  const startedMs = steadyNow();
  const session = sessionSignal();
  try {
    return await send(CALL_TIMEOUT_MS);
  } catch (error) {
    // Reason: a refusal is an answer, and only an early failure leaves time for a retry.
    const leftMs = Math.floor(CALL_TIMEOUT_MS - PAUSE_MS - (steadyNow() - startedMs));
    if (!(error instanceof CallFailed) || error.reason === 'timeout' || leftMs <= 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    session.throwIfAborted();
    return send(leftMs);
  }
}
