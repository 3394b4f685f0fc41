import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { computeAddress, Signature, Transaction, type TransactionLike } from 'ethers';
import type { TlsFiles } from '@exchange/core/signer-place.ts';
import { clientOptions, tlsProblem } from './tls-files.ts';

/**
 * A paying wallet's private key, or the connection to a process that holds it. Only the signer uses it, for
 * transactions that the signer itself has built.
 */
export interface PaymentKey {
  /** Address of the paying wallet to which the key belongs. */
  readonly address: string;
  /**
   * True if the key is in another process. If so, the signer records a transaction before it is signed, because the
   * answer with the signature can be lost.
   */
  readonly isRemote?: boolean;
  /** Returns the signed transaction, serialized in hex. Throws if the key cannot be used or its signature is wrong. */
  signTransaction(transaction: TransactionLike): Promise<string>;
}

interface Parts {
  /** URL of Web3Signer: `https://NAME:PORT`, or `http://…` on the loopback interface. */
  readonly url: URL;
  /** Public key of the wallet with 128 hex digits, by which Web3Signer selects the private key. */
  readonly publicKey: string;
  /** TLS certificates of the connection to Web3Signer; undefined on the loopback. */
  readonly tls: TlsFiles | undefined;
  readonly now: () => number;
}

/** Timeout in milliseconds of Web3Signer's answer, shorter than the exchange's timeout of the signer. */
const ANSWER_MS = 7_000;
const ANSWER_BYTES_MAX = 4_096;
const FOUND = 200;
const NOT_FOUND = 404;
const SIGNATURE = /^0x[0-9a-f]{130}$/i;
/** Half of the order of secp256k1. Of the two valid values of `s`, chains accept only the one up to this number. */
const S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * A key in Web3Signer, or in a key management service or hardware module behind it. Web3Signer signs whatever it
 * receives. Digest, limits, nonce and receiver are checked by the signer, which must be the only client of Web3Signer.
 */
export class Web3SignerKey implements PaymentKey {
  readonly isRemote = true;
  readonly address: string;
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
    this.address = computeAddress(`0x04${parts.publicKey}`);
  }

  async signTransaction(transaction: TransactionLike): Promise<string> {
    const unsigned = Transaction.from(transaction);
    const answer = await this.post(JSON.stringify({ data: unsigned.unsignedSerialized }));
    const text = answer.trim().replaceAll('"', '');
    if (!SIGNATURE.test(text)) throw new Error('Web3Signer answered with something that is no signature');
    const signed = unsigned.clone();
    try {
      const signature = Signature.from(text);
      if (BigInt(signature.s) > S_MAX) throw new Error('its s is too large');
      signed.signature = signature;
    } catch (cause) {
      throw new Error('Web3Signer answered with a signature that no chain accepts', { cause });
    }
    if (signed.from !== this.address)
      throw new Error(`Web3Signer signed with another key than that of ${this.address}`);
    return signed.serialized;
  }

  private post(body: string): Promise<string> {
    const { url, publicKey, tls, now } = this.parts;
    return new Promise((resolve, reject) => {
      const fail = (text: string, cause?: unknown) => reject(new Error(`Web3Signer ${text}`, { cause }));
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const call = send(
        new URL(`/api/v1/eth1/sign/0x${publicKey}`, url),
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/plain' },
          // Each request opens a new connection, so that renewed certificates are used.
          agent: false,
          ...(tls === undefined ? {} : clientOptions(tls, now())),
        },
        (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            // The rest of a long answer is dropped, because it cannot be a signature.
            if (received.length < ANSWER_BYTES_MAX) received += chunk;
          });
          response.once('error', (cause) => fail('broke off its answer', cause));
          response.once('end', () => {
            if (response.statusCode === FOUND) resolve(received);
            else if (response.statusCode === NOT_FOUND) fail(`has no key of ${this.address}`);
            else fail(`answered with ${response.statusCode ?? 'nothing'}`);
          });
        },
      );
      const timer = setTimeout(() => call.destroy(new Error('it does not answer')), ANSWER_MS);
      call.once('error', (cause) => {
        const text = tls === undefined ? cause.message : tlsProblem(cause, tls);
        fail(`cannot be used: ${text}`, cause);
      });
      call.once('close', () => clearTimeout(timer));
      call.end(body);
    });
  }
}
