import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { copySeededData, SERVER_FLAGS } from '../../../../tools/testing/seeded-data.ts';
import { connectionOf, type EmbeddedConnection } from '../../src/platform/database/embedded/answer.ts';
import {
  isEmbeddedRunning,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
} from '../../src/platform/database/embedded/supervisor.ts';
import { freePort } from '../free-port.ts';
import { guardFolder, type Guard } from '../guard.ts';
import { unregisterResource, registerResource } from './resources.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const POLL_MS = 10;
/** Default timeout in milliseconds of operations that wait for the server. */
const TIMEOUT_MS = 120_000;
/**
 * Milliseconds after the stop signal after which a server that is still running is killed. On an idle machine an
 * orderly stop takes at most 6 s.
 */
const END_TIMEOUT_MS = 20_000;
const OUTPUT_KEPT = 40;
const LINE_KEPT = 300;

export interface ServerOptions {
  /** URL of the database that the server connects to. If it is absent, the server starts its own embedded database. */
  readonly databaseUrl?: string;
  /** URL of the same database with the role that owns the tables. */
  readonly databaseOwnerUrl?: string;
  /**
   * An existing folder for the server's data, and its guard. If it is absent, a temporary folder is created, and
   * `close` removes it.
   */
  readonly within?: { readonly dataDirectory: string; readonly guard: Guard };
  /** Settings that override the defaults of every test server. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The built server, run like an operator does: as a separate process, with its own database or an external one. */
export class ServerProcess {
  readonly url: string;
  /** URL of the operators' port. */
  readonly consoleUrl: string;
  /** The last output lines since the server's last start, for error messages. */
  readonly output: string[] = [];
  readonly dataDirectory: string;
  private readonly guard: Guard;
  private readonly options: ServerOptions;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly socketDirectories = new Set<string>();
  private child: ChildProcess | undefined;
  private isClosed = false;

  private constructor(port: number, consolePort: number, options: ServerOptions) {
    this.url = `http://127.0.0.1:${port}`;
    this.consoleUrl = `http://127.0.0.1:${consolePort}`;
    this.options = options;
    const ownFolder = options.within === undefined ? guardedFolder() : undefined;
    if (ownFolder !== undefined && this.ownsDatabase) copySeededData(ownFolder.folder);
    this.dataDirectory = options.within?.dataDirectory ?? ownFolder!.folder;
    this.guard = options.within?.guard ?? ownFolder!.guard;
    const ports = { PORT: String(port), CONSOLE_PORT: String(consolePort), HOST: '127.0.0.1' };
    const database = {
      DATA_DIR: this.dataDirectory,
      REPLICA_DATABASE_URL: '',
      SERVER_SECRET: '',
      DATABASE_URL: options.databaseUrl ?? '',
      DATABASE_OWNER_URL: options.databaseOwnerUrl ?? '',
    };
    const otherSettings = { MODE: 'demo', TRUSTED_PROXY: 'x-real-ip', PUBLIC_URL: '', SMTP_URL: '' };
    this.environment = { ...process.env, ...ports, ...database, ...otherSettings, ...options.settings };
  }

  /** Creates the folder and settings of a server. `start` then starts it. */
  static async prepare(options: ServerOptions = {}): Promise<ServerProcess> {
    return new ServerProcess(await freePort(), await freePort(), options);
  }

  /** Starts the server and waits until it is ready. Returns the milliseconds that this took. */
  async start(): Promise<number> {
    const startMs = performance.now();
    this.launch();
    await this.waitUntilReady();
    return performance.now() - startMs;
  }

  /**
   * Starts the server's own database without the server, so that a test can read the data. A later start of the server
   * uses the running database.
   */
  async startDatabase(): Promise<void> {
    const { connection } = await startEmbeddedPostgres(this.database);
    this.socketDirectories.add(connection.host);
  }

  /**
   * Starts the server without waiting until it is ready. A standby is not ready before it takes over. Throws after
   * `close`.
   */
  launch(): void {
    if (this.isClosed) throw new Error('it was closed');
    registerResource(this);
    this.output.length = 0;
    const child = spawn(process.execPath, [...SERVER_FLAGS, program], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    if (child.pid !== undefined) this.guard.registerServer(child.pid);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => this.appendOutput(text));
  }

  /** Process id of the server; undefined before its start. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Resolves when the server's health check reports that it is up and its database process is running. Throws if the
   * server ends first or is not up before the timeout.
   */
  async waitUntilReady(timeoutMs = TIMEOUT_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!(await this.isUp())) {
      this.requireRunning();
      if (performance.now() > deadline) throw new Error(`the server is not up:\n${this.output.join('\n')}`);
      await sleep(POLL_MS);
    }
    if (this.ownsDatabase) this.socketDirectories.add(this.connection.host);
  }

  /** Throws an error with the last lines of the server's output if the server has ended. */
  requireRunning(): void {
    if (this.hasEnded) throw new Error(`the server ended by itself:\n${this.output.join('\n')}`);
  }

  /**
   * Waits at most `timeoutMs` until the server's health check succeeds. Returns 1 if it does in time, otherwise 0, so
   * that the caller can add up the ready servers.
   */
  async waitForHealth(timeoutMs: number): Promise<0 | 1> {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      const isUp = await fetch(`${this.url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return 1;
      await sleep(100);
    }
    return 0;
  }

  /**
   * Resolves when one of the stored output lines since the server's last start contains one of the texts `events`.
   * Throws after `timeoutMs`.
   */
  async waitForLog(events: string | readonly string[], timeoutMs = TIMEOUT_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const expectedEvents = typeof events === 'string' ? [events] : events;
    while (!this.output.some((line) => expectedEvents.some((event) => line.includes(event)))) {
      if (performance.now() > deadline)
        throw new Error(`no word of ${expectedEvents.join(' or ')}:\n${this.output.join('\n')}`);
      await sleep(POLL_MS);
    }
  }

  /** Returns whether one of the stored output lines since the server's last start contains this text. */
  hasLogged(text: string): boolean {
    return this.output.some((line) => line.includes(text));
  }

  /** Kills the server process with SIGKILL if it has not ended yet. Its database process continues to run. */
  async killServer(): Promise<void> {
    const { child } = this;
    if (child === undefined || this.hasEnded) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Suspends the server process with SIGSTOP for `ms` milliseconds, then resumes it with SIGCONT. */
  async freeze(ms: number): Promise<void> {
    this.signal('SIGSTOP');
    await sleep(ms);
    this.signal('SIGCONT');
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /**
   * Resolves to the exit code when the server process has ended, or to null if a signal ended it. Throws if it has not
   * ended before the timeout.
   */
  async waitForExit(timeoutMs: number): Promise<number | null> {
    const deadline = performance.now() + timeoutMs;
    while (!this.hasEnded) {
      if (performance.now() > deadline) throw new Error(`the server goes on:\n${this.output.join('\n')}`);
      await sleep(POLL_MS);
    }
    return this.child?.exitCode ?? null;
  }

  /**
   * Kills the database process with SIGKILL. The server process continues to run. Returns the process id of the
   * database.
   */
  killDatabase(): number {
    const pid = Number(this.lockFile()[0]);
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  /**
   * Resolves when a new database process, with another id than `pid`, is running and the server is up. Throws after a
   * timeout.
   */
  async waitForRecovery(pid: number): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    while (Number(this.lockFile()[0] ?? pid) === pid) {
      if (performance.now() > deadline)
        throw new Error(`the database was not started again:\n${this.output.join('\n')}`);
      await sleep(POLL_MS);
    }
    await this.waitUntilReady();
  }

  /**
   * Stops the server with SIGTERM and waits for its exit. Returns the exit code, which is null if a signal ended the
   * server, and the duration. Throws if the server was not started or has ended by itself, or if the database that it had
   * started is still running.
   */
  async stop(): Promise<{ exitCode: number | null; ms: number }> {
    const { child } = this;
    if (child === undefined) throw new Error('the server was not started');
    const startMs = performance.now();
    if (this.hasEnded) throw new Error(`the server ended by itself:\n${this.output.join('\n')}`);
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    const [exitCode] = await ended;
    // If the database was killed, its lock file may remain. That is no error, because the next start removes the file.
    if (this.ownsDatabase && isEmbeddedRunning(this.database))
      throw new Error('the database was left running');
    return { exitCode, ms: performance.now() - startMs };
  }

  /** Connection parameters of the server's own database, which may change at each start. */
  get connection(): EmbeddedConnection {
    return connectionOf(this.lockFile()[4] ?? '', this.lockFile()[1] ?? '');
  }

  /** Stops the server and the database that it started. Removes the folder if this object created it. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.end();
    if (this.ownsDatabase) await stopEmbeddedPostgres(this.database);
    for (const folder of this.socketDirectories) rmSync(folder, { recursive: true, force: true });
    unregisterResource(this);
    if (this.options.within === undefined) await this.guard.cleanUp();
  }

  /**
   * Ends the server with a normal shutdown. Kills it only if it does not end in time, because a server that is killed
   * during its start may leave a database process that no lock file names.
   */
  private async end(): Promise<void> {
    if (this.child === undefined || this.hasEnded) return;
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    await this.waitForExit(END_TIMEOUT_MS).catch(() => this.killServer());
  }

  private get database() {
    return { dataDirectory: join(this.dataDirectory, 'database'), log: () => undefined };
  }

  private get ownsDatabase(): boolean {
    return this.options.databaseUrl === undefined;
  }

  get hasEnded(): boolean {
    return this.child !== undefined && (this.child.exitCode !== null || this.child.signalCode !== null);
  }

  /**
   * Returns whether the server's health check reports that it is up and its own database, if it has one, is running.
   */
  async isUp(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/health`);
      await response.text();
      return response.ok && (!this.ownsDatabase || this.lockFile().length > 0);
    } catch {
      // The request fails, because the server does not listen on the port yet or ended during the request.
      return false;
    }
  }

  /** Returns the lines of PostgreSQL's lock file; empty if there is no such file. */
  private lockFile(): string[] {
    try {
      return readFileSync(join(this.dataDirectory, 'database/cluster/postmaster.pid'), 'utf8').split('\n');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw cause;
    }
  }

  private appendOutput(text: Buffer): void {
    const lines = text.toString('utf8').trimEnd().split('\n');
    this.output.push(...lines.map((line) => line.slice(0, LINE_KEPT)));
    this.output.splice(0, Math.max(0, this.output.length - OUTPUT_KEPT));
  }
}

/**
 * Creates a folder for the data of servers beside a database that this process has started in `folder`, with the secret
 * and the files of the demo. A server with an external database closes its folder to all other users, also to
 * PostgreSQL's own account, so the database must not be in it.
 */
export function folderBesideDatabase(folder: string): string {
  const own = join(folder, 'server');
  mkdirSync(own);
  for (const name of ['secret.key', 'files'])
    if (existsSync(join(folder, name))) cpSync(join(folder, name), join(own, name), { recursive: true });
  return own;
}

/**
 * Creates a temporary folder that is removed when this process ends. PostgreSQL's own account may enter it, which is
 * necessary if this process runs as root.
 */
export function guardedFolder(): { readonly folder: string; readonly guard: Guard } {
  const folder = mkdtempSync(join(tmpdir(), 'amethyst-crash-'));
  chmodSync(folder, 0o755);
  return { folder, guard: guardFolder(folder, program) };
}
