import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A TCP port of this machine that nothing listens on. Another process may take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
