import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PeriodicTask } from './periodic-task.ts';

const EVERY_MS = 1_000;

describe('periodic tasks', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Creates a task whose runs each end when the test calls their function in `ends`. */
  function heldTask() {
    const ends: ((failure?: Error) => void)[] = [];
    const errors: unknown[] = [];
    const work = () =>
      new Promise<void>((resolve, reject) => {
        ends.push((failure) => (failure === undefined ? resolve() : reject(failure)));
      });
    const task = new PeriodicTask(work, { everyMs: EVERY_MS, onError: (cause) => errors.push(cause) });
    return { task, ends, errors };
  }

  it('JOB-1252 runs at its interval and skips an interval that ends during a run', async () => {
    const { task, ends } = heldTask();
    task.start();
    task.start();
    expect(ends).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(EVERY_MS * 3);
    expect(ends).toHaveLength(1);
    ends[0]!();
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(ends).toHaveLength(2);
    ends[1]!();
    await task.stop();
    await vi.advanceTimersByTimeAsync(EVERY_MS * 3);
    expect(ends).toHaveLength(2);
  });

  it('JOB-1252 has ended its run when it is stopped', async () => {
    const { task, ends } = heldTask();
    task.start();
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    let isStopped = false;
    const stopped = task.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(isStopped).toBe(false);
    ends[0]!();
    await stopped;
    expect(ends).toHaveLength(1);
  });

  it('JOB-1252 a failed run is reported, and the next one begins at its interval', async () => {
    const { task, ends, errors } = heldTask();
    task.start();
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    ends[0]!(new Error('away'));
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(errors).toEqual([new Error('away')]);
    expect(ends).toHaveLength(2);
    ends[1]!(new Error('away again'));
    await task.stop();
    expect(errors).toHaveLength(2);
  });

  it('JOB-1252 work that is not asynchronous may fail too', async () => {
    const errors: unknown[] = [];
    const failing = () => {
      throw new Error('broken');
    };
    const task = new PeriodicTask(failing, { everyMs: EVERY_MS, onError: (cause) => errors.push(cause) });
    task.start();
    await vi.advanceTimersByTimeAsync(EVERY_MS * 2);
    await task.stop();
    expect(errors).toHaveLength(2);
  });
});
