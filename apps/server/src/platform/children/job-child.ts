import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../log.ts';

/** What a process may use at most. */
export interface ChildLimits {
  /** Memory for data, in megabytes, enforced by the kernel where it is Linux. */
  readonly memoryMb: number;
  /** From the first message of a job to its last answer. */
  readonly jobMs: number;
  /** Until a new process is ready. */
  readonly startMs: number;
  /** A process without a job for so long ends. */
  readonly idleMs: number;
  /** Jobs that wait while one runs; one more is refused. */
  readonly waitingMost: number;
}

interface JobChildParts {
  readonly name: string;
  /** The program. It sends `{ ready: true }` first and answers each message with `{ answer }` or `{ failure }`. */
  readonly file: string;
  readonly limits: ChildLimits;
  readonly log: Log;
}

/** As many jobs wait as may: nothing of this one has been done. */
export class ChildBusy extends Error {}

/** The process ended, or was ended by a limit, before the job was done. */
export class ChildEnded extends Error {}

/** The process answered that it cannot do what a message asks for; the message is for logs. */
export class JobFailed extends Error {}

/** Sends a message of the job to the process and returns its answer. */
export type Send = (message: object) => Promise<unknown>;

/** A job that waits, as the function that starts it or refuses it. */
interface WaitingJob {
  start(): void;
  refuse(cause: Error): void;
}

/** The program that decodes pictures; it runs as it lies in the checkout. */
export function pictureProgram(rootDirectory: string): string {
  return join(rootDirectory, 'apps/server/src/platform/children/picture-process.mjs');
}

/** Less than the server's own: where processor time is short, requests go first. */
const PRIORITY = 5;
const OPEN_FILES_MOST = 64;

/**
 * A process that does dangerous work, one job at a time, and keeps nothing between jobs. It starts with the first job and
 * ends after a pause without one. It has none of the server's environment, less priority, limits of memory and open
 * files, writes no files, and has no network where the kernel lets an ordinary user take it away. One that dies or
 * exceeds a limit takes its job with it; the next job starts another.
 */
export class JobChild {
  private readonly parts: JobChildParts;
  private readonly waiting: WaitingJob[] = [];
  private child: ChildProcess | undefined;
  private hasTurn = false;
  private isStopped = false;
  private idle: NodeJS.Timeout | undefined;
  /** Takes the next message of the process; replaced with every message that is sent. */
  private settle: { resolve(message: unknown): void; reject(cause: Error): void } | undefined;
  /** Processes started so far. */
  starts = 0;

  constructor(parts: JobChildParts) {
    this.parts = parts;
  }

  /** Whether a job has sent a message that is not answered yet. */
  get isWorking(): boolean {
    return this.child !== undefined && this.settle !== undefined;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Runs a job when those before it are done. Throws `ChildBusy` where too many wait, `ChildEnded` where the process ends
   * before the job does, `JobFailed` where the process says that it failed, and whatever `job` throws.
   */
  async run<Result>(job: (send: Send) => Promise<Result>): Promise<Result> {
    await this.turn();
    clearTimeout(this.idle);
    try {
      const child = await this.ready();
      return await this.within(this.parts.limits.jobMs, child, () =>
        job((message) => this.ask(child, message)),
      );
    } finally {
      this.next();
    }
  }

  /** Ends the process. The job that runs and those that wait are refused. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.idle);
    for (const job of this.waiting.splice(0)) job.refuse(new ChildEnded('the server stops'));
    this.end('the server stops');
  }

  private turn(): Promise<void> {
    if (this.isStopped) throw new ChildEnded('the server stops');
    if (!this.hasTurn) {
      this.hasTurn = true;
      return Promise.resolve();
    }
    if (this.waiting.length >= this.parts.limits.waitingMost) throw new ChildBusy('too many jobs wait');
    return new Promise((start, refuse) => this.waiting.push({ start, refuse }));
  }

  private next(): void {
    const job = this.waiting.shift();
    if (job !== undefined) return job.start();
    this.hasTurn = false;
    if (this.child === undefined) return;
    this.idle = setTimeout(() => this.end('idle'), this.parts.limits.idleMs);
    this.idle.unref();
  }

  private async ready(): Promise<ChildProcess> {
    if (this.child !== undefined) return this.child;
    const child = this.spawn();
    await this.within(this.parts.limits.startMs, child, () => this.message());
    return child;
  }

  private spawn(): ChildProcess {
    const { file, limits, name, log } = this.parts;
    const child = fork(file, [], {
      ...limitedNode(limits.memoryMb),
      env: {},
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Pictures travel as bytes.
      serialization: 'advanced',
    });
    this.child = child;
    this.starts += 1;
    // It never keeps a process alive that has nothing else to do.
    child.unref();
    child.channel?.unref();
    const ended = (reason: string) => {
      if (this.child !== child) return;
      this.child = undefined;
      log.warn('child.ended', { name, reason });
      this.settle?.reject(new ChildEnded(reason));
    };
    child.on('message', (message) => this.child === child && this.settle?.resolve(message));
    child.on('error', (cause) => ended(cause.message));
    child.on('exit', (code, signal) => ended(`ended with ${signal ?? code}`));
    lowerPriority(child.pid);
    return child;
  }

  private async ask(child: ChildProcess, message: object): Promise<unknown> {
    if (this.child !== child) throw new ChildEnded('the process has ended');
    const answered = this.message();
    child.send(message, (cause) => cause !== null && this.settle?.reject(new ChildEnded(cause.message)));
    const answer = (await answered) as { readonly answer?: unknown; readonly failure?: string };
    if (answer.failure !== undefined) throw new JobFailed(answer.failure);
    return answer.answer;
  }

  private message(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  /** What `work` gives; the process is killed where that takes longer, and the work ends with `ChildEnded`. */
  private async within<Result>(
    ms: number,
    child: ChildProcess,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const limit = setTimeout(() => child.kill('SIGKILL'), ms);
    try {
      return await work();
    } finally {
      clearTimeout(limit);
      this.settle = undefined;
    }
  }

  private end(reason: string): void {
    const { child } = this;
    this.child = undefined;
    child?.kill('SIGKILL');
    this.settle?.reject(new ChildEnded(reason));
  }
}

/**
 * Node.js behind limits that the kernel enforces. A shell sets them and becomes Node.js, so that the process has one id.
 * Other systems than Linux have the limit of JavaScript's memory only.
 */
function limitedNode(memoryMb: number): { execPath?: string; execArgv: string[] } {
  const node = [`--max-old-space-size=${Math.ceil(memoryMb / 4)}`];
  if (process.platform !== 'linux') return { execArgv: node };
  const isolate = 'unshare --user --map-current-user --net';
  const script = [
    // Memory for data in kilobytes, open files, no written file, no core dump.
    `ulimit -d ${memoryMb * 1_024}; ulimit -n ${OPEN_FILES_MOST}; ulimit -f 0; ulimit -c 0`,
    // Where memory runs out, the kernel ends this process before any other.
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
    // Reason: it has ended already, or the system does not let us; it then works at the usual priority.
  }
}
