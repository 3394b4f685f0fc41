import type { FastifyRequest } from 'fastify';
import { HOUR_MS } from '@exchange/core/time.ts';

const NAME = 'operator_session';
const MAX_AGE_SECONDS = (8 * HOUR_MS) / 1_000;

/** The cookie that holds a session's token, or ends it; scripts cannot read it, and no other site sends it. */
export function sessionCookie(request: FastifyRequest, token: string | undefined): string {
  const age = token === undefined ? 0 : MAX_AGE_SECONDS;
  const secure = isBehindTls(request) ? '; Secure' : '';
  return `${NAME}=${token ?? ''}; Path=/ops; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

/** The token of a request's cookie. */
export function tokenOf({ headers }: FastifyRequest): string | undefined {
  const found = (headers.cookie ?? '').split('; ').find((part) => part.startsWith(`${NAME}=`));
  const token = found?.slice(NAME.length + 1);
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
}

/** Browsers say where a request comes from; what is no browser says nothing and is known by its session alone. */
export function isSameOrigin({ headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site') return false;
  return origin === undefined || origin.replace(/^https?:\/\//, '') === host;
}

/** A proxy that ends TLS says so; who says it wrongly only loses their own cookie. */
function isBehindTls({ headers, protocol }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}
