import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, WebSocket } from 'ws';
import { eventually } from '../apps/server/testing/eventually.ts';
import { ClusterProxy } from '../apps/server/testing/cluster/proxy.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Starts a simulated process of a cluster; resolves to its server and port. The process answers an HTTP
 * request with its own name, the method, the URL and the header `X-Forwarded-For`, and sends its name on each
 * WebSocket connection.
 */
async function aBackend(name: string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => {
    response.end(`${name} ${request.method} ${request.url} ${String(request.headers['x-forwarded-for'])}`);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send(name));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

describe('the proxy of a cluster on one machine', () => {
  const servers: Server[] = [];
  let proxy: ClusterProxy | undefined;
  afterEach(() => {
    proxy?.stop();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('CLU-072 paths go to the roles that serve them, and the writer stands in for nodes that are gone', async () => {
    const [api, feed, writer] = await Promise.all(['api', 'feed', 'writer'].map(aBackend));
    servers.push(api!.server, feed!.server, writer!.server);
    proxy = await ClusterProxy.start(0, { api: [api!.port], feed: [feed!.port], writer: [writer!.port, 1] });
    const { url } = proxy;
    const read = async (path: string) =>
      (await fetch(url + path, { headers: { 'x-forwarded-for': 'a lie' } })).text();
    const greeting = (path: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = new WebSocket(url.replace('http', 'ws') + path);
        socket.on('error', reject);
        socket.on('message', (bytes: Buffer) => {
          resolve(bytes.toString());
          socket.terminate();
        });
      });
    expect(await read('/bb/app/some/call?a=1')).toBe('api GET /bb/app/some/call?a=1 127.0.0.1');
    expect(
      await Promise.all(['/bb/app/ws', '/ws/btcusdt@trade', '/stream?streams=a', '/ws-api/v3'].map(greeting)),
    ).toEqual(['feed', 'feed', 'feed', 'api']);
    for (const { server } of [api!, feed!]) {
      server.closeAllConnections();
      server.close();
    }
    await eventually(async () => {
      expect([await read('/'), await greeting('/bb/app/ws')]).toEqual(['writer GET / 127.0.0.1', 'writer']);
    });
  });

  it('CLU-071 npm run cluster says which program is missing', () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(ROOT, 'apps/server/testing/cluster.ts')],
      { cwd: ROOT, env: { ...process.env, NATS_SERVER_PATH: '/nowhere/nats-server' }, encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([1, expect.stringContaining('No nats-server found')]);
  });
});
