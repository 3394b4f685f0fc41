/** The used fields of a Chromium trace event. Times are in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /**
   * Processor time in microseconds that the event used on its thread. Missing if the platform does not report
   * it.
   */
  readonly tdur?: number;
  readonly args?: {
    readonly name?: string;
    readonly data?: { readonly type?: string };
    readonly chrome_mojo_event_info?: { readonly mojo_interface_tag?: string };
  };
}

/**
 * What started a task: the benchmark itself, a message of the feed, a frame, a timer, the response to a
 * request, the garbage collector, or user input. `unknown` if no event of the task shows its cause.
 */
export type Cause = 'bench' | 'message' | 'frame' | 'timer' | 'answer' | 'garbage' | 'input' | 'unknown';

/** A task of the page's main thread. */
export interface Task {
  /** Start of the task, in milliseconds since the first task of the trace. */
  readonly atMs: number;
  /** Start of the task on the machine's monotonic clock, in milliseconds. */
  readonly beganMs: number;
  readonly ms: number;
  /**
   * Milliseconds of processor time that the task used. For the rest of its duration the thread waited for a processor.
   * If the platform does not report processor time, this is the whole duration of the task.
   */
  readonly processorMs: number;
  readonly cause: Cause;
  /**
   * The activities on which the task spent the most time, at most six, longest first. The time of an activity does not
   * include the activities inside it.
   */
  readonly parts: readonly { readonly name: string; readonly ms: number }[];
}

const TASK = 'RunTask';
const MAIN_THREAD = 'CrRendererMain';
const PARTS_MAX = 6;

/**
 * Causes of tasks. Each has a condition on a trace event. The first cause is used whose condition an event within the
 * task meets.
 */
const CAUSES: readonly (readonly [Cause, (event: TraceEvent) => boolean])[] = [
  ['bench', ({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === 'blink.mojom.DevToolsSession'],
  ['message', ({ name }) => name === 'WebSocketReceive'],
  ['message', ({ name, args }) => name === 'EventDispatch' && args?.data?.type === 'message'],
  [
    'input',
    ({ name, args }) =>
      name === 'EventDispatch' && /^(key|mouse|pointer|wheel|touch)/.test(args?.data?.type ?? ''),
  ],
  [
    'frame',
    ({ name }) =>
      /^(FireAnimationFrame|BeginMainThreadFrame|UpdateLayoutTree|Layout|Paint|Layerize|Commit)$/.test(name),
  ],
  ['timer', ({ name }) => name === 'TimerFire'],
  ['answer', ({ name }) => /^(Resource|XHR)/.test(name)],
  ['garbage', ({ name }) => /GC/.test(name)],
];

/**
 * Returns the tasks that took longer than `longerThanMs` on the main thread of the page with the most
 * animation frames, and the number and total milliseconds of all tasks of this thread. Throws if the trace
 * contains no page.
 */
export function tasksOf(
  events: readonly TraceEvent[],
  longerThanMs: number,
): { readonly long: readonly Task[]; readonly count: number; readonly busyMs: number } {
  const page = busiestPage(events);
  if (page === undefined) throw new Error('the trace holds no page');
  const threadEvents = events.filter(
    ({ pid, tid, ph }) => ph === 'X' && pid === page.pid && tid === page.tid,
  );
  const sorted = threadEvents.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks = sorted.filter(({ name }) => name === TASK);
  const firstTs = tasks[0]?.ts ?? 0;
  const long = tasks.filter(({ dur = 0 }) => dur > longerThanMs * 1_000);
  return {
    long: long.map((task) => taskFrom(task, sorted, firstTs)),
    count: tasks.length,
    busyMs: tasks.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1_000,
  };
}

/** Returns the main thread of the page with the most animation frames, or undefined if the trace has no page. */
function busiestPage(events: readonly TraceEvent[]): Pick<TraceEvent, 'pid' | 'tid'> | undefined {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === MAIN_THREAD);
  const frames = (thread: TraceEvent) =>
    events.filter(
      ({ name, pid, tid }) => name === 'FireAnimationFrame' && pid === thread.pid && tid === thread.tid,
    ).length;
  return mains.toSorted((a, b) => frames(b) - frames(a))[0];
}

function taskFrom(task: TraceEvent, sorted: readonly TraceEvent[], firstTs: number): Task {
  const end = task.ts + (task.dur ?? 0);
  const inside = sorted.filter(
    (event) => event !== task && event.ts >= task.ts && event.ts + (event.dur ?? 0) <= end,
  );
  const cause = CAUSES.find(([, fits]) => inside.some(fits))?.[0] ?? 'unknown';
  return {
    atMs: Math.round((task.ts - firstTs) / 1_000),
    beganMs: task.ts / 1_000,
    ms: (task.dur ?? 0) / 1_000,
    processorMs: (task.tdur ?? task.dur ?? 0) / 1_000,
    cause,
    parts: ownTimes([task, ...inside]).slice(0, PARTS_MAX),
  };
}

/**
 * Returns the names of the activities with their total milliseconds, longest first. The time of an activity does not
 * include the activities inside it.
 */
function ownTimes(nested: readonly TraceEvent[]): { name: string; ms: number }[] {
  const timeByName = new Map<string, number>();
  const open: TraceEvent[] = [];
  const add = (name: string, microseconds: number) =>
    timeByName.set(name, (timeByName.get(name) ?? 0) + microseconds);
  for (const event of nested) {
    while (open.length > 0 && endOf(open.at(-1)) <= event.ts) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined) add(parent.name, -(event.dur ?? 0));
    add(event.name, event.dur ?? 0);
    open.push(event);
  }
  return [...timeByName]
    .map(([name, microseconds]) => ({ name, ms: Math.round(microseconds / 100) / 10 }))
    .toSorted((a, b) => b.ms - a.ms);
}

function endOf(event: TraceEvent | undefined): number {
  return event === undefined ? Infinity : event.ts + (event.dur ?? 0);
}
