import { Decimal } from '@exchange/core/decimal.ts';
import { DEFAULT_LOCALE } from '@exchange/core/locale.ts';
import { logout } from '@exchange/wire/user.ts';
import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { REFUSAL_CODES, SESSION_ENDED, SUCCESS } from '@exchange/wire/codes.ts';
import {
  API_BASE,
  type CsvEndpoint,
  type DataOf,
  type Endpoint,
  type FieldsSent,
} from '@exchange/wire/endpoint.ts';
import { steadyNow } from '../clock.ts';
import { endSession, sessionSignal, sessionToken } from '../session/session-store.ts';
import { recall } from '../storage.ts';
import { noteBuild } from '../part/build.ts';
import { randomId } from '../random-id.ts';

export const CALL_TIMEOUT_MS = 12_000;

export interface CallOptions {
  /** The key under which a repetition is the same request; made for each call where none is given. */
  readonly clientId?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** A field as forms have it: text, or what is printed into text. */
type Sent<T> = string extends NonNullable<T> ? T | number | boolean | Decimal | null : T | null;
export type CallFields<E extends Endpoint> = { [K in keyof FieldsSent<E>]: Sent<FieldsSent<E>[K]> };

type NoneNeeded<Fields> =
  Fields extends Record<string, never> ? true : Partial<Fields> extends Fields ? true : false;

type CallArguments<E extends Endpoint> =
  NoneNeeded<FieldsSent<E>> extends true
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

/** Reports when the server has ended the session (code −2), with its sentence. */
export function onSessionEnded(listener: (message: string) => void): () => void {
  endedListeners.add(listener);
  return () => endedListeners.delete(listener);
}

/** Ends the session on this device because the server did, and notifies whoever asked. */
export function sessionEndedByServer(message: string): void {
  endSession();
  for (const listener of endedListeners) listener(message);
}

let origin = '';

/** Where the server is; the page's own origin unless set otherwise (tests are). */
export function setServerOrigin(address: string): void {
  origin = address;
}

/** What a request is sent under: the token, and the signal that is aborted when the session of that token ends. */
export interface SentUnder {
  readonly token: string | undefined;
  readonly session: AbortSignal;
}

function presentSession(): SentUnder {
  return { token: sessionToken(), session: sessionSignal() };
}

/**
 * Makes one call. Returns its data; throws `CallRefused` when the server says no, `CallFailed` when no usable answer
 * came, and `SessionChanged` when somebody signed in or out meanwhile: whatever came is then dropped. Answers to calls
 * that anybody may make are of nobody and are never dropped.
 */
export async function call<E extends Endpoint>(endpoint: E, ...args: CallArguments<E>): Promise<DataOf<E>> {
  const [fields = {}, options = {}] = args;
  const sentUnder = presentSession();
  const { token } = sentUnder;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? CALL_TIMEOUT_MS);
  return forItsSession(endpoint, sentUnder, async () => {
    const response = await answerOf(endpoint, { ...fields }, { token, timeout, options });
    const envelope = await envelopeOf(response);
    if (response.status === 200 && isSuccess(endpoint, envelope)) {
      return () => (endpoint.envelope === 'tick' ? envelope.tick : envelope.data) as DataOf<E>;
    }
    return () => refuse(envelope, token);
  });
}

/** Reads an answer and hands it on only while the session is there that the request was sent under. */
async function forItsSession<Answer>(
  endpoint: Endpoint,
  { session }: SentUnder,
  read: () => Promise<() => Answer>,
): Promise<Answer> {
  try {
    const handOn = await read();
    if (endpoint.access.who === 'user') session.throwIfAborted();
    return handOn();
  } catch (error) {
    // Reason: that nothing usable came is as little the next person's business as an answer.
    if (endpoint.access.who === 'user' && error instanceof CallFailed) session.throwIfAborted();
    throw error;
  }
}

/**
 * Asks for a file. Returns the answer with the file as its body, which has yet to arrive; throws like `call`. When
 * somebody signs in or out, the body breaks off. `timeout` limits what comes after, too: it is the caller's to say how
 * long a file may take.
 */
export async function callForFile<E extends CsvEndpoint>(
  endpoint: E,
  fields: CallFields<E>,
  { timeout, signal }: { timeout: AbortSignal; signal: AbortSignal },
): Promise<Response> {
  const sentUnder = presentSession();
  const { token, session } = sentUnder;
  return forItsSession(endpoint, sentUnder, async () => {
    const options = { signal: AbortSignal.any([signal, session]) };
    const response = await answerOf(endpoint, { ...fields }, { token, timeout, options });
    if (response.status === 200 && response.headers.get('content-type')?.startsWith('text/csv') === true)
      return () => response;
    const envelope = await envelopeOf(response);
    return () => refuse(envelope, token);
  });
}

/**
 * Where a call goes and what it carries, for requests that `call` cannot make. Whoever sends it aborts it with
 * `sentUnder.session`.
 */
export function addressed({ path }: Endpoint) {
  const sentUnder = presentSession();
  return { url: `${origin}${API_BASE}${path}`, headers: headersOf(sentUnder.token), sentUnder };
}

/** Takes an answer's text apart that came some other way; throws like `call`. */
export async function answered<E extends Endpoint>(
  endpoint: E,
  response: Response,
  sentUnder: SentUnder,
): Promise<DataOf<E>> {
  return forItsSession(endpoint, sentUnder, async () => {
    const envelope = await envelopeOf(response);
    if (response.status === 200 && isSuccess(endpoint, envelope)) return () => envelope.data as DataOf<E>;
    return () => refuse(envelope, sentUnder.token);
  });
}

/** Pauses before the server is asked once more to end a session. */
const LOGOUT_PAUSES_MS = [2_000, 10_000, 30_000];

/**
 * Ends the present session: on this device at once, on the server in the background, with some more tries while it
 * cannot be reached. What the server answers is nobody's business any more.
 */
export function signOut(): void {
  const token = sessionToken();
  endSession();
  if (token !== undefined) void endOnServer(token);
}

async function endOnServer(token: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await answerOf(logout, {}, { token, timeout: AbortSignal.timeout(CALL_TIMEOUT_MS), options: {} });
      return;
    } catch {
      // Reason: not reachable; the session also ends by itself, so after some tries it is left to that.
      const pauseMs = LOGOUT_PAUSES_MS[attempt];
      if (pauseMs === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function refuse(envelope: Envelope, token: string | undefined): never {
  // A late answer to a token that is no longer ours must not end the session that replaced it.
  if (envelope.code === SESSION_ENDED && token !== undefined && token === sessionToken()) {
    sessionEndedByServer(envelope.msg ?? 'l.session_ended');
  }
  throw new CallRefused(envelope.code, envelope.msg ?? 'l.error', envelope.errKey, parametersOf(envelope));
}

async function answerOf(
  endpoint: Endpoint,
  fields: Record<string, unknown>,
  { token, timeout, options }: { token: string | undefined; timeout: AbortSignal; options: CallOptions },
): Promise<Response> {
  if (endpoint.idempotent) fields['clientId'] = options.clientId ?? randomId();
  const form = formOf(fields);
  const isGet = endpoint.method === 'GET';
  const query = isGet && form.size > 0 ? `?${form.toString()}` : '';
  try {
    const answer = await fetch(`${origin}${API_BASE}${endpoint.path}${query}`, {
      method: endpoint.method,
      headers: headersOf(token),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      // The answer to a logout clears what the browser stored, which it does only for a request with credentials.
      credentials: endpoint.path === logout.path ? 'same-origin' : 'omit',
      // A tab that is closed at once still ends its session.
      keepalive: endpoint.path === logout.path,
      cache: 'no-store',
      ...(isGet ? {} : { body: form }),
    });
    noteBuild(answer);
    return answer;
  } catch (error) {
    // Reason: fetch rejects for an unreachable server, for our time limit and for the caller's abort; each is told apart.
    if (options.signal?.aborted) throw error;
    if (timeout.aborted) throw new CallFailed('timeout', 'l.timeout');
    throw new CallFailed('network', 'l.network');
  }
}

function headersOf(token: string | undefined): Record<string, string> {
  const locale = recall(SESSION_KEYS.locale) ?? DEFAULT_LOCALE;
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
    // Reason: a proxy's error page is not JSON, and the time limit also cuts bodies off; both are no answer.
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

/** The server understood the call and said no. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  /** From the wire's table of codes; −2 means that the session is over. */
  readonly code: number;
  /** The key of the sentence, `l.…`, where the server named one. */
  readonly errKey: string | undefined;
  /** What the sentence mentions: `field`, `limit`, `value`, `unit`, … */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, errKey?: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.errKey = errKey;
    this.data = data;
  }

  /** The form field that the refusal is about, if any. */
  get field(): string | undefined {
    return typeof this.data['field'] === 'string' ? this.data['field'] : undefined;
  }

  /** Whether the `id` that was sent is malformed or names nothing that the caller may see; the same call fails again. */
  get isMissing(): boolean {
    const isBadId = this.errKey === 'l.field_invalid' || this.errKey === 'l.field_required';
    return this.errKey === 'l.not_found' || (isBadId && this.field === 'id');
  }

  /** Whether it passes by itself: too many calls at once, or a restart. It says nothing about what was asked for. */
  get passes(): boolean {
    return this.code === REFUSAL_CODES.rateLimited || this.code === REFUSAL_CODES.maintenance;
  }
}

/** The call got no usable answer: no connection, no answer in time, or not from our server. It may have happened or not. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly reason: 'network' | 'timeout' | 'answer';

  constructor(reason: CallFailed['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Drops fields that are null, undefined or empty text, at every depth; list items likewise. */
export function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks).filter(isPresent);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, withoutBlanks(field)] as const)
      .filter(([, field]) => isPresent(field)),
  );
}

/** The form-encoded body of a call: blanks dropped, decimals in plain notation, lists and objects as JSON. */
export function formOf(fields: Readonly<Record<string, unknown>>): URLSearchParams {
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

/** A connection that was just lost is hardly back at once. */
const PAUSE_MS = 1_000;

/**
 * Makes a keyed call and, where the connection was lost before an answer came, makes it once more with the
 * same key: it is then done once, whichever of the two arrived. Both share the time of one call; when that is
 * over, nothing is repeated, so that whoever waits learns of it and decides. It is never repeated under another
 * session than the first: then it throws `SessionChanged`.
 */
export async function onceMore<Answer>(send: (timeoutMs: number) => Promise<Answer>): Promise<Answer> {
  const startedMs = steadyNow();
  const session = sessionSignal();
  try {
    return await send(CALL_TIMEOUT_MS);
  } catch (error) {
    // Reason: a refusal is an answer, and only what failed early leaves time for another try.
    const leftMs = Math.floor(CALL_TIMEOUT_MS - PAUSE_MS - (steadyNow() - startedMs));
    if (!(error instanceof CallFailed) || error.reason === 'timeout' || leftMs <= 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    session.throwIfAborted();
    return send(leftMs);
  }
}
