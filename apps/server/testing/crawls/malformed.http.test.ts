import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { amendOrder, createOco, createOrder, spotMovements } from '@exchange/wire/spot.ts';
import { demoLogin, freezeAccount, logout, userInfo } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitSeed, byForm } from '../../../../tools/test-form.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { seededRandom } from '../seeded-random.ts';
import { randomForm } from './random-form.ts';
import { rawCall, requireNoErrors } from './raw-call.ts';
import { fieldNames, exampleOf, examplesOf, prefilledExampleOf } from '@exchange/wire/examples.ts';
import { parameter } from '@exchange/wire/parameter.ts';
import { proofFile, proofSettlement } from '@exchange/wire/proof.ts';
import { stampFile } from '@exchange/wire/stamps.ts';

/** Form-encoded values that no field accepts, or that only resemble accepted values. */
const BAD_VALUES: readonly string[] = [
  '',
  '+',
  '%20',
  '{}',
  '%5B%5D',
  'null',
  'true',
  'abc',
  '-1',
  '0',
  '0.0',
  '-0.00000001',
  '1e5',
  '1E-8',
  '0x10',
  '.5',
  '5.',
  '%2B1',
  '1+2',
  '1%2C000',
  'NaN',
  'Infinity',
  '9'.repeat(19),
  '9'.repeat(41),
  '9'.repeat(4_000),
  `0.${'0'.repeat(30)}1`,
  '%D9%A1%D9%A2%D9%A3',
  '%EF%BC%91%EF%BC%92',
  '%E2%82%BF',
  '%F0%9F%92%B0'.repeat(10),
  'a'.repeat(5_000),
  '%27%20OR%201%3D1%20--',
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '..%2F..%2Fetc',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'g'.repeat(36),
  '%0D%0Ax-injected%3A1',
  '%EF%BF%BF',
  '%E2%80%AE',
  '%F0%90%8D%88',
];
/** Members of every object's prototype. A lookup by name must treat them like any other unknown name. */
const PROTOTYPE_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
];
/** Values that are not valid form-encoded UTF-8 or contain a NUL character. */
const BROKEN_VALUES: readonly string[] = ['%', '%z1', '%1', '%ff%fe', '%C0%80', '%ED%A0%80', '%00', 'a%00b'];
const ENCODING = 'l.body_encoding';
const CONCURRENCY = 16;
/** Number of random forms per endpoint. */
const RANDOM_FORMS = byForm(4, 2_000);
/** Maximum time in milliseconds of a request on a busy test machine. */
const REQUEST_MAX_MS = 30_000;

const CONTENT_TYPES: readonly string[] = [
  'application/json',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded; charset=utf-16',
  'nonsense',
  'application/octet-stream',
];

/**
 * In the short form of the tests, returns every `shares`-th value, beginning with a value that depends on the current
 * Git commit, so that successive commits cover all values. In the long form, returns all values.
 */
const selected = (values: readonly string[], shares: number): readonly string[] =>
  byForm(
    values.filter((_, index) => (index + commitSeed) % shares === 0),
    values,
  );
const SELECTED_VALUES = selected(BAD_VALUES, 16);
const SELECTED_BROKEN = selected(BROKEN_VALUES, 8);
const SELECTED_MEMBERS = selected(PROTOTYPE_NAMES, 6);
const SELECTED_TYPES = selected(CONTENT_TYPES, 3);

describe('malformed requests', () => {
  let exchange: TestExchange;
  let user: TestTrader;
  /** A separate user who calls `logout`, because this ends the session. */
  let logoutUser: TestTrader;
  /**
   * Session of the demo's shared account, which calls `freezeAccount`. The server refuses to freeze this
   * account, so its session stays usable.
   */
  let shared: { readonly token: string };
  let amended: { id: string };

  beforeAll(async () => {
    exchange = await anExchange();
    [user, logoutUser] = [await exchange.aUser({ USDT: '1000000' }), await exchange.aUser()];
    shared = (await exchange.call(demoLogin, {}, {})).data;
    // One trade is made, because stop orders need a last price, and one order is placed that can be amended.
    const maker = await exchange.aUser({ BTC: '1' });
    const pair = { baseCoin: 'BTC', quoteCoin: 'USDT', amount: '0.001' };
    await maker.request(createOrder, { ...pair, tradeType: 'sell', price: '50000' });
    await user.request(createOrder, { ...pair, tradeType: 'buy', price: '50000' });
    amended = await user.request(createOrder, { ...pair, tradeType: 'buy', price: '48000' });
  });

  afterAll(async () => {
    requireNoErrors(exchange);
    await exchange.close();
  });

  function send(endpoint: Endpoint, form: string | Uint8Array, headers: Record<string, string> = {}) {
    const { token } = endpoint === logout ? logoutUser : endpoint === freezeAccount ? shared : user;
    return rawCall(exchange, { endpoint, form, headers: { 'x-access-token': token, ...headers } });
  }

  async function sendAll<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
    for (let start = 0; start < items.length; start += CONCURRENCY)
      await Promise.all(items.slice(start, start + CONCURRENCY).map(action));
  }

  /**
   * Returns the form `sample` of an endpoint's example. For the endpoint that amends an order, its `id` is
   * replaced by that of an existing order.
   */
  function validForm(endpoint: Endpoint, sample: Record<string, string>): Record<string, string> {
    return endpoint === amendOrder ? { ...sample, id: amended.id } : sample;
  }

  // Endpoints that take files have their own tests.
  const endpoints = ENDPOINTS.filter(({ takesFile }) => !takesFile).map(
    (endpoint) => [endpoint.path, endpoint] as const,
  );

  it('WALK-001 every endpoint has an example that its schema accepts, and the trading examples are served', async () => {
    for (const endpoint of ENDPOINTS) {
      for (const sample of examplesOf(endpoint, Date.now())) {
        const parsed = endpoint.fields.safeParse(sample);
        expect(parsed.success, `${endpoint.path} ${JSON.stringify(parsed.error?.issues)}`).toBe(true);
      }
    }
    // If the server refused these valid requests, the malformed requests below would be refused before they reach the
    // code under test.
    for (const endpoint of [createOrder, createOco, amendOrder, exportRecords, spotMovements]) {
      for (const sample of examplesOf(endpoint, Date.now())) {
        const form = new URLSearchParams(validForm(endpoint, sample)).toString();
        expect(await send(endpoint, form)).toMatchObject({ code: 1 });
      }
    }
  });

  it('EDGE-198 public endpoints answer the examples of the API page', async () => {
    const open = ENDPOINTS.filter(({ access, method }) => access.who === 'anyone' && method === 'GET');
    expect(open.length).toBeGreaterThan(10);
    const refused: string[] = [];
    for (const endpoint of open) {
      const form = new URLSearchParams(prefilledExampleOf(endpoint, exchange.clock.now())).toString();
      const answer = (await send(endpoint, form)) as { code: number; errKey?: string };
      if (answer.code !== 1) refused.push(`${endpoint.path} ${answer.errKey}`);
    }
    // Only three endpoints refuse their examples, because this exchange has no file of the index tape, no proof of a
    // settlement and no time stamp.
    expect(refused).toEqual([
      `${proofFile.path} l.not_found`,
      `${proofSettlement.path} l.not_found`,
      `${stampFile.path} l.not_found`,
    ]);
  });

  it.each(endpoints)(
    'WALK-002 %s answers every invalid value of every field with a sentence',
    async (_, endpoint) => {
      const forms = examplesOf(endpoint, Date.now()).flatMap((sample) =>
        fieldNames(endpoint).flatMap((name) => {
          const { [name]: _removed, ...otherFields } = validForm(endpoint, sample);
          const otherText = new URLSearchParams(otherFields).toString();
          return [otherText, ...SELECTED_VALUES.map((value) => `${otherText}&${name}=${value}`)];
        }),
      );
      let answerCount = 0;
      await sendAll(forms, async (form) => {
        await send(endpoint, form);
        answerCount += 1;
      });
      expect(answerCount).toBe(forms.length);
    },
  );

  it.each(endpoints)(
    'EDGE-600 %s answers the name of a prototype member like any unknown name',
    async (_, endpoint) => {
      const names = fieldNames(endpoint);
      const [sample] = examplesOf(endpoint, Date.now());
      // The response of a request that changes data depends on earlier requests, so it must only be well-formed and is
      // not compared.
      const isCompared = endpoint.method === 'GET';
      const differing: string[] = [];
      for (const name of names) {
        const answerTo = async (value: string) => {
          const form = new URLSearchParams({ ...validForm(endpoint, sample!), [name]: value }).toString();
          const { code, data } = await send(endpoint, form);
          // Some of these names also violate the field's format, so the refusals' messages are not compared.
          return { code, kind: data === undefined || data === null ? 'nothing' : typeof data };
        };
        const unknown = await answerTo('noSuchName');
        for (const member of SELECTED_MEMBERS) {
          const answer = await answerTo(member);
          const isAlike = answer.code === unknown.code && answer.kind === unknown.kind;
          if (isCompared && !isAlike) differing.push(`${name}=${member}`);
        }
      }
      expect(differing).toEqual([]);
    },
  );

  it('EDGE-600 a parameter with the name of a prototype member is empty like any unknown parameter', async () => {
    for (const paramName of ['noSuchName', ...PROTOTYPE_NAMES]) {
      const answer = await send(parameter, new URLSearchParams({ paramName }).toString());
      expect(answer, paramName).toMatchObject({ code: 1, data: { valueName: '' } });
    }
  });

  it.each(endpoints)('WALK-003 %s refuses invalid form text and repeated fields', async (_, endpoint) => {
    const sample = exampleOf(endpoint, Date.now());
    const validText = new URLSearchParams(sample).toString();
    const names = [...fieldNames(endpoint), 'clientId', 'unknown', '__proto__', 'constructor'];
    const broken = names.flatMap((name) => SELECTED_BROKEN.map((value) => `${name}=${value}`));
    const nameless = SELECTED_BROKEN.map((value) => `${value}=1&${validText}`);
    await sendAll([...broken, ...nameless], async (form) => {
      expect(await send(endpoint, form)).toMatchObject({ errKey: ENCODING });
    });
    for (const [name, value] of Object.entries(sample)) {
      const answer = await send(endpoint, `${validText}&${name}=${encodeURIComponent(value)}`);
      expect(answer).toMatchObject({ code: -1, errKey: 'l.field_repeated', data: { field: name } });
    }
    if (endpoint.method === 'GET') return;
    for (const bytes of [[0xff, 0xfe, 0x41], [0xc3], [0x61, 0x3d, 0x00]]) {
      const answer = await send(endpoint, Uint8Array.from(bytes));
      expect(answer).toMatchObject({ errKey: ENCODING });
    }
  });

  const withBody = endpoints.filter(([, { method }]) => method === 'POST');

  it.each(withBody)('WALK-004 %s refuses other content types and oversized bodies', async (_, endpoint) => {
    const form = new URLSearchParams(exampleOf(endpoint, Date.now())).toString();
    for (const type of SELECTED_TYPES) {
      const answer = await send(endpoint, form === '' ? 'a=1' : form, { 'content-type': type });
      expect(answer, type).toMatchObject({ errKey: 'l.body_form' });
    }
    const large = await send(endpoint, `a=${'b'.repeat(70_000)}`);
    expect(large).toMatchObject({ errKey: 'l.body_too_large' });
    const many = Array.from({ length: 51 }, (_unused, n) => `f${n}=1`).join('&');
    expect(await send(endpoint, many)).toMatchObject({ errKey: 'l.body_too_large' });
  });

  it('WALK-005 unprintable, long and unusual headers do no harm', async () => {
    const form = new URLSearchParams(exampleOf(createOrder, Date.now())).toString();
    const tooLongKey = 'k'.repeat(37);
    expect(await send(createOrder, form, { 'idempotency-key': tooLongKey })).toMatchObject({
      data: { field: 'clientId' },
    });
    expect(await send(createOrder, `${form}&clientId=${tooLongKey}`)).toMatchObject({
      data: { field: 'clientId' },
    });
    expect(await send(createOrder, `${form}&clientId=%C3%A4`)).toMatchObject({ data: { field: 'clientId' } });
    const strangeHeaders = {
      'x-lang': 'xx-'.repeat(500),
      'accept-language': ';;q=9,*;q=-1',
      'user-agent': 'u'.repeat(5_000),
      'x-real-ip': '999.999.1.1, ::::',
      'x-request-id': '../../<script>',
    };
    for (const [name, value] of Object.entries(strangeHeaders)) {
      const { text } = await send(createOrder, form, { [name]: value });
      expect(text, name).not.toContain('<script>');
    }
  });

  it.each(endpoints)(
    'WALK-007 %s answers random forms within seconds',
    async (_, endpoint) => {
      const random = seededRandom(
        commitSeed + endpoints.findIndex(([, candidate]) => candidate === endpoint),
      );
      const samples = examplesOf(endpoint, Date.now()).map((sample) => validForm(endpoint, sample));
      const forms = Array.from({ length: RANDOM_FORMS }, () =>
        // The form of a GET request is cut, because the HTTP server refuses longer URLs before they reach an
        // endpoint.
        randomForm(random, random.pick(samples)).slice(0, endpoint.method === 'GET' ? 8_000 : undefined),
      );
      let slowestMs = 0;
      await sendAll(forms, async (form) => {
        const startMs = performance.now();
        await send(endpoint, form);
        slowestMs = Math.max(slowestMs, performance.now() - startMs);
      });
      expect(slowestMs).toBeLessThan(REQUEST_MAX_MS);
    },
    RANDOM_FORMS * 1_000,
  );

  it('WALK-006 afterwards the server is healthy and the user still signed in', async () => {
    const health = await fetch(`${exchange.url}/health`);
    expect(health.status).toBe(200);
    expect(await send(userInfo, '')).toMatchObject({ code: 1, data: { email: user.email } });
  });
});
