import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { isIP } from 'node:net';

const HOST = 'host';
/** Host and port of an absolute URL; user information before them is skipped. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#@]*)/i;
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|::1)$/;
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export const FOREIGN_NAME_STATUS = 421;
export const FOREIGN_NAME_TEXT =
  'This server does not go by that name. Open it as localhost, by the name in its HOST setting, or set PUBLIC_URL to the address in use.\n';

/** Whether a host name or address, with or without brackets, refers to this machine's loopback interface. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.toLowerCase());
}

export interface Naming {
  /** Host name or address that the server listens on. */
  readonly host: string;
  readonly publicUrl: string | undefined;
}

/**
 * Returns a test for a request's `Host` header, which protects against DNS rebinding: a page of another site can
 * point its own name at this server, but none of the accepted names. Accepted are loopback names, `host` and the
 * host of `publicUrl`; a server that listens on all addresses also accepts this machine's name, with and without
 * `.local`, and any IP address. A request without the header (HTTP/1.0) is accepted, since no browser sends it.
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
 * The host and port that a request names; undefined when it names none. An absolute request target, as proxies receive
 * it, counts before the `Host` header. Several `Host` headers give a name that no server has, because a proxy before
 * the server may have read another of them.
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
 * A warning for the operator about a demo that is reachable from other machines; undefined on the loopback
 * interface. `showsMail`: whether sent mail is shown on a page.
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
