import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpsPushTransport, type PushTransport } from '../../../platform/outgoing/push-transport.ts';
import { selfSigned } from './certificate.ts';

const HOST = 'push.example.com';

/** A push as the push service received it. */
export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A browser with an endpoint at the test push service and the keys with which its pushes are encrypted. */
export class TestBrowser {
  readonly token = randomBytes(32).toString('base64url');
  private readonly path = `/send/${randomBytes(16).toString('hex')}`;
  private readonly keys = createECDH('prime256v1');
  private readonly secret = randomBytes(16);

  constructor() {
    this.keys.generateKeys();
  }

  /** Fields of the request that subscribes this test browser to pushes. */
  get fields() {
    return {
      endpoint: `https://${HOST}${this.path}`,
      p256dh: this.keys.getPublicKey('base64url'),
      auth: this.secret.toString('base64url'),
      token: this.token,
    };
  }

  /** Those of `pushes` that were sent to this browser, decrypted and parsed as JSON. */
  read(pushes: readonly ReceivedPush[]): unknown[] {
    return pushes.filter(({ path }) => path === this.path).map(({ body }) => JSON.parse(this.decrypt(body)));
  }

  /** Decrypts a push as RFC 8291 and RFC 8188 describe. */
  private decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const idLength = body.readUInt8(20);
    const senderKey = body.subarray(21, 21 + idLength);
    const sealed = body.subarray(21 + idLength);
    const about = Buffer.concat([Buffer.from('WebPush: info\0'), this.keys.getPublicKey(), senderKey]);
    const shared = this.keys.computeSecret(senderKey);
    const input = Buffer.from(hkdfSync('sha256', shared, this.secret, about, 32));
    const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12));
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString();
  }
}

/** A push service over HTTPS with a self-signed certificate. */
export class TestPushService {
  readonly received: ReceivedPush[] = [];
  /** HTTP status of the service's answers. */
  status = 201;
  /**
   * Runs once: after the next request has arrived and before it is answered. The answer has the `status` that was set
   * when the request arrived.
   */
  beforeAnswer: (() => Promise<void>) | undefined;
  readonly transport: PushTransport;
  private readonly server: Server;

  private constructor(server: Server, transport: PushTransport) {
    this.server = server;
    this.transport = transport;
  }

  static async start(): Promise<TestPushService> {
    const { certificate, key } = selfSigned(HOST);
    const server = createServer({ cert: certificate, key });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const transport = new HttpsPushTransport({
      ca: certificate,
      port: (server.address() as AddressInfo).port,
      lookup: (_, options, callback) =>
        options.all === true
          ? callback(null, [{ address: '127.0.0.1', family: 4 }])
          : callback(null, '127.0.0.1', 4),
    });
    const service = new TestPushService(server, transport);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers } = request;
        service.received.push({ path: url, headers, body: Buffer.concat(chunks) });
        const { status, beforeAnswer } = service;
        service.beforeAnswer = undefined;
        const answer = () => response.writeHead(status).end('x'.repeat(100_000));
        void Promise.resolve(beforeAnswer?.()).finally(answer);
      });
    });
    return service;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}

/** The claims of a push's signature (RFC 8292). Throws if the signature was not made with the exchange's key. */
export function signedClaims({ headers }: ReceivedPush, publicKey: string): Record<string, unknown> {
  const [, jwt = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== publicKey) throw new Error('the push names another public key');
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the signature of the push is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
}
