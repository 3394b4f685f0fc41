import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import {
  LINE_MAX,
  opened,
  placeOf,
  sealed,
  signingAnswer,
  type SigningAnswer,
  type SigningRequest,
} from './protocol.ts';

const ANSWER_MS = 10_000;

interface Parts {
  /** A socket's path, or `127.0.0.1:PORT`. */
  readonly place: string;
  readonly secretFile: string;
}

/** Asks the signer's process, which alone has the key. */
export class SignerClient {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The signed transaction of a payment; the same origin again gives the same. Throws where there is no true answer. */
  async sign(request: SigningRequest): Promise<SigningAnswer> {
    const { place, secretFile } = this.parts;
    const secret = readSecret(secretFile);
    const asked = sealed(secret, request);
    const answer = await exchanged(place, asked);
    return signingAnswer.parse(opened(secret, answer, asked));
  }
}

/** A secret of 32 characters at least, which a file holds. */
export function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) throw new Error(`${file} must hold 32 characters at least`);
  return secret;
}

function exchanged(place: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(placeOf(place));
    let heard = '';
    const fail = (cause: Error) => {
      socket.destroy();
      reject(cause);
    };
    socket.setTimeout(ANSWER_MS, () => fail(new Error('the signer does not answer')));
    socket.setEncoding('utf8');
    socket.on('error', fail);
    socket.on('connect', () => socket.write(text));
    socket.on('data', (chunk: string) => {
      heard += chunk;
      if (heard.length > LINE_MAX) fail(new Error('the signer says too much'));
      else if (heard.endsWith('\n')) {
        socket.destroy();
        resolve(heard);
      }
    });
    socket.on('close', () => reject(new Error('the signer hung up')));
  });
}
