import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { instant } from '@exchange/core/time.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { sessionsInMemory, collectingLog } from '../../../testing/edge.ts';
import { eventually } from '../../../testing/eventually.ts';
import { Limits, NO_LIMITS } from '../limits/limits.ts';
import { Metrics } from '../metrics/metrics.ts';
import { closeAll, type Connection } from './connection.ts';
import { SharedFrame } from './frame.ts';
import { FeedHub } from './hub.ts';
import { TextSockets, type TextProtocol, type TextSocket, type TextSocketLimits } from './text-sockets.ts';

const PATH = '/echo';
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A protocol for tests that sends each text message back, and answers a binary message with the text `binary`. */
class Echo implements TextProtocol {
  readonly messageBytes = 1_000;
  readonly messagesPerSecond = 1_000;
  readonly open = new Set<TextSocket>();
  readonly owns = (path: string): boolean => path === PATH;
  opened = (socket: TextSocket): void => void this.open.add(socket);
  received = (socket: TextSocket, text: string | undefined): void => socket.sendText(text ?? 'binary');
  closed = (socket: TextSocket): void => void this.open.delete(socket);
  farewell = (): string => 'goodbye';
}

async function serve(limits: Partial<TextSocketLimits>) {
  const clock = { now: () => instant(Date.now()), monotonicMs: () => performance.now() };
  const metrics = new Metrics();
  const echo = new Echo();
  const hub = new FeedHub({
    clock,
    log: collectingLog(),
    metrics,
    charges: new Limits(clock, NO_LIMITS),
    proxyHeader: undefined,
    publicUrl: undefined,
  });
  const server = createServer();
  hub.attach(server, sessionsInMemory(), [new TextSockets(echo, { clock, limits })]);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    await hub.stop();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { echo, hub, port };
}

async function open(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${PATH}`);
  closing.push(() => socket.terminate());
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  return socket;
}

const messageOf = (socket: WebSocket) =>
  new Promise<string>((resolve) => {
    socket.once('message', (bytes: Buffer) => resolve(bytes.toString()));
  });

describe('connections of a text protocol', () => {
  it('PAPI-075 a client that reads too slowly is disconnected, and others receive everything', async () => {
    const { echo, port } = await serve({ bufferBytes: 200_000 });
    const slow = connect(port, '127.0.0.1');
    closing.push(() => void slow.destroy());
    slow.on('error', () => undefined);
    slow.write(
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    );
    await eventually(() => expect(echo.open.size).toBe(1));
    slow.pause();
    const reader = await open(port);
    let received = 0;
    reader.on('message', () => (received += 1));
    await eventually(() => expect(echo.open.size).toBe(2));
    const frame = new SharedFrame('x'.repeat(50_000), false);
    let sent = 0;
    await eventually(() => {
      for (const socket of echo.open) socket.write(frame);
      sent += 1;
      expect(echo.open.size).toBe(1);
    }, 5);
    await eventually(() => expect(received).toBe(sent));
  });

  it('PAPI-075 a silent client is disconnected, one that answers pings is not', async () => {
    const { echo, port } = await serve({ pingMs: 20, silentMs: 400 });
    const silent = new WebSocket(`ws://127.0.0.1:${port}${PATH}`, { autoPong: false });
    closing.push(() => silent.terminate());
    const reader = await open(port);
    await eventually(() => expect(echo.open.size).toBe(2));
    await new Promise((resolve) => silent.once('close', resolve));
    expect(reader.readyState).toBe(WebSocket.OPEN);
  });

  it('PAPI-075 an address opens a limited number of connections, and a stopping server says goodbye', async () => {
    const { hub, port } = await serve({ connectionsPerAddress: 1 });
    const first = await open(port);
    await expect(open(port)).rejects.toThrow('429');
    const echoed = messageOf(first);
    first.send('hello');
    expect(await echoed).toBe('hello');
    const last = messageOf(first);
    const closed = new Promise<number>((resolve) => first.once('close', resolve));
    await hub.stop();
    expect(await last).toBe('goodbye');
    expect(await closed).toBe(1012);
  });

  it('CLU-073 a draining server refuses new connections, serves open ones, and closes them for a restart', async () => {
    const { hub, port } = await serve({});
    const first = await open(port);
    hub.drain();
    await expect(open(port)).rejects.toThrow('503');
    const echoed = messageOf(first);
    first.send('hello');
    expect(await echoed).toBe('hello');
    const closed = new Promise<string>((resolve) => {
      first.once('close', (_code, reason) => resolve(reason.toString()));
    });
    await hub.stop();
    expect(await closed).toBe('restart');
  });

  it('CLU-073 connections are closed spread over time when other processes take them over, within ten seconds', async () => {
    vi.useFakeTimers();
    closing.push(() => void vi.useRealTimers());
    const closedPerGroup = async (count: number, perSecond: number) => {
      const connections = new Set<Connection>();
      for (let index = 0; index < count; index += 1) {
        const connection = {
          isOpen: true,
          close: () => {
            connection.isOpen = false;
            connections.delete(connection as unknown as Connection);
          },
        };
        connections.add(connection as unknown as Connection);
      }
      const startMs = Date.now();
      const closing = closeAll(connections, { monotonicMs: () => Date.now() }, { perSecond });
      const afterFirst = count - connections.size;
      await vi.runAllTimersAsync();
      await closing;
      return [afterFirst, Date.now() - startMs];
    };
    expect(await closedPerGroup(300, 2_000)).toEqual([100, 100]);
    expect(await closedPerGroup(60_000, 2_000)).toEqual([300, 9_950]);
  });
});
