import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { CLIENT_ID_MAX_LENGTH } from '@exchange/wire/endpoint.ts';
import { localeOf, type Locale } from '@exchange/core/locale.ts';
import type { FormFields } from './form.ts';

/** Longer ones cannot be ours, and need not be looked up. */
const TOKEN_MAX_LENGTH = 200;
const TRACE_ID = /^[A-Za-z0-9._-]{1,64}$/;
const PRINTABLE_KEY = new RegExp(`^[\\x21-\\x7e]{1,${CLIENT_ID_MAX_LENGTH}}$`);
const USER_AGENT_MAX_LENGTH = 300;

const tracePrefix = randomBytes(5).toString('hex');
let traceCount = 0;

/** The one place a token is taken from: never a cookie, the address or the body. */
export function tokenOf(request: IncomingMessage): string | undefined {
  const token = request.headers['x-access-token'];
  return typeof token === 'string' && token !== '' && token.length <= TOKEN_MAX_LENGTH ? token : undefined;
}

/** The language that the caller asks for; `X-Lang` has the true choice where both headers come. */
export function localeOfRequest(request: IncomingMessage): Locale {
  const chosen = request.headers['x-lang'];
  return localeOf(typeof chosen === 'string' ? chosen : request.headers['accept-language']);
}

/** The caller's own id of the request where it is a plain one, else a new one. */
export function traceIdOf(request: IncomingMessage): string {
  const own = request.headers['x-request-id'];
  if (typeof own === 'string' && TRACE_ID.test(own)) return own;
  traceCount += 1;
  return `${tracePrefix}-${traceCount.toString(36)}`;
}

export function userAgentOf(request: IncomingMessage): string {
  return request.headers['user-agent']?.slice(0, USER_AGENT_MAX_LENGTH) ?? '';
}

/** The idempotency key of a call; the field goes before the header. Refuses one that is too long or unprintable. */
export function keyOf(request: IncomingMessage, fields: FormFields): string | undefined {
  const header = request.headers['idempotency-key'];
  const key = fields['clientId'] ?? (typeof header === 'string' && header !== '' ? header : undefined);
  if (key === undefined || PRINTABLE_KEY.test(key)) return key;
  throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'clientId' }));
}
