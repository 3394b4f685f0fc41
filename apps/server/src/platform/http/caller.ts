import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { CLIENT_ID_MAX_LENGTH } from '@exchange/wire/endpoint.ts';
import { localeOf, type Locale } from '@exchange/core/locale.ts';

/** Maximum length of a session token. Longer tokens are invalid and are not looked up. */
const TOKEN_MAX_LENGTH = 200;
const TRACE_ID = /^[A-Za-z0-9._-]{1,64}$/;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const PRINTABLE_KEY = new RegExp(`^[\\x21-\\x7e]{1,${CLIENT_ID_MAX_LENGTH}}$`);
const USER_AGENT_MAX_LENGTH = 300;

const tracePrefix = randomBytes(5).toString('hex');
let traceCount = 0;

/**
 * Returns the session token from the header `x-access-token`; undefined if the header is missing, empty or
 * longer than `TOKEN_MAX_LENGTH`. Cookies, URLs and bodies are never used for tokens.
 */
export function tokenOf(request: IncomingMessage): string | undefined {
  const token = request.headers['x-access-token'];
  return typeof token === 'string' && token !== '' && token.length <= TOKEN_MAX_LENGTH ? token : undefined;
}

/**
 * Returns the caller's language, from the header `X-Lang` or otherwise `Accept-Language`; the default
 * language if the header contains no supported one.
 */
export function localeOfRequest(request: IncomingMessage): Locale {
  const chosen = request.headers['x-lang'];
  return localeOf(typeof chosen === 'string' ? chosen : request.headers['accept-language']);
}

/**
 * Returns the id by which a request is traced: the client's `X-Request-Id` if it is well formed, otherwise a
 * new one.
 */
export function traceIdOf(request: IncomingMessage): string {
  const clientTraceId = request.headers['x-request-id'];
  if (typeof clientTraceId === 'string' && TRACE_ID.test(clientTraceId)) return clientTraceId;
  traceCount += 1;
  return `${tracePrefix}-${traceCount.toString(36)}`;
}

/** Returns the W3C trace parent in a request's headers; undefined if it is missing or malformed. */
export function traceparentIn({ traceparent }: IncomingMessage['headers']): string | undefined {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}

export function userAgentOf(request: IncomingMessage): string {
  return request.headers['user-agent']?.slice(0, USER_AGENT_MAX_LENGTH) ?? '';
}

/**
 * Returns the unchecked idempotency key in a request's header; undefined if the header is missing or empty.
 */
export function sentKeyOf(request: IncomingMessage): string | undefined {
  const header = request.headers['idempotency-key'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}

/**
 * Checks an idempotency key and returns it unchanged; returns undefined for undefined. Throws `Refused` if it
 * is empty, longer than `CLIENT_ID_MAX_LENGTH`, or contains other characters than visible ASCII.
 */
export function requireKey(key: string | undefined): string | undefined {
  if (key === undefined || PRINTABLE_KEY.test(key)) return key;
  throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'clientId' }));
}
