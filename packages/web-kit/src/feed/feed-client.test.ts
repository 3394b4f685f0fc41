import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { FeedClient, type FeedOptions, type FeedState, type TopicMessage } from './feed-client.ts';

interface Sent {
  readonly op: string;
  readonly topics?: string[];
  readonly token?: string;
}

type Timeouts = Pick<FeedOptions, 'staleAfterMs' | 'answerWithinMs' | 'firstWaitMs'>;

/** Timeouts so long that a connection on a busy machine is not considered silent. */
const LONG_TIMEOUTS = { staleAfterMs: 60_000, answerWithinMs: 60_000 };

/**
 * The answer timeout is short enough for a test to detect a silent connection; `staleAfterMs` is so long that the data
 * do not become stale before the answer timeout.
 */
const WATCHFUL = { staleAfterMs: 60_000, answerWithinMs: 150 };

/** A real WebSocket server that records the messages it receives and sends those that a test passes to it. */
class Scene {
  readonly received: Sent[] = [];
  readonly states: FeedState[] = [];
  token: string | undefined;
  answersPings = false;
  ended = 0;
  connections = 0;
  private readonly http: Server = createServer();
  private readonly sockets = new WebSocketServer({ server: this.http });
  private readonly accepted = new Set<Socket>();
  client!: FeedClient;

  async open(timeouts: Timeouts): Promise<void> {
    this.http.on('connection', (socket) => this.accepted.add(socket));
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
    this.sockets.on('connection', (socket) => {
      this.connections += 1;
      socket.on('message', (text: Buffer) => {
        const sent = JSON.parse(text.toString()) as Sent;
        this.received.push(sent);
        if (this.answersPings && sent.op === 'ping') this.say({ op: 'pong', ts: 1, time: 1 });
      });
    });
    const url = `ws://127.0.0.1:${(this.http.address() as AddressInfo).port}/`;
    this.client = new FeedClient({
      url: () => url,
      token: () => this.token,
      onState: (state) => this.states.push(state),
      onEnded: () => (this.ended += 1),
      connect: (address) => {
        const socket = new WebSocket(address);
        // A failed connection emits an error event in addition to the close event; in Node.js, without a listener, it
        // would be thrown.
        socket.on('error', () => undefined);
        return socket;
      },
      firstWaitMs: 20,
      pingEveryMs: 60,
      ...timeouts,
      random: () => 0,
    });
  }

  say(message: unknown): void {
    for (const socket of this.sockets.clients) socket.send(JSON.stringify(message));
  }

  cut(): void {
    for (const socket of this.sockets.clients) socket.terminate();
  }

  restart(): void {
    for (const socket of this.sockets.clients) socket.close(1012, 'restart');
  }

  asked(op: string): string[][] {
    return this.received.filter((message) => message.op === op).map(({ topics = [] }) => topics);
  }

  async close(): Promise<void> {
    this.client.stop();
    this.sockets.close();
    const closed = new Promise((resolve) => this.http.close(resolve));
    // Destroys also accepted connections whose client left before it sent the upgrade request.
    for (const socket of this.accepted) socket.destroy();
    await closed;
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('did not come about within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const depth = (type: 'snapshot' | 'update', seq: number) => ({
  topic: 'depth.btcusdt',
  type,
  seq,
  ts: 1,
  data: seq,
});

describe('the feed client', () => {
  let scene: Scene;
  let received: TopicMessage[];
  const listen = () => scene.client.subscribe('depth.btcusdt', (message) => received.push(message));

  const open = async (timeouts: Timeouts = LONG_TIMEOUTS) => {
    scene = new Scene();
    await scene.open(timeouts);
  };

  beforeEach(() => void (received = []));
  afterEach(() => scene.close());

  it('WEB-090 subscribes once per topic for all listeners, and unsubscribes with the last', async () => {
    await open();
    scene.client.start();
    const stops = [listen(), listen(), scene.client.subscribe('tickers', () => undefined)];
    await until(() => scene.asked('subscribe').length > 0);
    expect(scene.asked('subscribe')).toEqual([['depth.btcusdt', 'tickers']]);
    stops[0]?.();
    stops[1]?.();
    await until(() => scene.asked('unsubscribe').length > 0);
    expect(scene.asked('unsubscribe')).toEqual([['depth.btcusdt']]);
  });

  it('WEB-219 notifies listeners of a topic that it is refused, and subscribes again on request', async () => {
    await open();
    scene.client.start();
    const refusals: string[] = [];
    scene.client.subscribe(
      'depth.btcusdt',
      () => undefined,
      ({ errKey }) => refusals.push(errKey),
    );
    await until(() => scene.asked('subscribe').length === 1);
    const refused = { op: 'refused', code: -9, msg: '', errKey: 'l.topics_max', data: { limit: '100' } };
    scene.say({ ...refused, topic: 'trade.btcusdt' });
    scene.say({ ...refused, topic: 'depth.btcusdt' });
    await until(() => refusals.length > 0);
    expect(refusals).toEqual(['l.topics_max']);
    scene.client.resubscribe('depth.btcusdt');
    await until(() => scene.asked('subscribe').length === 2);
  });

  it('WEB-091 delivers a snapshot and the updates after it, each once and in order', async () => {
    await open();
    scene.client.start();
    listen();
    await until(() => scene.asked('subscribe').length === 1);
    scene.say(depth('update', 4));
    scene.say(depth('snapshot', 5));
    scene.say(depth('update', 5));
    scene.say(depth('update', 6));
    scene.say(depth('update', 7));
    await until(() => received.at(-1)?.seq === 7);
    expect(received.map(({ type, seq }) => `${type} ${seq}`)).toEqual(['snapshot 5', 'update 6', 'update 7']);
  });

  it('WEB-091 subscribes again after a gap and delivers nothing until the next snapshot', async () => {
    await open();
    scene.client.start();
    listen();
    await until(() => scene.asked('subscribe').length === 1);
    scene.say(depth('snapshot', 1));
    scene.say(depth('update', 3));
    scene.say(depth('update', 4));
    await until(() => scene.asked('subscribe').length === 2);
    scene.say(depth('snapshot', 9));
    await until(() => received.at(-1)?.seq === 9);
    expect(received.map(({ seq }) => seq)).toEqual([1, 9]);
  });

  it('WEB-198 subscribes again to a topic that the server failed to start, but not to one that does not exist', async () => {
    await open();
    scene.client.start();
    listen();
    scene.client.subscribe('depth.nopair', () => undefined);
    await until(() => scene.asked('subscribe').length === 1);
    expect(scene.client.receives('depth.btcusdt')).toBe(false);
    const no = { op: 'refused', code: -1, msg: '', data: {} };
    scene.say({ ...no, errKey: 'l.topic_unknown', topic: 'depth.nopair' });
    scene.say({ ...no, errKey: 'l.error', topic: 'depth.btcusdt' });
    await until(() => scene.asked('subscribe').length === 2);
    expect(scene.asked('subscribe')[1]).toEqual(['depth.btcusdt']);
    scene.say(depth('snapshot', 5));
    await until(() => received.length === 1);
    expect(scene.client.receives('depth.btcusdt')).toBe(true);
  });

  it('WEB-092 reconnects by itself and subscribes to everything again', async () => {
    await open();
    scene.client.start();
    listen();
    await until(() => scene.asked('subscribe').length === 1);
    scene.cut();
    await until(() => scene.asked('subscribe').length === 2);
    expect(scene.connections).toBe(2);
    expect(scene.states.at(-1)).toBe('live');
    scene.say(depth('snapshot', 1));
    await until(() => received.length === 1);
  });

  it('CLU-075 connects again at once, within half a second, when the server restarts, however often that happens', async () => {
    await open({ ...LONG_TIMEOUTS, firstWaitMs: 60_000 });
    scene.client.start();
    for (const count of [1, 2, 3]) {
      await until(() => scene.connections === count && scene.states.at(-1) === 'live');
      scene.restart();
    }
    await until(() => scene.connections === 4 && scene.states.at(-1) === 'live');
    expect(scene.states).not.toContain('stale');
  });

  it('WEB-092 reports stale data when the connection stays down', async () => {
    await open({ ...LONG_TIMEOUTS, staleAfterMs: 80 });
    scene.client.start();
    await until(() => scene.states.includes('live'));
    await scene.close();
    const stateCount = scene.states.length;
    scene.client.start();
    await until(() => scene.states.includes('stale', stateCount));
    expect(scene.states.slice(stateCount)).not.toContain('live');
    scene.client.stop();
    await open();
  });

  it('WEB-093 authenticates first and subscribes to private topics only then', async () => {
    await open();
    scene.token = 'secret';
    scene.client.start();
    scene.client.subscribe('order', () => undefined);
    scene.client.subscribe('tickers', () => undefined);
    await until(() => scene.asked('subscribe').length === 1);
    expect(scene.received[0]).toEqual({ op: 'auth', token: 'secret' });
    expect(scene.asked('subscribe')).toEqual([['tickers']]);
    scene.say({ op: 'authenticated' });
    await until(() => scene.asked('subscribe').length === 2);
    expect(scene.asked('subscribe')[1]).toEqual(['order']);
    expect(scene.client.isSignedIn).toBe(true);
  });

  it('WEB-093 stays live without private topics when the account has too many connections', async () => {
    await open();
    scene.token = 'secret';
    scene.client.start();
    scene.client.subscribe('order', () => undefined);
    listen();
    await until(() => scene.asked('subscribe').length === 1);
    scene.say({ op: 'refused', code: -8, msg: '', errKey: 'l.connections_max', data: {} });
    scene.say(depth('snapshot', 1));
    await until(() => received.length === 1);
    expect(scene.asked('subscribe')).toEqual([['depth.btcusdt']]);
    expect([scene.states.at(-1), scene.client.isSignedIn]).toEqual(['live', false]);
  });

  it('WEB-093 sends the session again with the next ping when its look-up failed', async () => {
    await open();
    scene.token = 'secret';
    scene.client.start();
    scene.client.subscribe('order', () => undefined);
    await until(() => scene.received.length > 0);
    scene.say({ op: 'refused', code: 0, msg: '', errKey: 'l.error', data: {} });
    await until(() => scene.received.filter(({ op }) => op === 'auth').length === 2);
    scene.say({ op: 'authenticated' });
    await until(() => scene.asked('subscribe').length === 1);
    expect(scene.connections).toBe(1);
  });

  it('WEB-093 reports that the server has ended the session', async () => {
    await open();
    scene.token = 'secret';
    scene.client.start();
    await until(() => scene.received.length > 0);
    scene.say({ op: 'ended', code: -2 });
    await until(() => scene.ended > 0);
    expect(scene.ended).toBe(1);
  });

  it('WEB-094 replaces a connection that has become silent', async () => {
    await open(WATCHFUL);
    scene.client.start();
    await until(() => scene.connections === 1);
    await until(() => scene.connections >= 2);
    expect(scene.received.filter(({ op }) => op === 'ping').length).toBeGreaterThan(1);
  });

  it('WEB-097 marks data stale as soon as a connection is silent, until a new one is open', async () => {
    await open(WATCHFUL);
    scene.client.start();
    await until(() => scene.states.includes('stale'));
    expect(scene.states.slice(0, 3)).toEqual(['connecting', 'live', 'stale']);
    await until(() => scene.connections >= 2);
  });

  it('WEB-097 a connection with answers from the server is kept', async () => {
    await open({ ...LONG_TIMEOUTS, answerWithinMs: 1_000 });
    scene.answersPings = true;
    scene.client.start();
    await until(() => scene.received.filter(({ op }) => op === 'ping').length > 20);
    expect(scene.connections).toBe(1);
    expect(scene.states).toEqual(['connecting', 'live']);
  });
});

describe('the feed client with its default timeouts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('WEB-097 detects silence within 10 seconds, and abandons a connection that does not open', () => {
    const opened: Record<string, (event: { data: unknown; code?: number }) => void>[] = [];
    const states: FeedState[] = [];
    const client = new FeedClient({
      url: () => '',
      token: () => undefined,
      onState: (state) => states.push(state),
      onEnded: () => undefined,
      random: () => 0,
      connect: () => {
        const listeners: Record<string, (event: { data: unknown; code?: number }) => void> = {};
        opened.push(listeners);
        return {
          readyState: 1,
          addEventListener: (type: string, listener: (event: { data: unknown; code?: number }) => void) => {
            listeners[type] = listener;
          },
          send: () => undefined,
          close: () => undefined,
        };
      },
    });
    client.start();
    opened[0]!['open']!({ data: '' });
    vi.advanceTimersByTime(4_001);
    opened[0]!['message']!({ data: '{"op":"pong","ts":1,"time":1}' });
    vi.advanceTimersByTime(9_000);
    expect(states.at(-1)).toBe('live');
    vi.advanceTimersByTime(1_000);
    expect(states).toContain('stale');
    vi.advanceTimersByTime(1_000);
    expect(opened).toHaveLength(2);
    vi.advanceTimersByTime(16_000);
    expect(opened).toHaveLength(3);
    client.stop();
  });
});
