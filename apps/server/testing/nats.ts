import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findNatsServer } from '../../../tools/gates/nats.mjs';
import { freePort } from './free-port.ts';

const POLL_EVERY_MS = 20;

/** True if nats-server is installed, so that tests over NATS can run. */
export const hasNats = findNatsServer() !== null;

/** A NATS server that uses the same port after every restart. */
export class NatsServer {
  readonly port: number;
  private child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<NatsServer> {
    const server = new NatsServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const program = findNatsServer();
    if (program === null) throw new Error('nats-server is missing; run: node tools/gates/nats.mjs');
    const child = spawn(program, ['-a', '127.0.0.1', '-p', String(this.port)], { stdio: 'ignore' });
    this.child = child;
    while (!(await accepts(this.port))) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
      await sleep(POLL_EVERY_MS);
    }
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
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
