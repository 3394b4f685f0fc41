import { existsSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { placeOf, type TlsFiles } from '@exchange/core/signer-place.ts';
import { errorMessage } from '../error-message.ts';
import { opened, sealed } from './protocol.ts';
import { peerProblem, readTlsMaterial, tlsProblem } from './tls-files.ts';

const LINE_MS = 5_000;

interface Parts {
  /** The secret with which requests to the signer and its answers are authenticated. */
  readonly secret: string;
  readonly now: () => number;
  /**
   * The signer's certificate files if other machines connect to it; undefined for a Unix socket or the loopback
   * interface.
   */
  readonly tls?: TlsFiles | undefined;
  /** Called with the reason when a connection or request is refused, as a line without line break. */
  readonly warn?: ((line: string) => void) | undefined;
  /** Maximum number of characters of a request to the signer. */
  readonly lineMax: number;
  /**
   * Answers an authenticated request. If it throws, e.g. because the request is invalid, the connection is
   * closed without an answer, and `warn` is called.
   */
  readonly answer: (body: unknown) => Promise<unknown>;
}

/** Receives the exchange's requests at a signer. Each request is one authenticated line, and so is its answer. */
export class LineServer {
  private readonly parts: Parts;
  private server: Server | undefined;
  /** Resolves when all earlier requests are answered. Requests are processed one after another. */
  private queue: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Listens at a socket path or port. With certificates, it serves only a client whose certificate has the expected
   * name and was issued by the configured authority.
   */
  async listen(place: string): Promise<void> {
    await removeStaleSocket(place);
    const { tls } = this.parts;
    const server = tls === undefined ? createServer((socket) => this.serve(socket)) : this.tlsServer(tls);
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(placeOf(place), resolve);
    });
  }

  private tlsServer(tls: TlsFiles): Server {
    const { now, warn = () => undefined } = this.parts;
    const options = {
      ...readTlsMaterial(tls, now()),
      requestCert: true,
      // The handler below checks the client's certificate, because only there the reason for a refusal is available.
      rejectUnauthorized: false,
      handshakeTimeout: LINE_MS,
    };
    const server = createTlsServer(options, (socket) => {
      const { authorized, authorizationError, remoteAddress } = socket;
      const cause = Object.assign(new Error(String(authorizationError)), { code: authorizationError });
      const problem = authorized
        ? peerProblem(tls.peer, socket.getPeerCertificate())
        : tlsProblem(cause, tls);
      if (problem === undefined) {
        this.serve(socket);
        return;
      }
      warn(`refused ${remoteAddress}: ${problem}`);
      socket.destroy();
    });
    // The certificate files are read again at each connection. If they cannot be read, the previous ones stay in use.
    server.prependListener('connection', () => {
      try {
        server.setSecureContext(readTlsMaterial(tls, now()));
      } catch (cause) {
        warn(errorMessage(cause));
      }
    });
    server.on('tlsClientError', (cause, socket) => {
      warn(`refused ${socket.remoteAddress ?? 'a client'}: ${tlsProblem(cause, tls)}`);
      socket.destroy();
    });
    return server;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.server === undefined) resolve();
      else this.server.close(() => resolve());
    });
  }

  private serve(socket: Socket): void {
    let received = '';
    socket.setEncoding('utf8');
    socket.setTimeout(LINE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (received.length > this.parts.lineMax) socket.destroy();
      else if (received.endsWith('\n')) {
        const requestLine = received;
        received = '';
        this.queue = this.queue.then(() => this.answer(socket, requestLine));
      }
    });
  }

  private async answer(socket: Socket, requestLine: string): Promise<void> {
    const { secret } = this.parts;
    try {
      const answer = await this.parts.answer(opened(secret, requestLine));
      socket.end(sealed(secret, answer, requestLine));
    } catch (cause) {
      // Clients without the secret, or with an invalid request, receive no answer.
      this.parts.warn?.(
        `refused a request of ${socket.remoteAddress ?? 'this machine'}: ${errorMessage(cause)}`,
      );
      socket.destroy();
    }
  }
}

/** Removes a socket file left by a killed signer. Throws if another signer is listening at the address. */
async function removeStaleSocket(place: string): Promise<void> {
  const address = placeOf(place);
  if (!('path' in address) || !existsSync(address.path)) return;
  const isTaken = await new Promise<boolean>((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
  if (isTaken) throw new Error(`another signer listens at ${place}`);
  unlinkSync(address.path);
}
