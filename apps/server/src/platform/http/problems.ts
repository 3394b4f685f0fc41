import { REFUSAL_KEYS, refusal, Refused, type Refusal, type RefusalKey } from '@exchange/core/refusal.ts';
import type * as z from 'zod/mini';

const KNOWN_KEYS: ReadonlySet<string> = new Set(REFUSAL_KEYS);

/**
 * Converts failed field checks to the refusal of the first issue. The refusal has the field's name and, for some
 * checks, the limit and the sent value.
 */
export function fieldRefusal(
  issues: readonly z.core.$ZodIssue[],
  sent: Readonly<Record<string, unknown>>,
): Refusal {
  const issue = issues[0];
  const field = issue?.path[0] === undefined ? '' : String(issue.path[0]);
  const limit = issue !== undefined && 'maximum' in issue ? { limit: String(issue.maximum) } : {};
  const bound = issue?.code === 'custom' ? boundOf(issue.params) : undefined;
  return refusal('invalidField', isKey(issue?.message) ? issue.message : 'l.field_invalid', {
    field,
    ...limit,
    ...(bound === undefined ? {} : { limit: bound, value: String(sent[field]) }),
  });
}

function boundOf(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const limit = params?.['limit'];
  return typeof limit === 'string' ? limit : undefined;
}

function isKey(text: string | undefined): text is RefusalKey {
  return text !== undefined && KNOWN_KEYS.has(text);
}

/**
 * Returns the refusal with which a thrown value is answered: that of `Refused`, or the one for an unreadable
 * body or an unavailable database. Undefined for any other error, such as a bug.
 */
export function refusalOf(thrown: unknown): Refusal | undefined {
  if (thrown instanceof Refused) return thrown.refusal;
  if (!(thrown instanceof Error)) return undefined;
  return isUnavailable(thrown) ? refusal('maintenance', 'l.maintenance') : bodyRefusal(thrown);
}

/** Fastify's error codes for unreadable bodies, and the keys of their refusals. */
const BODY_REFUSALS: ReadonlyMap<string, RefusalKey> = new Map(
  Object.entries({
    FST_ERR_CTP_BODY_TOO_LARGE: 'l.body_too_large',
    FST_ERR_CTP_INVALID_MEDIA_TYPE: 'l.body_form',
    FST_ERR_CTP_EMPTY_TYPE: 'l.body_form',
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'l.body_encoding',
  }),
);

function bodyRefusal(error: Error): Refusal | undefined {
  const key = 'code' in error ? BODY_REFUSALS.get(String(error.code)) : undefined;
  return key === undefined ? undefined : refusal('generic', key);
}

/**
 * System error codes of a database that cannot be reached: nothing listens, the connection was lost, or the host, its
 * network or its name cannot be found.
 */
const LOST_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
const SOCKET_CALLS: ReadonlySet<string> = new Set(['connect', 'read', 'write', 'getaddrinfo']);
/** SQLSTATE codes of lost connections, insufficient resources and a database that was shut down or is starting. */
const UNAVAILABLE_STATE = /^(?:08|53|57P)[0-9A-Z]{2,3}$/;
/**
 * Messages of errors without a code: of the driver, and of a connection that ends or is refused while TLS is set up. A
 * database that is starting refuses TLS in this way.
 */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|timeout (?:exceeded )?when trying to connect|Client has encountered|There was an error establishing an SSL connection|Client network socket disconnected before secure TLS connection was established)/;

/** Returns whether an error of the driver means that the database is temporarily unavailable. */
function isUnavailable(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  if ('syscall' in error) return LOST_CONNECTION.has(code) && SOCKET_CALLS.has(String(error.syscall));
  return UNAVAILABLE_STATE.test(code) || CONNECTION_MESSAGES.test(error.message);
}
