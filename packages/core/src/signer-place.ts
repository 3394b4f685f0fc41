/**
 * Settings of the connection between the exchange and a transaction signer: the signer's address, and the
 * paths of the TLS files.
 */

/** Matches a host name. IPv4 addresses do not match, because their last part has no letter. */
const NAME = /^(?=.{1,253}$)[a-zA-Z0-9](?:[a-zA-Z0-9.-]*\.)?[a-zA-Z0-9-]*[a-zA-Z][a-zA-Z0-9-]*$/;
const LOOPBACK = /^(?:127\.|::1$|localhost$)/;

/**
 * Parses the address of a signer. `ADDRESS:PORT` is a TCP address, in which ADDRESS is an IPv4 address, an IPv6 address
 * in brackets or a host name. Any other text is the path of a Unix socket.
 */
export function placeOf(
  place: string,
): { readonly path: string } | { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(place) ?? [];
  const host = bracketed ?? plain;
  return host === undefined ? { path: place } : { host, port: Number.parseInt(port, 10) };
}

/**
 * The TLS files with which the exchange and the signer authenticate each other. Both sides read the files for each new
 * connection, so that renewed files are used without a restart.
 */
export interface TlsFiles {
  /**
   * File with the certificates (PEM) of the private authority that issued the certificate of the peer (for the
   * exchange the signer, for the signer the exchange). Certificates of other authorities are not accepted.
   */
  readonly ca: string;
  /**
   * File with the certificate (PEM) of the program itself, i.e. of the exchange or of the signer, followed by
   * any intermediate certificates.
   */
  readonly certificate: string;
  /** File with the private key (PEM) of the program itself, i.e. of the exchange or of the signer. */
  readonly key: string;
  /**
   * Host name for which the certificate of the peer must be issued: for the exchange the host name of the
   * signer, for the signer that of the exchange.
   */
  readonly peer: string;
}

/**
 * Returns the TLS files and the peer's name from these settings, of which either all or none must be set; undefined if
 * none is set. Throws an error with the setting's name if only some are set, if none is set although the signer is on
 * another machine, if they are set although `place` is a Unix socket, or if the peer's name is not a host name.
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
