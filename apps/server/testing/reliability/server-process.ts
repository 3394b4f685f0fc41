import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
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
import { guardFolder, type Guard } from '../guard.ts';
import { noteClosed, noteOpened } from './opened.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const POLL_MS = 10;
/** Nothing that is asked of the server may take longer than this. */
const TIMEOUT_MS = 120_000;
/** An orderly end takes at most 6 s on a quiet machine; what has to be killed after this is looked after all the same. */
const END_TIMEOUT_MS = 20_000;
const OUTPUT_KEPT = 40;
const LINE_KEPT = 300;

export interface ServerOptions {
  /** A database that is somebody else's business; without it the server has its own. */
  readonly databaseUrl?: string;
  /** The same as the role that owns the tables. */
  readonly databaseOwnerUrl?: string;
  /** A folder that is somebody else's business, and who guards it; without it one that goes away afterwards. */
  readonly within?: { readonly dataDirectory: string; readonly guard: Guard };
  /** Settings that replace those which every server of a test has. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The built server as an operator runs it, with its own database or a given one. */
export class ServerProcess {
  readonly url: string;
  /** Of the operators' port. */
  readonly consoleUrl: string;
  /** The last lines that the server wrote since its last start, for whoever has to find out what went wrong. */
  readonly output: string[] = [];
  private readonly dataDirectory: string;
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
    const own = options.within === undefined ? guardedFolder() : undefined;
    if (own !== undefined && this.ownsDatabase) copySeededData(own.folder);
    this.dataDirectory = options.within?.dataDirectory ?? own!.folder;
    this.guard = options.within?.guard ?? own!.guard;
    const ports = { PORT: String(port), CONSOLE_PORT: String(consolePort), HOST: '127.0.0.1' };
    const database = {
      DATA_DIR: this.dataDirectory,
      REPLICA_DATABASE_URL: '',
      SERVER_SECRET: '',
      DATABASE_URL: options.databaseUrl ?? '',
      DATABASE_OWNER_URL: options.databaseOwnerUrl ?? '',
    };
    const rest = { MODE: 'demo', TRUSTED_PROXY: 'x-real-ip', PUBLIC_URL: '', SMTP_URL: '' };
    this.environment = { ...process.env, ...ports, ...database, ...rest, ...options.settings };
  }

  /** A server that has not been started yet. */
  static async prepare(options: ServerOptions = {}): Promise<ServerProcess> {
    return new ServerProcess(await freePort(), await freePort(), options);
  }

  /** Starts it and gives the milliseconds until it was ready. */
  async start(): Promise<number> {
    const beganMs = performance.now();
    this.launch();
    await this.ready();
    return performance.now() - beganMs;
  }

  /** Starts its own database alone, for whoever reads what is stored; the next start of the server adopts it. */
  async startDatabase(): Promise<void> {
    const { connection } = await startEmbeddedPostgres(this.database);
    this.socketDirectories.add(connection.host);
  }

  /** Starts it without waiting: a standby is not ready before it takes over. */
  launch(): void {
    if (this.isClosed) throw new Error('it was closed');
    noteOpened(this);
    this.output.length = 0;
    const child = spawn(process.execPath, [...SERVER_FLAGS, program], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    if (child.pid !== undefined) this.guard.noteServer(child.pid);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => this.keep(text));
  }

  /** Of the server; undefined before its start. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Resolves once the server says that it is up, with a database that runs. */
  async ready(timeoutMs = TIMEOUT_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!(await this.isUp())) {
      if (this.hasEnded) throw new Error(`the server ended by itself:\n${this.output.join('\n')}`);
      if (performance.now() > deadline) throw new Error(`the server is not up:\n${this.output.join('\n')}`);
      await sleep(POLL_MS);
    }
    if (this.ownsDatabase) this.socketDirectories.add(this.connection.host);
  }

  /** Resolves once the server has written of one of these events in its log. */
  async says(events: string | readonly string[], timeoutMs = TIMEOUT_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const wanted = typeof events === 'string' ? [events] : events;
    while (!this.output.some((line) => wanted.some((event) => line.includes(event)))) {
      if (performance.now() > deadline)
        throw new Error(`no word of ${wanted.join(' or ')}:\n${this.output.join('\n')}`);
      await sleep(POLL_MS);
    }
  }

  /** `kill -9` of the server alone; its database goes on. */
  async killServer(): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** SIGSTOP for a while, then SIGCONT: the process notices nothing but that time has passed. */
  async freeze(ms: number): Promise<void> {
    this.signal('SIGSTOP');
    await sleep(ms);
    this.signal('SIGCONT');
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Resolves with the exit code once it ends by itself; throws when it does not in time. */
  async ended(timeoutMs: number): Promise<number | null> {
    const deadline = performance.now() + timeoutMs;
    while (!this.hasEnded) {
      if (performance.now() > deadline) throw new Error(`the server goes on:\n${this.output.join('\n')}`);
      await sleep(POLL_MS);
    }
    return this.child?.exitCode ?? null;
  }

  /** `kill -9` of the database alone. Gives its process number. */
  killDatabase(): number {
    const pid = Number(this.lockFile()[0]);
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  /** Resolves once another database process than `pid` runs and the server is up on it. */
  async recoveredFrom(pid: number): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    while (Number(this.lockFile()[0] ?? pid) === pid) {
      if (performance.now() > deadline)
        throw new Error(`the database was not started again:\n${this.output.join('\n')}`);
      await sleep(POLL_MS);
    }
    await this.ready();
  }

  /** SIGTERM. Gives the exit code and the milliseconds it took; throws when the database is left running. */
  async stop(): Promise<{ exitCode: number | null; ms: number }> {
    const { child } = this;
    if (child === undefined) throw new Error('the server was not started');
    const beganMs = performance.now();
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    const [exitCode] = await ended;
    // The lock of a database that was killed just before may stay: it is the next start that clears it.
    if (this.ownsDatabase && isEmbeddedRunning(this.database))
      throw new Error('the database was left running');
    return { exitCode, ms: performance.now() - beganMs };
  }

  /** Where the database listens at the moment. */
  get connection(): EmbeddedConnection {
    return connectionOf(this.lockFile()[4] ?? '', this.lockFile()[1] ?? '');
  }

  /** Ends whatever still runs and removes the files. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.end();
    if (this.ownsDatabase) await stopEmbeddedPostgres(this.database);
    for (const folder of this.socketDirectories) rmSync(folder, { recursive: true, force: true });
    noteClosed(this);
    if (this.options.within === undefined) await this.guard.act();
  }

  /** In order first: a server that is killed while it starts leaves a database that nobody knows of yet. */
  private async end(): Promise<void> {
    if (this.child === undefined || this.hasEnded) return;
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    await this.ended(END_TIMEOUT_MS).catch(() => this.killServer());
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

  /** Whether it says that it is up. */
  async isUp(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/health`);
      await response.text();
      return response.ok && (!this.ownsDatabase || this.lockFile().length > 0);
    } catch {
      // Nobody listens yet, or the connection broke with the process behind it.
      return false;
    }
  }

  /** PostgreSQL's lock file by lines; empty where no database runs. */
  private lockFile(): string[] {
    try {
      return readFileSync(join(this.dataDirectory, 'database/cluster/postmaster.pid'), 'utf8').split('\n');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw cause;
    }
  }

  private keep(text: Buffer): void {
    const lines = text.toString('utf8').trimEnd().split('\n');
    this.output.push(...lines.map((line) => line.slice(0, LINE_KEPT)));
    this.output.splice(0, Math.max(0, this.output.length - OUTPUT_KEPT));
  }
}

/** A new folder that PostgreSQL's own account may enter, which it must when we are root; it goes with this process. */
export function guardedFolder(): { readonly folder: string; readonly guard: Guard } {
  const folder = mkdtempSync(join(tmpdir(), 'amethyst-crash-'));
  chmodSync(folder, 0o755);
  return { folder, guard: guardFolder(folder, program) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
