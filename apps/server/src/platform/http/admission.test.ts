import { connect, type Socket } from 'node:net';
import * as z from 'zod/mini';
import { ANYONE, csvEndpoint, endpoint, publicRead } from '@exchange/wire/endpoint.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { runningEdge, type RunningEdge } from '../../../testing/edge.ts';
import { eventually } from '../../../testing/eventually.ts';
import { systemClock } from '../clock.ts';
import { Limits, LIMITS, type LimitTable } from '../limits/limits.ts';
import { ADMISSION_LIMITS, type AdmissionLimits } from './admission.ts';
import { StreamedJson } from './exact-json.ts';
import type { HttpServerOptions } from './server.ts';
import { route } from './route.ts';

const wait = endpoint({
  method: 'GET',
  path: '/test/wait',
  summary: 'Answers when the test lets it.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({}),
});
const quick = endpoint({ ...described('/test/quick'), data: z.object({}) });
const large = csvEndpoint({
  ...described('/test/large'),
  costOf: () => ({ isHeavy: true }),
});
const streamed = endpoint({
  ...described('/test/streamed'),
  costOf: () => ({ isHeavy: true, surcharge: 100 }),
  data: z.object({ lines: z.array(z.string()) }),
});

function described(path: string) {
  return {
    method: 'GET',
    path,
    summary: 'Of a test.',
    access: ANYONE,
    charge: publicRead(1),
    fields: {},
  } as const;
}

/** More than the sockets of both sides hold for a reader that has stopped. */
const LARGE_BYTES = 60_000_000;
const PART_BYTES = 500_000;
const HEARD_MOST = 100_000;
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
  /** Calls of `/test/wait` that are being served, and what answers the first of them. */
  readonly serving: (() => void)[];
  /** How many calls of each name were served. */
  readonly served: Map<string, number>;
  /** Opens a connection from an address of this machine, sends a text and gathers what comes back. */
  readonly open: (text: string, from?: string) => Opened;
}

async function running(
  limits: Partial<AdmissionLimits>,
  options: Partial<HttpServerOptions> = {},
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
        if (received.length < HEARD_MOST) received += bytes.toString('latin1');
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
const heard = (text: string) => statuses(text).length;
const tableOf = (changed: Partial<LimitTable>): Limits =>
  new Limits({ ...systemClock, monotonicMs: () => 0 }, { ...LIMITS, ...changed });

describe('one connection', () => {
  it('EDGE-741 has one request served at a time: those behind it wait, and are answered in order', async () => {
    const { serving, served, open } = await running({});
    const { received } = open(call('wait') + call('quick').repeat(3) + call('wait'));
    await eventually(() => expect(serving).toHaveLength(1));
    expect(served.get('quick')).toBeUndefined();
    serving[0]!();
    await eventually(() => expect(serving).toHaveLength(2));
    expect(served.get('quick')).toBe(3);
    serving[1]!();
    await eventually(() => expect(heard(received())).toBe(5));
  });

  it('EDGE-742 that sends more than a few requests at once is ended, and the rest of its packet is not read', async () => {
    const {
      edge: { metrics },
      served,
      open,
    } = await running({ pipelined: 4 });
    const { closed } = open(call('wait') + call('quick').repeat(2_000));
    await closed;
    expect(served.get('quick')).toBeUndefined();
    expect(await metrics.text()).toContain('http_connections_ended_total 1');
    const other = open(call('quick'));
    await eventually(() => expect(statuses(other.received())).toEqual(['200']));
  });

  it('EDGE-743 ends after several refusals in a row, which its last answer announces', async () => {
    const limits = tableOf({ publicRead: { ...LIMITS.publicRead, burst: 2 } });
    const { open } = await running({ refusalsInARow: 3 }, { limits });
    const { socket, received, closed } = open(call('quick'));
    for (let sent = 1; sent < 5; sent += 1) {
      await eventually(() => expect(heard(received())).toBe(sent));
      socket.write(call('quick'));
    }
    await closed;
    expect(statuses(received())).toEqual(['200', '200', '429', '429', '429']);
    expect(received().split('HTTP/1.1').at(-1)).toMatch(/Connection: close/i);
    expect(received()).toMatch(/retry-after: 1/);
  });

  it('EDGE-744 on which no byte moves during an answer is ended, whoever does not read', async () => {
    const {
      edge: { app },
      open,
    } = await running({ stalledMs: 400 });
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
  it('EDGE-745 has so many connections; more are closed unread while others connect', async () => {
    const {
      edge: { app, metrics },
      open,
    } = await running({ connectionsPerAddress: 5 });
    const first = Array.from({ length: 5 }, () => open(''));
    await eventually(async () => expect(await connectionsOf(app.server)).toBe(5));
    const beyond = open(call('quick'));
    await beyond.closed;
    expect(beyond.received()).toBe('');
    expect(await metrics.text()).toContain('http_connections_refused_total 1');
    const other = open(call('quick'), '127.0.0.2');
    await eventually(() => expect(heard(other.received())).toBe(1));
    // Whoever leaves makes room.
    first[0]!.socket.destroy();
    await eventually(async () => expect(await connectionsOf(app.server)).toBe(5));
    const later = open(call('quick'));
    await eventually(() => expect(heard(later.received())).toBe(1));
  });

  it('EDGE-745 opens connections at a rate; one that ends for misuse counts as several', async () => {
    const limits = tableOf({ connection: { per: 'address', perSecond: 1, burst: 8 } });
    const { open } = await running({}, { limits });
    const malformed = open('NONSENSE\r\n\r\n');
    await malformed.closed;
    expect(statuses(malformed.received())).toEqual(['400']);
    const [one, two] = [open(call('quick')), open(call('quick'))];
    await eventually(() => expect(heard(one.received()) + heard(two.received())).toBe(2));
    const beyond = open(call('quick'));
    await beyond.closed;
    expect(beyond.received()).toBe('');
  });

  it('EDGE-745 behind a configured proxy is the one that the proxy reports: its own connections are not counted', async () => {
    const {
      edge: { app },
      open,
    } = await running(
      { connectionsPerAddress: 2, underWay: { all: 10, perGroup: 1, waitingPerGroup: 0 } },
      { proxyHeader: 'x-real-ip' },
    );
    for (let n = 0; n < 5; n += 1) open('');
    await eventually(async () => expect(await connectionsOf(app.server)).toBe(5));
    const asked = ['10.0.0.1', '10.0.0.1', '10.0.0.2'].map((address) =>
      open(get('/bb/app/test/wait', `X-Real-IP: ${address}\r\n`)),
    );
    await eventually(() => expect(asked.map(({ received }) => statuses(received())[0])).toContain('429'));
    const answered = asked.filter(({ received }) => heard(received()) > 0);
    expect(answered).toHaveLength(1);
    expect(asked.indexOf(answered[0]!)).toBeLessThan(2);
  });

  it('EDGE-746 has so many requests under way; more wait, and others are served meanwhile', async () => {
    const { serving, served, open } = await running({
      underWay: { all: 10, perGroup: 2, waitingPerGroup: 10 },
    });
    const asked = Array.from({ length: 4 }, () => open(call('wait')));
    await eventually(() => expect(serving).toHaveLength(2));
    const other = open(call('quick'), '127.0.0.2');
    await eventually(() => expect(statuses(other.received())).toEqual(['200']));
    expect(served.get('wait')).toBe(2);
    for (let n = 0; n < 4; n += 1) {
      await eventually(() => expect(serving.length).toBeGreaterThan(n));
      serving[n]!();
    }
    await eventually(() => expect(asked.every(({ received }) => heard(received()) === 1)).toBe(true));
  });

  it('EDGE-747 pays for whatever it asks for before anything is done: pages, documents, heads, paths and methods that are none', async () => {
    let made = 0;
    const pages = [
      {
        path: '/page',
        demoOnly: false,
        serve: () => {
          made += 1;
          return { type: 'text', body: 'page' } as const;
        },
      },
    ];
    const limits = tableOf({ file: { per: 'address', perSecond: 1, burst: 7 } });
    const { open } = await running({ refusalsInARow: 99 }, { limits, pages });
    const asked = [
      get('/page'),
      get('/docs'),
      get('/bb/app/openapi.json'),
      'HEAD /bb/app/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      get('/bb/app/nothing'),
      'OPTIONS /page HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      'DELETE /bb/app/test/quick HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    ];
    const { received, socket } = open('');
    for (const [at, text] of [...asked, ...asked].entries()) {
      socket.write(text);
      await eventually(() => expect(heard(received())).toBe(at + 1));
    }
    const all = statuses(received());
    expect(all.slice(0, asked.length)).not.toContain('429');
    expect(all.slice(asked.length)).toEqual(asked.map(() => '429'));
    expect(made).toBe(1);
  });
});

describe('heavy answers', () => {
  it('EDGE-749 are few at a time until they have been read; those beyond wait, then are told when to come back', async () => {
    const { served, open } = await running({ heavy: { all: 3, perGroup: 2, waitingPerGroup: 1 } });
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
    await eventually(() => expect(heard(other.received())).toBe(1));
    readers[0]!.socket.destroy();
    await eventually(() => expect(served.get('large')).toBe(4));
  });

  it('EDGE-750 hold a bounded number of bytes, however many stalled readers ask for them', async () => {
    const {
      edge: { app },
      served,
      open,
    } = await running({});
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
    // One part of each that is being sent, and refusals.
    expect(buffered).toBeLessThan(ADMISSION_LIMITS.heavy.all * PART_BYTES * 2);
    expect(readers).toHaveLength(300);
  });

  it('EDGE-751 cost by what they ask for, beyond their call, and come part by part in the envelope', async () => {
    const limits = tableOf({ publicRead: { ...LIMITS.publicRead, burst: 205 } });
    const {
      edge: { url },
    } = await running({}, { limits });
    const ask = async () => fetch(`${url}/bb/app/test/streamed`);
    const first = await ask();
    expect(await first.json()).toMatchObject({ code: 1, msg: 'success', data: { lines: ['a', 'b'] } });
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(first.headers.get('content-disposition')).toBeNull();
    expect((await ask()).status).toBe(200);
    const third = await ask();
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
