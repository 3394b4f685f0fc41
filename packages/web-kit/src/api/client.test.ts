import { Decimal } from '@exchange/core/decimal.ts';
import { API_BASE } from '@exchange/wire/endpoint.ts';
import { marketDetails } from '@exchange/wire/market.ts';
import { parameter } from '@exchange/wire/parameter.ts';
import { cancelOrder, createOrder } from '@exchange/wire/spot.ts';
import { logout, userInfo } from '@exchange/wire/user.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  endSession,
  SessionChanged,
  sessionToken,
  signedIn,
  startSession,
} from '../session/session-store.ts';
import { type PageRequest, type PageServer, startPageServer } from './testing/page-server.ts';
import {
  CALL_TIMEOUT_MS,
  CallFailed,
  CallRefused,
  call,
  toFormData,
  onSessionEnded,
  signOut,
  withoutBlanks,
  retryOnce,
} from './client.ts';
import { everyPage } from './every-page.ts';
import { PAGE_SIZE } from './list-state.tsx';

let server: PageServer;
let received: PageRequest[] = [];
let answer: { status: number; body: string; afterMs?: number } = { status: 200, body: '' };

const LIMIT = { baseCoin: 'BTC', quoteCoin: 'USDT', tradeType: '1' } as const;

function answerWith(envelope: unknown, status = 200): void {
  answer = { status, body: JSON.stringify(envelope) };
}

beforeAll(async () => {
  server = await startPageServer((request, response) => {
    received.push(request);
    const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
    const send = () => response.writeHead(answer.status, headers).end(answer.body);
    if (answer.afterMs === undefined) send();
    else setTimeout(send, answer.afterMs);
  });
});

afterAll(() => server.stop());
beforeEach(() => {
  received = [];
  localStorage.clear();
  endSession();
});
afterEach(() => vi.restoreAllMocks());

describe('a call', () => {
  it('WEB-080 sends a form-encoded POST under the base path with language and token', async () => {
    startSession({ userId: 'u', token: 'secret', email: 'a@b.example' });
    localStorage.setItem('User-Lang', 'zh-CN');
    answerWith({ code: 1, msg: 'success', data: { uid: '7' } });
    await expect(call(userInfo)).resolves.toEqual({ uid: '7' });
    expect(received[0]?.url).toBe('/bb/app/user/info');
    expect(received[0]?.headers).toMatchObject({
      'content-type': expect.stringContaining('application/x-www-form-urlencoded') as string,
      'x-access-token': 'secret',
      'accept-language': 'zh-CN,zh',
      'x-lang': 'zh-CN',
    });
  });

  it('WEB-080 uses English and sends no token for visitors', async () => {
    answerWith({ code: 1, data: { valueName: 'x' } });
    await call(parameter, { paramName: 'customer_service_email' });
    expect(received[0]?.url).toBe(`${API_BASE}${parameter.path}?paramName=customer_service_email`);
    expect(received[0]?.headers['accept-language']).toBe('en-US,en');
    expect(received[0]?.headers['x-access-token']).toBeUndefined();
  });

  it('WEB-081 sends decimals as plain text and omits empty fields', async () => {
    answerWith({ code: 1, data: {} });
    await call(createOrder, {
      ...LIMIT,
      price: Decimal.parse('0.000000000000000001'),
      amount: '5',
      total: null,
    });
    expect(Object.fromEntries(received[0]?.form ?? [])).toEqual({
      ...LIMIT,
      price: '0.000000000000000001',
      amount: '5',
      clientId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  it('WEB-082 reuses the given key of an idempotent call, and generates a new key for each other call', async () => {
    answerWith({ code: 1, data: {} });
    await call(createOrder, LIMIT, { clientId: 'mine' });
    await call(createOrder, LIMIT, { clientId: 'mine' });
    await call(createOrder, LIMIT);
    await call(createOrder, LIMIT);
    const keys = received.map(({ form }) => form.get('clientId'));
    expect(keys.slice(0, 2)).toEqual(['mine', 'mine']);
    expect(new Set(keys).size).toBe(3);
    await call(cancelOrder, { id: 'x' });
    expect(received[4]?.form.get('clientId')).toBeNull();
  });

  it('WEB-083 reads market responses, and treats any status but ok as a refusal', async () => {
    answerWith({ code: 1, status: 'ok', tick: { close: 5 } });
    await expect(call(marketDetails, { symbol: 'btcusdt' })).resolves.toEqual({ close: 5 });
    answerWith({ code: 1, status: 'error', msg: 'error' });
    await expect(call(marketDetails, { symbol: 'btcusdt' })).rejects.toBeInstanceOf(CallRefused);
  });

  it.each([200, 429])('WEB-084 throws a refusal with its key and parameters (HTTP %i)', async (status) => {
    answerWith(
      { code: -7, msg: 'Minimum 5', errKey: 'l.total_min', data: { field: 'total', limit: '5' } },
      status,
    );
    const error = await call(createOrder, LIMIT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallRefused);
    expect(error).toMatchObject({ code: -7, message: 'Minimum 5', errKey: 'l.total_min', field: 'total' });
  });

  it('WEB-085 code −2 ends the session on this device with its message', async () => {
    startSession({ userId: 'u', token: 'secret', email: 'a@b.example' });
    const reasons: string[] = [];
    const stop = onSessionEnded((message) => reasons.push(message));
    answerWith({ code: -2, msg: 'Your session has ended' });
    await expect(call(userInfo)).rejects.toMatchObject({ code: -2 });
    stop();
    expect(reasons).toEqual(['Your session has ended']);
    expect(signedIn()).toBe(false);
    expect(localStorage.getItem('User-Token')).toBeNull();
    expect(localStorage.getItem('User-Email')).toBe('a@b.example');
  });

  it('WEB-085 a late answer for an old token does not end the new session', async () => {
    startSession({ userId: 'u', token: 'old', email: 'a@b.example' });
    answer = { status: 200, body: JSON.stringify({ code: -2, msg: 'ended' }), afterMs: 60 };
    const late = call(userInfo).catch(() => undefined);
    startSession({ userId: 'u', token: 'new', email: 'a@b.example' });
    await late;
    expect(sessionToken()).toBe('new');
  });

  it.each([
    ['an error page', { status: 502, body: '<html>' }, 'answer'],
    ['something else than our envelope', { status: 200, body: '{"ok":true}' }, 'answer'],
    ['silence', { status: 200, body: '{}', afterMs: 400 }, 'timeout'],
  ])('WEB-086 fails on %s', async (_what, reply, reason) => {
    answer = reply;
    const error = await call(userInfo, {}, { timeoutMs: 100 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallFailed);
    expect(error).toMatchObject({ reason });
  });

  it('CLU-069 treats an unknown outcome as no answer, with the sentence of the server', async () => {
    answerWith({ code: -17, msg: 'No confirmation arrived.', errKey: 'l.outcome_unknown', data: {} }, 503);
    const error = await call(createOrder, LIMIT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallFailed);
    expect(error).toMatchObject({ reason: 'answer', message: 'No confirmation arrived.' });
  });

  it('SPEC-006 times out after twelve seconds, and lists have ten rows per page', () => {
    expect([CALL_TIMEOUT_MS, PAGE_SIZE]).toEqual([12_000, 10]);
  });
});

describe('a payload', () => {
  it('WEB-081 contains no null, undefined or empty text at any depth, and nothing else is removed', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(fc.constantFrom(null, undefined, ''), fc.string(), fc.integer())),
        (fields) => {
          const presentFields = Object.entries(fields).filter(
            ([, value]) => value !== null && value !== undefined && value !== '',
          );
          expect(Object.entries(withoutBlanks({ inner: fields }) as object)).toEqual([
            ['inner', Object.fromEntries(presentFields)],
          ]);
          expect([...toFormData(fields).keys()]).toEqual(presentFields.map(([key]) => key));
        },
      ),
    );
    expect(withoutBlanks({ a: [null, { b: '' }, 1], c: { d: undefined } })).toEqual({ a: [{}, 1], c: {} });
  });
});

const LOST = new CallFailed('network', 'l.network');
const LATE = new CallFailed('timeout', 'l.timeout');

/**
 * Returns a function that simulates sending a request. Its attempts settle after the given delays with the given
 * outcomes. Also returns the timeout with which each attempt was made.
 */
function attempts(...outcomes: readonly (readonly [afterMs: number, outcome: Error | string])[]) {
  const timeouts: number[] = [];
  const send = async (timeoutMs: number): Promise<string> => {
    const [afterMs, outcome] = outcomes[timeouts.length]!;
    timeouts.push(timeoutMs);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    if (typeof outcome === 'string') return outcome;
    throw outcome;
  };
  return { given: timeouts, send };
}

/** Sends a request with `retryOnce`. Returns its result or error, and its duration in milliseconds. */
async function endOf(send: (timeoutMs: number) => Promise<string>): Promise<[unknown, number]> {
  const startedMs = performance.now();
  const end = retryOnce(send).then(
    (answer): [unknown, number] => [answer, performance.now() - startedMs],
    (error: unknown): [unknown, number] => [error, performance.now() - startedMs],
  );
  await vi.runAllTimersAsync();
  return end;
}

describe('a keyed call', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('WEB-128 is retried once within its timeout after a lost connection', async () => {
    const { given: timeouts, send } = attempts([2_000, LOST], [500, 'placed']);
    expect(await endOf(send)).toEqual(['placed', 3_500]);
    expect(timeouts).toEqual([12_000, 9_000]);
  });

  it('WEB-128 never exceeds the timeout of one call', async () => {
    const twice = attempts([2_000, LOST], [9_000, LATE]);
    expect(await endOf(twice.send)).toEqual([LATE, 12_000]);
    const atTheEnd = attempts([11_500, LOST]);
    expect(await endOf(atTheEnd.send)).toEqual([LOST, 11_500]);
  });

  it('WEB-128 is not retried after a timeout or a refusal', async () => {
    const late = attempts([12_000, LATE]);
    expect(await endOf(late.send)).toEqual([LATE, 12_000]);
    const refusal = new CallRefused(-1, 'no');
    expect(await endOf(attempts([100, refusal]).send)).toEqual([refusal, 100]);
  });
});

describe('a session that ends during a call', () => {
  const person = (userId: string): void =>
    startSession({ userId, token: `token-${userId}`, email: 'a@b.example' });

  it.each([
    ['an answer', { code: 1, data: { uid: 'a' } }],
    ['a refusal', { code: 0, msg: 'No.' }],
    ['the end of the earlier session', { code: -2, msg: 'ended' }],
    ['an answer that cannot be used', {}],
  ])('WEB-920 %s is dropped, and the next user stays signed in', async (_, envelope) => {
    person('a');
    answerWith(envelope);
    answer.afterMs = 30;
    const outcome = call(userInfo).catch((error: unknown) => error);
    person('b');
    expect(await outcome).toBeInstanceOf(SessionChanged);
    expect(sessionToken()).toBe('token-b');
  });

  it('WEB-920 the answer of a public endpoint is kept', async () => {
    person('a');
    answerWith({ code: 1, data: { list: [] } });
    answer.afterMs = 30;
    const outcome = call(parameter, { code: 'x' } as never);
    endSession();
    await expect(outcome).resolves.toEqual({ list: [] });
  });

  it('WEB-920 a failed call is not retried under another session', async () => {
    person('a');
    const send = vi.fn<() => Promise<string>>(() => Promise.reject(LOST));
    const outcome = retryOnce(send).catch((error: unknown) => error);
    person('b');
    expect(await outcome).toBeInstanceOf(SessionChanged);
    expect(send).toHaveBeenCalledOnce();
  });

  it('WEB-920 a list is not continued under another session', async () => {
    person('a');
    const fetchPage = vi.fn<() => Promise<never>>(async () => {
      person('b');
      return { list: [{ id: '1' }], totalRow: 500, pageNo: 1, pageSize: 100, sum: 1 } as never;
    });
    await expect(everyPage(fetchPage)).rejects.toBeInstanceOf(SessionChanged);
    expect(fetchPage).toHaveBeenCalledOnce();
  });

  it('WEB-922 sign-out is immediate on the device; the server is called with the old token and retried while unreachable', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      person('a');
      const tokens: unknown[] = [];
      vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
        tokens.push([url, new Headers(init?.headers).get('x-access-token')]);
        if (tokens.length < 3) throw new TypeError('unreachable');
        return new Response('{}');
      });
      signOut();
      expect(signedIn()).toBe(false);
      person('b');
      await vi.advanceTimersByTimeAsync(60_000);
      expect(tokens).toHaveLength(3);
      expect(new Set(tokens.map((sent) => JSON.stringify(sent))).size).toBe(1);
      expect(tokens[0]).toEqual([expect.stringContaining(logout.path), 'token-a']);
      expect(sessionToken()).toBe('token-b');
    } finally {
      vi.useRealTimers();
    }
  });
});
