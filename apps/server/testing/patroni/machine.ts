import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guard } from '../guard.ts';
import type { DatabasePrograms } from './programs.ts';

export interface MachineOptions {
  /** Name of the machine in the cluster of Patroni, e.g. `database1`. */
  readonly name: string;
  /** Loopback address on which all programs of the machine listen. */
  readonly address: string;
  /** Folder with the configuration files of the machine, and its data. */
  readonly folder: string;
  readonly programs: DatabasePrograms;
  /** Operating system account of the programs; empty if they run as the current user. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** Environment of Patroni with its passwords. */
  readonly environment: NodeJS.ProcessEnv;
  readonly guard: Guard | undefined;
}

/** Names of a machine's configuration and data within its folder. */
export const MACHINE_FILES = {
  etcd: 'etcd.yml',
  patroni: 'patroni.yml',
  database: 'data',
} as const;

/** Pause in milliseconds before a program that ended by itself is started again, as in `deploy/systemd`. */
const RESTART_MS = 5_000;
const LOG = 'log.txt';
const LINES_SHOWN = 25;

/**
 * One of the database machines of a cluster on this computer: etcd, and PostgreSQL under Patroni, on a loopback address
 * of its own. It can be killed and suspended as a whole, like a machine that loses its power or hangs.
 */
export class DatabaseMachine {
  readonly options: MachineOptions;
  private readonly children = new Map<string, ChildProcess>();
  private readonly restarts = new Map<string, NodeJS.Timeout>();

  constructor(options: MachineOptions) {
    this.options = options;
  }

  get name(): string {
    return this.options.name;
  }

  /** Starts those of the machine's programs that do not run. Patroni starts PostgreSQL. */
  launch(): void {
    const { folder, programs } = this.options;
    this.startProgram(programs.etcd, ['--config-file', join(folder, MACHINE_FILES.etcd)]);
    this.startProgram(programs.patroni, [join(folder, MACHINE_FILES.patroni)]);
  }

  /** Starts a program if it does not run, and again when it ends by itself, like the service of a real machine. */
  private startProgram(program: string, parameters: readonly string[]): void {
    if (this.children.has(program)) return;
    const { folder, identity, environment, guard } = this.options;
    const log = openSync(join(folder, LOG), 'a');
    const child = spawn(program, parameters, {
      ...identity,
      cwd: folder,
      env: environment,
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    if (child.pid !== undefined) guard?.registerServer(child.pid);
    this.children.set(program, child);
    child.on('exit', () => {
      if (this.children.get(program) !== child) return;
      this.restarts.set(
        program,
        setTimeout(() => {
          this.children.delete(program);
          this.startProgram(program, parameters);
        }, RESTART_MS),
      );
    });
  }

  /** Kills all processes of the machine with SIGKILL, Patroni first, so that it starts no PostgreSQL. */
  async kill(): Promise<void> {
    await this.killManagement();
    this.killDatabase();
  }

  /** Kills Patroni and etcd with SIGKILL; PostgreSQL continues to run. */
  async killManagement(): Promise<void> {
    for (const child of this.takeChildren()) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  }

  /** Kills only PostgreSQL with SIGKILL; Patroni continues to run. */
  killDatabase(): void {
    for (const pid of this.databasePids()) signal(pid, 'SIGKILL');
  }

  /** Suspends all processes of the machine. Its connections stay open, but nothing answers. */
  suspend(): void {
    for (const pid of this.allPids()) signal(pid, 'SIGSTOP');
  }

  /** Continues all processes of a suspended machine. */
  resume(): void {
    for (const pid of this.allPids()) signal(pid, 'SIGCONT');
  }

  /** Stops Patroni, which stops PostgreSQL, and then etcd; kills what does not end in time. */
  async stop(timeoutMs: number): Promise<void> {
    for (const child of this.takeChildren()) {
      const ended = once(child, 'exit');
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    }
    this.killDatabase();
  }

  /** Removes the programs from the running ones, so that they are not started again, and returns them; Patroni first. */
  private takeChildren(): readonly ChildProcess[] {
    for (const timer of this.restarts.values()) clearTimeout(timer);
    this.restarts.clear();
    const running = [...this.children.values()].filter(isAlive).toReversed();
    this.children.clear();
    return running;
  }

  /** Returns the last lines that the machine's programs wrote, for error messages. */
  lastLines(): string {
    const lines = readFileSync(join(this.options.folder, LOG), 'utf8').trimEnd().split('\n');
    return [`${this.name}:`, ...lines.slice(-LINES_SHOWN)].join('\n');
  }

  private allPids(): readonly number[] {
    const started = [...this.children.values()]
      .filter(isAlive)
      .flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
    return [...started, ...this.databasePids()];
  }

  /**
   * Process ids of PostgreSQL and of its connections; none if it does not run. The file with its process id remains after
   * a kill, and another program may have that id since, so only a process with the folder in its arguments counts.
   */
  private databasePids(): readonly number[] {
    const data = join(this.options.folder, MACHINE_FILES.database);
    const pid = firstLine(join(data, 'postmaster.pid'));
    if (pid === undefined || !listed('args=', '-p', pid).some((line) => line.includes(data))) return [];
    return [pid, ...listed('pid=', '--ppid', pid)].map(Number).filter((id) => id > 0);
  }
}

/** Returns the first line of a file; undefined if the file does not exist. */
function firstLine(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').split('\n')[0];
  } catch {
    // PostgreSQL has not been started, or was shut down in order.
    return undefined;
  }
}

/** Returns a column of the list of processes: of the process `pid` with `-p`, of its children with `--ppid`. */
function listed(column: string, selection: '-p' | '--ppid', pid: string): readonly string[] {
  return spawnSync('ps', ['-o', column, selection, pid], { encoding: 'utf8' }).stdout.split('\n');
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}
