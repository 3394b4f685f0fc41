import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { CLIENT_ID_MAX_LENGTH } from '@exchange/wire/endpoint.ts';
import { localeOf, type Locale } from '@exchange/core/locale.ts';

/** Greatest length of a session token; longer ones cannot be valid and need no lookup. */
const TOKEN_MAX_LENGTH = 200;
const TRACE_ID = /^[A-Za-z0-9._-]{1,64}$/;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const PRINTABLE_KEY = new RegExp(`^[\\x21-\\x7e]{1,${CLIENT_ID_MAX_LENGTH}}$`);
const USER_AGENT_MAX_LENGTH = 300;

const tracePrefix = randomBytes(5).toString('hex');
let traceCount = 0;

/** Returns the session token, which is only accepted in this header: never in a cookie, the URL or the body. */
export function tokenOf(request: IncomingMessage): string | undefined {
  const token = request.headers['x-access-token'];
  return typeof token === 'string' && token !== '' && token.length <= TOKEN_MAX_LENGTH ? token : undefined;
}

/** The caller's language; `X-Lang` takes precedence over `Accept-Language`. */
export function localeOfRequest(request: IncomingMessage): Locale {
  const chosen = request.headers['x-lang'];
  return localeOf(typeof chosen === 'string' ? chosen : request.headers['accept-language']);
}

/**
 * The id by which a request is traced: the client's `X-Request-Id` if it is well formed, otherwise
 * a new one.
 */
export function traceIdOf(request: IncomingMessage): string {
  const clientTraceId = request.headers['x-request-id'];
  if (typeof clientTraceId === 'string' && TRACE_ID.test(clientTraceId)) return clientTraceId;
  traceCount += 1;
  return `${tracePrefix}-${traceCount.toString(36)}`;
}

/** The W3C trace parent of a request, if it is well formed. */
export function traceparentIn({ traceparent }: IncomingMessage['headers']): string | undefined {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}

export function userAgentOf(request: IncomingMessage): string {
  return request.headers['user-agent']?.slice(0, USER_AGENT_MAX_LENGTH) ?? '';
}

/** The idempotency key in a request's header, not checked; undefined without one. */
export function sentKeyOf(request: IncomingMessage): string | undefined {
  const header = request.headers['idempotency-key'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}

/** Returns an idempotency key. Refuses one that is too long or has other characters than visible ASCII. */
export function requireKey(key: string | undefined): string | undefined {
  if (key === undefined || PRINTABLE_KEY.test(key)) return key;
  throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'clientId' }));
}
