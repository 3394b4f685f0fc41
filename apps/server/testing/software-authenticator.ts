import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** WebAuthn options for the creation of a passkey, as the server answers them at `/user/newPasskey`. */
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/**
 * Deviations of the software authenticator's answer from a correct one. A field that is absent has the correct value.
 */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  /**
   * Value of the signature counter in the answer. By default each answer to `get` has a value one higher than the last
   * one, and every answer of a synced passkey has 0.
   */
  readonly counter?: number;
  readonly isUserVerified?: boolean;
  readonly userHandle?: string | null;
  readonly challenge?: string;
  /** The credential id in the answer; by default that of the passkey. */
  readonly id?: string;
}

const ORIGIN = 'http://localhost:3000';
const FLAG = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 } as const;

/**
 * A WebAuthn authenticator (level 3) in software with one ES256 passkey and `none` attestation. It also produces wrong
 * answers, so that tests can attack the server's checks.
 */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly isSynced: boolean;
  private userHandle = '';

  constructor({ isSynced = false }: { readonly isSynced?: boolean } = {}) {
    this.isSynced = isSynced;
  }

  get id(): string {
    return this.credentialId.toString('base64url');
  }

  /** Answers a request to create a passkey (`navigator.credentials.create()`), as JSON text. */
  create(options: CreationOptions, deviation: Deviation = {}): string {
    this.userHandle = options.user.id;
    const clientData = this.clientData('webauthn.create', options.challenge, deviation);
    const authenticatorData = Buffer.concat([
      this.head(options.rp.id, deviation, FLAG.attested),
      Buffer.alloc(16),
      lengthOf(this.credentialId),
      this.credentialId,
      coseKey(this.keys.publicKey),
    ]);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authenticatorData)],
    ]);
    return this.answer({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: this.isSynced ? ['hybrid', 'internal'] : ['usb'],
    });
  }

  /** Answers a request to use a passkey (`navigator.credentials.get()`), as JSON text. */
  get(options: RequestOptions, deviation: Deviation = {}): string {
    if (!this.isSynced) this.counter = deviation.counter ?? this.counter + 1;
    const clientData = this.clientData('webauthn.get', options.challenge, deviation);
    const authenticatorData = this.head(options.rpId, deviation, 0);
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
    const handle = deviation.userHandle === undefined ? this.userHandle : deviation.userHandle;
    return this.answer(
      {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
        userHandle: handle,
      },
      deviation.id,
    );
  }

  private answer(response: Readonly<Record<string, unknown>>, id: string = this.id): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }

  private clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? ORIGIN,
        crossOrigin: false,
      }),
    );
  }

  private head(rpId: string, deviation: Deviation, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviation.counter ?? this.counter);
    const verified = deviation.isUserVerified === false ? 0 : FLAG.verified;
    const backup = this.isSynced ? FLAG.backupEligible | FLAG.backedUp : 0;
    return Buffer.concat([
      createHash('sha256')
        .update(deviation.rpId ?? rpId)
        .digest(),
      Buffer.of(FLAG.present | verified | backup | flags),
      counter,
    ]);
  }
}

/** Returns the COSE form of a P-256 key (RFC 9053): a map of kty, alg, crv, x and y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cborMap([
    [Buffer.of(0x01), Buffer.of(0x02)],
    [Buffer.of(0x03), Buffer.of(0x26)],
    [Buffer.of(0x20), Buffer.of(0x01)],
    [Buffer.of(0x21), cborBytes(Buffer.from(x, 'base64url'))],
    [Buffer.of(0x22), cborBytes(Buffer.from(y, 'base64url'))],
  ]);
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}

/** Returns the CBOR encoding (RFC 8949) of maps with fewer than 24 entries. */
function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.of(0xa0 | entries.length), ...entries.flat()]);
}

/** Returns the CBOR encoding of texts with fewer than 24 bytes. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 | text.length), Buffer.from(text)]);
}

/** Returns the CBOR encoding of byte strings with fewer than 65,536 bytes. */
function cborBytes(bytes: Buffer): Buffer {
  return bytes.length < 256
    ? Buffer.concat([Buffer.of(0x58, bytes.length), bytes])
    : Buffer.concat([Buffer.of(0x59), lengthOf(bytes), bytes]);
}
