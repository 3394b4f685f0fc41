import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { Restarts } from './restarts.ts';

/**
 * A program that runs in a worker thread. `execArgv` is set if the thread needs other command-line arguments of Node.js
 * than this process.
 */
export interface ThreadProgram {
  readonly file: string;
  readonly execArgv?: readonly string[];
}

interface KeptThreadParts {
  readonly name: string;
  readonly program: ThreadProgram;
  /** Returns the initial data of a thread. It is called at each start. */
  readonly workerData: () => unknown;
  /** Message that requests the thread to end. */
  readonly farewell: object;
  readonly onMessage: (message: unknown) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly firstPauseMs?: number;
  /** Interval in milliseconds of the check for messages from the thread. */
  readonly checkEveryMs?: number;
  /** Heap limit in megabytes. A thread that exceeds it ends with an error, while this process continues. */
  readonly memoryMaxMb?: number;
}

/**
 * A thread without a message for more than this number of checks is terminated. Checks are counted instead of time, so
 * that the time of a blocked main thread counts as a single check.
 */
const SILENT_CHECKS_MAX = 15;
const CHECK_EVERY_MS = 1_000;
const INITIAL_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
const STOP_MS = 8_000;
const MEMORY_MAX_MB = 256;

/**
 * Runs a program in a worker thread, so that the main thread's work cannot delay it. The thread is started
 * again, after growing pauses, when it ends or sends no message for more than `SILENT_CHECKS_MAX` checks. It
 * ends with this process.
 */
export class SupervisedThread {
  private readonly parts: KeptThreadParts;
  private readonly restarts: Restarts;
  private worker: Worker | undefined;
  private check: NodeJS.Timeout | undefined;
  private silentChecks = 0;

  constructor(parts: KeptThreadParts) {
    this.parts = parts;
    this.restarts = new Restarts({
      clock: parts.clock,
      startRun: () => this.startWorker(),
      firstPauseMs: parts.firstPauseMs ?? INITIAL_PAUSE_MS,
      longestPauseMs: MAX_PAUSE_MS,
    });
  }

  /** Number of times that the thread was started, including restarts. */
  get starts(): number {
    return this.restarts.count;
  }

  get isRunning(): boolean {
    return this.worker !== undefined;
  }

  start(): void {
    if (!this.restarts.start()) return;
    this.check = setInterval(() => this.endSilent(), this.parts.checkEveryMs ?? CHECK_EVERY_MS);
  }

  /**
   * Sends a message to the thread. If no thread is running, the message is dropped, because a new thread gets all data
   * that it needs from `workerData`.
   */
  send(message: object): void {
    this.worker?.postMessage(message);
  }

  /** Requests the thread to end after its current work, and terminates it if it has not ended after eight seconds. */
  async stop(): Promise<void> {
    this.restarts.stop();
    clearInterval(this.check);
    const { worker } = this;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.send(this.parts.farewell);
    const limit = setTimeout(() => void worker.terminate(), STOP_MS);
    await ended;
    clearTimeout(limit);
    this.worker = undefined;
  }

  private startWorker(): void {
    const { program, workerData, log, name, onMessage, memoryMaxMb = MEMORY_MAX_MB } = this.parts;
    const { execArgv } = program;
    const worker = new Worker(program.file, {
      name,
      workerData: workerData(),
      resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb },
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
    });
    this.worker = worker;
    this.silentChecks = 0;
    worker.on('message', (message) => {
      this.silentChecks = 0;
      onMessage(message);
    });
    worker.on('error', (cause) => log.error('thread.failed', { name, cause }));
    worker.on('exit', (code) => this.endOf(worker, code));
  }

  private endOf(worker: Worker, code: number): void {
    if (this.worker !== worker) return;
    const pauseMs = this.restarts.schedule();
    if (pauseMs === undefined) return;
    this.worker = undefined;
    this.parts.log.error('thread.ended', { name: this.parts.name, exitCode: code, pauseMs });
  }

  private endSilent(): void {
    this.silentChecks += 1;
    if (this.silentChecks <= SILENT_CHECKS_MAX || this.worker === undefined) return;
    this.parts.log.error('thread.silent', { name: this.parts.name });
    void this.worker.terminate();
  }
}
