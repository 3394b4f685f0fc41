import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { isIP } from 'node:net';

const HOST = 'host';
/** The name and port of a whole address, without the person that may stand before them. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#@]*)/i;
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|::1)$/;
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export const FOREIGN_NAME_STATUS = 421;
export const FOREIGN_NAME_TEXT =
  'This server does not go by that name. Open it as localhost, by the name in its HOST setting, or set PUBLIC_URL to the address in use.\n';

/** Whether a host or address, with or without brackets, means this machine to itself only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.toLowerCase());
}

export interface Naming {
  /** Where the server listens. */
  readonly host: string;
  readonly publicUrl: string | undefined;
}

/**
 * The names that a server goes by, as a test of a request's `Host`: the loopback's, that of `host` and that of
 * `publicUrl`; where it listens on every address also this machine's name and any plain address. A page elsewhere
 * can point a name of its own at us, but never one of these, so it cannot read along. A request that names nobody
 * (HTTP/1.0) comes from no browser.
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
 * The name that a request goes by, with its port; undefined where it names nobody. The target's where that is a whole address,
 * as proxies are sent it, and no name of anybody where there are several `Host` headers: what stands before the server may have
 * read another of them.
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
 * What everybody who reaches this machine may do in a demo that listens on `host`: a sentence for the operator;
 * undefined on the loopback. `showsMail`: whether the mail is a page.
 */
export function whatHostOpens({ host }: Pick<Naming, 'host'>, showsMail: boolean): string | undefined {
  if (isLoopback(host)) return undefined;
  const who = `HOST=${host} opens this demo to everybody who reaches this machine there.`;
  const mail =
    'They can read /dev/mail, which is enough to take over any account of it: SMTP_URL closes that page.';
  return showsMail ? `${who} ${mail}` : who;
}

/** Without the brackets of an IPv6 address and the dot that ends a full name. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
