import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import {
  LINE_MAX,
  opened,
  placeOf,
  sealed,
  signingAnswer,
  variantAnswer,
  type ColdRequest,
  type DepositRequest,
  type SigningAnswer,
  type SigningRequest,
  type VariantAnswer,
  type VariantRequest,
} from './protocol.ts';

const ANSWER_MS = 10_000;

interface Parts {
  /** A socket path or `ADDRESS:PORT`. */
  readonly place: string;
  readonly secretFile: string;
}

/** Sends signing requests to the signer process, which alone holds the private key. */
export class SignerClient {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Returns the signed transaction of a payment or of a transfer between the exchange's own accounts; repeating the same
   * origin returns the same transaction. Throws without a valid answer.
   */
  async sign(request: SigningRequest | ColdRequest | DepositRequest): Promise<SigningAnswer> {
    return signingAnswer.parse(await this.answerTo(request));
  }

  /**
   * Finds, replaces or voids what was signed for an origin; returns all its signed transactions, oldest first.
   * Throws without a valid answer.
   */
  async variants(request: VariantRequest): Promise<VariantAnswer> {
    return variantAnswer.parse(await this.answerTo(request));
  }

  private async answerTo(
    request: SigningRequest | ColdRequest | DepositRequest | VariantRequest,
  ): Promise<unknown> {
    const { place, secretFile } = this.parts;
    const secret = readSecret(secretFile);
    const requestLine = sealed(secret, request);
    const answer = await sendLine(place, requestLine);
    return opened(secret, answer, requestLine);
  }
}

/** Reads a shared secret from a file. Throws when it has fewer than 32 characters. */
export function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) throw new Error(`${file} must hold 32 characters at least`);
  return secret;
}

function sendLine(place: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(placeOf(place));
    let received = '';
    const fail = (cause: Error) => {
      socket.destroy();
      reject(cause);
    };
    socket.setTimeout(ANSWER_MS, () => fail(new Error('the signer does not answer')));
    socket.setEncoding('utf8');
    socket.on('error', fail);
    socket.on('connect', () => socket.write(text));
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (received.length > LINE_MAX) fail(new Error('the signer says too much'));
      else if (received.endsWith('\n')) {
        socket.destroy();
        resolve(received);
      }
    });
    socket.on('close', () => reject(new Error('the signer hung up')));
  });
}
