export interface ProcessTimes {
  readonly id: number;
  /** Id of the parent process. */
  readonly parent: number;
  /** Distinguishes two processes that had the same ID. */
  readonly startedAt: string;
  /** Processor time of the process and of the ended children that it waited for, in seconds. */
  readonly seconds: number;
}

export function followProcess(
  root: number,
  list?: () => readonly ProcessTimes[],
): { readonly sample: () => void; readonly stop: () => number | undefined };

export function runningProcesses(): readonly ProcessTimes[];
