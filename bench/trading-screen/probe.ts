/** What a page has recorded about itself since the benchmark last read its observations. */
export interface PageObservations {
  /** Start times of animation frames, in milliseconds since the page was opened. */
  readonly framesMs: readonly number[];
  /** Frames longer than 50 ms, as the browser reports them. */
  readonly longFrames: readonly LongFrame[];
  /** Number of updates of the feed (without snapshots) by the first word of their topic. */
  readonly messages: Readonly<Record<string, number>>;
  /** Milliseconds from a change of the book in the server to the end of the frame that shows it. */
  readonly tickToScreenMs: readonly number[];
}

export interface LongFrame {
  readonly ms: number;
  readonly blockingMs: number;
  readonly scripts: readonly string[];
}

/** The object that `watchOwnPage` stores in the page as `benchProbe`. */
export interface Probe {
  drain(): PageObservations;
}

/** The used fields of the browser's report on a long frame. Not every type library contains this type. */
interface FrameEntry extends PerformanceEntry {
  readonly blockingDuration: number;
  readonly scripts: readonly { readonly invoker: string; readonly duration: number }[];
}

/**
 * Runs in the page before any other script. Its text is sent to the page, so it must not refer to this module. The
 * endless chain of animation frames makes the browser draw 60 times a second even if nothing changes, so that every
 * late frame is counted.
 */
export function watchOwnPage(): void {
  let framesMs: number[] = [];
  let longFrames: LongFrame[] = [];
  let messages: Record<string, number> = {};
  let tickToScreenMs: number[] = [];
  let waitingSince: number[] = [];

  const onFrame = (atMs: number): void => {
    framesMs.push(atMs);
    requestAnimationFrame(onFrame);
    if (waitingSince.length === 0) return;
    const shown = waitingSince;
    waitingSince = [];
    // A message that the page sends to itself arrives after the layout and the painting of the frame.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      const now = Date.now();
      for (const sent of shown) tickToScreenMs.push(now - sent);
      port1.close();
    });
    port1.start();
    port2.postMessage(0);
  };
  requestAnimationFrame(onFrame);

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as FrameEntry[]) {
      const scripts = entry.scripts.map(({ invoker, duration }) => `${invoker} ${Math.round(duration)} ms`);
      longFrames.push({ ms: entry.duration, blockingMs: entry.blockingDuration, scripts });
    }
  }).observe({ type: 'long-animation-frame' });

  const head = /^\{"topic":"([a-z]+)[^"]*","type":"update","seq":\d+,"ts":(\d+)/;
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => {
        const [, topic, sent] = head.exec(String(data).slice(0, 120)) ?? [];
        if (topic === undefined) return;
        messages[topic] = (messages[topic] ?? 0) + 1;
        if (topic === 'depth') waitingSince.push(Number(sent));
      });
    }
  };

  const take = (): PageObservations => {
    const noticed = { framesMs, longFrames, messages, tickToScreenMs };
    framesMs = [];
    longFrames = [];
    messages = {};
    tickToScreenMs = [];
    return noticed;
  };
  Object.assign(window, { benchProbe: { drain: take } satisfies Probe });
}
