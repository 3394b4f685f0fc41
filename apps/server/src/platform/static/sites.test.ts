import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningEdge, type RunningEdge } from '../../../testing/edge.ts';
import { registerSites } from './sites.ts';

const script = `console.log(${JSON.stringify('x'.repeat(3_000))});`;
let folder: string;
let edge: RunningEdge;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sites-'));
  for (const site of ['desktop', 'mobile']) {
    mkdirSync(join(folder, site, 'assets'), { recursive: true });
    mkdirSync(join(folder, site, '.vite'));
    writeFileSync(join(folder, site, 'index.html'), `<!doctype html><title>${site}</title>`);
    writeFileSync(join(folder, site, '.fingerprint'), 'abc');
    writeFileSync(join(folder, site, '.vite/manifest.json'), '{}');
    writeFileSync(join(folder, site, 'assets/main-abc123.js'), script);
    writeFileSync(join(folder, site, 'assets/main-abc123.js.br'), brotliCompressSync(script));
  }
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  edge = await runningEdge({ publicUrl: 'https://exchange.test' }, (app) =>
    registerSites(app, {
      desktopDirectory: join(folder, 'desktop'),
      mobileDirectory: join(folder, 'mobile'),
      publicUrl: 'https://exchange.test',
    }),
  );
});
afterAll(async () => {
  await edge.app.close();
  rmSync(folder, { recursive: true });
});

/** A plain request, since `fetch` tidies paths and unpacks bodies. */
function get(path: string, headers: Record<string, string> = { accept: 'text/html' }, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      request({ host: '127.0.0.1', port: edge.port, path, headers, method }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('the sites', () => {
  it('EDGE-094 give their first page for every address that a browser opens', async () => {
    for (const [path, title] of [
      ['/', 'mobile'],
      ['/trade', 'mobile'],
      ['/pc', 'desktop'],
      ['/pc/', 'desktop'],
      ['/pc/a/b?c=d', 'desktop'],
    ] as const) {
      const answer = await get(path);
      expect([path, answer.status, String(answer.body)]).toEqual([
        path,
        200,
        `<!doctype html><title>${title}</title>`,
      ]);
      expect(answer.headers['cache-control']).toBe('no-cache');
    }
  });

  it('EDGE-095 give hashed files for a year, compressed where the browser takes it', async () => {
    const plain = await get('/pc/assets/main-abc123.js', {});
    expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' });
    expect(String(plain.body)).toBe(script);
    const packed = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, br' });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      vary: 'accept-encoding',
      'content-type': 'application/javascript; charset=utf-8',
    });
    expect(String(brotliDecompressSync(packed.body))).toBe(script);
    const { headers } = await get('/assets/main-abc123.js', {});
    const again = await get('/assets/main-abc123.js', { 'if-none-match': String(headers['etag']) });
    expect(again.status).toBe(304);
    const head = await get('/assets/main-abc123.js', {}, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it('EDGE-096 give nothing else: no hidden file, no folder above, no page in place of a missing script', async () => {
    for (const path of [
      '/.fingerprint',
      '/.vite/manifest.json',
      '/pc/.fingerprint',
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/pc/..%2f..%2fsecret.txt',
      '/assets/missing.js',
      '/pc/assets/missing',
      '/assets/main-abc123.js.br',
    ]) {
      const answer = await get(path);
      expect([path, answer.status, String(answer.body).includes('secret')]).toEqual([path, 404, false]);
    }
    expect((await get('/trade', { accept: 'image/png' })).status).toBe(404);
    expect((await get('/trade', { accept: 'text/html' }, 'POST')).status).toBe(404);
  });

  it('EDGE-097 carry the policy that lets a page load from its own origin only', async () => {
    const { headers } = await get('/pc/');
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('EDGE-090 send a phone from the desktop site to the mobile one, and remember a choice', async () => {
    const phone = { accept: 'text/html', 'sec-ch-ua-mobile': '?1' };
    const sent = await get('/pc/trade?symbol=BTC_USDT', phone);
    expect([sent.status, sent.headers['location']]).toEqual([302, '/trade?symbol=BTC_USDT']);
    expect(String(sent.headers['vary'])).toContain('Sec-CH-UA-Mobile');
    const chose = await get('/trade?site=desktop', phone);
    expect([chose.status, chose.headers['location']]).toEqual([302, '/pc/trade']);
    const cookie = String(chose.headers['set-cookie']).split(';')[0] ?? '';
    expect((await get('/pc/trade', { ...phone, cookie })).status).toBe(200);
  });
});
