import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../log.ts';

/** Resource limits of a child process. */
export interface ChildLimits {
  /**
   * Maximum data memory of the child process in megabytes, enforced by the kernel on Linux. On all systems a
   * quarter of it is the limit of the JavaScript heap.
   */
  readonly memoryMb: number;
  /** Time limit in milliseconds of a job, from its start in a ready child process to its end. */
  readonly jobMs: number;
  /** Time limit in milliseconds for a new child process to become ready. */
  readonly startMs: number;
  /** Milliseconds without a job after which the child process is ended. */
  readonly idleMs: number;
  /** Maximum number of jobs that wait for the child process. Further jobs are refused. */
  readonly waitingMost: number;
}

interface JobChildParts {
  readonly name: string;
  /**
   * Path of the child program. The program first sends `{ ready: true }`. Then it answers each message with `{ answer
   * }` or `{ failure }`.
   */
  readonly file: string;
  readonly limits: ChildLimits;
  readonly log: Log;
}

/** Error: the job was not started, because `waitingMost` jobs already wait for the child process. */
export class ChildBusy extends Error {}

/**
 * Error: the job was not done, because the child process ended, possibly because of a limit, or because the server
 * stops.
 */
export class ChildEnded extends Error {}

/** Error: the child process reported a failure. The error message is for logs. */
export class JobFailed extends Error {}

/** Sends a message of the job to the child process and resolves to its answer. */
export type Send = (message: object) => Promise<unknown>;

/** A job that waits for the child process. `start` runs it, `refuse` fails it. */
interface WaitingJob {
  start(): void;
  refuse(cause: Error): void;
}

/**
 * Returns the path of the program of the child process that decodes pictures, which is run from its source
 * file.
 */
export function pictureProgram(rootDirectory: string): string {
  return join(rootDirectory, 'apps/server/src/platform/children/picture-process.mjs');
}

/**
 * Nice value of the child process. It gives the process a lower priority than the server, so that requests are served
 * first when processor time is short.
 */
const PRIORITY = 5;
const OPEN_FILES_MOST = 64;

/**
 * Runs jobs in a child process, for dangerous work such as decoding pictures. The process runs one job at a time. It
 * starts with the first job and ends after an idle time. It inherits no environment and has a lower priority. On Linux
 * it also has limited memory and open files, cannot write files, and has no network if the kernel permits ordinary
 * users to remove it. If it dies or exceeds a limit, its job fails, and the next job starts a new process.
 */
export class JobChild {
  private readonly parts: JobChildParts;
  private readonly waiting: WaitingJob[] = [];
  private child: ChildProcess | undefined;
  private isBusy = false;
  private isStopped = false;
  private idle: NodeJS.Timeout | undefined;
  /**
   * Receives the next message of the child process: set while a message to the process has no answer, otherwise
   * undefined.
   */
  private pendingMessage: { resolve(message: unknown): void; reject(cause: Error): void } | undefined;
  /** Number of child processes started so far. */
  starts = 0;

  constructor(parts: JobChildParts) {
    this.parts = parts;
  }

  /** Whether the child process is starting or is processing a message. */
  get isWorking(): boolean {
    return this.child !== undefined && this.pendingMessage !== undefined;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Runs a job in the child process after all earlier jobs. Throws `ChildBusy` if `waitingMost` jobs already
   * wait, `ChildEnded` if the process ends before the job has ended or `stop` is called, `JobFailed` if the
   * process reports a failure, and any error of `job`.
   */
  async run<Result>(job: (send: Send) => Promise<Result>): Promise<Result> {
    await this.waitForSlot();
    clearTimeout(this.idle);
    try {
      const child = await this.readyChild();
      return await this.withTimeLimit(this.parts.limits.jobMs, child, () =>
        job((message) => this.request(child, message)),
      );
    } finally {
      this.startNext();
    }
  }

  /** Ends the child process permanently. Running and waiting jobs fail with `ChildEnded`. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.idle);
    for (const job of this.waiting.splice(0)) job.refuse(new ChildEnded('the server stops'));
    this.end('the server stops');
  }

  private waitForSlot(): Promise<void> {
    if (this.isStopped) throw new ChildEnded('the server stops');
    if (!this.isBusy) {
      this.isBusy = true;
      return Promise.resolve();
    }
    if (this.waiting.length >= this.parts.limits.waitingMost) throw new ChildBusy('too many jobs wait');
    return new Promise((start, refuse) => this.waiting.push({ start, refuse }));
  }

  private startNext(): void {
    const job = this.waiting.shift();
    if (job !== undefined) return job.start();
    this.isBusy = false;
    if (this.child === undefined) return;
    this.idle = setTimeout(() => this.end('idle'), this.parts.limits.idleMs);
    this.idle.unref();
  }

  private async readyChild(): Promise<ChildProcess> {
    if (this.child !== undefined) return this.child;
    const child = this.spawn();
    await this.withTimeLimit(this.parts.limits.startMs, child, () => this.nextMessage());
    return child;
  }

  private spawn(): ChildProcess {
    const { file, limits, name, log } = this.parts;
    const child = fork(file, [], {
      ...limitedNode(limits.memoryMb),
      env: {},
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // The serialization `advanced` transfers byte arrays such as pictures. The default, JSON, does not.
      serialization: 'advanced',
    });
    this.child = child;
    this.starts += 1;
    // The child process must not prevent this process from ending.
    child.unref();
    child.channel?.unref();
    const ended = (reason: string) => {
      if (this.child !== child) return;
      this.child = undefined;
      log.warn('child.ended', { name, reason });
      this.pendingMessage?.reject(new ChildEnded(reason));
    };
    child.on('message', (message) => this.child === child && this.pendingMessage?.resolve(message));
    child.on('error', (cause) => ended(cause.message));
    child.on('exit', (code, signal) => ended(`ended with ${signal ?? code}`));
    lowerPriority(child.pid);
    return child;
  }

  private async request(child: ChildProcess, message: object): Promise<unknown> {
    if (this.child !== child) throw new ChildEnded('the process has ended');
    const answering = this.nextMessage();
    child.send(
      message,
      (cause) => cause !== null && this.pendingMessage?.reject(new ChildEnded(cause.message)),
    );
    const answer = (await answering) as { readonly answer?: unknown; readonly failure?: string };
    if (answer.failure !== undefined) throw new JobFailed(answer.failure);
    return answer.answer;
  }

  private nextMessage(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.pendingMessage = { resolve, reject };
    });
  }

  /**
   * Runs `work`. If it takes longer than `ms` milliseconds, kills the child process, so that the work fails with
   * `ChildEnded`.
   */
  private async withTimeLimit<Result>(
    ms: number,
    child: ChildProcess,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const limit = setTimeout(() => child.kill('SIGKILL'), ms);
    try {
      return await work();
    } finally {
      clearTimeout(limit);
      this.pendingMessage = undefined;
    }
  }

  private end(reason: string): void {
    const { child } = this;
    this.child = undefined;
    child?.kill('SIGKILL');
    this.pendingMessage?.reject(new ChildEnded(reason));
  }
}

/**
 * Returns the command line that starts Node.js with limits of the kernel. A shell sets the limits and then
 * replaces itself by Node.js. On systems other than Linux only JavaScript's heap is limited.
 */
function limitedNode(memoryMb: number): { execPath?: string; execArgv: string[] } {
  const node = [`--max-old-space-size=${Math.ceil(memoryMb / 4)}`];
  if (process.platform !== 'linux') return { execArgv: node };
  const isolate = 'unshare --user --map-current-user --net';
  const script = [
    // Limits the data memory (in kilobytes) and the number of open files, and forbids written files and core dumps.
    `ulimit -d ${memoryMb * 1_024}; ulimit -n ${OPEN_FILES_MOST}; ulimit -f 0; ulimit -c 0`,
    // Makes the kernel kill this child process before all others if the machine runs out of memory.
    'echo 1000 > /proc/self/oom_score_adj',
    `${isolate} true && exec ${isolate} "$0" "$@"`,
    'exec "$0" "$@"',
  ];
  return { execPath: '/bin/sh', execArgv: ['-c', script.join('\n'), process.execPath, ...node] };
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // The child process has already ended, or the system does not permit a change of its priority. The priority then
    // remains normal.
  }
}
