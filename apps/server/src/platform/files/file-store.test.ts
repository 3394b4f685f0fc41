import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LocalFileStore, type FileStore } from './file-store.ts';
import { S3FileStore } from './s3-file-store.ts';

const KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const REGION = 'eu-central-1';

/**
 * A simulated S3 server that accepts only requests with a valid AWS Signature Version 4. It computes the signature
 * itself, independently of the tested code.
 */
class Bucket {
  readonly objects = new Map<string, Buffer>();
  /** Number of further requests that the simulated server answers with status 503. */
  busyFor = 0;
  private readonly server: Server = createServer((request, response) => {
    void this.answer(request).then(([status, body]) => response.writeHead(status).end(body));
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/pictures/kyc`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage): Promise<[number, Buffer?]> {
    const body = await buffer(request);
    if (this.busyFor > 0) {
      this.busyFor -= 1;
      return [503];
    }
    if (!isSigned(request, body)) return [403];
    const path = request.url!;
    if (request.method === 'PUT') this.objects.set(path, body);
    if (request.method === 'DELETE') return this.objects.delete(path) ? [204] : [404];
    const content = this.objects.get(path);
    if (content === undefined) return [404];
    return request.method === 'GET' ? [200, content] : [200];
  }
}

/**
 * Returns whether a request has a valid signature as AWS specifies it: canonical request, string to sign,
 * derived key.
 */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (parts === null) return false;
  const [, credential = '', signed = '', signature] = parts;
  const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  const hashed = String(headers['x-amz-content-sha256']);
  if (method === 'PUT' && hashed !== sha(body)) return false;
  const listed = signed.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, url, '', listed.join(''), signed, hashed].join('\n');
  const [keyId, ...scope] = credential.split('/');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), sha(canonical)].join('\n');
  let key: Buffer | string = `AWS4${KEY.secretAccessKey}`;
  for (const part of scope) key = createHmac('sha256', key).update(part).digest();
  const expected = createHmac('sha256', key).update(toSign).digest('hex');
  return keyId === KEY.accessKeyId && scope[1] === REGION && signature === expected;
}

describe('file stores', () => {
  const bucket = new Bucket();
  const folder = mkdtempSync(join(tmpdir(), 'amethyst-files-'));
  let url: string;
  beforeAll(async () => {
    url = await bucket.open();
  });
  beforeEach(() => {
    bucket.busyFor = 0;
  });
  afterAll(() => {
    bucket.close();
    rmSync(folder, { recursive: true });
  });

  const stores: readonly (readonly [string, () => FileStore])[] = [
    ['a folder', () => new LocalFileStore(folder)],
    ['a bucket', () => new S3FileStore({ url, region: REGION, ...KEY })],
  ];

  it.each(stores)(
    'FILE-010 %s stores, returns and deletes files, and accepts only ids as names',
    async (_, make) => {
      const [store, name, otherName] = [make(), randomUUID(), randomUUID()];
      const content = Buffer.from([0, 255, 13, 10, 128]);
      expect(await store.get(name)).toBeUndefined();
      await store.put(name, content);
      await store.put(otherName, Buffer.alloc(300_000, 7));
      expect(await store.get(name)).toEqual(content);
      await store.delete(name);
      await store.delete(name);
      expect(await store.get(name)).toBeUndefined();
      expect((await store.get(otherName))?.length).toBe(300_000);
      for (const bad of ['../../etc/passwd', '', 'a/b'])
        await expect(Promise.resolve().then(() => store.get(bad))).rejects.toThrow(RangeError);
    },
  );

  it('FILE-010 a busy bucket is retried; a refusing bucket fails the request', async () => {
    const name = randomUUID();
    const store = new S3FileStore({ url, region: REGION, ...KEY });
    bucket.busyFor = 2;
    await store.put(name, Buffer.from('kept'));
    expect([...bucket.objects.keys()]).toContain(`/pictures/kyc/${name}`);
    const stranger = new S3FileStore({ url, region: REGION, ...KEY, secretAccessKey: 'another' });
    await expect(stranger.get(name)).rejects.toThrow('answered GET with 403');
    await expect(stranger.delete(name)).rejects.toThrow('answered DELETE with 403');
    await expect(stranger.put(randomUUID(), Buffer.from('x'))).rejects.toThrow('answered PUT with 403');
    bucket.busyFor = 100;
    await expect(store.get(name)).rejects.toThrow('answered GET with 503');
  });
});

it('KEY-021 what a killed process left of a file goes when the file is stored again or deleted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-files-'));
  try {
    const store = new LocalFileStore(folder);
    const [name, other] = [randomUUID(), randomUUID()];
    await store.put(name, Buffer.from('first'));
    await store.put(other, Buffer.from('other'));
    const listed = () => readdirSync(folder, { recursive: true }).map(String);
    const path = join(
      folder,
      listed().find((entry) => entry.endsWith(name))!,
    );
    for (const finish of [() => store.put(name, Buffer.from('second')), () => store.delete(name)]) {
      writeFileSync(`${path}.0a1b2c3d`, 'half');
      await finish();
      expect(listed().filter((entry) => entry.includes(`${name}.`))).toEqual([]);
    }
    expect(await store.get(name)).toBeUndefined();
    expect(await store.get(other)).toEqual(Buffer.from('other'));
    await store.delete(randomUUID());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
