import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { refusalOf } from './problems.ts';

describe('an unavailable database', () => {
  let stop: () => void = () => undefined;
  afterEach(() => stop());

  /** Starts a server that passes each connection to `accept`, and returns the error of a client that connects with TLS. */
  async function errorOf(accept: (socket: Socket) => void): Promise<unknown> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      accept(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stop = () => server.close();
    const { port } = server.address() as AddressInfo;
    const client = new pg.Client({ host: '127.0.0.1', port, ssl: { rejectUnauthorized: false } });
    client.on('error', () => undefined);
    return client.connect().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  }

  it.each<readonly [string, (socket: Socket) => void]>([
    ['closes the connection at once', (socket) => socket.destroy()],
    ['closes it before TLS is agreed', (socket) => socket.once('data', () => socket.end())],
    ['closes it while TLS is set up', (socket) => socket.once('data', () => socket.end('S'))],
    [
      'breaks it while TLS is set up',
      (socket) => {
        socket.once('data', () => {
          socket.write('S');
          socket.once('data', () => socket.resetAndDestroy());
        });
      },
    ],
    [
      'refuses TLS with an error because it is starting',
      (socket) => socket.once('data', () => socket.end('E')),
    ],
  ])('EDGE-772 is maintenance and no bug, when it %s', async (_when, accept) => {
    expect(refusalOf(await errorOf(accept))).toMatchObject({ kind: 'maintenance', key: 'l.maintenance' });
  });

  it('EDGE-772 is maintenance and no bug, when its name or its network cannot be found', async () => {
    const client = new pg.Client({ host: 'database.invalid' });
    const thrown = await client.connect().catch((cause: unknown) => cause);
    expect(refusalOf(thrown)).toMatchObject({ key: 'l.maintenance' });
    const unreachable = Object.assign(new Error('connect EHOSTUNREACH'), {
      code: 'EHOSTUNREACH',
      syscall: 'connect',
    });
    expect(refusalOf(unreachable)).toMatchObject({ key: 'l.maintenance' });
  });

  it('EDGE-772 an error of the program stays one', () => {
    expect(refusalOf(new TypeError('undefined is not a function'))).toBeUndefined();
    const file = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' });
    expect(refusalOf(file)).toBeUndefined();
  });
});
