import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { amendOrder, createOco, createOrder, spotMovements } from '@exchange/wire/spot.ts';
import { demoLogin, freezeAccount, logout, userInfo } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitSeed, inForm } from '../../../../tools/test-form.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { seededRandom } from '../seeded-random.ts';
import { randomForm } from './random-form.ts';
import { rawCall, requireNoAlarm } from './raw-call.ts';
import { fieldNames, exampleOf, examplesOf, shownExampleOf } from '@exchange/wire/examples.ts';
import { parameter } from '@exchange/wire/parameter.ts';
import { proofFile, proofSettlement } from '@exchange/wire/proof.ts';

/** Values that no field takes, or that only look like something it takes; already form-encoded. */
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
/** Members of every object's prototype: for a table that is asked by a name these are unknown names like any other. */
const PROTOTYPE_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
];
/** Pieces that are no form text at all. */
const BROKEN_VALUES: readonly string[] = ['%', '%z1', '%1', '%ff%fe', '%C0%80', '%ED%A0%80', '%00', 'a%00b'];
const ENCODING = 'l.body_encoding';
const AT_ONCE = 16;
/** Random forms for each call. */
const FUZZED = inForm(8, 2_000);
/** No call of a busy test machine takes as long unless it hangs. */
const HANGS_MS = 30_000;

const CONTENT_TYPES: readonly string[] = [
  'application/json',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded; charset=utf-16',
  'nonsense',
  'application/octet-stream',
];

/** In the short form one of so many, the others with other commits. */
const SHARES = 8;
const tried = (values: readonly string[]): readonly string[] =>
  inForm(
    values.filter((_, index) => (index + commitSeed) % SHARES === 0),
    values,
  );
const TRIED_VALUES = tried(BAD_VALUES);
const TRIED_BROKEN = tried(BROKEN_VALUES);
/** Of these one of three in the short form. */
const TRIED_MEMBERS = inForm(
  PROTOTYPE_NAMES.filter((_, index) => (index + commitSeed) % 3 === 0),
  PROTOTYPE_NAMES,
);

describe('malformed calls', () => {
  let exchange: TestExchange;
  let walker: TestTrader;
  /** Signs out with every proper call, so it walks alone. */
  let leaver: TestTrader;
  /** Nobody freezes the account that all visitors of a demo share. */
  let shared: { readonly token: string };
  let amended: { id: string };

  beforeAll(async () => {
    exchange = await anExchange();
    [walker, leaver] = [await exchange.aUser({ USDT: '1000000' }), await exchange.aUser()];
    shared = (await exchange.call(demoLogin, {}, {})).data;
    // A trade, for stops to have a last price; and an order to change.
    const maker = await exchange.aUser({ BTC: '1' });
    const pair = { baseCoin: 'BTC', quoteCoin: 'USDT', amount: '0.001' };
    await maker.ask(createOrder, { ...pair, tradeType: 'sell', price: '50000' });
    await walker.ask(createOrder, { ...pair, tradeType: 'buy', price: '50000' });
    amended = await walker.ask(createOrder, { ...pair, tradeType: 'buy', price: '48000' });
  });

  afterAll(async () => {
    requireNoAlarm(exchange);
    await exchange.close();
  });

  function send(endpoint: Endpoint, form: string | Uint8Array, headers: Record<string, string> = {}) {
    const { token } = endpoint === logout ? leaver : endpoint === freezeAccount ? shared : walker;
    return rawCall(exchange, { endpoint, form, headers: { 'x-access-token': token, ...headers } });
  }

  async function sendAll<T>(items: readonly T[], one: (item: T) => Promise<void>): Promise<void> {
    for (let from = 0; from < items.length; from += AT_ONCE)
      await Promise.all(items.slice(from, from + AT_ONCE).map(one));
  }

  /** The form, about an order that there is where the call is about one. */
  function properOf(endpoint: Endpoint, sample: Record<string, string>): Record<string, string> {
    return endpoint === amendOrder ? { ...sample, id: amended.id } : sample;
  }

  // What takes a file is walked with its own corpus.
  const walked = ENDPOINTS.filter(({ takesFile }) => !takesFile).map(
    (endpoint) => [endpoint.path, endpoint] as const,
  );

  it('WALK-001 every call has a proper form that its description takes, and those that trade are served', async () => {
    for (const endpoint of ENDPOINTS) {
      for (const sample of examplesOf(endpoint, Date.now())) {
        const parsed = endpoint.fields.safeParse(sample);
        expect(parsed.success, `${endpoint.path} ${JSON.stringify(parsed.error?.issues)}`).toBe(true);
      }
    }
    // Refused ones would hide from the walk whatever lies behind the refusal.
    for (const endpoint of [createOrder, createOco, amendOrder, exportRecords, spotMovements]) {
      for (const sample of examplesOf(endpoint, Date.now())) {
        const form = new URLSearchParams(properOf(endpoint, sample)).toString();
        expect(await send(endpoint, form)).toMatchObject({ code: 1 });
      }
    }
  });

  it('EDGE-198 what anybody may read answers to the example of the API page', async () => {
    const open = ENDPOINTS.filter(({ access, method }) => access.who === 'anyone' && method === 'GET');
    expect(open.length).toBeGreaterThan(10);
    const refused: string[] = [];
    for (const endpoint of open) {
      const form = new URLSearchParams(shownExampleOf(endpoint, exchange.clock.now())).toString();
      const answer = (await send(endpoint, form)) as { code: number; errKey?: string };
      if (answer.code !== 1) refused.push(`${endpoint.path} ${answer.errKey}`);
    }
    // An hour's file and a settlement have to be there first.
    expect(refused).toEqual([`${proofFile.path} l.not_found`, `${proofSettlement.path} l.not_found`]);
  });

  it.each(walked)(
    'WALK-002 %s answers every bad value of every field with a sentence',
    async (_, endpoint) => {
      const forms = examplesOf(endpoint, Date.now()).flatMap((sample) =>
        fieldNames(endpoint).flatMap((name) => {
          const { [name]: _left, ...others } = properOf(endpoint, sample);
          const rest = new URLSearchParams(others).toString();
          return [rest, ...TRIED_VALUES.map((value) => `${rest}&${name}=${value}`)];
        }),
      );
      let answers = 0;
      await sendAll(forms, async (form) => {
        await send(endpoint, form);
        answers += 1;
      });
      expect(answers).toBe(forms.length);
    },
  );

  it.each(walked)(
    'EDGE-600 %s answers the name of a prototype’s member as it answers any unknown name',
    async (_, endpoint) => {
      const names = fieldNames(endpoint);
      const [sample] = examplesOf(endpoint, Date.now());
      // A call that changes something is answered by what came before as well: it only has to answer properly.
      const isCompared = endpoint.method === 'GET';
      const differing: string[] = [];
      for (const name of names) {
        const answerTo = async (value: string) => {
          const form = new URLSearchParams({ ...properOf(endpoint, sample!), [name]: value }).toString();
          const { code, data } = await send(endpoint, form);
          // Some names break the field's form as well, so the sentence may differ.
          return { code, kind: data === undefined || data === null ? 'nothing' : typeof data };
        };
        const unknown = await answerTo('noSuchName');
        for (const member of TRIED_MEMBERS) {
          const answer = await answerTo(member);
          const isAlike = answer.code === unknown.code && answer.kind === unknown.kind;
          if (isCompared && !isAlike) differing.push(`${name}=${member}`);
        }
      }
      expect(differing).toEqual([]);
    },
  );

  it('EDGE-600 a parameter with the name of a prototype’s member is empty like any unknown one', async () => {
    for (const paramName of ['noSuchName', ...PROTOTYPE_NAMES]) {
      const answer = await send(parameter, new URLSearchParams({ paramName }).toString());
      expect(answer, paramName).toMatchObject({ code: 1, data: { valueName: '' } });
    }
  });

  it.each(walked)(
    'WALK-003 %s refuses what is no form text, and fields that come twice',
    async (_, endpoint) => {
      const sample = exampleOf(endpoint, Date.now());
      const whole = new URLSearchParams(sample).toString();
      const names = [...fieldNames(endpoint), 'clientId', 'unknown', '__proto__', 'constructor'];
      const broken = names.flatMap((name) => TRIED_BROKEN.map((value) => `${name}=${value}`));
      const nameless = TRIED_BROKEN.map((value) => `${value}=1&${whole}`);
      await sendAll([...broken, ...nameless], async (form) => {
        expect(await send(endpoint, form)).toMatchObject({ errKey: ENCODING });
      });
      for (const [name, value] of Object.entries(sample)) {
        const answer = await send(endpoint, `${whole}&${name}=${encodeURIComponent(value)}`);
        expect(answer).toMatchObject({ code: -1, errKey: 'l.field_repeated', data: { field: name } });
      }
      if (endpoint.method === 'GET') return;
      for (const bytes of [[0xff, 0xfe, 0x41], [0xc3], [0x61, 0x3d, 0x00]]) {
        const answer = await send(endpoint, Uint8Array.from(bytes));
        expect(answer).toMatchObject({ errKey: ENCODING });
      }
    },
  );

  const withBody = walked.filter(([, { method }]) => method === 'POST');

  it.each(withBody)(
    'WALK-004 %s refuses other types of body, and bodies without measure',
    async (_, endpoint) => {
      const form = new URLSearchParams(exampleOf(endpoint, Date.now())).toString();
      for (const type of CONTENT_TYPES) {
        const answer = await send(endpoint, form === '' ? 'a=1' : form, { 'content-type': type });
        expect(answer, type).toMatchObject({ errKey: 'l.body_form' });
      }
      const large = await send(endpoint, `a=${'b'.repeat(70_000)}`);
      expect(large).toMatchObject({ errKey: 'l.body_too_large' });
      const many = Array.from({ length: 51 }, (_unused, n) => `f${n}=1`).join('&');
      expect(await send(endpoint, many)).toMatchObject({ errKey: 'l.body_too_large' });
    },
  );

  it('WALK-005 unprintable, endless or strange headers harm nobody', async () => {
    const form = new URLSearchParams(exampleOf(createOrder, Date.now())).toString();
    const long = 'k'.repeat(37);
    expect(await send(createOrder, form, { 'idempotency-key': long })).toMatchObject({
      data: { field: 'clientId' },
    });
    expect(await send(createOrder, `${form}&clientId=${long}`)).toMatchObject({
      data: { field: 'clientId' },
    });
    expect(await send(createOrder, `${form}&clientId=%C3%A4`)).toMatchObject({ data: { field: 'clientId' } });
    const strange = {
      'x-lang': 'xx-'.repeat(500),
      'accept-language': ';;q=9,*;q=-1',
      'user-agent': 'u'.repeat(5_000),
      'x-real-ip': '999.999.1.1, ::::',
      'x-request-id': '../../<script>',
    };
    for (const [name, value] of Object.entries(strange)) {
      const { text } = await send(createOrder, form, { [name]: value });
      expect(text, name).not.toContain('<script>');
    }
  });

  it.each(walked)(
    'WALK-007 %s answers whatever random forms ask, within seconds',
    async (_, endpoint) => {
      const random = seededRandom(commitSeed + walked.findIndex(([, one]) => one === endpoint));
      const samples = examplesOf(endpoint, Date.now()).map((sample) => properOf(endpoint, sample));
      const forms = Array.from({ length: FUZZED }, () =>
        // A longer address is answered by the server of the protocol, before any call.
        randomForm(random, random.pick(samples)).slice(0, endpoint.method === 'GET' ? 8_000 : undefined),
      );
      let slowestMs = 0;
      await sendAll(forms, async (form) => {
        const beganMs = performance.now();
        await send(endpoint, form);
        slowestMs = Math.max(slowestMs, performance.now() - beganMs);
      });
      expect(slowestMs).toBeLessThan(HANGS_MS);
    },
    FUZZED * 1_000,
  );

  it('WALK-006 after all that the server is well and the walker still signed in', async () => {
    const health = await fetch(`${exchange.url}/health`);
    expect(health.status).toBe(200);
    expect(await send(userInfo, '')).toMatchObject({ code: 1, data: { email: walker.email } });
  });
});
