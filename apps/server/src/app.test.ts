import { once } from 'node:events';
import { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { FEED_PATH } from '@exchange/wire/feed.ts';
import { serverInfo } from '@exchange/wire/parameter.ts';
import { createOrder } from '@exchange/wire/spot.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { collectingLog, sessionsInMemory } from '../testing/edge.ts';
import { eventually } from '../testing/eventually.ts';
import { QUICK_HASH } from '../testing/quick-hash.ts';
import { unstoredSubmissions } from '../testing/unstored-submissions.ts';
import { createApp, type Composition, type Foundation } from './app.ts';
import type { AppModule } from './platform/app-module.ts';
import { readConfig } from './config.ts';
import { systemClock } from './platform/clock.ts';
import type { Route } from './platform/http/route.ts';

/**
 * Dependencies of the server for these tests. They are real except for the log, which collects its entries, and the
 * database, a stand-in that only reports its health.
 */
function aFoundation(
  environment: Record<string, string> = {},
): Foundation & { log: ReturnType<typeof collectingLog> } {
  const config = readConfig(
    { PORT: '0', CONSOLE_PORT: '0', HOST: '127.0.0.1', ...environment },
    '/nonexistent',
  );
  if (!config.ok) throw new Error(config.refusal.join());
  const database = { health: () => Promise.resolve({ isUp: true }) } as unknown as Foundation['database'];
  return { config: config.value, clock: systemClock, log: collectingLog(), database, end: () => undefined };
}

const routesOf = (note: (what: string) => void = () => undefined): readonly Route[] =>
  ENDPOINTS.map((endpoint) => ({
    endpoint,
    ...(endpoint.idempotent && { once: { operation: 'test', restore: () => ({}) } }),
    serve: async () => {
      note('called');
      if (endpoint === serverInfo) await sleep(300);
      note('served');
      return { mode: 'demo', showsMail: true, passkeyDomain: 'localhost', time: 1, version: 'x' };
    },
  }));

/**
 * A module whose checks of the calls' requirements (own account, verification, trade password, mailed code) accept
 * every caller.
 */
const demands: AppModule = {
  name: 'demands',
  demands: (['ownAccount', 'verified', 'tradePassword', 'mailCode'] as const).map((demand) => ({
    demand,
    fields: [],
    enforce: () => Promise.resolve(undefined),
  })),
};

function composed(modules: readonly AppModule[]) {
  return (): Promise<Composition> =>
    Promise.resolve({
      sessions: sessionsInMemory(),
      submissions: unstoredSubmissions(),
      modules: [...modules, demands],
      demoLogins: [],
    });
}

describe('the app', () => {
  afterEach(() => vi.restoreAllMocks());

  it('EDGE-070 does not start while a call has no route', async () => {
    await expect(createApp(aFoundation(), composed([]))).rejects.toThrow(
      `POST ${createOrder.path} has no route`,
    );
  });

  it('ID-054 does not start with quicker password hashes where money is real', async () => {
    const { config, ...rest } = aFoundation();
    const quick = { ...rest, hashCost: QUICK_HASH };
    const start = (mode: 'demo' | 'live') =>
      createApp({ ...quick, config: { ...config, mode } }, composed([{ name: 'all', routes: routesOf() }]));
    await expect(start('live')).rejects.toThrow('usual cost');
    await expect(start('demo')).resolves.toBeDefined();
  });

  it('EDGE-150 starts its modules before it takes calls and stops them in reverse after the last answer', async () => {
    const order: string[] = [];
    const named = (name: string): AppModule => ({
      name,
      routes: name === 'low' ? routesOf((what) => order.push(what)) : [],
      start: () => void order.push(`start ${name}`),
      stop: () => {
        order.push(`stop ${name}`);
        if (name === 'high') throw new Error('stuck');
      },
    });
    const foundation = aFoundation();
    const app = await createApp(foundation, composed([named('low'), named('high')]));
    const addresses = await app.listen();
    expect(order).toEqual(['start low', 'start high']);

    const slow = fetch(`${addresses.app}/bb/app/index/getServer`).then(async (answer) => {
      const { code } = (await answer.json()) as { code: number };
      return code;
    });
    const reader = new WebSocket(addresses.app.replace('http', 'ws') + FEED_PATH);
    const goodbye = new Promise<number>((resolve) => reader.on('close', resolve));
    await new Promise((resolve) => reader.on('open', resolve));
    await eventually(() => expect(order).toContain('called'));
    const cutOff = vi.spyOn(Server.prototype, 'closeAllConnections');
    await app.stop();
    expect(cutOff).not.toHaveBeenCalled();
    expect(await slow).toBe(1);
    expect(await goodbye).toBe(1012);
    expect(order.slice(2)).toEqual(['called', 'served', 'stop high', 'stop low']);
    expect(foundation.log.events.map(({ event }) => event)).toContain('app.module_not_stopped');
    const refused = connect(Number(new URL(addresses.app).port), '127.0.0.1');
    await expect(
      new Promise((resolve, reject) => refused.on('error', reject).on('connect', resolve)),
    ).rejects.toThrow('ECONNREFUSED');
  });

  it('CLU-073 a draining process reports it at once, still serves calls, and ends connections with their answers', async () => {
    const foundation = aFoundation({ DRAIN_SECONDS: '1' });
    const app = await createApp(foundation, composed([{ name: 'all', routes: routesOf() }]));
    await app.drain();
    expect(foundation.log.events).toEqual([]);
    const addresses = await app.listen();
    expect((await fetch(`${addresses.app}/health`)).status).toBe(200);
    const draining = app.drain();
    const health = await fetch(`${addresses.app}/health`);
    expect([health.status, await health.json()]).toEqual([503, { status: 'draining' }]);
    const answer = await fetch(`${addresses.app}/bb/app/index/getServer`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await draining;
    await app.stop();
    expect(foundation.log.events.map(({ event }) => event)).toContain('app.draining');
  });

  it('SEQ-037 after a bug that nobody caught, every module gives up before anything is waited for or stopped', async () => {
    const order: string[] = [];
    const named = (name: string): AppModule => ({
      name,
      routes: name === 'low' ? routesOf() : [],
      stop: () => void order.push(`stop ${name}`),
      failStop: () => void order.push(`give up ${name}`),
    });
    const app = await createApp(aFoundation(), composed([named('low'), named('high')]));
    await app.listen();
    app.fail();
    expect(order).toEqual(['give up low', 'give up high']);
    await app.stop();
    expect(order.slice(2)).toEqual(['stop high', 'stop low']);
  });

  it('EDGE-144 tells strangers up or down and nothing else, and the operator everything on another port', async () => {
    const app = await createApp(aFoundation(), composed([{ name: 'all', routes: routesOf() }]));
    const addresses = await app.listen();
    expect(await (await fetch(`${addresses.app}/health`)).json()).toEqual({ status: 'up' });
    expect((await fetch(`${addresses.app}/metrics`)).status).toBe(404);
    expect((await fetch(`${addresses.app}/ops`)).status).toBe(404);
    const operator = await fetch(`${addresses.console}/health`);
    expect(await operator.json()).toMatchObject({ status: 'up', components: { database: { isUp: true } } });
    await app.stop();
  });

  it('EDGE-181 goes by its own names only, in both modes', async () => {
    const statusOf = async (environment: Record<string, string>, path: string) => {
      const app = await createApp(aFoundation(environment), composed([{ name: 'all', routes: routesOf() }]));
      const { app: address } = await app.listen();
      const { port } = new URL(address);
      const socket = connect(Number(port), '127.0.0.1');
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
      socket.write(`GET ${path} HTTP/1.1\r\nHost: rebound.evil.test\r\n${upgrade}\r\n`);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      await app.stop();
      return bytes.toString('latin1').slice(9, 12);
    };
    expect(await statusOf({}, FEED_PATH)).toBe('421');
    expect(
      await statusOf(
        { MODE: 'live', SMTP_URL: 'smtp://mail.test', PUBLIC_URL: 'https://own.test' },
        FEED_PATH,
      ),
    ).toBe('421');
    expect(await statusOf({ PUBLIC_URL: 'http://rebound.evil.test' }, FEED_PATH)).toBe('400');
  });

  it('says which setting to change when a port is taken', async () => {
    const first = await createApp(aFoundation(), composed([{ name: 'all', routes: routesOf() }]));
    const { app: address } = await first.listen();
    const second = await createApp(
      aFoundation({ PORT: new URL(address).port }),
      composed([{ name: 'all', routes: routesOf() }]),
    );
    await expect(second.listen()).rejects.toThrow(/is taken by another program: choose another with PORT/);
    await Promise.all([first.stop(), second.stop()]);
  });
});
