import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { isIP } from 'node:net';

const HOST = 'host';
/** Matches the host and port of an absolute URL, without user information. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#@]*)/i;
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|::1)$/;
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export const FOREIGN_NAME_STATUS = 421;
export const FOREIGN_NAME_TEXT =
  'This server does not go by that name. Open it as localhost, by the name in its HOST setting, or set PUBLIC_URL to the address in use.\n';

/** Returns whether a host name or address, with or without brackets, refers to this machine's loopback interface. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.toLowerCase());
}

export interface Naming {
  /** Host name or IP address on which the server listens. */
  readonly host: string;
  readonly publicUrl: string | undefined;
}

/**
 * Returns a function that tests whether a request's `Host` header names this server. This protects against DNS
 * rebinding, in which another site's host name resolves to this server's address. Accepted are loopback names, `host`
 * and the host of `publicUrl`. A server that listens on all addresses also accepts any IP address and this machine's
 * name, with and without `.local`. A request without the header (HTTP/1.0) is accepted, because no browser sends one.
 */
export function ownNames({ host, publicUrl }: Naming): (header: string | undefined) => boolean {
  const names = new Set([bare(host)]);
  if (publicUrl !== undefined) names.add(bare(new URL(publicUrl).hostname));
  const isOpenToAll = ANY_ADDRESS.has(host);
  if (isOpenToAll) for (const name of [hostname(), `${hostname()}.local`]) names.add(name.toLowerCase());
  return (header) => {
    if (header === undefined) return true;
    const name = bare(header.replace(/:\d*$/, ''));
    return isLoopback(name) || names.has(name) || (isOpenToAll && isIP(name) !== 0);
  };
}

/**
 * Returns the host and port that a request names; undefined if it names none. If the request target is an
 * absolute URL, as clients send it to proxies, its host is used instead of the `Host` header. If there are
 * several `Host` headers, the result is a name that no server has, because a proxy may have evaluated another
 * header than this server would.
 */
export function hostOf({ headers, rawHeaders, url = '/' }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  if (count > 1) return '';
  const authority = url.startsWith('/') ? undefined : AUTHORITY.exec(url)?.[1];
  return authority ?? headers.host;
}

/**
 * Returns a warning for the operator that other machines can reach the demo; undefined if the server listens
 * on the loopback interface only. `showsMail` says whether a page shows sent emails.
 */
export function openHostWarning({ host }: Pick<Naming, 'host'>, showsMail: boolean): string | undefined {
  if (isLoopback(host)) return undefined;
  const audience = `HOST=${host} opens this demo to everybody who reaches this machine there.`;
  const mail =
    'They can read /dev/mail, which is enough to take over any account of it: SMTP_URL closes that page.';
  return showsMail ? `${audience} ${mail}` : audience;
}

/** Lower-cases a host name and removes the brackets of an IPv6 address and the trailing dot of a full name. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
