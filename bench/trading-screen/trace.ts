/** The part of a Chromium trace event that is read; times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread; missing where the platform does not tell. */
  readonly tdur?: number;
  readonly args?: {
    readonly name?: string;
    readonly data?: { readonly type?: string };
    readonly chrome_mojo_event_info?: { readonly mojo_interface_tag?: string };
  };
}

/** What began a task: the bench itself, a message of the feed, a frame, a timer, the answer of a call, the collector. */
export type Cause = 'bench' | 'message' | 'frame' | 'timer' | 'answer' | 'garbage' | 'input' | 'unknown';

/** One uninterrupted stretch of work on the page's main thread. */
export interface Task {
  /** Since the first task of the trace. */
  readonly atMs: number;
  /** On the machine's monotonic clock. */
  readonly beganMs: number;
  readonly ms: number;
  /** Of these, how many the thread was really running: the rest it waited for a processor. */
  readonly processorMs: number;
  readonly cause: Cause;
  /** Own time of what was done, longest first. */
  readonly parts: readonly { readonly name: string; readonly ms: number }[];
}

const TASK = 'RunTask';
const MAIN_THREAD = 'CrRendererMain';
const PARTS_TOLD = 6;

/** By the names that Chromium gives to what a task does; the first that fits tells why it ran. */
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

/** The tasks of the busiest page's main thread that took longer than `longerThanMs`, and all tasks' count and time. */
export function tasksOf(
  events: readonly TraceEvent[],
  longerThanMs: number,
): { readonly long: readonly Task[]; readonly count: number; readonly busyMs: number } {
  const page = busiestPage(events);
  if (page === undefined) throw new Error('the trace holds no page');
  const own = events.filter(({ pid, tid, ph }) => ph === 'X' && pid === page.pid && tid === page.tid);
  const sorted = own.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks = sorted.filter(({ name }) => name === TASK);
  const beganAt = tasks[0]?.ts ?? 0;
  const long = tasks.filter(({ dur = 0 }) => dur > longerThanMs * 1_000);
  return {
    long: long.map((task) => described(task, sorted, beganAt)),
    count: tasks.length,
    busyMs: tasks.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1_000,
  };
}

/** The main thread of the page that fired the most animation frames. */
function busiestPage(events: readonly TraceEvent[]): Pick<TraceEvent, 'pid' | 'tid'> | undefined {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === MAIN_THREAD);
  const frames = (thread: TraceEvent) =>
    events.filter(
      ({ name, pid, tid }) => name === 'FireAnimationFrame' && pid === thread.pid && tid === thread.tid,
    ).length;
  return mains.toSorted((a, b) => frames(b) - frames(a))[0];
}

function described(task: TraceEvent, sorted: readonly TraceEvent[], beganAt: number): Task {
  const end = task.ts + (task.dur ?? 0);
  const inside = sorted.filter(
    (event) => event !== task && event.ts >= task.ts && event.ts + (event.dur ?? 0) <= end,
  );
  const cause = CAUSES.find(([, fits]) => inside.some(fits))?.[0] ?? 'unknown';
  return {
    atMs: Math.round((task.ts - beganAt) / 1_000),
    beganMs: task.ts / 1_000,
    ms: (task.dur ?? 0) / 1_000,
    processorMs: (task.tdur ?? task.dur ?? 0) / 1_000,
    cause,
    parts: ownTimes([task, ...inside]).slice(0, PARTS_TOLD),
  };
}

/** The time of each name without that of what ran inside it, in milliseconds, longest first. */
function ownTimes(nested: readonly TraceEvent[]): { name: string; ms: number }[] {
  const own = new Map<string, number>();
  const open: TraceEvent[] = [];
  const add = (name: string, microseconds: number) => own.set(name, (own.get(name) ?? 0) + microseconds);
  for (const event of nested) {
    while (open.length > 0 && endOf(open.at(-1)) <= event.ts) open.pop();
    const around = open.at(-1);
    if (around !== undefined) add(around.name, -(event.dur ?? 0));
    add(event.name, event.dur ?? 0);
    open.push(event);
  }
  return [...own]
    .map(([name, microseconds]) => ({ name, ms: Math.round(microseconds / 100) / 10 }))
    .toSorted((a, b) => b.ms - a.ms);
}

function endOf(event: TraceEvent | undefined): number {
  return event === undefined ? Infinity : event.ts + (event.dur ?? 0);
}
