import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Bounds of the ports that are tried, the second excluded. Operating systems choose ports for connections and for servers that
 * name none above them, so that no other process of a test run takes a port between this choice and its use.
 */
const PORTS = { from: 20_000, to: 32_000 };
const TRIES = 100;
/** Ports that this process was given; the servers that use them may not have started yet. */
const given = new Set<number>();

/** A TCP port of this machine that nothing listens on, another one at each call. Throws if none is found. */
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
    return false; // Another process uses the port.
  }
  server.close();
  await once(server, 'close');
  return true;
}
