import { connect, type Socket } from 'node:net';
import * as z from 'zod/mini';
import { ANYONE, csvEndpoint, endpoint, publicRead } from '@exchange/wire/endpoint.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { runningEdge, type RunningEdge, type TestEdgeOptions } from '../../../testing/edge.ts';
import { eventually } from '../../../testing/eventually.ts';
import { systemClock } from '../clock.ts';
import { Limits, LIMITS, type LimitTable } from '../limits/limits.ts';
import { ADMISSION_LIMITS, type AdmissionLimits } from './admission.ts';
import { StreamedJson } from './exact-json.ts';
import { route } from './route.ts';

const wait = endpoint({
  method: 'GET',
  path: '/test/wait',
  summary: 'Answers when the test continues it.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({}),
});
const quick = endpoint({ ...descriptionOf('/test/quick'), data: z.object({}) });
const large = csvEndpoint({
  ...descriptionOf('/test/large'),
  costOf: () => ({ isHeavy: true }),
});
const streamed = endpoint({
  ...descriptionOf('/test/streamed'),
  costOf: () => ({ isHeavy: true, surcharge: 100 }),
  data: z.object({ lines: z.array(z.string()) }),
});

function descriptionOf(path: string) {
  return {
    method: 'GET',
    path,
    summary: 'A call for tests.',
    access: ANYONE,
    charge: publicRead(1),
    fields: {},
  } as const;
}

/**
 * Size of an answer in bytes. It exceeds the socket buffers on both sides, so that the answer cannot end before the
 * client reads.
 */
const LARGE_BYTES = 60_000_000;
const PART_BYTES = 500_000;
const RECEIVED_MAX = 100_000;
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;
const call = (name: string) => get(`/bb/app/test/${name}`);

const opened: Socket[] = [];
let edge: RunningEdge | undefined;
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  edge?.app.server.closeAllConnections();
  await edge?.app.close();
  edge = undefined;
});

interface Opened {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: Promise<unknown>;
}

interface Running {
  readonly edge: RunningEdge;
  /** Functions that answer the running requests to `/test/wait`, one each, in the order of arrival. */
  readonly serving: (() => void)[];
  /** Number of requests that were served, by the name of the test's endpoint. */
  readonly served: Map<string, number>;
  /** Opens a connection from the local IP address `from`, sends a text and collects the answer. */
  readonly open: (text: string, from?: string) => Opened;
}

async function startEdge(
  limits: Partial<AdmissionLimits>,
  options: Partial<TestEdgeOptions> = {},
): Promise<Running> {
  const serving: (() => void)[] = [];
  const served = new Map<string, number>();
  const count = (name: string) => served.set(name, (served.get(name) ?? 0) + 1);
  edge = await runningEdge({
    routes: [
      route(wait, async () => {
        count('wait');
        await new Promise<void>((resolve) => serving.push(resolve));
        return {};
      }),
      route(quick, () => {
        count('quick');
        return {};
      }),
      route(large, () => {
        count('large');
        return { name: 'large.csv', parts: chunks() };
      }),
      route(streamed, () => new StreamedJson(linesOf(['a', 'b']))),
    ],
    admissionLimits: { ...ADMISSION_LIMITS, ...limits },
    ...options,
  });
  const { port } = edge;
  return {
    edge,
    serving,
    served,
    open: (text, from = '127.0.0.1') => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from });
      opened.push(socket);
      let received = '';
      socket.on('data', (bytes) => {
        if (received.length < RECEIVED_MAX) received += bytes.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.write(text);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      return { socket, received: () => received, closed };
    },
  };
}

async function* chunks(): AsyncGenerator<Buffer, void> {
  for (let sent = 0; sent < LARGE_BYTES; sent += PART_BYTES) yield Buffer.alloc(PART_BYTES, 'x');
}

async function* linesOf(lines: readonly string[]): AsyncGenerator<string, void> {
  yield '{"lines":[';
  yield lines.map((line) => JSON.stringify(line)).join(',');
  yield ']}';
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
const answerCount = (text: string) => statuses(text).length;
const tableOf = (changed: Partial<LimitTable>): Limits =>
  new Limits({ ...systemClock, monotonicMs: () => 0 }, { ...LIMITS, ...changed });

describe('one connection', () => {
  it('EDGE-741 a connection’s requests are served one at a time and answered in order', async () => {
    const { serving, served, open } = await startEdge({});
    const { received } = open(call('wait') + call('quick').repeat(3) + call('wait'));
    await eventually(() => expect(serving).toHaveLength(1));
    expect(served.get('quick')).toBeUndefined();
    serving[0]!();
    await eventually(() => expect(serving).toHaveLength(2));
    expect(served.get('quick')).toBe(3);
    serving[1]!();
    await eventually(() => expect(answerCount(received())).toBe(5));
  });

  it('EDGE-742 a connection with too many pipelined requests is closed, and the rest of its packet is not parsed', async () => {
    const {
      edge: { metrics },
      served,
      open,
    } = await startEdge({ pipelined: 4 });
    const { closed } = open(call('wait') + call('quick').repeat(2_000));
    await closed;
    expect(served.get('quick')).toBeUndefined();
    expect(await metrics.text()).toContain('http_connections_ended_total 1');
    const other = open(call('quick'));
    await eventually(() => expect(statuses(other.received())).toEqual(['200']));
  });

  it('EDGE-743 a connection is closed after several consecutive refusals, announced in its last answer', async () => {
    const limits = tableOf({ publicRead: { ...LIMITS.publicRead, burst: 2 } });
    const { open } = await startEdge({ refusalsInARow: 3 }, { limits });
    const { socket, received, closed } = open(call('quick'));
    for (let sent = 1; sent < 5; sent += 1) {
      await eventually(() => expect(answerCount(received())).toBe(sent));
      socket.write(call('quick'));
    }
    await closed;
    expect(statuses(received())).toEqual(['200', '200', '429', '429', '429']);
    expect(received().split('HTTP/1.1').at(-1)).toMatch(/Connection: close/i);
    expect(received()).toMatch(/retry-after: 1/);
  });

  it('EDGE-744 a connection without transferred bytes during an answer is closed', async () => {
    const {
      edge: { app },
      open,
    } = await startEdge({ stalledMs: 400 });
    const reader = open(call('large'));
    reader.socket.pause();
    await eventually(async () => expect(await connectionsOf(app.server)).toBe(1));
    await eventually(async () => expect(await connectionsOf(app.server)).toBe(0));
  });
});

function connectionsOf(server: RunningEdge['app']['server']): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

describe('one address', () => {
  it('EDGE-745 an address may have a limited number of connections; more are closed unread while others connect', async () => {
    const {
      edge: { app, metrics },
      open,
    } = await startEdge({ connectionsPerAddress: 5 });
    const first = Array.from({ length: 5 }, () => open(''));
    await eventually(async () => expect(await connectionsOf(app.server)).toBe(5));
    const beyond = open(call('quick'));
    await beyond.closed;
    expect(beyond.received()).toBe('');
    expect(await metrics.text()).toContain('http_connections_refused_total 1');
    const other = open(call('quick'), '127.0.0.2');
    await eventually(() => expect(answerCount(other.received())).toBe(1));
    // When one of the open connections is closed, another connection may be opened.
    first[0]!.socket.destroy();
    await eventually(async () => expect(await connectionsOf(app.server)).toBe(5));
    const later = open(call('quick'));
    await eventually(() => expect(answerCount(later.received())).toBe(1));
  });

  it('EDGE-745 connections of an address are rate-limited; one closed for misuse counts as several', async () => {
    const limits = tableOf({ connection: { per: 'address', perSecond: 1, burst: 8 } });
    const { open } = await startEdge({}, { limits });
    const malformed = open('NONSENSE\r\n\r\n');
    await malformed.closed;
    expect(statuses(malformed.received())).toEqual(['400']);
    const [first, second] = [open(call('quick')), open(call('quick'))];
    await eventually(() => expect(answerCount(first.received()) + answerCount(second.received())).toBe(2));
    const beyond = open(call('quick'));
    await beyond.closed;
    expect(beyond.received()).toBe('');
  });

  it('EDGE-745 behind a configured proxy the reported address counts, and the proxy’s connections are not limited', async () => {
    const {
      edge: { app },
      open,
    } = await startEdge(
      { connectionsPerAddress: 2, underWay: { all: 10, perGroup: 1, waitingPerGroup: 0 } },
      { proxyHeader: 'x-real-ip' },
    );
    for (let n = 0; n < 5; n += 1) open('');
    await eventually(async () => expect(await connectionsOf(app.server)).toBe(5));
    const requests = ['10.0.0.1', '10.0.0.1', '10.0.0.2'].map((address) =>
      open(get('/bb/app/test/wait', `X-Real-IP: ${address}\r\n`)),
    );
    await eventually(() => expect(requests.map(({ received }) => statuses(received())[0])).toContain('429'));
    const answered = requests.filter(({ received }) => answerCount(received()) > 0);
    expect(answered).toHaveLength(1);
    expect(requests.indexOf(answered[0]!)).toBeLessThan(2);
  });

  it('EDGE-746 an address may have a limited number of running requests; more wait while others are served', async () => {
    const { serving, served, open } = await startEdge({
      underWay: { all: 10, perGroup: 2, waitingPerGroup: 10 },
    });
    const requests = Array.from({ length: 4 }, () => open(call('wait')));
    await eventually(() => expect(serving).toHaveLength(2));
    const other = open(call('quick'), '127.0.0.2');
    await eventually(() => expect(statuses(other.received())).toEqual(['200']));
    expect(served.get('wait')).toBe(2);
    for (let n = 0; n < 4; n += 1) {
      await eventually(() => expect(serving.length).toBeGreaterThan(n));
      serving[n]!();
    }
    await eventually(() =>
      expect(requests.every(({ received }) => answerCount(received()) === 1)).toBe(true),
    );
  });

  it('EDGE-747 all requests are charged before any work: pages, documents, HEAD, unknown paths and methods', async () => {
    let rendered = 0;
    const pages = [
      {
        path: '/page',
        demoOnly: false,
        serve: () => {
          rendered += 1;
          return { type: 'text', body: 'page' } as const;
        },
      },
    ];
    const limits = tableOf({ file: { per: 'address', perSecond: 1, burst: 7 } });
    const { open } = await startEdge({ refusalsInARow: 99 }, { limits, pages });
    const requests = [
      get('/page'),
      get('/docs'),
      get('/bb/app/openapi.json'),
      'HEAD /bb/app/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      get('/bb/app/nothing'),
      'OPTIONS /page HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      'DELETE /bb/app/test/quick HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    ];
    const { received, socket } = open('');
    for (const [index, text] of [...requests, ...requests].entries()) {
      socket.write(text);
      await eventually(() => expect(answerCount(received())).toBe(index + 1));
    }
    const allStatuses = statuses(received());
    expect(allStatuses.slice(0, requests.length)).not.toContain('429');
    expect(allStatuses.slice(requests.length)).toEqual(requests.map(() => '429'));
    expect(rendered).toBe(1);
  });
});

describe('heavy answers', () => {
  it('EDGE-749 heavy answers are limited until they are read; further ones wait, then are refused with a retry time', async () => {
    const { served, open } = await startEdge({ heavy: { all: 3, perGroup: 2, waitingPerGroup: 1 } });
    const readers = [1, 2].map(() => {
      const reader = open(call('large'));
      reader.socket.pause();
      return reader;
    });
    await eventually(() => expect(served.get('large')).toBe(2));
    const waiting = open(call('large'));
    const beyond = open(call('large'));
    await eventually(() => {
      const answers = [waiting, beyond].map(({ received }) => statuses(received())[0]);
      expect(answers.filter((status) => status === '429')).toHaveLength(1);
    });
    expect(served.get('large')).toBe(2);
    const other = open(call('large'), '127.0.0.2');
    await eventually(() => expect(answerCount(other.received())).toBe(1));
    readers[0]!.socket.destroy();
    await eventually(() => expect(served.get('large')).toBe(4));
  });

  it('EDGE-750 heavy answers buffer a bounded number of bytes, however many stalled readers request them', async () => {
    const {
      edge: { app },
      served,
      open,
    } = await startEdge({});
    const server = app.server;
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket));
    const readers = Array.from({ length: 300 }, (_, n) => {
      const reader = open(call('large'), `127.0.1.${1 + (n % 20)}`);
      reader.socket.pause();
      return reader;
    });
    await eventually(() => expect(served.get('large')).toBe(ADMISSION_LIMITS.heavy.all));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const buffered = [...sockets].reduce((sum, { writableLength }) => sum + writableLength, 0);
    expect(served.get('large')).toBe(ADMISSION_LIMITS.heavy.all);
    // At most one part is buffered for each answer that is being sent. The factor 2 leaves room for the answers of
    // refused requests.
    expect(buffered).toBeLessThan(ADMISSION_LIMITS.heavy.all * PART_BYTES * 2);
    expect(readers).toHaveLength(300);
  });

  it('EDGE-751 a streamed call is charged its surcharge and sent in parts inside the envelope', async () => {
    const limits = tableOf({ publicRead: { ...LIMITS.publicRead, burst: 205 } });
    const {
      edge: { url },
    } = await startEdge({}, { limits });
    const request = async () => fetch(`${url}/bb/app/test/streamed`);
    const first = await request();
    expect(await first.json()).toMatchObject({ code: 1, msg: 'success', data: { lines: ['a', 'b'] } });
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(first.headers.get('content-disposition')).toBeNull();
    expect((await request()).status).toBe(200);
    const third = await request();
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
