import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import { placeOf, type TlsFiles } from '@exchange/core/signer-place.ts';
import { systemClock } from '../clock.ts';
import {
  LINE_MAX,
  opened,
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
import { certificateEnds, clientOptions, tlsProblem, type CertificateEnd } from './tls-files.ts';

const ANSWER_MS = 10_000;

interface Parts {
  /** Address at which the signer process listens: a socket path or `ADDRESS:PORT`. */
  readonly place: string;
  readonly secretFile: string;
  /** Certificate files for a signer on another machine; undefined for a Unix socket or the loopback interface. */
  readonly tls?: TlsFiles | undefined;
}

interface Connection {
  readonly socket: Socket;
  /** Name of the event of the socket after which a request can be sent to the signer. */
  readonly readyEvent: 'connect' | 'secureConnect';
  /** Describes an error of the connection to the signer in a sentence. */
  readonly problemOf: (cause: Error) => string;
  /** The error sentence for a connection that the signer has closed without an answer. */
  readonly hangUpText: string;
}

/** Sends signing requests to the signer process, which alone can use the private key. */
export class SignerClient {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Requests the signature of a payment or of a transfer between the exchange's own accounts. Returns the signed
   * transaction, or the signer's reason for refusing it. A repeated request with the same `origin` (payment id) returns
   * the same transaction. Throws if no valid answer arrives.
   */
  async sign(request: SigningRequest | ColdRequest | DepositRequest): Promise<SigningAnswer> {
    return signingAnswer.parse(await this.answerTo(request));
  }

  /**
   * Finds, replaces or voids the transactions that were signed for an `origin` (payment id). Returns all of them,
   * oldest first, or the signer's reason for refusing. Throws if no valid answer arrives.
   */
  async variants(request: VariantRequest): Promise<VariantAnswer> {
    return variantAnswer.parse(await this.answerTo(request));
  }

  /**
   * Connects to the signer by TLS without sending a request. Returns the ends of validity of the certificates
   * that the connection needs: the authority's, this side's and the signer's. Without TLS, connects to
   * nothing and returns an empty list. Throws an error that says why no connection is possible, e.g. which
   * certificate is wrong.
   */
  async certificates(): Promise<readonly CertificateEnd[]> {
    const { tls } = this.parts;
    if (tls === undefined) return [];
    const { socket, readyEvent, problemOf, hangUpText } = this.connect();
    // `destroySoon` completes the TLS handshake first, so that the signer does not log a broken connection.
    const shown = await new Promise<PeerCertificate>((resolve, reject) => {
      const fail = (cause: Error) => reject(new Error(problemOf(cause), { cause }));
      socket.setTimeout(ANSWER_MS, () => fail(new Error('the signer does not answer')));
      socket.on('error', fail);
      socket.on('close', () => reject(new Error(hangUpText)));
      socket.on(readyEvent, () => resolve((socket as TLSSocket).getPeerCertificate()));
    }).finally(() => socket.destroySoon());
    return [...certificateEnds(tls), { source: tls.peer, endsAt: Date.parse(shown.valid_to) }];
  }

  /**
   * Sends a request to the signer and returns the authenticated answer, which has at most `answerMax` characters.
   * Throws if no valid answer arrives. Even then, the signer may have signed.
   */
  async answerTo(request: unknown, answerMax = LINE_MAX): Promise<unknown> {
    const secret = readSecret(this.parts.secretFile);
    const requestLine = sealed(secret, request);
    const answer = await sendLine(this.connect(), requestLine, answerMax);
    return opened(secret, answer, requestLine);
  }

  /**
   * Opens a connection to the signer for a single request, or to read the certificates. As each request has
   * its own connection, it reaches the signer even after a restart or a move.
   */
  private connect(): Connection {
    const { place, tls } = this.parts;
    const address = placeOf(place);
    if (tls === undefined)
      return {
        socket: connect(address),
        readyEvent: 'connect',
        problemOf: ({ message }) => message,
        hangUpText: 'the signer hung up: its log says why',
      };
    const socket = connectTls({ ...clientOptions(tls, systemClock.now()), ...address });
    return {
      socket,
      readyEvent: 'secureConnect',
      problemOf: (cause) => tlsProblem(cause, tls),
      hangUpText: `the signer hung up: its log says why, for example that it does not accept the certificate in ${tls.certificate}`,
    };
  }
}

/** Reads the secret that exchange and signer share from a file. Throws if it has fewer than 32 characters. */
export function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) throw new Error(`${file} must hold 32 characters at least`);
  return secret;
}

function sendLine(
  { socket, readyEvent, problemOf, hangUpText }: Connection,
  text: string,
  answerMax: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const fail = (cause: Error) => {
      socket.destroy();
      reject(new Error(problemOf(cause), { cause }));
    };
    socket.setTimeout(ANSWER_MS, () => fail(new Error('the signer does not answer')));
    socket.setEncoding('utf8');
    socket.on('error', fail);
    socket.on(readyEvent, () => socket.write(text));
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (received.length > answerMax) fail(new Error('the signer says too much'));
      else if (received.endsWith('\n')) {
        socket.destroy();
        resolve(received);
      }
    });
    socket.on('close', () => reject(new Error(hangUpText)));
  });
}
