/** What the page noticed about itself since it was last asked. */
export interface Noticed {
  /** When animation frames began, in milliseconds. */
  readonly framesMs: readonly number[];
  /** Frames that took longer than 50 ms, as the browser itself reports them. */
  readonly longFrames: readonly LongFrame[];
  /** Messages of the feed by the first word of their topic. */
  readonly messages: Readonly<Record<string, number>>;
  /** From the making of a change of the book in the server to the end of the frame that shows it. */
  readonly tickToScreenMs: readonly number[];
}

export interface LongFrame {
  readonly ms: number;
  readonly blockingMs: number;
  readonly scripts: readonly string[];
}

/** What `watchOwnPage` leaves in the page. */
export interface Probe {
  take(): Noticed;
}

/** The part of the browser's report on a long frame that is kept; its type is not in every library of types. */
interface FrameEntry extends PerformanceEntry {
  readonly blockingDuration: number;
  readonly scripts: readonly { readonly invoker: string; readonly duration: number }[];
}

/**
 * Runs in the page before anything else does; text without references to this module. The endless chain of
 * frames makes the browser draw 60 times a second even when nothing changes: every one that comes late counts.
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
    // A message to ourselves is heard after the frame has been laid out and painted.
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

  const take = (): Noticed => {
    const noticed = { framesMs, longFrames, messages, tickToScreenMs };
    framesMs = [];
    longFrames = [];
    messages = {};
    tickToScreenMs = [];
    return noticed;
  };
  Object.assign(window, { benchProbe: { take } satisfies Probe });
}
