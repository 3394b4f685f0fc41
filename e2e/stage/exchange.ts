import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { instant } from '@exchange/core/time.ts';
import { ask } from '../../apps/server/testing/embedded-sandbox.ts';
import { guardFolder, type Guard } from '../../apps/server/testing/guard.ts';
import { connectionOf } from '../../apps/server/src/platform/database/embedded/answer.ts';
import { readLockFile } from '../../apps/server/src/platform/database/embedded/lock-file.ts';
import { totpCode } from '../../apps/server/src/platform/secrets/totp.ts';
import { copySeededData, SERVER_FLAGS } from '../../tools/testing/seeded-data.ts';

/** Settings that do not change the initial data. */
const OF_THE_RUNNING: ReadonlySet<string> = new Set(['HOUSE_TRADING']);
const MAIN = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));
/** Logged when the ports are open and the demo data that tests use exist. */
const OPEN = /The demo data are complete/;
const ERROR_LINE = /"level":"error"/;
const START_MS = 150_000;
const STOP_MS = 60_000;

/** The built exchange in demo mode for tests. */
export interface OpenExchange {
  readonly origin: string;
  /** The operators' port, and the credentials of the demo operators. */
  readonly operator: OperatorDoor;
  /** Ends the waiting day of new withdrawal addresses; all other times stay the same. */
  endAddressWaits(): Promise<void>;
}

/** An exchange of one test file, with its own process and database. */
export interface Exchange extends OpenExchange {
  /** Kills the server like a power failure; its database keeps running. */
  crash(): Promise<void>;
  /** Starts the server again on the same port and data. */
  restart(): Promise<void>;
  /** Stops the server in order, checks that none of its processes is left, and throws if it logged an error. */
  stop(): Promise<void>;
}

/** The exchange that several test files share. */
export interface SharedExchange extends OpenExchange {
  /** Throws if the server has ended, or has reported an error since the last call. */
  assertNoErrors(): void;
}

/** Access for operators; passwords and keys come from the log of the start. */
export interface OperatorDoor {
  readonly origin: string;
  readonly passwordOf: (name: string) => string;
  /**
   * Returns an authenticator code. Tests confirm more often than every 30 seconds, so the last used code is deleted
   * from the test server's database first.
   */
  readonly codeOf: (name: string) => Promise<string>;
}

/**
 * Starts the built exchange on a free port and waits until it is open. It uses copied demo data unless a setting
 * could change them; then it creates its own. For tests that change data of other users, such as product terms,
 * prices or the server itself; all other tests use `sharedExchange`.
 */
export async function startExchange(settings: Readonly<Record<string, string>> = {}): Promise<Exchange> {
  const place = await newPlace(settings);
  const { folder } = place;
  const errors: string[] = [];
  let server = await start(place, errors);
  return {
    ...exchangeAt(place, () => server.said()),
    crash: async () => {
      server.process.kill('SIGKILL');
      await once(server.process, 'exit');
    },
    restart: async () => {
      server = await start(place, errors);
    },
    stop: async () => {
      const databaseId = postmasterOf(folder);
      const exitCode = await stopped(server);
      if (databaseId !== undefined && isAlive(databaseId))
        throw new Error('The database outlived its server.');
      rmSync(folder, { recursive: true });
      if (exitCode !== 0) throw new Error(`The server ended with ${exitCode}:\n${server.said()}`);
      if (errors.length > 0) throw new Error(`The server reported errors:\n${errors.join('\n')}`);
    },
  };
}

let shared: Promise<SharedExchange> | undefined;

/**
 * Returns the exchange that the test files of this worker share, because starting one takes as long as a test. It
 * starts with the first file and ends with the worker. Tests on it must use their own users, or a product that the
 * demo trader uses in no other file; they must not change data that other files rely on, or depend on how long the
 * exchange has run.
 */
export function sharedExchange(): Promise<SharedExchange> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<SharedExchange> {
  const place = await newPlace({});
  // The worker cannot stop the server at its end and may be killed, so another process cleans up.
  const guard = guardFolder(place.folder, MAIN);
  const errors: string[] = [];
  const server = await start(place, errors, guard);
  return {
    ...exchangeAt(place, () => server.said()),
    assertNoErrors: () => {
      const { exitCode, signalCode } = server.process;
      if (exitCode !== null || signalCode !== null)
        throw new Error(`The server ended with ${exitCode ?? signalCode}:\n${server.said()}`);
      const reported = errors.splice(0);
      if (reported.length > 0) throw new Error(`The server reported errors:\n${reported.join('\n')}`);
    },
  };
}

/** Creates a folder with the initial data and reserves two ports. */
async function newPlace(settings: Readonly<Record<string, string>>): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-e2e-'));
  if (Object.keys(settings).every((name) => OF_THE_RUNNING.has(name))) copySeededData(folder);
  return { port: await freePort(), consolePort: await freePort(), folder, settings };
}

/** Starts the server and waits until it is open. Errors in its log are added to `errors`. */
async function start(place: Place, errors: string[], guard?: Guard): Promise<Server> {
  const server = launch(place);
  if (server.process.pid !== undefined) guard?.noteServer(server.process.pid);
  server.listeners.push((line) => {
    if (ERROR_LINE.test(line)) errors.push(line);
  });
  await opened(server);
  return server;
}

/** Creates the interface of a running server. `said` returns the output of its current process. */
function exchangeAt({ port, consolePort, folder }: Place, said: () => string): OpenExchange {
  const inDatabase = async (query: string) => {
    const cluster = dirname(lockPathOf(folder)!);
    const lock = readLockFile(cluster)!;
    await ask(connectionOf(lock.socketDirectory!, cluster), query);
  };
  const passwordOf = (name: string) =>
    new RegExp(`sign in as ${name}  password (\\S+)`).exec(said())?.[1] ?? '';
  const codeOf = async (name: string) => {
    const key = new RegExp(`sign in as ${name} .*authenticator key (\\S+)`).exec(said())?.[1] ?? '';
    await inDatabase(`update operator set totp_step = null where name = '${name}'`);
    return totpCode(key, instant(Date.now()));
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    operator: { origin: `http://127.0.0.1:${consolePort}`, passwordOf, codeOf },
    endAddressWaits: () =>
      inDatabase('update withdrawal_address set active_at = created_at - 1 where active_at > created_at'),
  };
}

interface Server {
  readonly process: ChildProcess;
  readonly listeners: ((line: string) => void)[];
  readonly said: () => string;
}

interface Place {
  readonly port: number;
  readonly consolePort: number;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

function launch({ port, consolePort, folder, settings }: Place): Server {
  const child = spawn(process.execPath, [...SERVER_FLAGS, MAIN], {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
      DATA_DIR: folder,
      MODE: 'demo',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const listeners: ((line: string) => void)[] = [(line) => lines.push(line)];
  const onOutput = (chunk: Buffer): void => {
    for (const line of chunk.toString().split('\n')) for (const listener of listeners) listener(line);
  };
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  const abandon = (): void => void child.kill('SIGKILL');
  process.once('exit', abandon);
  child.once('exit', () => process.off('exit', abandon));
  return { process: child, listeners, said: () => lines.join('\n') };
}

async function opened({ process: child, listeners, said }: Server): Promise<void> {
  const open = new Promise<void>((resolve) => {
    listeners.push((line) => {
      if (OPEN.test(line)) resolve();
    });
  });
  const died = once(child, 'exit').then(() => {
    throw new Error(`The server did not open:\n${said()}`);
  });
  await withinTime(Promise.race([open, died]), START_MS, () => `The server is not open:\n${said()}`);
}

async function stopped({ process: child, said }: Server): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await withinTime(exit, STOP_MS, () => `The server does not stop:\n${said()}`);
  }
  return child.exitCode;
}

async function withinTime(work: Promise<unknown>, limitMs: number, complaint: () => string): Promise<void> {
  const giveUp = new AbortController();
  const late = pause(limitMs, undefined, { signal: giveUp.signal }).then(
    () => {
      throw new Error(complaint());
    },
    // Reason: the work finished in time, so the time limit does not matter any more.
    () => undefined,
  );
  try {
    await Promise.race([work, late]);
  } finally {
    giveUp.abort();
  }
}

/** Returns the process ID of the database in a data folder from the lock file that PostgreSQL writes. */
function postmasterOf(folder: string): number | undefined {
  const lock = lockPathOf(folder);
  return lock === undefined ? undefined : readLockFile(dirname(lock))?.pid;
}

function lockPathOf(folder: string): string | undefined {
  const lock = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('postmaster.pid'),
  );
  return lock === undefined ? undefined : join(folder, lock);
}

/** Returns whether a process runs. A zombie process does not count. */
function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${id}/stat`, 'utf8'));
  } catch {
    // Reason: without a process the entry does not exist.
    return false;
  }
}

/** Returns an unused port. It is chosen in advance because a restart must use the same port. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
