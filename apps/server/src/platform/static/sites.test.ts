import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { addressesOf, ALL_SCREENS, SCREENS } from '@exchange/wire/screens.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningEdge, type RunningEdge } from '../../../testing/edge.ts';
import { titleAt } from './screens.ts';
import { registerSites } from './sites.ts';

const script = `console.log(${JSON.stringify('x'.repeat(3_000))});`;
let folder: string;
let edge: RunningEdge;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sites-'));
  for (const site of ['desktop', 'mobile']) {
    mkdirSync(join(folder, site, 'assets'), { recursive: true });
    mkdirSync(join(folder, site, '.vite'));
    writeFileSync(join(folder, site, 'index.html'), `<!doctype html><title>A</title><p>${site}</p>`);
    writeFileSync(join(folder, site, '.fingerprint'), 'abc');
    writeFileSync(join(folder, site, '.vite/manifest.json'), '{}');
    writeFileSync(join(folder, site, 'assets/main-abc123.js'), script);
    writeFileSync(join(folder, site, 'assets/main-abc123.js.br'), brotliCompressSync(script));
  }
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  edge = await runningEdge({ publicUrl: 'https://exchange.test' }, async (app) =>
    registerSites(app, {
      directories: { desktop: join(folder, 'desktop'), mobile: join(folder, 'mobile') },
      buildsDirectory: join(folder, 'builds'),
      publicUrl: 'https://exchange.test',
      listedPairs: new Set(['BTC_USDT']),
    }),
  );
});
afterAll(async () => {
  await edge.app.close();
  rmSync(folder, { recursive: true });
});

/** Sends a raw request. `fetch` is not used, because it normalizes paths and decompresses bodies. */
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
  it('EDGE-094 every page address answers with the site’s index page', async () => {
    for (const [path, title] of [
      ['/', 'mobile'],
      ['/trade', 'mobile'],
      ['/pc', 'desktop'],
      ['/pc/', 'desktop'],
      ['/pc/about/us?c=d', 'desktop'],
    ] as const) {
      const answer = await get(path);
      expect([path, answer.status, String(answer.body).slice(-14).includes(title)]).toEqual([
        path,
        200,
        true,
      ]);
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    }
  });

  it('EDGE-195 a deep link is served to clients that accept any type or send no Accept header', async () => {
    for (const headers of [
      {},
      { accept: '*/*' },
      { accept: 'text/html,*/*;q=0.8' },
      { accept: 'image/png, */*' },
    ]) {
      for (const path of ['/trade?symbol=BTC_USDT', '/pc/market', '/pc/about/us/'])
        expect([path, (await get(path, headers)).status]).toEqual([path, 200]);
    }
    expect((await get('/pc/market', {}, 'HEAD')).status).toBe(200);
  });

  it('EDGE-196 a page’s head contains its texts in the reader’s language', async () => {
    const headOf = async (path: string, headers: Record<string, string> = {}) =>
      String((await get(path, headers)).body);
    const trade = await headOf('/pc/trade?symbol=btc_usdt&view=info');
    expect(trade).toContain('<title>BTC/USDT spot trading | Amethyst</title>');
    expect(trade).toContain('<meta property="og:title" content="BTC/USDT spot trading | Amethyst" />');
    expect(trade).toContain('content="https://exchange.test/pc/trade?symbol=BTC_USDT"');
    expect(trade).toMatch(/<meta property="og:description" content="Trade BTC\/USDT on /);
    expect(await headOf('/market', { 'accept-language': 'zh-CN' })).toContain(
      '<title>行情 | Amethyst</title>',
    );
    expect(await headOf('/')).toContain('<title>Buy and sell crypto');
    const evil = await headOf(`/trade?symbol=${encodeURIComponent('"><script>')}`);
    expect(evil).toContain('<title>Spot trading | Amethyst</title>');
    expect(await headOf('/x"><script>')).not.toContain('<script>');
    expect((await headOf('/trade?symbol=$&')).match(/<title>/g)).toHaveLength(1);
  });

  it('EDGE-197 an unknown address answers with the app’s own page and HTTP 404', async () => {
    for (const path of [
      '/nothing',
      '/pc/nothing',
      '/pc/assets/missing',
      '/assets/',
      '/trade/more',
      '//[',
      '/about/us/3',
    ]) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(String(answer.body)).toContain('<title>Page not found | Amethyst</title>');
    }
    for (const path of ['/assets/missing.js', '/pc/nothing.png']) {
      const answer = await get(path, { accept: '*/*' });
      expect([path, answer.status, String(answer.body)]).toEqual([path, 404, 'Not found.\n']);
    }
    expect(edge.log.events).toEqual([]);
  });

  it('EDGE-197 every address of both sites has a title', () => {
    for (const [name, screen] of ALL_SCREENS)
      for (const path of addressesOf(screen))
        expect([titleAt(path), titleAt(`/pc${path}/`)], name).toEqual([screen.title, screen.title]);
    const account = SCREENS.assets.pattern.replace(':account', '4');
    expect(titleAt(account)).toBe('assets');
    expect(titleAt(`${account}/more`)).toBeUndefined();
    expect(titleAt(account.replace('4', ''))).toBeUndefined();
    expect([titleAt('/account'), titleAt('/account/trade'), titleAt('/')]).toEqual([
      'assets',
      'records',
      'home',
    ]);
  });

  it('EDGE-748 files are served from memory: without the disk, for HEAD and GET, and with 304 for a cached file', async () => {
    renameSync(join(folder, 'desktop'), join(folder, 'gone'));
    try {
      const file = await get('/pc/assets/main-abc123.js');
      // The site's folder was removed, but its files are still served from memory, because the server read them at its
      // start.
      expect([file.status, String(file.body)]).toEqual([200, script]);
      const head = await get('/pc/assets/main-abc123.js', {}, 'HEAD');
      expect([head.status, head.body.length]).toEqual([200, 0]);
      expect(head.headers['content-length']).toBe(String(script.length));
      const conditional = { 'if-none-match': String(file.headers['etag']) };
      const cached = await get('/pc/assets/main-abc123.js', conditional);
      expect([cached.status, cached.body.length]).toEqual([304, 0]);
      const compressed = await get('/pc/assets/main-abc123.js', { ...conditional, 'accept-encoding': 'br' });
      expect([compressed.status, compressed.headers['content-encoding']]).toEqual([200, 'br']);
    } finally {
      renameSync(join(folder, 'gone'), join(folder, 'desktop'));
    }
  });

  it('EDGE-748 the API page and its document answer HEAD like GET', async () => {
    for (const path of ['/docs', '/docs/', '/docs/static/swagger-ui.css', '/bb/app/openapi.json', '/pc/']) {
      const [answer, head] = [await get(path), await get(path, { accept: 'text/html' }, 'HEAD')];
      expect([path, head.status]).toEqual([path, answer.status]);
      expect(head.body).toHaveLength(0);
      expect(head.headers['content-type']).toBe(answer.headers['content-type']);
      expect(answer.status).toBeLessThan(400);
    }
    expect((await get('/docs/nothing.js')).status).toBe(404);
  });

  it('EDGE-095 hashed files are cached for a year and compressed when accepted', async () => {
    const plain = await get('/pc/assets/main-abc123.js', {});
    expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' });
    expect(String(plain.body)).toBe(script);
    const compressed = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, br' });
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'br',
      vary: 'accept-encoding',
      'content-type': 'application/javascript; charset=utf-8',
    });
    expect(String(brotliDecompressSync(compressed.body))).toBe(script);
    const { headers } = await get('/assets/main-abc123.js', {});
    const cached = await get('/assets/main-abc123.js', { 'if-none-match': String(headers['etag']) });
    expect(cached.status).toBe(304);
    const head = await get('/assets/main-abc123.js', {}, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it('EDGE-096 nothing else is served: no hidden file, no parent folder, no page in place of a missing script', async () => {
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

  it('EDGE-097 pages have a policy that allows loading from their own origin only', async () => {
    const { headers } = await get('/pc/');
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    expect(headers['content-security-policy']).not.toMatch(/unsafe|nonce|sha\d/);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('EDGE-090 a phone is redirected from the desktop site to the mobile one, and a choice is stored', async () => {
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
