import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Error: a host name resolves to no address, or to an address that is not public. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

/** Returns whether an IP address is reachable over the internet: neither private nor local nor reserved. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/**
 * Returns whether a browser's push endpoint is acceptable: an https URL with a host name instead of an IP address, with
 * the default port, and without user name and password. The addresses of the host name are checked at each connection
 * (see `publicLookup`).
 */
export function isPushEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false;
  const isAddress = hostname.startsWith('[') || ipaddr.isValid(hostname);
  return !isAddress && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(hostname);
}

/**
 * Returns a function that resolves a host name for a connection. The function fails with `NotPublic` if the name has no
 * address or any address that is not public. The connection uses the checked addresses, so a name cannot change its
 * addresses after the check.
 */
export function publicLookup(resolve: typeof systemLookup = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, '');
      const first = addresses[0];
      if (first === undefined || addresses.some(({ address }) => !isPublicAddress(address)))
        return callback(new NotPublic(`${hostname} has an address that is not public`), '');
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
