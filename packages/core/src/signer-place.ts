/**
 * Where a signer listens, and the certificates of the way to it, as settings of exchange and signer name them.
 */

/** A host name; an IPv4 address is none, because its last part has no letter. */
const NAME = /^(?=.{1,253}$)[a-zA-Z0-9](?:[a-zA-Z0-9.-]*\.)?[a-zA-Z0-9-]*[a-zA-Z][a-zA-Z0-9-]*$/;
const LOOPBACK = /^(?:127\.|::1$|localhost$)/;

/** Parses the signer's address: `ADDRESS:PORT`, where the address is IPv4, IPv6 in brackets or a name, or a socket's path. */
export function placeOf(
  place: string,
): { readonly path: string } | { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(place) ?? [];
  const host = bracketed ?? plain;
  return host === undefined ? { path: place } : { host, port: Number.parseInt(port, 10) };
}

/**
 * The files with which exchange and signer prove to each other who they are. Both sides read them again for each
 * connection, so that renewed files are used without a restart.
 */
export interface TlsFiles {
  /** Certificates (PEM) of the own authority that has issued the other side's certificate; no other one is trusted. */
  readonly ca: string;
  /** This side's certificate (PEM), if need be followed by those of intermediate authorities. */
  readonly certificate: string;
  /** This side's private key (PEM). */
  readonly key: string;
  /** The name for which the other side's certificate must be issued. */
  readonly peer: string;
}

/**
 * Reads the names of the files from settings with these names: all four, or none. Throws a sentence that names what is
 * missing, or that the place is on another machine and nothing encrypts the way to it.
 */
export function tlsFilesOf(
  place: string,
  settings: {
    readonly [Part in keyof TlsFiles]: { readonly name: string; readonly value: string | undefined };
  },
): TlsFiles | undefined {
  const parts = Object.values(settings);
  const missing = parts.filter(({ value }) => value === undefined).map(({ name }) => name);
  const address = placeOf(place);
  if (missing.length === parts.length) {
    if ('host' in address && !LOOPBACK.test(address.host))
      throw new Error(`${missing.join(', ')} must be set: ${place} is not on this machine`);
    return undefined;
  }
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} must be set too`);
  if (!('host' in address)) throw new Error(`${parts[0]!.name} needs ADDRESS:PORT, and ${place} is a socket`);
  const { ca, certificate, key, peer } = settings;
  if (!NAME.test(peer.value!))
    throw new Error(`${peer.name} must be a name such as signer.internal, not "${peer.value}"`);
  return { ca: ca.value!, certificate: certificate.value!, key: key.value!, peer: peer.value! };
}
