import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import {
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
  type EmbeddedOptions,
  type EmbeddedPostgres,
} from '../src/platform/database/embedded/supervisor.ts';

/** The report of a child process about the database that it started. */
export interface ChildReport {
  readonly pid: number;
  readonly dataDirectory: string;
  readonly connection: EmbeddedPostgres['connection'];
}

interface ChildOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** A temporary folder with embedded database servers. `clear` stops every server and removes the folder. */
export class EmbeddedSandbox {
  readonly root: string;
  readonly messages: string[] = [];
  readonly #options: EmbeddedOptions[] = [];
  readonly #socketDirectories = new Set<string>();
  readonly #children: ChildProcess[] = [];

  constructor() {
    this.root = mkdtempSync(join(tmpdir(), 'amethyst-sandbox-'));
    chmodSync(this.root, 0o755); // If the tests run as root, PostgreSQL's own account must be able to enter the folder.
  }

  /**
   * Copies the data directory `original`, whose server `start` has started and the test has stopped, to the directories
   * `names`. Copying is faster than initializing. The copies belong to the original's operating system account.
   */
  copy(original: string, names: readonly string[]): void {
    for (const name of names) execFileSync('cp', ['-a', join(this.root, original), join(this.root, name)]);
  }

  /** Returns options for a data directory in this sandbox. Log messages go to `messages`. */
  options(name = 'database'): EmbeddedOptions {
    const options: EmbeddedOptions = {
      dataDirectory: join(this.root, name),
      relocationRoot: join(this.root, 'relocated'),
      log: (_level, message) => this.messages.push(message),
    };
    this.#options.push(options);
    return options;
  }

  start(name?: string): Promise<EmbeddedPostgres> {
    return this.startWith(this.options(name));
  }

  /** Starts a database server with the options that `options` returned for a data directory. */
  async startWith(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres(options);
    this.#socketDirectories.add(postgres.connection.host);
    return postgres;
  }

  /** Starts a database in a child process and waits until it is up. Throws if the child process ends first. */
  async startInChild(
    name?: string,
    as: ChildOptions = {},
  ): Promise<{ child: ChildProcess; report: ChildReport }> {
    const child = this.spawnChild(name, as);
    if (child.stdout === null) throw new Error('the child has no output');
    const lines = createInterface(child.stdout);
    const ended = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`the child ended with ${code}`)),
    );
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    // `ended` rejects when a test kills the process later, which is no failure of the start.
    ended.catch(() => undefined);
    const report = JSON.parse(line) as ChildReport;
    this.#socketDirectories.add(report.connection.host);
    return { child, report };
  }

  /**
   * Starts a database server in a child process like `startInChild`, but does not wait until it accepts
   * connections. Returns the child process.
   */
  spawnChild(name?: string, as: ChildOptions = {}): ChildProcess {
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    const script = fileURLToPath(new URL('embedded-child.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', tsx, script, this.options(name).dataDirectory], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: '/',
      ...as,
    });
    this.#children.push(child);
    return child;
  }

  /** Kills every child process and stops every database server. */
  async stopAll(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const options of this.#options) {
      // Stopping a server may fail, because a test has damaged its data directory on purpose. The error is then only
      // recorded in `messages`.
      await stopEmbeddedPostgres(options).catch((error: unknown) => this.messages.push(String(error)));
    }
    this.#options.length = 0;
  }

  /** Kills every child process, stops every database server, and removes the sandbox folder. */
  async clear(): Promise<void> {
    await this.stopAll();
    for (const folder of this.#socketDirectories) rmSync(folder, { recursive: true, force: true });
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Runs an SQL statement on a separate database connection and returns the resulting rows. */
export async function runSql<Row extends pg.QueryResultRow>(
  connection: EmbeddedPostgres['connection'],
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Kills a child process with SIGKILL and waits until it has exited. */
export async function killHard(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
