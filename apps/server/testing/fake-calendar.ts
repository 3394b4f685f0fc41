import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { timestampBytes, type Timestamp } from '../src/modules/stamps/opentimestamps.ts';

/** Compact form of the lowest difficulty, as in Bitcoin's regtest network: about half of all header hashes meet it. */
const EASY_BITS = 0x207fffff;
const EASIEST = 2n ** 255n;

/**
 * A submitted message. `upgrade` is the proof that a Bitcoin block contains the message; undefined before `mine`, while
 * the attestation is pending.
 */
interface Attested {
  readonly message: Buffer;
  upgrade: Timestamp | undefined;
}

/**
 * A simulated calendar server of OpenTimestamps. It answers submitted digests with pending attestations, and
 * `mine` attests the one pending digest in a simulated Bitcoin block. A public calendar would need the
 * network and take hours.
 */
export class FakeCalendar {
  readonly url: string;
  /** While true, every request is answered with status 503. */
  isAway = false;
  /** Number of digests that the server accepted. While `isAway`, it accepts none. */
  submissions = 0;
  private readonly attested = new Map<string, Attested>();
  private readonly close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.close = close;
  }

  static async start(): Promise<FakeCalendar> {
    const server = createServer((request, response) => void calendar.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const calendar = new FakeCalendar(
      `http://127.0.0.1:${port}`,
      () => new Promise((resolve) => server.close(() => resolve())),
    );
    return calendar;
  }

  stop(): Promise<void> {
    return this.close();
  }

  /**
   * Puts the single pending message into a Bitcoin block at `height` whose time is in Unix seconds. Returns the block's
   * header, 80 bytes, in hex. Throws if there is no pending message, or more than one.
   */
  mine(height: number, seconds: number): string {
    const waiting = [...this.attested.values()].filter(({ upgrade }) => upgrade === undefined);
    const [first] = waiting;
    if (first === undefined || waiting.length > 1) throw new Error('a block takes exactly one message');
    const neighbour = randomBytes(32);
    const root = sha256(sha256(Buffer.concat([first.message, neighbour])));
    const attestation: Timestamp = { items: [{ attestation: { kind: 'bitcoin', height } }] };
    const second: Timestamp = { items: [{ operation: { kind: 'sha256' }, next: attestation }] };
    const once: Timestamp = { items: [{ operation: { kind: 'sha256' }, next: second }] };
    first.upgrade = { items: [{ operation: { kind: 'append', argument: neighbour }, next: once }] };
    return headerWith(root, seconds).toString('hex');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: Buffer = Buffer.alloc(0)) => response.writeHead(status).end(body);
    if (this.isAway) return void reply(503);
    if (request.method === 'POST' && request.url === '/digest')
      return void reply(200, await this.attest(request));
    const message = /^\/timestamp\/([0-9a-f]+)$/.exec(request.url ?? '')?.[1] ?? '';
    const upgrade = this.attested.get(message)?.upgrade;
    return void (upgrade === undefined ? reply(404) : reply(200, timestampBytes(upgrade)));
  }

  private async attest(request: IncomingMessage): Promise<Buffer> {
    const digest = Buffer.concat(await request.toArray());
    this.submissions += 1;
    const nonce = randomBytes(16);
    const message = sha256(Buffer.concat([digest, nonce]));
    this.attested.set(message.toString('hex'), { message, upgrade: undefined });
    const attestation: Timestamp = { items: [{ attestation: { kind: 'pending', url: this.url } }] };
    const hashed: Timestamp = { items: [{ operation: { kind: 'sha256' }, next: attestation }] };
    return timestampBytes({ items: [{ operation: { kind: 'append', argument: nonce }, next: hashed }] });
  }
}

function sha256(content: Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}

/** Returns a block header with a Merkle root and a valid proof of work of the lowest difficulty. */
function headerWith(root: Buffer, seconds: number): Buffer {
  const header = Buffer.alloc(80);
  header.writeUInt32LE(0x20000000, 0);
  root.copy(header, 36);
  header.writeUInt32LE(seconds, 68);
  header.writeUInt32LE(EASY_BITS, 72);
  for (let nonce = 0; ; nonce += 1) {
    header.writeUInt32LE(nonce, 76);
    const hash = Buffer.from(sha256(sha256(header))).reverse();
    if (BigInt(`0x${hash.toString('hex')}`) < EASIEST) return header;
  }
}
