import { stateOf } from './processes.ts';
import type { Running } from './bring-up.ts';

const lookEveryMs = 200;

/**
 * Calls `ended` once when the server's process ends. The operating system tells us about our own
 * children only; an adopted server is looked at five times a second. Gives a function that stops the watch.
 */
export function watchExit({ child, pid }: Running, ended: () => void): () => void {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.once('exit', ended);
    return () => child.off('exit', ended);
  }
  const timer = setInterval(() => {
    if (stateOf(pid) === 'alive') return;
    clearInterval(timer);
    ended();
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
