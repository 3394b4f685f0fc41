import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { Restarts } from './restarts.ts';

/** A program that runs in a thread; `execArgv` only where it needs other arguments of Node.js than this process. */
export interface ThreadProgram {
  readonly file: string;
  readonly execArgv?: readonly string[];
}

interface KeptThreadParts {
  readonly name: string;
  readonly program: ThreadProgram;
  /** What each new thread begins with; read anew at each start. */
  readonly workerData: () => unknown;
  /** The message after which the thread ends by itself. */
  readonly farewell: object;
  readonly onMessage: (message: unknown) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly firstPauseMs?: number;
  /** How often it is checked whether the thread was heard. */
  readonly checkEveryMs?: number;
  /** Beyond so many megabytes the thread ends by itself with an error, and this process lives on. */
  readonly memoryMaxMb?: number;
}

/** A thread that sends nothing for so many checks is ended; a check that this thread slept through counts once. */
const SILENT_CHECKS_MAX = 15;
const CHECK_EVERY_MS = 1_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const STOP_MS = 8_000;
const MEMORY_MAX_MB = 256;

/**
 * A thread with an event loop and memory of its own, which no work of this thread can delay. It is started again, with growing
 * pauses, when it ends or falls silent; it ends with this process.
 */
export class KeptThread {
  private readonly parts: KeptThreadParts;
  private readonly restarts: Restarts;
  private worker: Worker | undefined;
  private check: NodeJS.Timeout | undefined;
  private silentChecks = 0;

  constructor(parts: KeptThreadParts) {
    this.parts = parts;
    this.restarts = new Restarts({
      clock: parts.clock,
      begin: () => this.begin(),
      firstPauseMs: parts.firstPauseMs ?? FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
    });
  }

  /** Threads started so far. */
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

  /** Sends a message, or drops it where no thread runs: the next one begins with all that is needed. */
  send(message: object): void {
    this.worker?.postMessage(message);
  }

  /** Lets the thread finish what is under way; after eight seconds it is ended. */
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

  private begin(): void {
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
    this.parts.log.error('thread.ended', { name: this.parts.name, code, pauseMs });
  }

  private endSilent(): void {
    this.silentChecks += 1;
    if (this.silentChecks <= SILENT_CHECKS_MAX || this.worker === undefined) return;
    this.parts.log.error('thread.silent', { name: this.parts.name });
    void this.worker.terminate();
  }
}
