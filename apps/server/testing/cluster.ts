/**
 * `npm run cluster`: a demo exchange of several processes on this machine. It starts a database, NATS, two writers (one
 * of them is the standby), two API nodes, two feed nodes, two workers, and a proxy in front of them: HAProxy with
 * `deploy/haproxy.cfg` if HAProxy is installed, otherwise `ClusterProxy`. The database is PostgreSQL under Patroni on
 * three loopback addresses, with the files of `deploy/`, if Debian's packages for it are installed; otherwise one
 * embedded PostgreSQL. Each process can be killed by hand, or by typing `kill` and its name; typing its name starts it
 * again. `kill database1` kills all programs of that database machine.
 *
 *   writer1   writer2   api1   api2   feed1   feed2   worker1   worker2   nats   database1   database2   database3
 *
 * `PORT` is the proxy's port (default 3000). The other processes use the ports after it. Data are stored in `DATA_DIR`
 * (default ./data/cluster). Ctrl-C ends all processes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findNatsServer } from '../../../tools/gates/nats.mjs';
import { SERVER_FLAGS } from '../../../tools/testing/seeded-data.ts';
import { startDatabase } from './cluster/database.ts';
import { ClusterProxy } from './cluster/proxy.ts';
import { findProgram } from './patroni/programs.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = join(ROOT, 'apps/server/dist/main.js');
/** Server secret shared by the writers of this demo. A real one is set by the operator. */
const DEMO_SECRET = '0'.repeat(63) + '1';
const STOP_MS = 20_000;
const POLL_MS = 500;
const POLL_TIMEOUT_MS = 2_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const port = Number(process.env['PORT'] ?? '3000');
const folder = resolve(process.env['DATA_DIR'] ?? join(ROOT, 'data/cluster'));

function requireNats(): string {
  const program = findNatsServer();
  if (program !== null) return program;
  say('No nats-server found. Install Debian’s package nats-server, or run: node tools/gates/nats.mjs');
  return process.exit(1);
}

const natsServer = requireNats();
mkdirSync(folder, { recursive: true });
// If this program runs as root, PostgreSQL's own account must be able to enter the folder.
chmodSync(folder, 0o755);
const database = await startDatabase({ folder, port, say });

const ports = {
  nats: port + 20,
  writer1: port + 1,
  writer2: port + 3,
  api1: port + 5,
  api2: port + 7,
  feed1: port + 9,
  feed2: port + 11,
  worker1: port + 13,
  worker2: port + 15,
} as const;
type Name = keyof typeof ports;
const NAMES = Object.keys(ports) as Name[];
const isName = (text: string): text is Name => (NAMES as string[]).includes(text);

const children = new Map<Name, ChildProcess>();
let isStopping = false;

function environmentOf(name: Exclude<Name, 'nats'>): NodeJS.ProcessEnv {
  const role = name.slice(0, -1);
  return {
    ...process.env,
    ROLE: role,
    NATS_URL: `nats://127.0.0.1:${ports.nats}`,
    DATABASE_URL: role === 'feed' ? database.replicaUrl : database.url,
    DATABASE_OWNER_URL: role === 'writer' ? database.ownerUrl : '',
    // An API node answers lists itself, also without a replica, when the only database takes its place.
    REPLICA_DATABASE_URL:
      role === 'api' || (role === 'writer' && database.replicaUrl !== database.url)
        ? database.replicaUrl
        : '',
    SERVER_SECRET: role === 'writer' || role === 'worker' ? DEMO_SECRET : '',
    WORKERS: role === 'writer' ? 'on' : '',
    MODE: 'demo',
    PORT: String(ports[name]),
    CONSOLE_PORT: String(ports[name] + 1),
    DATA_DIR: join(folder, name),
    TRUSTED_PROXY: 'x-forwarded-for',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
  };
}

function launch(name: Name): void {
  const child =
    name === 'nats'
      ? spawn(natsServer, ['-a', '127.0.0.1', '-p', String(ports.nats)], {
          stdio: 'ignore',
          detached: true,
        })
      : spawn(process.execPath, [...SERVER_FLAGS, PROGRAM], {
          cwd: ROOT,
          env: environmentOf(name),
          stdio: ['ignore', 'pipe', 'inherit'],
          // A detached process does not receive Ctrl-C of the terminal. This program then shuts all processes down
          // normally.
          detached: true,
        });
  children.set(name, child);
  const lines = child.stdout === null ? undefined : createInterface({ input: child.stdout });
  lines?.on('line', (line) => {
    if (line.trim() !== '') say(`${name.padEnd(8)}${line}`);
  });
  child.on('exit', (code, signal) => {
    if (!isStopping) say(`${name} has ended (${signal ?? code}); type ${name} to start it again`);
  });
}

async function startProxy(): Promise<() => void> {
  const program = findProgram('haproxy');
  if (program === undefined) {
    say('HAProxy is not installed (Debian’s package haproxy); a proxy of this program is used.');
    const proxy = await ClusterProxy.start(port, {
      api: [ports.api1, ports.api2],
      feed: [ports.feed1, ports.feed2],
      writer: [ports.writer1, ports.writer2],
    });
    return () => proxy.stop();
  }
  const addresses = NAMES.map((name) => [`${name.toUpperCase()}_ADDRESS`, `127.0.0.1:${ports[name]}`]);
  const env = { ...process.env, ...Object.fromEntries(addresses), LISTEN_ADDRESS: `127.0.0.1:${port}` };
  const child = spawn(program, ['-db', '-f', join(ROOT, 'deploy/haproxy.cfg')], { env, stdio: 'inherit' });
  return () => child.kill('SIGTERM');
}

/**
 * Stops the named processes of the cluster, and waits for their end. Kills those that do not end within
 * `STOP_MS`.
 */
async function stopAll(names: readonly Name[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const child = children.get(name);
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    }),
  );
}

/** Starts the second writer after the first is up, because the first creates the tables of a new database. */
async function launchStandby(): Promise<void> {
  while (!(await isUp(ports.writer1))) await new Promise((resume) => setTimeout(resume, POLL_MS));
  if (!isStopping && !children.has('writer2')) launch('writer2');
}

async function isUp(checkedPort: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(POLL_TIMEOUT_MS);
    return (await fetch(`http://127.0.0.1:${checkedPort}/health`, { signal })).ok;
  } catch {
    // The check failed because nothing listens on the port yet.
    return false;
  }
}

for (const name of NAMES) if (name !== 'writer2') launch(name);
const stopProxy = await startProxy();
void launchStandby();
say(
  [
    '',
    `  Exchange  http://localhost:${port}/pc/   http://localhost:${port}/`,
    ...NAMES.filter((name) => name !== 'nats').map(
      (name) => `  ${name.padEnd(9)} health and metrics at http://localhost:${ports[name] + 1}`,
    ),
    `  NATS      nats://127.0.0.1:${ports.nats}`,
    '',
    ...database.machines.map(
      ({ name, options: { address } }) =>
        `  ${name} PostgreSQL ${address}:5432, Patroni http://${address}:8008`,
    ),
    '',
    '  The console is at the ports of the writers. Type kill and a name to kill a process. Ctrl-C stops everything.',
    '',
  ].join('\n'),
);

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  say('Stopping …');
  stopProxy();
  await stopAll(['api1', 'api2', 'feed1', 'feed2']);
  await stopAll(['worker1', 'worker2']);
  // Both writers receive the stop signal at once, so that the standby does not take over.
  await stopAll(['writer1', 'writer2']);
  await stopAll(['nats']);
  await database.stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
createInterface({ input: process.stdin }).on('line', (line) => {
  const words = line.trim().split(/\s+/);
  const isKill = words[0] === 'kill';
  const name = words.at(-1) ?? '';
  if (isName(name)) command(name, isKill);
  const machine = database.machines.find((each) => each.name === name);
  if (machine === undefined) return;
  if (isKill) void machine.kill().then(() => say(`${name} is killed; type ${name} to start it again`));
  else machine.launch();
});

/** Kills a process, or starts it unless it is running. */
function command(name: Name, isKill: boolean): void {
  const child = children.get(name);
  const isRunning = child !== undefined && child.exitCode === null && child.signalCode === null;
  if (isKill) child?.kill('SIGKILL');
  else if (isRunning) say(`${name} is running`);
  else launch(name);
}
