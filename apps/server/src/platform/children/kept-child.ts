import { fork, type ChildProcess } from 'node:child_process';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

interface KeptChildParts {
  readonly name: string;
  readonly file: string;
  /** Sent to each new process first. */
  readonly greeting: object;
  readonly onMessage: (message: unknown) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** A process that says nothing for so long is ended. */
  readonly silenceMs?: number;
  readonly firstPauseMs?: number;
}

const SILENCE_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A process that lived so long starts again after the first pause. */
const STEADY_MS = 60_000;

/** A process of its own that is started again, with growing pauses, when it ends or falls silent. */
export class KeptChild {
  private readonly parts: KeptChildParts;
  private child: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private silence: NodeJS.Timeout | undefined;
  private failures = 0;
  private isStopped = true;
  starts = 0;

  constructor(parts: KeptChildParts) {
    this.parts = parts;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  start(): void {
    if (!this.isStopped) return;
    this.isStopped = false;
    this.begin();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  private begin(): void {
    const { file, greeting, onMessage, clock } = this.parts;
    const startedAt = clock.monotonicMs();
    // Nothing of our environment, above all no secret, reaches a child.
    const child = fork(file, [], { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.child = child;
    this.starts += 1;
    let hasEnded = false;
    const ended = (reason: string) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(this.silence);
      if (this.child !== child || this.isStopped) return;
      this.child = undefined;
      if (clock.monotonicMs() - startedAt > STEADY_MS) this.failures = 0;
      this.again(reason);
    };
    child.on('message', (message) => {
      if (this.child !== child) return;
      this.hear(child);
      onMessage(message);
    });
    child.on('error', (cause) => ended(cause.message));
    child.on('exit', (code, signal) => ended(`ended with ${signal ?? code}`));
    child.send(greeting, (cause) => cause !== null && ended(cause.message));
    this.hear(child);
  }

  private hear(child: ChildProcess): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => child.kill('SIGKILL'), this.parts.silenceMs ?? SILENCE_MS);
  }

  private again(reason: string): void {
    const { name, log, firstPauseMs = FIRST_PAUSE_MS } = this.parts;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** Math.min(this.failures, 16));
    this.failures += 1;
    log.warn('child.ended', { name, reason, pauseMs });
    this.timer = setTimeout(() => this.begin(), pauseMs);
  }
}
