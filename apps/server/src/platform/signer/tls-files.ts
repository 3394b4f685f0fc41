import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { TlsFiles } from '@exchange/core/signer-place.ts';

/** The contents of the certificate files and the minimum TLS version, as options of `node:tls`. */
export interface TlsMaterial {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly minVersion: 'TLSv1.3';
}

/** A certificate with the end of its validity in milliseconds UTC. */
export interface CertificateEnd {
  /** The file that contains the certificate, or the party that presented it. */
  readonly source: string;
  readonly endsAt: number;
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the certificate files. Throws a sentence with the file's name if a file cannot be read, if the key does not
 * belong to the certificate, or if the certificate is not valid at `now` (milliseconds UTC).
 */
export function readTlsMaterial({ ca, certificate, key }: TlsFiles, now: number): TlsMaterial {
  const material: TlsMaterial = {
    ca: readFileSync(ca, 'utf8'),
    cert: readFileSync(certificate, 'utf8'),
    key: readFileSync(key, 'utf8'),
    minVersion: 'TLSv1.3',
  };
  const [own] = certificatesIn(certificate, material.cert);
  certificatesIn(ca, material.ca);
  if (Date.parse(own!.validTo) <= now)
    throw new Error(`the certificate in ${certificate} ended on ${own!.validTo}`);
  if (Date.parse(own!.validFrom) > now)
    throw new Error(`the certificate in ${certificate} begins on ${own!.validFrom}`);
  if (!own!.checkPrivateKey(keyOf(key, material.key)))
    throw new Error(`the key in ${key} is not that of the certificate in ${certificate}`);
  return material;
}

/**
 * Returns the ends of validity of the authority's and of this side's certificates. For each file it is the
 * earliest end in it.
 */
export function certificateEnds({ ca, certificate }: TlsFiles): CertificateEnd[] {
  return [ca, certificate].map((source) => {
    const ends = certificatesIn(source, readFileSync(source, 'utf8')).map(({ validTo }) =>
      Date.parse(validTo),
    );
    return { source, endsAt: Math.min(...ends) };
  });
}

/** Returns the reason why the other side's certificate is not for the name `peer`; undefined if it is. */
export function peerProblem(peer: string, shown: PeerCertificate): string | undefined {
  return checkServerIdentity(peer, shown) === undefined
    ? undefined
    : `the certificate is for ${shown.subjectaltname ?? 'no name'}, not for ${peer}`;
}

/**
 * Returns the TLS options of a connection to the other side, which accepts only a certificate for `tls.peer`.
 * Throws a sentence if a certificate file is unusable or the own certificate is not valid at `now`
 * (milliseconds UTC; see `readTlsMaterial`).
 */
export function clientOptions(tls: TlsFiles, now: number) {
  const { peer } = tls;
  return {
    ...readTlsMaterial(tls, now),
    servername: peer,
    checkServerIdentity: (_host: string, shown: PeerCertificate) => {
      const problem = peerProblem(peer, shown);
      return problem === undefined ? undefined : new Error(problem);
    },
  };
}

/**
 * Describes an error of a TLS connection in a sentence that names the wrong certificate and the reason. For other
 * errors it returns their own message.
 */
export function tlsProblem(cause: Error, { ca, certificate, peer }: TlsFiles): string {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const other = `the certificate of ${peer}`;
  if (code === 'CERT_HAS_EXPIRED') return `${other} has ended: renew it there`;
  if (code === 'CERT_NOT_YET_VALID') return `${other} has not begun: compare the clocks of both machines`;
  if (code === 'INVALID_PURPOSE') return `${other} was issued for another use: compare its extendedKeyUsage`;
  if (UNTRUSTED.has(code)) return `${other} was not issued by the authority in ${ca}`;
  if (code === 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED')
    return `${peer} says that the certificate in ${certificate} has ended: renew it here`;
  if (
    /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REQUIRED|UNKNOWN))/.test(code)
  )
    return `${peer} does not accept the certificate in ${certificate}: its authority has not issued it for this use`;
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|ALERT_PROTOCOL_VERSION/.test(code))
    return `${peer} does not speak TLS 1.3: both sides need their certificates`;
  return cause.message;
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
]);

function certificatesIn(file: string, text: string): X509Certificate[] {
  try {
    const certificates = (text.match(PEM_CERTIFICATE) ?? []).map((pem) => new X509Certificate(pem));
    if (certificates.length > 0) return certificates;
  } catch (cause) {
    throw new Error(`${file} holds no certificate that can be read`, { cause });
  }
  throw new Error(`${file} holds no certificate`);
}

function keyOf(file: string, text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (cause) {
    throw new Error(`${file} holds no private key that can be read`, { cause });
  }
}
