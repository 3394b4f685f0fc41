import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Range of the ports to choose from; `to` is excluded. Operating systems assign ports above this range to outgoing
 * connections and to servers without a fixed port, so a chosen port is not assigned to another process before it is
 * used.
 */
const PORTS = { from: 20_000, to: 32_000 };
const TRIES = 100;
/** Ports that `freePort` has returned in this process. Their servers may not have started yet. */
const given = new Set<number>();

/**
 * Returns a TCP port of this machine on which nothing listens, a different one at each call. Throws if none is found.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no port between ${PORTS.from} and ${PORTS.to} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false; // Another process uses the port, so the caller tries the next port.
  }
  server.close();
  await once(server, 'close');
  return true;
}
