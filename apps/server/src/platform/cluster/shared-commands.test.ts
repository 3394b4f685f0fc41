import type { UserId } from '@exchange/core/ids.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { marketDepth } from '@exchange/wire/market.ts';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { successPrinter } from '../http/envelope.ts';
import type { IdentifiedCall, ServedCall } from '../http/identified-call.ts';
import type { MountedApi, MountedRequest } from '../http/mounted-api.ts';
import { Limits, NO_LIMITS } from '../limits/limits.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Command } from './commands.ts';
import type { Commands } from './command-sender.ts';
import { executedCommands } from './executed-commands.ts';
import { forwardedApi, forwardedCalls } from './forwarded-calls.ts';

const SUCCESS = successPrinter('tick');
const DEPTH = { symbol: 'btcusdt', size: '5' };
const LIMITED = { ...NO_LIMITS, publicRead: { per: 'address', perSecond: 0.001, burst: 3 } } as const;

/** Serves the market's depth: each call gets a number as its only bid. */
function countedDepth(): ServedCall & { readonly served: string[] } {
  const served: string[] = [];
  return {
    endpoint: marketDepth,
    served,
    serve: ({ traceId, address }) => {
      served.push(address);
      const tick = { bids: [[served.length, 1]], asks: [], ts: 1, version: 1 };
      return Promise.resolve(SUCCESS(tick, { ts: 7, traceId }));
    },
  };
}

/** The API of a test: each request is numbered, and an address group named `poor` has no weight left. */
class CountedApi implements MountedApi {
  readonly prefixes = ['/api/v3'];
  readonly served: string[] = [];
  private weight = 0;

  serve({ path, addressGroup }: MountedRequest) {
    this.served.push(addressGroup);
    this.weight += 5;
    if (addressGroup === 'poor') return { status: 429, headers: { 'retry-after': '9' }, body: 'too much' };
    return { status: 200, headers: this.headers(), body: `${path} ${this.served.length}` };
  }

  sharing() {
    return (addressGroup: string) => {
      this.weight += 5;
      if (addressGroup === 'poor') return { status: 429, headers: { 'retry-after': '9' }, body: 'too much' };
      return { headers: this.headers() };
    };
  }

  busy() {
    return { status: 429, headers: {}, body: '' };
  }

  private headers() {
    return { used: String(this.weight) };
  }
}

/** An API node and its writer in one process. `old` is a writer of an earlier version, which does not know sharers. */
function aNodeWithWriter({ isOld = false }: { readonly isOld?: boolean } = {}) {
  const clock = new FakeClock();
  const depth = countedDepth();
  const api = new CountedApi();
  const used: string[] = [];
  const sent: Command[] = [];
  const execute = executedCommands({
    served: {
      clock,
      log: recordingLog(),
      limits: new Limits(clock, LIMITED),
      metrics: new Metrics(),
    },
    calls: [depth],
    apis: [api],
    pages: [],
    sessionUsed: ({ id }) => used.push(id),
  });
  const commands: Commands = {
    send: async (command) => {
      sent.push(command);
      const received = JSON.parse(JSON.stringify(command)) as Command;
      if (isOld && received.kind !== 'page') Reflect.deleteProperty(received, 'sharers');
      const answer = await execute(received, { isRepeated: false, traceparent: '' });
      if (!('body' in answer)) throw new Error('a file');
      return answer;
    },
  };
  const [call] = forwardedCalls([marketDepth], { commands, clock, shared: new Set<Endpoint>([marketDepth]) });
  const forwarded = forwardedApi(
    {
      prefixes: api.prefixes,
      busy: () => api.busy(),
      noAnswer: () => api.busy(),
      isShared: ({ method, headers }) => method === 'GET' && headers['x-mbx-apikey'] === undefined,
    },
    { commands, clock },
  );
  const read = async (
    address: string,
    {
      locale = 'en-US',
      sessionId,
    }: { readonly locale?: IdentifiedCall['locale']; readonly sessionId?: string } = {},
  ) => {
    const answer = await call!.serve(
      {
        session: sessionId === undefined ? undefined : { id: sessionId, userId: 'user' as UserId },
        locale,
        address,
        userAgent: '',
        traceId: `trace-of-${address}`,
        traceparent: undefined,
        sentKey: undefined,
        fields: DEPTH,
        file: undefined,
      },
      undefined,
    );
    if (!('body' in answer)) throw new Error('a file');
    const body = JSON.parse(answer.body) as {
      code: number;
      msg: string;
      traceId: string;
      tick?: { bids: number[][] };
    };
    return { status: answer.status, body };
  };
  const send = async (addressGroup: string, headers: MountedRequest['headers'] = {}) =>
    await forwarded.serve({
      method: 'GET',
      path: '/api/v3/depth',
      query: 'symbol=BTCUSDT',
      body: Buffer.alloc(0),
      headers,
      address: '203.0.113.1',
      addressGroup,
    });
  return { read, send, depth, api, used, sent };
}

describe('a command for several callers', () => {
  it('CLU-114 CLU-115 is executed once, answered with each caller’s trace id, and charged and recorded for each', async () => {
    const { read, depth, used, sent } = aNodeWithWriter();
    const answers = await Promise.all([
      read('203.0.113.1'),
      read('203.0.113.2', { sessionId: 'second' }),
      read('203.0.113.3', { sessionId: 'third' }),
    ]);
    expect(answers.map(({ body }) => [body.code, body.tick?.bids, body.traceId])).toEqual([
      [1, [[1, 1]], 'trace-of-203.0.113.1'],
      [1, [[2, 1]], 'trace-of-203.0.113.2'],
      [1, [[2, 1]], 'trace-of-203.0.113.3'],
    ]);
    expect([sent.length, depth.served]).toEqual([2, ['203.0.113.1', '203.0.113.2']]);
    expect(used).toEqual(['second', 'third']);
  });

  it('CLU-115 refuses those beyond a limit in their language, whether they share or are the first', async () => {
    const { read, depth } = aNodeWithWriter();
    const poor = '203.0.113.9';
    for (let count = 0; count < 3; count += 1) await read(poor);
    const [, , shared] = await Promise.all([
      read('203.0.113.1'),
      read('203.0.113.2'),
      read(poor, { locale: 'en-US' }),
    ]);
    expect([shared.status, shared.body.code, shared.body.traceId]).toEqual([429, -9, `trace-of-${poor}`]);
    const served = depth.served.length;
    const [, first, other] = await Promise.all([read('203.0.113.3'), read(poor), read('203.0.113.4')]);
    expect([first.status, other.status]).toEqual([429, 200]);
    expect(depth.served.slice(served)).toEqual(['203.0.113.3', '203.0.113.4']);
  });

  it('CLU-114 is not shared by callers of different languages', async () => {
    const { read, sent } = aNodeWithWriter();
    await Promise.all([read('203.0.113.1'), read('203.0.113.2', { locale: 'ja-JP' })]);
    expect(sent.map((command) => 'sharers' in command)).toEqual([false, false]);
  });

  it('CLU-114 is sent for each caller alone to a writer of an earlier version', async () => {
    const { read, send, depth, api } = aNodeWithWriter({ isOld: true });
    const answers = await Promise.all(['1', '2', '3'].map((last) => read(`203.0.113.${last}`)));
    expect(answers.map(({ body }) => body.tick?.bids[0]?.[0])).toEqual([1, 2, 3]);
    expect(depth.served).toEqual(['203.0.113.1', '203.0.113.2', '203.0.113.3']);
    await Promise.all(['a', 'b', 'c'].map((group) => send(group)));
    expect(api.served).toEqual(['a', 'b', 'c']);
  });

  it('CLU-115 of the public API has the weight of each caller, and a refusal only for those without', async () => {
    const { send, api } = aNodeWithWriter();
    const [first, second, third, poor] = await Promise.all(
      ['a', 'b', 'c', 'poor'].map((group) => send(group)),
    );
    expect(first).toEqual({ status: 200, headers: { used: '5' }, body: '/api/v3/depth 1' });
    expect(second).toEqual({ status: 200, headers: { used: '10' }, body: '/api/v3/depth 2' });
    expect(third).toEqual({ status: 200, headers: { used: '15' }, body: '/api/v3/depth 2' });
    expect(poor).toEqual({ status: 429, headers: { 'retry-after': '9' }, body: 'too much' });
    expect(api.served).toEqual(['a', 'b']);
    const [, refused, next] = await Promise.all(['a', 'poor', 'b'].map((group) => send(group)));
    expect([refused?.status, next?.status]).toEqual([429, 200]);
  });

  it('CLU-114 is not sent for requests with an API key', async () => {
    const { send, api } = aNodeWithWriter();
    await Promise.all(['a', 'b', 'c'].map((group) => send(group, { 'x-mbx-apikey': 'key' })));
    expect(api.served).toEqual(['a', 'b', 'c']);
  });
});
