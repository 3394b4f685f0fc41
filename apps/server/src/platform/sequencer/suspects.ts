/** After so many bugs of one caller's operation it rests. */
const BUGS_OF_ONE = 3;
/** After so many bugs of an operation, whoever asked, it rests for everybody. */
const BUGS_OF_ALL = 20;
/** So long it rests; then one more try is let through. */
const REST_MS = 60_000;

interface Record {
  bugs: number;
  lastMs: number;
}

/**
 * Operations that failed through a bug. Each time costs everybody a rebuilding of memory, so whoever brings
 * the same bug up again and again, a user or the house itself, is turned away for a while.
 */
export class Suspects {
  private readonly byCaller = new Map<string, Record>();
  private readonly byOperation = new Map<string, Record>();

  /** Whether any operation has failed lately: nothing need be looked up while none has. */
  get areAny(): boolean {
    return this.byOperation.size > 0;
  }

  /** To be called when a step failed through a bug, at a monotonic time. */
  failed(operation: string, actor: string | undefined, nowMs: number): void {
    this.forgetBefore(nowMs - REST_MS * 2);
    count(this.byCaller, callerOf(operation, actor), nowMs);
    count(this.byOperation, operation, nowMs);
  }

  /** Whether this caller's operation rests at the moment. */
  isResting(operation: string, actor: string | undefined, nowMs: number): boolean {
    this.forgetBefore(nowMs - REST_MS * 2);
    return (
      isResting(this.byCaller.get(callerOf(operation, actor)), BUGS_OF_ONE, nowMs) ||
      isResting(this.byOperation.get(operation), BUGS_OF_ALL, nowMs)
    );
  }

  private forgetBefore(oldestMs: number): void {
    for (const records of [this.byCaller, this.byOperation]) {
      for (const [name, { lastMs }] of records) if (lastMs < oldestMs) records.delete(name);
    }
  }
}

function callerOf(operation: string, actor: string | undefined): string {
  return `${operation} ${actor ?? 'house'}`;
}

function count(records: Map<string, Record>, name: string, nowMs: number): void {
  records.set(name, { bugs: (records.get(name)?.bugs ?? 0) + 1, lastMs: nowMs });
}

function isResting(record: Record | undefined, limit: number, nowMs: number): boolean {
  return record !== undefined && record.bugs >= limit && nowMs - record.lastMs < REST_MS;
}
