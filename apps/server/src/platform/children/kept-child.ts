import { fork, type ChildProcess } from 'node:child_process';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { Restarts } from './restarts.ts';

interface KeptChildParts {
  readonly name: string;
  readonly file: string;
  /** The first message that is sent to each new child process. */
  readonly greeting: object;
  readonly onMessage: (message: unknown) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** A child process that sends nothing for this many milliseconds is killed; by default `SILENCE_MS`. */
  readonly silenceMs?: number;
  readonly firstPauseMs?: number;
}

const SILENCE_MS = 15_000;
const INITIAL_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/**
 * Supervises a child process: starts it again, after growing pauses, when it ends or sends nothing for
 * `silenceMs` milliseconds.
 */
export class SupervisedChild {
  private readonly parts: KeptChildParts;
  private readonly restarts: Restarts;
  private child: ChildProcess | undefined;
  private silence: NodeJS.Timeout | undefined;

  constructor(parts: KeptChildParts) {
    this.parts = parts;
    this.restarts = new Restarts({
      clock: parts.clock,
      startRun: () => this.spawn(),
      firstPauseMs: parts.firstPauseMs ?? INITIAL_PAUSE_MS,
      longestPauseMs: MAX_PAUSE_MS,
    });
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Number of child processes started so far, including restarts. */
  get starts(): number {
    return this.restarts.count;
  }

  start(): void {
    this.restarts.start();
  }

  stop(): void {
    this.restarts.stop();
    clearTimeout(this.silence);
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  private spawn(): void {
    const { file, greeting, onMessage } = this.parts;
    // The environment contains secrets, so the child process does not inherit it.
    const child = fork(file, [], { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.child = child;
    child.on('message', (message) => {
      if (this.child !== child) return;
      this.watchSilence(child);
      onMessage(message);
    });
    child.on('error', (cause) => this.endOf(child, cause.message));
    child.on('exit', (code, signal) => this.endOf(child, `ended with ${signal ?? code}`));
    child.send(greeting, (cause) => cause !== null && this.endOf(child, cause.message));
    this.watchSilence(child);
  }

  private watchSilence(child: ChildProcess): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => child.kill('SIGKILL'), this.parts.silenceMs ?? SILENCE_MS);
  }

  private endOf(child: ChildProcess, reason: string): void {
    if (this.child !== child) return;
    this.child = undefined;
    clearTimeout(this.silence);
    const pauseMs = this.restarts.schedule();
    if (pauseMs !== undefined) this.parts.log.warn('child.ended', { name: this.parts.name, reason, pauseMs });
  }
}
