import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { recordingLog } from '../../../testing/recording-log.ts';
import { systemClock } from '../clock.ts';
import { ownNames } from '../http/own-names.ts';
import { Health } from '../health/health.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { OperatorGate } from './gate.ts';
import { ROLES, type Operation } from './operation.ts';
import { createConsoleServer } from './server.ts';

const open: FastifyInstance[] = [];
afterEach(() => Promise.all(open.splice(0).map((app) => app.close())));

const ECHO: Operation = {
  method: 'POST',
  path: '/ops/echo/:name',
  name: 'Echo',
  summary: 'Gives back what it is sent.',
  roles: ['product'],
  fields: { word: { label: 'Word', kind: 'text' } },
  run: ({ parameters, fields }) => {
    if (fields['word'] === 'no')
      throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'word' }));
    return Promise.resolve({ ...parameters, ...fields });
  },
};

/**
 * A simulated gate for tests. A session token is the name of the operator's role, padded with dashes, and every call is
 * executed.
 */
const GATE: OperatorGate = {
  use: () => undefined,
  signIn: () => Promise.reject(new Error('not asked')),
  signOut: () => Promise.resolve(),
  setUp: () => Promise.reject(new Error('not asked')),
  replaceAuthenticator: () => Promise.reject(new Error('not asked')),
  operatorOf: (token) => {
    const role = ROLES.find((role) => token === role.padEnd(43, '-'));
    return Promise.resolve(role && { name: 'ada', roles: [role] });
  },
  preview: () =>
    Promise.resolve({ warnings: [], neighbours: undefined, ceiling: undefined, needsCode: true }),
  openPeriod: () => Promise.reject(new Error('not asked')),
  endPeriod: () => Promise.resolve(),
  periodOf: () => Promise.resolve(undefined),
  perform: async (operation, call) => ({ state: 'done', result: await operation.run(call) }),
};

async function startConsole(
  hasOperators = false,
  gateChanges: Partial<OperatorGate> = {},
  host = '127.0.0.1',
  isStarted?: () => boolean,
) {
  const health = new Health();
  const metrics = new Metrics();
  const directory = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<script type="module" src="/ops/app/assets/a.js"></script>');
  writeFileSync(join(directory, 'assets/a.js'), 'start();');
  const app = await createConsoleServer({
    clock: systemClock,
    health,
    metrics,
    mode: 'demo',
    version: '1.2.3',
    isOwnName: ownNames({ host, publicUrl: 'https://ops.own.test' }),
    log: recordingLog(),
    operations: [ECHO],
    listedPairs: new Set(['BTC_USDT']),
    isStarted,
    gate: hasOperators ? { ...GATE, ...gateChanges } : undefined,
    directory,
  });
  open.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { health, metrics, port, url: `http://127.0.0.1:${port}` };
}

describe('the operators’ port', () => {
  it('EDGE-140 health lists all components and answers 503 when one is down, fails or hangs', async () => {
    const { health, url } = await startConsole();
    health.watch('database', () => ({ isUp: true, facts: { poolWaiting: 0 } }));
    const well = await fetch(`${url}/health`);
    expect(well.status).toBe(200);
    expect(await well.json()).toMatchObject({
      status: 'up',
      mode: 'demo',
      version: '1.2.3',
      components: { database: { isUp: true, facts: { poolWaiting: 0 } } },
    });
    health.watch('mail', () => {
      throw new Error('no route to host');
    });
    health.watch('jobs', () => new Promise(() => undefined));
    const ill = await fetch(`${url}/health`);
    expect(ill.status).toBe(503);
    expect(await ill.json()).toMatchObject({
      status: 'down',
      components: {
        mail: { isUp: false, reason: 'no route to host' },
        jobs: { isUp: false, reason: 'gave no answer in time' },
      },
    });
    expect(() => health.watch('mail', () => ({ isUp: true }))).toThrow('mail');
  });

  it('TRE-126 no operation is executed before the modules have started, and nobody is signed in or out', async () => {
    let isStarted = false;
    const unused = () => Promise.reject(new Error('the database is not read before the start'));
    const gate = { operatorOf: unused, signIn: unused };
    const { url } = await startConsole(true, gate, '127.0.0.1', () => isStarted);
    const headers = { cookie: `operator_session=${'product'.padEnd(43, '-')}` };
    const call = (path: string) => fetch(`${url}${path}`, { method: 'POST', headers });
    for (const path of ['/ops/session', '/ops/echo/this']) {
      const answer = await call(path);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await answer.text()).toContain('Nothing was changed');
    }
    expect((await fetch(`${url}/health`)).status).toBe(200);
    isStarted = true;
    expect((await call('/ops/session')).status).toBe(500);
  });

  it('EDGE-141 metrics are served in the text format, including those of modules', async () => {
    const { metrics, url } = await startConsole();
    metrics.measureProcess();
    metrics.gauge('queue_length', 'Untriggered', () => 7);
    metrics.gauge('unread', 'Cannot be read', () => Promise.reject(new Error('away')));
    const free = () => Promise.resolve({ data: 5, backup: 6 });
    metrics.gauges({ name: 'free_bytes', help: 'By folder', label: 'folder' }, free);
    metrics.counter('orders_total', 'Orders').add(3);
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await answer.text();
    expect(text).toContain('queue_length 7');
    expect(text).toContain('orders_total 3');
    expect(text).toContain('free_bytes{folder="backup"} 6');
    // A metric whose reading fails is left out of the answer; the others are served.
    expect(text).not.toMatch(/^unread /m);
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  it('EDGE-142 the page loads its script from a separate file', async () => {
    const { url } = await startConsole();
    const page = await fetch(url);
    expect(page.url).toBe(`${url}/ops`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const html = await page.text();
    expect(html).not.toMatch(/<script>|onload=|style=/);
    expect((await fetch(`${url}/ops/app/assets/a.js`)).headers.get('content-security-policy')).toContain(
      'self',
    );
    for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    }
  });

  it('EDGE-143 a port on a loopback address accepts loopback names only', async () => {
    const { port } = await startConsole();
    const socket = connect(port, '127.0.0.1');
    socket.end('GET /health HTTP/1.1\r\nHost: rebound.evil.test\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 421 /);
  });

  it('EDGE-894 a port that listens on all addresses accepts its own names only', async () => {
    const { port } = await startConsole(false, {}, '0.0.0.0');
    const statusFor = async (name: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.end(`GET /metrics HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      return text.split(' ')[1];
    };
    for (const name of ['127.0.0.1:3001', 'localhost', '10.0.0.9:3001', 'ops.own.test'])
      expect([name, await statusFor(name)]).toEqual([name, '200']);
    for (const name of ['rebound.evil.test', 'localhost.evil.test'])
      expect([name, await statusFor(name)]).toEqual([name, '421']);
  });

  it('EDGE-186 changing requests from pages of other sites are refused', async () => {
    const { url } = await startConsole();
    for (const path of ['/health', '/ops/echo/this', '/nothing']) {
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect([path, (await fetch(url + path, { method: 'POST', headers })).status]).toEqual([path, 403]);
    }
    expect((await fetch(`${url}/health`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
  });

  it('OPS-060 OPS-066 the code is passed to the gate separately and is never part of the call', async () => {
    const received: unknown[] = [];
    const { url } = await startConsole(true, {
      perform: (_operation, { fields }, marks) => {
        received.push([{ ...fields }, marks]);
        return Promise.reject(new Refused(refusal('secondFactor', 'l.operator_codes_ended', { limit: '5' })));
      },
    });
    const headers = { cookie: `operator_session=${'owner'.padEnd(43, '-')}`, 'idempotency-key': 'one' };
    const body = new URLSearchParams({ word: 'yes', authenticatorCode: '123 456' });
    const answer = await fetch(`${url}/ops/echo/this`, { method: 'POST', headers, body });
    const session = { token: 'owner'.padEnd(43, '-'), address: '127.0.0.1' };
    expect(received).toEqual([[{ word: 'yes' }, { key: 'one', code: '123 456', session }]]);
    // A request with the session of an operator whose sessions were ended is answered with the same status as a request
    // without a session.
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ key: 'l.operator_codes_ended' });
  });

  it('OPS-068 authenticator codes are shown only for a demo’s operators', async () => {
    const operators = [
      {
        name: 'ada',
        seconds: 12,
        now: { code: '012345', isUsed: true },
        next: { code: '678901', isUsed: false },
      },
    ];
    const { url } = await startConsole(true, { demoCodes: () => Promise.resolve(operators) });
    const page = await fetch(`${url}/dev/codes`);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const html = await page.text();
    expect(html).toContain('<s>012 345</s> used');
    expect(html).toContain('<code>678 901</code>');
    expect((await fetch(`${url}/dev/codes.css`)).status).toBe(200);
    for (const { url: other } of [await startConsole(true), await startConsole()])
      expect((await fetch(`${other}/dev/codes`)).status).toBe(404);
  });

  it('EDGE-890 only UTF-8 forms with declared fields are accepted, as on the public port', async () => {
    const { url } = await startConsole(true);
    const cookie = `operator_session=${'owner'.padEnd(43, '-')}`;
    const send = async (type: string, body: string) => {
      const headers = { cookie, 'content-type': type };
      const answer = await fetch(`${url}/ops/echo/this`, { method: 'POST', headers, body });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      return [answer.status, await answer.json()];
    };
    const form = 'application/x-www-form-urlencoded';
    const echo = [200, { name: 'this', word: 'yes' }];
    expect(await send(form, 'word=yes')).toEqual(echo);
    expect(await send(`${form}; charset=UTF-8`, 'word=yes')).toEqual(echo);
    // Form fields that the operation does not declare reach neither the operation nor a proposal.
    expect(await send(form, 'word=yes&role=owner&__proto__=x')).toEqual(echo);
    for (const type of [`${form}; charset=latin1`, 'application/json', 'text/plain', 'multipart/form-data'])
      expect([type, await send(type, 'word=yes')]).toMatchObject([type, [415, { key: 'l.body_form' }]]);
    expect(await send('application/json', '{"word":')).toMatchObject([415, { key: 'l.body_form' }]);
    expect(await send(form, 'word=yes&word=no')).toMatchObject([400, { key: 'l.field_repeated' }]);
    expect(await send(form, 'word=%ff')).toMatchObject([400, { key: 'l.body_encoding' }]);
    expect(await send(form, `word=${'y'.repeat(70_000)}`)).toMatchObject([413, { key: 'l.body_too_large' }]);
  });

  it('EDGE-891 over https, cookies are bound to the host and sent over https only', async () => {
    const opened = { token: 'owner'.padEnd(43, '-'), browserKey: `${'b'.repeat(22)}.${'k'.repeat(43)}` };
    const origins: unknown[] = [];
    const { url } = await startConsole(true, {
      signIn: ({ browserKey }) => {
        origins.push(browserKey);
        return Promise.resolve(opened);
      },
    });
    const body = new URLSearchParams({ name: 'ada' });
    const signIn = async (headers: Record<string, string>) =>
      (await fetch(`${url}/ops/session`, { method: 'POST', headers, body })).headers.getSetCookie();
    const tls = { 'x-forwarded-proto': 'https' };
    const cookies = await signIn(tls);
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies)
      expect(cookie).toMatch(
        /^__Host-operator_\w+=[^;]+; Path=\/; Secure; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
      );
    await signIn({ ...tls, cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') });
    // Over https, a cookie without the prefix `__Host-` is ignored, because a sibling domain may have set it.
    await signIn({ ...tls, cookie: `operator_browser=${opened.browserKey}` });
    expect(origins).toEqual(['', opened.browserKey, '']);
    const isIn = async (cookie: string) =>
      (await fetch(`${url}/ops/session`, { headers: { ...tls, cookie } })).json() as Promise<{
        name: string;
      }>;
    expect((await isIn(`__Host-operator_session=${opened.token}`)).name).toBe('ada');
    expect((await isIn(`operator_session=${opened.token}`)).name).toBe('');
  });

  it('EDGE-892 signing out clears the browser’s data of the console', async () => {
    const { url } = await startConsole(true);
    const answer = await fetch(`${url}/ops/session/end`, { method: 'POST' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
  });

  it('EDGE-146 operations require a session whose roles permit them', async () => {
    const { url } = await startConsole(true);
    const send = async (headers: Record<string, string>, word = 'yes', from = url) => {
      const body = new URLSearchParams({ word });
      const answer = await fetch(`${from}/ops/echo/this`, { method: 'POST', headers, body });
      return [answer.status, await answer.json()];
    };
    const cookieOf = (name: string) => ({ cookie: `operator_session=${name.padEnd(43, '-')}` });
    const cookie = cookieOf('owner');
    expect(await send(cookie)).toEqual([200, { name: 'this', word: 'yes' }]);
    expect(await send(cookieOf('product'))).toMatchObject([200, {}]);
    expect(await send(cookieOf('auditor'))).toMatchObject([403, {}]);
    expect(await send(cookie, 'no')).toMatchObject([400, { key: 'l.field_choice', field: 'word' }]);
    expect(await send({})).toMatchObject([401, {}]);
    const session = async (headers: Record<string, string>) => {
      const answer = await fetch(`${url}/ops/session`, { headers });
      return [answer.status, answer.headers.get('set-cookie')?.split(';')[0], await answer.json()];
    };
    expect(await session(cookie)).toMatchObject([200, undefined, { name: 'ada', pairs: ['BTC_USDT'] }]);
    // A request without a session is answered with 200 and without operations. A request with the cookie of
    // an ended session is answered with 401, and the answer removes the cookie.
    expect(await session({})).toMatchObject([200, undefined, { name: '', operations: [] }]);
    expect(await session(cookieOf('nobody'))).toMatchObject([401, 'operator_session=', {}]);
    expect(await send(cookieOf('nobody'))).toMatchObject([401, {}]);
    expect(await send({ ...cookie, origin: 'http://evil.test' })).toMatchObject([403, {}]);
    expect(await send({ ...cookie, 'sec-fetch-site': 'cross-site' })).toMatchObject([403, {}]);
    expect(
      await send({ ...cookie, 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }),
    ).toMatchObject([403, {}]);
    expect(await send({ ...cookie, origin: url })).toMatchObject([200, {}]);
    for (const site of ['same-origin', 'same-site', 'none'])
      expect(await send({ ...cookie, 'sec-fetch-site': site })).toMatchObject([200, {}]);
    const { url: withoutOperator } = await startConsole();
    expect(await send(cookie, 'yes', withoutOperator)).toMatchObject([404, {}]);
  });
});
