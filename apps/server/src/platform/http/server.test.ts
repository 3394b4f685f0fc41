import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { coin, positiveDecimal } from '@exchange/wire/codecs.ts';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import {
  ANYONE,
  API_BASE,
  endpoint,
  MARKET_BASE,
  publicRead,
  USER,
  type Endpoint,
} from '@exchange/wire/endpoint.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { marketDepth } from '@exchange/wire/market.ts';
import { parameter } from '@exchange/wire/parameter.ts';
import { createOrder } from '@exchange/wire/spot.ts';
import { register } from '@exchange/wire/user.ts';
import * as z from 'zod/mini';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runningEdge, type RunningEdge } from '../../../testing/edge.ts';
import { eventually } from '../../../testing/eventually.ts';
import { systemClock } from '../clock.ts';
import { Limits, LIMITS } from '../limits/limits.ts';
import { PrerenderedJson } from './exact-json.ts';
import type { DemandEnforcer } from './demands.ts';
import type { Page } from './page.ts';
import { servedRoutes } from './registration.ts';
import { route, submissionRoute, type Caller, type Route } from './route.ts';

const convert = endpoint({
  path: '/test/convert',
  summary: 'Doubles an amount.',
  access: ANYONE,
  charge: publicRead(1),
  idempotent: true,
  fields: { currency: coin, amount: positiveDecimal, note: z.optional(z.string()) },
  data: z.object({ currency: z.string(), amount: z.string(), key: z.string(), address: z.string() }),
});
const ownOrder = endpoint({
  path: '/test/own',
  summary: 'Returns the user of the session.',
  access: USER,
  charge: { limit: 'order', weight: 1 },
  fields: { token: z.optional(z.string()), userId: z.optional(z.string()) },
  data: z.object({ userId: z.string() }),
});
const failing = endpoint({
  path: '/test/fail',
  summary: 'Fails in the requested way.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { how: z.string() },
  data: z.object({}),
});

function fail(how: string): never {
  if (how === 'refused') {
    throw new Refused(refusal('belowMinimum', 'l.total_min', { limit: '5', unit: 'USDT', value: '3.2' }));
  }
  if (how === 'missing') throw new Refused(refusal('generic', 'l.not_found'));
  if (how === 'database') throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  throw new Error('secret-internal-detail');
}

const callers: Caller[] = [];
const level: [Decimal, Decimal] = [Decimal.parse('60000.10'), Decimal.parse('0.00000001')];
const routes: readonly Route[] = [
  submissionRoute(convert, {
    operation: 'test.convert',
    serve: ({ currency, amount }, caller) => {
      callers.push(caller);
      return { currency, amount: amount.plus(amount), key: caller.key ?? '', address: caller.address };
    },
  }),
  route(ownOrder, (_fields, { session }) => ({ userId: session.userId })),
  route(failing, ({ how }) => fail(how)),
  route(parameter, ({ paramName }) => ({ valueName: paramName })),
  route(marketDepth, ({ symbol }) =>
    symbol === 'ethusdt'
      ? new PrerenderedJson('{"bids":[[1.10,2]],"asks":[],"ts":1,"version":1}')
      : { bids: [level], asks: [], ts: 1, version: 7 },
  ),
];

interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly errKey?: string;
  readonly data: Record<string, unknown>;
  readonly ts: number;
  readonly traceId: string;
}

let edge: RunningEdge;
beforeAll(async () => {
  edge = await runningEdge({ routes });
});
afterAll(() => edge.app.close());

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(`${edge.url}/bb/app${path}`, {
    method: 'POST',
    body,
    headers: { ...type, ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, ...(JSON.parse(text) as Envelope) };
}

describe('calls', () => {
  it('EDGE-040 a call is answered with the envelope: code 1, data, time, trace id', async () => {
    const answer = await post('/test/convert', 'currency=btc&amount=0.1', { 'x-request-id': 'mine-1' });
    expect(answer).toMatchObject({ status: 200, code: 1, msg: 'success', traceId: 'mine-1' });
    expect(answer.data).toMatchObject({ currency: 'BTC', amount: '0.2', address: '127.0.0.1' });
    expect(Math.abs(answer.ts - Date.now())).toBeLessThan(60_000);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const other = await post('/test/convert', 'currency=btc&amount=0.1', { 'x-request-id': 'bad id"' });
    expect(other.traceId).toMatch(/^[0-9a-f]{10}-[0-9a-z]+$/);
  });

  it('EDGE-041 market calls answer with status ok and exact JSON numbers', async () => {
    const depth = await post('/huobi/getHuobiContractDepthV2', 'symbol=BTCUSDT&size=20&timer=1&type=step0');
    expect(depth.text).toContain(
      '"code":1,"msg":"success","status":"ok","tick":{"bids":[[60000.1,0.00000001]],',
    );
    const made = await post('/huobi/getHuobiContractDepthV2', 'symbol=ethusdt');
    expect(made.text).toContain('"tick":{"bids":[[1.10,2]]');
    const refused = await post('/huobi/getHuobiContractDepthV2', 'symbol=%21');
    expect(refused.text).toContain('"status":"error"');
  });

  it('EDGE-041 market calls answer with status error also for unreadable bodies and unknown paths', async () => {
    const path = '/huobi/getHuobiContractDepthV2';
    const json = { 'content-type': 'application/json' };
    for (const [answer, errKey] of [
      [await post(path, 'symbol=btcusdt', json), 'l.body_form'],
      [await post(path, `symbol=${'x'.repeat(70_000)}`), 'l.body_too_large'],
      [await post(path, 'symbol=%FF'), 'l.body_encoding'],
      [await post('/huobi/getNothing', ''), 'l.not_found'],
    ] as const) {
      expect(JSON.parse(answer.text)).toMatchObject({ code: 0, errKey, status: 'error' });
    }
    expect((await post('/test/convert', 'currency=btc', json)).text).not.toContain('"status":');
  });

  it('EDGE-041 all market calls, and no others, have the market base path', () => {
    for (const { path, envelope } of ENDPOINTS) {
      const isMarket = envelope === 'tick' || envelope === 'data';
      expect([path, `${API_BASE}${path}`.startsWith(MARKET_BASE)]).toEqual([path, isMarket]);
    }
  });

  it('EDGE-042 the query of a GET is decoded like a form', async () => {
    const get = async (query: string) => {
      const answer = await fetch(`${edge.url}/bb/app${parameter.path}${query}`);
      return (await answer.json()) as Envelope;
    };
    expect(await get('?paramName=a%20b')).toMatchObject({ code: 1, data: { valueName: 'a b' } });
    expect(await get('?paramName=a&paramName=b')).toMatchObject({ code: -1, errKey: 'l.field_repeated' });
    expect(await get('?paramName=%FF')).toMatchObject({ code: 0, errKey: 'l.body_encoding' });
    expect(await get('')).toMatchObject({
      code: -1,
      errKey: 'l.field_required',
      data: { field: 'paramName' },
    });
  });

  it('EDGE-043 the refusal names the first invalid field and never repeats its value', async () => {
    const answer = await post('/test/convert', 'currency=btc&amount=1e3');
    expect(answer).toMatchObject({
      status: 200,
      code: -1,
      errKey: 'l.field_number',
      data: { field: 'amount' },
    });
    expect(answer.msg).toBe('amount must be a plain number.');
    expect(await post('/test/convert', 'currency=btc&amount=')).toMatchObject({ errKey: 'l.field_required' });
    expect(await post('/test/convert', '')).toMatchObject({ code: -1, data: { field: 'currency' } });
    // The trace id is removed, because it is random and may contain the text by chance.
    expect(answer.text.replace(/"traceId":"[^"]*"/, '')).not.toContain('1e3');
    expect(await post('/huobi/getHuobiContractDepthV2', 'symbol=ethusdt&size=21')).toMatchObject({
      msg: 'size must be at most 20. You entered 21.',
      data: { field: 'size', limit: '20', value: '21' },
    });
  });

  it('EDGE-044 the refusal is in the caller’s language, X-Lang before Accept-Language, with the limit and the value', async () => {
    const english = await post('/test/fail', 'how=refused');
    expect(english).toMatchObject({
      status: 200,
      code: -7,
      msg: 'The minimum total is 5 USDT. You entered 3.2.',
      errKey: 'l.total_min',
      data: { limit: '5', unit: 'USDT', value: '3.2' },
    });
    const chinese = { 'accept-language': 'zh-CN,zh;q=0.9' };
    expect((await post('/test/fail', 'how=refused', chinese)).msg).toContain('最小金额为 5 USDT');
    expect((await post('/test/fail', 'how=refused', { ...chinese, 'x-lang': 'en-US' })).msg).toContain(
      'The minimum',
    );
  });

  it('EDGE-045 a bug answers 500 with a trace id and no details, which are logged', async () => {
    const answer = await post('/test/fail', 'how=bug');
    expect(answer).toMatchObject({ status: 500, code: 0, errKey: 'l.error' });
    expect(answer.text).not.toContain('secret-internal-detail');
    expect(edge.log.events.at(-1)).toMatchObject({
      level: 'error',
      event: 'http.failed',
      fields: { route: '/test/fail', traceId: answer.traceId, cause: { message: 'secret-internal-detail' } },
    });
  });

  it('EDGE-046 an unreachable database answers code −15, not a 5xx', async () => {
    expect(await post('/test/fail', 'how=database')).toMatchObject({
      status: 200,
      code: -15,
      errKey: 'l.maintenance',
    });
  });

  it('EDGE-047 the idempotency key is read from field or header, and a key that is too long is refused', async () => {
    const body = 'currency=btc&amount=1';
    expect((await post('/test/convert', `${body}&clientId=k-1`)).data['key']).toBe('k-1');
    expect((await post('/test/convert', body, { 'idempotency-key': 'k-2' })).data['key']).toBe('k-2');
    for (const answer of [
      await post('/test/convert', `${body}&clientId=${'k'.repeat(37)}`),
      await post('/test/convert', `${body}&clientId=%E4%BD%A0`),
      await post('/test/convert', body, { 'idempotency-key': 'k'.repeat(37) }),
    ]) {
      expect(answer).toMatchObject({
        status: 200,
        code: -1,
        errKey: 'l.field_invalid',
        data: { field: 'clientId' },
      });
    }
  });

  it('answers are counted by route and code', async () => {
    const text = await edge.metrics.text();
    expect(text).toMatch(/http_answers_total\{route="\/test\/fail",code="-7"\} [1-9]/);
    expect(text).toMatch(/http_answer_seconds_count\{route="\/test\/convert"\} [1-9]/);
  });
});

describe('sessions', () => {
  it('EDGE-050 a session is accepted in the header only; without one a user’s call answers −2 with HTTP 200', async () => {
    edge.sessions.open('t0ken', 'user-1');
    for (const headers of [
      {},
      { 'x-access-token': 'dead' },
      { 'x-access-token': 'x'.repeat(300) },
      { cookie: 'token=t0ken' },
    ]) {
      const answer = await post('/test/own', 'token=t0ken&userId=user-1', headers);
      expect(answer).toMatchObject({
        status: 200,
        code: -2,
        errKey: 'l.session_ended',
        msg: 'Your session has ended. Please log in again.',
      });
    }
    const query = await post('/test/own?token=t0ken', '');
    expect(query.code).toBe(-2);
    const own = await post('/test/own', 'userId=user-2', { 'x-access-token': 't0ken' });
    expect(own.data).toEqual({ userId: 'user-1' });
  });

  it('EDGE-051 an invalid token makes the caller a visitor, who may use public calls', async () => {
    const before = callers.length;
    const answer = await post('/test/convert', 'currency=btc&amount=1', { 'x-access-token': 'dead' });
    expect(answer.code).toBe(1);
    expect(callers.at(before)?.session).toBeUndefined();
  });
});

describe('invalid requests', () => {
  it('EDGE-060 a body of another content type is refused', async () => {
    const body = 'currency=btc&amount=1';
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded; charset=gbk',
      'application/x-www-form-urlencodedx',
    ]) {
      expect(await post('/test/convert', body, { 'content-type': type })).toMatchObject({
        status: 200,
        errKey: 'l.body_form',
      });
    }
    const good = 'Application/X-WWW-Form-Urlencoded; charset=UTF-8';
    expect((await post('/test/convert', body, { 'content-type': good })).code).toBe(1);
  });

  it('EDGE-061 a body that is too large, malformed or has repeated fields is refused', async () => {
    expect(await post('/test/convert', `note=${'x'.repeat(70_000)}`)).toMatchObject({
      status: 200,
      errKey: 'l.body_too_large',
    });
    expect(await post('/test/convert', 'currency=%FF')).toMatchObject({
      status: 200,
      errKey: 'l.body_encoding',
    });
    expect(await post('/test/convert', new Uint8Array([97, 61, 255]))).toMatchObject({
      errKey: 'l.body_encoding',
    });
    expect(await post('/test/convert', 'amount=1&amount=2')).toMatchObject({
      code: -1,
      data: { field: 'amount' },
    });
  });

  it('EDGE-064 a body is read equally with a length, in parts, in chunks or after 100-continue', async () => {
    const body = 'currency=btc&amount=1';
    const head = (more: string) =>
      `POST /bb/app/test/convert HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: same\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\n${more}\r\n`;
    const answerTo = async (...parts: readonly string[]) => {
      const socket = connect(edge.port, '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => (received += text));
      const ended = once(socket, 'close');
      for (const part of parts) {
        socket.write(part);
        await pause(20);
      }
      await ended;
      const [status, json] = [received.split('\r\n')[0], received.slice(received.indexOf('{"'))];
      const headers = received.slice(received.indexOf('\r\n'), received.indexOf('{"'));
      const names = [...headers.matchAll(/^([a-z-]+):/gim)].map(([, name]) => name);
      return { status, names, json: json.replace(/"ts":\d+/, '') };
    };
    const length = `Content-Length: ${body.length}\r\n`;
    const plain = await answerTo(head(length) + body);
    expect(plain).toMatchObject({ status: 'HTTP/1.1 200 OK', json: expect.stringContaining('"amount":"2"') });
    expect(await answerTo(head(length) + body.slice(0, 5), body.slice(5, 9), body.slice(9))).toEqual(plain);
    const chunks = `5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`;
    expect(await answerTo(head('Transfer-Encoding: chunked\r\n') + chunks)).toEqual(plain);
    const withContinue = await answerTo(head(`${length}Expect: 100-continue\r\n`), body);
    expect(withContinue.status).toBe('HTTP/1.1 100 Continue');
    expect(withContinue.json).toBe(plain.json);
  });

  it('EDGE-062 an unknown path, method or spelling below the base path answers 404 in the envelope', async () => {
    for (const path of [
      '/nothing',
      '/test/convert/',
      '/Test/convert',
      '//test/convert',
      '/test/%E0%A4%A',
      '/test/../x',
    ]) {
      const answer = await fetch(`${edge.url}/bb/app${path}`, { method: 'POST' });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.json()).toMatchObject({ code: 0, errKey: 'l.not_found' });
    }
    expect((await fetch(`${edge.url}/bb/app/test/convert`)).status).toBe(404);
  });

  it('EDGE-063 bytes that are not HTTP, and headers above 16 KiB, end the connection with a plain status', async () => {
    const statusOf = async (text: string) => {
      const socket = connect(edge.port, '127.0.0.1');
      socket.end(text);
      let received = '';
      for await (const chunk of socket) received += String(chunk);
      return received.split('\r\n')[0];
    };
    expect(await statusOf('nonsense\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(await statusOf(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(/ 431 /);
  });
});

describe('limits', () => {
  it('EDGE-035 a call above its limit answers 429 with code −9 and the seconds to wait', async () => {
    edge.sessions.open('busy', 'user-9');
    const calls = await Promise.all(
      Array.from({ length: 30 }, () => post('/test/own', '', { 'x-access-token': 'busy' })),
    );
    const refused = calls.filter((answer) => answer.status === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({ code: -9, errKey: 'l.rate_limited', data: { seconds: '1' } });
    edge.advanceTime(2_000);
    expect((await post('/test/own', '', { 'x-access-token': 'busy' })).code).toBe(1);
  });

  it('EDGE-036 attempts with invalid tokens are charged to the address, whatever headers claim', async () => {
    const table = { ...LIMITS, publicRead: { ...LIMITS.publicRead, burst: 5 } };
    const stillClock = { ...systemClock, monotonicMs: () => 0 };
    const other = await runningEdge({ routes, limits: new Limits(stillClock, table) });
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const headers = { 'x-access-token': `guess-${n}`, 'x-forwarded-for': `10.0.0.${n}` };
      const answer = await fetch(`${other.url}/bb/app/test/own`, { method: 'POST', headers });
      statuses.push(answer.status);
      await answer.text();
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    await other.app.close();
  });

  it('EDGE-190 a session is looked up only after the address was charged', async () => {
    const table = { ...LIMITS, publicRead: { ...LIMITS.publicRead, burst: 5 } };
    const stillClock = { ...systemClock, monotonicMs: () => 0 };
    const lookedUp: string[] = [];
    const sessions = {
      remembered: () => undefined,
      find: (token: string) => void lookedUp.push(token),
      onSessionEnded: () => undefined,
    };
    const other = await runningEdge({ routes, sessions, limits: new Limits(stillClock, table) });
    for (let n = 0; n < 9; n += 1) {
      const headers = { 'x-access-token': `guess-${n}` };
      const answer = await fetch(`${other.url}/bb/app/test/own`, { method: 'POST', headers });
      await answer.text();
    }
    expect(lookedUp).toEqual(['guess-0', 'guess-1', 'guess-2', 'guess-3', 'guess-4']);
    await other.app.close();
  });
});

describe('unwelcome requests', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('EDGE-186 a changing request from a page of another site is refused in the envelope; reads and links are served', async () => {
    for (const path of ['/test/convert', '/nothing']) {
      const answer = await post(path, 'currency=btc&amount=1', {
        'sec-fetch-site': 'cross-site',
        'x-lang': 'zh-CN',
      });
      expect(answer).toMatchObject({ status: 403, code: 0, errKey: 'l.cross_site' });
      expect(answer.msg).toBe('不接受来自其他网站页面的请求。');
    }
    for (const site of ['same-origin', 'same-site', 'none'])
      expect((await post('/test/convert', 'currency=btc&amount=1', { 'sec-fetch-site': site })).code).toBe(1);
    const read = await fetch(`${edge.url}/bb/app${parameter.path}?paramName=a`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(read.status).toBe(200);
  });

  it('EDGE-181 EDGE-1080 a request with a foreign host name is refused with a plain sentence', async () => {
    const isOwnName = (host: string | undefined) => host === 'own.test';
    const page: Page = { path: '/page', demoOnly: false, serve: () => ({ type: 'text', body: 'secret' }) };
    const other = await runningEdge({ routes, isOwnName, pages: [page] });
    const requestAs = async (host: string, path: string, method = 'GET') => {
      const body = method === 'POST' ? 'currency=btc&amount=1' : '';
      const socket = connect(other.port, '127.0.0.1');
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: ${form['content-type']}\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      );
      let received = '';
      for await (const chunk of socket) received += String(chunk);
      return received;
    };
    for (const [path, method] of [
      ['/page', 'GET'],
      ['/docs', 'GET'],
      ['/nothing', 'GET'],
      ['/bb/app/test/convert', 'POST'],
      ['/bb/app/nothing', 'POST'],
    ] as const) {
      const answer = await requestAs('rebound.evil.test', path, method);
      expect([path, answer.split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 421 Misdirected Request']);
      expect(answer).toContain('This server does not go by that name.');
      expect([path, (await requestAs('own.test', path, method)).includes(' 421 ')]).toEqual([path, false]);
      // A proxy in front of the server might evaluate the other one of two `Host` headers, or the request target
      // instead of the header. So such requests are refused.
      const isRefusedAs = async (host: string, target: string) =>
        (await requestAs(host, target, method)).includes(' 421 ');
      expect([path, await isRefusedAs('own.test\r\nHost: rebound.evil.test', path)]).toEqual([path, true]);
      expect([path, await isRefusedAs('own.test', `http://rebound.evil.test${path}`)]).toEqual([path, true]);
      expect([path, await isRefusedAs('own.test', `http://own.test@rebound.evil.test${path}`)]).toEqual([
        path,
        true,
      ]);
      expect([path, await isRefusedAs('own.test', `http://own.test${path}`)]).toEqual([path, false]);
    }
    await other.app.close();
  });

  it('EDGE-183 a page rendered per request is charged to the address', async () => {
    let served = 0;
    const page: Page = {
      path: '/page',
      demoOnly: false,
      serve: () => {
        served += 1;
        return { type: 'text', body: 'made' };
      },
    };
    const table = { ...LIMITS, publicRead: { ...LIMITS.publicRead, burst: 6 } };
    const limits = new Limits({ ...systemClock, monotonicMs: () => 0 }, table);
    const other = await runningEdge({ pages: [page], limits });
    const answers = await Promise.all(Array.from({ length: 9 }, () => fetch(`${other.url}/page`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(3).fill(200),
      ...Array(6).fill(429),
    ]);
    expect(served).toBe(3);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
    await other.app.close();
  });

  it('EDGE-187 a body that its client aborted is counted and is not an error', async () => {
    const other = await runningEdge({ routes });
    const head = `POST /bb/app/test/convert HTTP/1.1\r\nHost: x\r\nContent-Type: ${form['content-type']}\r\n`;
    for (const rest of [
      'Content-Length: 60\r\n\r\ncurrency=',
      'Transfer-Encoding: chunked\r\n\r\n5\r\ncurr',
      'Content-Length: 60\r\nExpect: 100-continue\r\n\r\ncurrency=',
    ]) {
      for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const socket = connect(other.port, '127.0.0.1').on('error', () => undefined);
        socket.write(head + rest);
        await pause(20);
        socket[leave]();
        await pause(20);
        socket.destroy();
      }
    }
    await eventually(async () => expect(await other.metrics.text()).toMatch(/http_bodies_cut_total [1-9]/));
    expect(other.log.events.filter(({ level }) => level !== 'debug')).toEqual([]);
    await other.app.close();
  });

  it('EDGE-188 client errors are answered 4xx and are not logged as errors', async () => {
    const other = await runningEdge({ routes });
    for (const target of [
      '/docs/static/..%2f..%2fpackage.json',
      '/docs/static/%2e%2e/%2e%2e/package.json',
      '/docs/static/%00',
      '/docs/%E0%A4%A',
      '//[',
      '/bb/app/%00',
    ]) {
      const socket = connect(other.port, '127.0.0.1');
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      let received = '';
      for await (const chunk of socket) received += String(chunk);
      expect([target, received.slice(0, 10)]).toEqual([target, 'HTTP/1.1 4']);
    }
    expect(other.log.events).toEqual([]);
    await other.app.close();
  });
});

/** Returns a route for the endpoint whose use case does nothing and returns an empty object. */
const routeOf = (routedEndpoint: Endpoint): Route => ({
  endpoint: routedEndpoint,
  serve: () => ({}),
  ...(routedEndpoint.idempotent && { once: { operation: 'test', restore: () => ({}) } }),
});

describe('registration', () => {
  const describedEndpoints: readonly Endpoint[] = [convert, ownOrder];

  it('EDGE-070 the start fails for calls without a route and for undescribed or duplicate routes', () => {
    expect(() =>
      servedRoutes([routeOf(convert), routeOf(convert), routeOf(failing)], describedEndpoints, 'demo', []),
    ).toThrow(
      'the routes are not complete: POST /test/convert has two routes; POST /test/fail is not in the catalogue of ' +
        'calls; POST /test/own has no route',
    );
    expect(servedRoutes([routeOf(convert), routeOf(ownOrder)], describedEndpoints, 'demo', [])).toHaveLength(
      2,
    );
  });

  it('SEQ-603 the start fails for an idempotent call that stores no first answer', () => {
    const { once: _once, ...forgetful } = routeOf(convert);
    expect(() => servedRoutes([forgetful, routeOf(ownOrder)], describedEndpoints, 'demo', [])).toThrow(
      'the routes are not complete: POST /test/convert honours a key and stores no first answer',
    );
  });

  it('EDGE-071 the start fails for a route without an access description', () => {
    const bare = { ...convert, access: undefined } as unknown as Endpoint;
    const nobody = { ...ownOrder, access: { who: 'someone' } } as unknown as Endpoint;
    expect(() => servedRoutes([routeOf(bare), routeOf(nobody)], [bare, nobody], 'demo', [])).toThrow(
      /\/test\/convert has no access row.*\/test\/own has no access row/,
    );
  });

  it('EDGE-191 the start fails for a demand without an enforcer, without its field, or on visitors', () => {
    const buy: Endpoint = { ...ownOrder, access: { who: 'user', tradePassword: true } };
    const visit: Endpoint = { ...convert, access: { who: 'anyone', verified: true } };
    const enforcerOf = (demand: string, fields: string[]) =>
      ({ demand, fields, enforce: () => Promise.resolve(undefined) }) as DemandEnforcer;
    const start = (startedEndpoint: Endpoint, demands: DemandEnforcer[]) => () =>
      servedRoutes([routeOf(startedEndpoint)], [startedEndpoint], 'demo', demands);
    expect(start(buy, [])).toThrow(
      'POST /test/own demands tradePassword, which has 0 enforcers instead of one',
    );
    const twice = [enforcerOf('tradePassword', []), enforcerOf('tradePassword', [])];
    expect(start(buy, twice)).toThrow('which has 2 enforcers instead of one');
    expect(start(buy, [enforcerOf('tradePassword', ['assetsPwd'])])).toThrow(
      'demands tradePassword and has no field assetsPwd',
    );
    expect(start(buy, [enforcerOf('tradePassword', ['token'])])).not.toThrow();
    expect(start(visit, [enforcerOf('verified', [])])).toThrow('demands verified of visitors');
    const unheardOf = { ...ownOrder, access: { who: 'user', eyeScan: true } } as unknown as Endpoint;
    expect(start(unheardOf, [])).toThrow('demands eyeScan, which has 0 enforcers instead of one');
  });

  it('EDGE-072 calls of demo mode are served in demo mode only', async () => {
    const play: Endpoint = { ...convert, access: { who: 'anyone', demoOnly: true } };
    expect(servedRoutes([routeOf(play)], [play], 'live', [])).toEqual([]);
    expect(servedRoutes([], [play], 'live', [])).toEqual([]);
    expect(() => servedRoutes([], [play], 'demo', [])).toThrow('has no route');
    const live = await runningEdge({ routes: [routeOf(play)], mode: 'live' });
    const answer = await fetch(`${live.url}/bb/app/test/convert`, { method: 'POST' });
    expect(answer.status).toBe(404);
    await live.app.close();
  });
});

describe('documents', () => {
  it('EDGE-080 a start does not write the OpenAPI document; the first request does, once', async () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    const writtenDocuments = () =>
      stringify.mock.calls.filter(([value]) => Object.hasOwn(Object(value) as object, 'openapi')).length;
    try {
      const edge = await runningEdge({});
      expect(writtenDocuments()).toBe(0);
      for (let request = 0; request < 2; request += 1)
        expect((await fetch(`${edge.url}/bb/app/openapi.json`)).status).toBe(200);
      expect(writtenDocuments()).toBe(1);
      await edge.app.close();
    } finally {
      stringify.mockRestore();
    }
  });

  it('EDGE-080 EDGE-198 the OpenAPI 3.1 document describes every call of the catalogue', async () => {
    const enforce = () => Promise.resolve(undefined);
    const demands = [
      { demand: 'ownAccount', fields: [], enforce },
      { demand: 'verified', fields: [], enforce },
      { demand: 'tradePassword', fields: ['assetsPwd'], enforce },
      { demand: 'mailCode', fields: ['code'], enforce },
    ] as const;
    const all = await runningEdge({
      demands,
      routes: ENDPOINTS.map(routeOf),
    });
    const answer = await fetch(`${all.url}/bb/app/openapi.json`);
    const document = (await answer.json()) as {
      openapi: string;
      tags: { name: string }[];
      paths: Record<string, Record<string, { tags: string[] }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toHaveLength(ENDPOINTS.length);
    const order = document.paths[`/bb/app${createOrder.path}`]?.['post'];
    expect(order).toMatchObject({
      security: [{ session: [] }],
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              properties: { baseCoin: { type: 'string', example: 'BTC' }, clientId: { type: 'string' } },
            },
          },
        },
      },
    });
    // The examples of the fields `invitation` and `ticket` are empty, because the server would refuse an invented
    // value.
    const signUp = JSON.stringify(document.paths[`/bb/app${register.path}`]);
    expect(signUp).toContain('"example":"walker@example.com"');
    expect(signUp).not.toMatch(/"example":"(?:ABCDEFGH|ticket)"/);
    // The documentation page invents values for fields without an example, so every field needs one, even if it is
    // empty.
    for (const text of [signUp, JSON.stringify(order)])
      expect(text).not.toMatch(/\{"type":"string"(?:,"(?:min|max)Length":\d+)*\}(?=.*"responses")/);
    const groups = document.tags.map(({ name }) => name);
    expect(groups[0]).toBe('Account and security');
    for (const [path, methods] of Object.entries(document.paths))
      for (const { tags } of Object.values(methods)) {
        expect(groups, path).toContain(tags[0]);
        expect(tags).toHaveLength(1);
      }
    expect(order).toMatchObject({ tags: ['Spot trading'] });
    const file = document.paths[`/bb/app${exportRecords.path}`]?.['post'] as Record<string, object>;
    expect(file['responses']).toMatchObject({
      200: { content: { 'text/csv': { schema: { type: 'string' } }, 'application/json': {} } },
    });
    const page = await fetch(`${all.url}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    await all.app.close();
  });
});
