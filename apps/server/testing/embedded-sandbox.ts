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

/** What a child process reports about the database it started. */
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

/** A temporary folder with embedded databases in it; `clear` ends every server and removes everything. */
export class EmbeddedSandbox {
  readonly root: string;
  readonly messages: string[] = [];
  readonly #options: EmbeddedOptions[] = [];
  readonly #socketDirectories = new Set<string>();
  readonly #children: ChildProcess[] = [];

  constructor() {
    this.root = mkdtempSync(join(tmpdir(), 'amethyst-sandbox-'));
    chmodSync(this.root, 0o755); // for root: PostgreSQL's own account must be able to enter
  }

  /**
   * Makes data directories as a first start leaves them, without making each: they are copies of one that was made by
   * `start` and is stopped. The copies keep its owner.
   */
  copy(made: string, names: readonly string[]): void {
    for (const name of names) execFileSync('cp', ['-a', join(this.root, made), join(this.root, name)]);
  }

  /** Options for a data directory in this sandbox; the log goes to `messages`. */
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
    return this.begin(this.options(name));
  }

  /** Starts with options of this sandbox that the test has kept. */
  async begin(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres(options);
    this.#socketDirectories.add(postgres.connection.host);
    return postgres;
  }

  /** Starts a database from a process of its own and gives it once the database is up. */
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
    ended.catch(() => undefined); // expected later: tests kill their children
    const report = JSON.parse(line) as ChildReport;
    this.#socketDirectories.add(report.connection.host);
    return { child, report };
  }

  /** The same without waiting. */
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

  /** Ends every child and every server. */
  async stopAll(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const options of this.#options) {
      // A damaged sandbox is what some tests make on purpose; what matters is that no server stays.
      await stopEmbeddedPostgres(options).catch((error: unknown) => this.messages.push(String(error)));
    }
    this.#options.length = 0;
  }

  /** Ends everything and removes the folder. */
  async clear(): Promise<void> {
    await this.stopAll();
    for (const folder of this.#socketDirectories) rmSync(folder, { recursive: true, force: true });
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Runs one statement on a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(
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

/** Kills a process the hard way and waits until this process has seen its end. */
export async function killHard(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
