import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../apps/server/testing/free-port.ts';
import { findNatsServer } from '../../tools/gates/nats.mjs';

const POLL_EVERY_MS = 20;

/** A running NATS server. */
export interface BenchNats {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a NATS server on a free port and waits until it accepts connections. Throws if nats-server is missing. */
export async function startNats(): Promise<BenchNats> {
  const program = findNatsServer();
  if (program === null) throw new Error('nats-server is missing; run: node tools/gates/nats.mjs');
  const port = await freePort();
  const child = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
    await sleep(POLL_EVERY_MS);
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // The server does not listen yet.
    return false;
  } finally {
    socket.destroy();
  }
}
