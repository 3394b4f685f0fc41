import type { Postponement } from './command.ts';
import type { QueuedStep } from './queued-step.ts';

/**
 * Maximum time in milliseconds that the steps with one key wait for unfinished work, measured from the first of them.
 * Then all of them are refused.
 */
const WAIT_MAX_MS = 3_000;

interface Waiting {
  readonly steps: QueuedStep[];
  readonly sinceMs: number;
  postponement: Postponement;
}

/** Steps that wait for unfinished work of earlier steps, grouped by that work, in order of arrival. */
export class PostponedSteps {
  size = 0;
  private readonly byKey = new Map<string, Waiting>();

  /**
   * Adds a step behind the others that wait for the same work. `nowMs` is the monotonic time in milliseconds.
   * The limit `WAIT_MAX_MS` counts from the first of these steps, also for the later ones.
   */
  add(queued: QueuedStep, postponement: Postponement, nowMs: number): void {
    const waiting = this.byKey.get(postponement.key);
    if (waiting === undefined) {
      this.byKey.set(postponement.key, { steps: [queued], sinceMs: nowMs, postponement });
    } else {
      waiting.steps.push(queued);
      waiting.postponement = postponement;
    }
    this.size += 1;
  }

  /**
   * Removes and returns the steps whose awaited work has ended (`ready`), and those whose awaited work has not ended
   * within `WAIT_MAX_MS` (`late`). `nowMs` is the monotonic time in milliseconds.
   */
  release(nowMs: number): { readonly ready: readonly QueuedStep[]; readonly late: readonly QueuedStep[] } {
    const ready: QueuedStep[] = [];
    const late: QueuedStep[] = [];
    for (const [key, { steps, sinceMs, postponement }] of this.byKey) {
      const isOver = postponement.isOver();
      if (!isOver && nowMs - sinceMs <= WAIT_MAX_MS) continue;
      this.byKey.delete(key);
      this.size -= steps.length;
      for (const queued of steps) (isOver ? ready : late).push(queued);
    }
    return { ready, late };
  }

  /** Removes all waiting steps and returns them. */
  removeAll(): QueuedStep[] {
    const steps = [...this.byKey.values()].flatMap((waiting) => waiting.steps);
    this.byKey.clear();
    this.size = 0;
    return steps;
  }
}
