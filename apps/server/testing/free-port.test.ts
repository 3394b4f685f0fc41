import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

it('REPO-1145 a port for a server of a test is free, and not one that the system gives to other processes of a run', async () => {
  const port = await freePort();
  const given = createServer().listen(0, '127.0.0.1');
  const server = createServer().listen(port, '127.0.0.1');
  await Promise.all([once(given, 'listening'), once(server, 'listening')]);
  expect((server.address() as AddressInfo).port).toBe(port);
  expect((given.address() as AddressInfo).port).toBeGreaterThan(port);
  given.close();
  server.close();
});
