import { useMemo, useSyncExternalStore } from 'react';
import { deviceNow, steadyNow } from '../clock.ts';
import { onRefresh } from '../refresh.ts';
import { drawSoon } from './draw-queue.ts';
import { noteShown, storeBesides, storedAnswer } from '../api/stored-answers.ts';
import { feed, feedState } from './feed.ts';
import type { TopicMessage, TopicRefusal } from './feed-client.ts';

/** How long a topic is kept after the last one who looked at it: long enough to change screens without a gap. */
const LINGER_MS = 5_000;

interface LiveRules<Value> {
  readonly topic: string;
  readonly initial: Value;
  /** The state after a message. The feed's order is guaranteed: a snapshot first, then each update once. */
  readonly after: (value: Value, message: TopicMessage) => Value;
  /** Topics of one name are shown in one frame when they change together. */
  readonly together?: string;
  /** Asks the server once; used at every heartbeat while the feed is not live. */
  readonly poll?: () => Promise<Value>;
  /** Stores the newest state on the device, in a form of JSON, and shows it where neither feed nor server answers. */
  readonly stored?: {
    readonly toJson: (value: Value) => unknown;
    readonly fromJson: (json: unknown) => Value;
  };
}

/** How long the feed may take before the stored state is shown in its place. */
const SLOW_MS = 3_000;

/** Those who look at a state and are drawn together, in one part of a frame. */
interface Panel<Value> {
  readonly watchers: Set<() => void>;
  readonly show: () => void;
  /** The state as it is drawn in this panel. */
  shown: Value;
}

/**
 * The state of one topic, outside React: applied at once, shown at most once per animation frame, and shared
 * by all who look at it.
 */
export class LiveState<Value> {
  private readonly rules: LiveRules<Value>;
  private readonly panels = new Map<unknown, Panel<Value>>();
  private value: Value;
  private refusal: TopicRefusal | undefined;
  private leave: (() => void) | undefined;
  private lingering: ReturnType<typeof setTimeout> | undefined;
  /** When the value came, in milliseconds UTC; undefined where it is the initial or a stored one. */
  private freshMs: number | undefined;

  constructor(rules: LiveRules<Value>) {
    this.rules = rules;
    this.value = rules.initial;
    const { stored, topic } = rules;
    if (stored !== undefined)
      storeBesides(topic, () =>
        this.freshMs === undefined ? undefined : { time: this.freshMs, data: stored.toJson(this.value) },
      );
  }

  /**
   * Calls `watcher` after each shown change, together with all others of the same panel; gives the way to stop. A
   * slow device draws each panel in a frame of its own.
   */
  readonly watch = (watcher: () => void, panelName?: unknown): (() => void) => {
    const { watchers } = this.panelOf(panelName);
    watchers.add(watcher);
    clearTimeout(this.lingering);
    this.leave ??= this.join();
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.panels.delete(panelName);
      if (this.panels.size === 0) this.lingering = setTimeout(() => this.part(), LINGER_MS);
    };
  };

  /** The state as a panel draws it; for a panel that nobody has drawn yet the newest. */
  readonly current = (panelName?: unknown): Value => {
    const panel = this.panels.get(panelName);
    return panel === undefined ? this.value : panel.shown;
  };

  /** The newest state, drawn or not. */
  readonly newest = (): Value => this.value;

  /** Changes the state by what another topic has sent, while anybody looks at it. */
  readonly revise = (revised: (value: Value) => Value): void => {
    const next = this.leave === undefined ? this.value : revised(this.value);
    if (next !== this.value) this.become(next);
  };

  /** Why the topic is refused; undefined while it is served, or may yet be. */
  readonly refused = (): TopicRefusal | undefined => this.refusal;

  /** Asks once more for a topic that was refused. */
  readonly again = (): void => {
    this.refusal = undefined;
    feed.ask(this.rules.topic);
    this.become(this.value);
  };

  private panelOf(name: unknown): Panel<Value> {
    const known = this.panels.get(name);
    if (known !== undefined) return known;
    const show = (): void => {
      panel.shown = this.value;
      for (const watcher of panel.watchers) watcher();
    };
    const panel: Panel<Value> = { watchers: new Set(), show, shown: this.value };
    this.panels.set(name, panel);
    return panel;
  }

  private join(): () => void {
    const unsubscribe = feed.subscribe(
      this.rules.topic,
      (message) => {
        this.refusal = undefined;
        this.becomeFresh(this.rules.after(this.value, message));
      },
      (refusal) => {
        this.refusal = refusal;
        this.become(this.value);
      },
    );
    const unrefresh = onRefresh(() => void this.pollIfCut());
    const waiting = setTimeout(() => this.showStored(), navigator.onLine ? SLOW_MS : 0);
    return () => {
      clearTimeout(waiting);
      unsubscribe();
      unrefresh();
    };
  }

  private part(): void {
    this.leave?.();
    this.leave = undefined;
    this.value = this.rules.initial;
    this.freshMs = undefined;
    this.refusal = undefined;
    if (this.rules.stored !== undefined) noteShown(this.rules.topic, undefined);
  }

  private showStored(): void {
    const { stored, topic, initial } = this.rules;
    if (stored === undefined || this.value !== initial) return;
    const answer = storedAnswer(topic);
    if (answer === undefined) return;
    noteShown(topic, answer.time);
    this.become(stored.fromJson(answer.data));
  }

  private becomeFresh(value: Value): void {
    if (this.rules.stored !== undefined) {
      this.freshMs = deviceNow();
      noteShown(this.rules.topic, undefined);
    }
    this.become(value);
  }

  private async pollIfCut(): Promise<void> {
    if (this.rules.poll === undefined || feedState() === 'live') return;
    try {
      const polled = await this.rules.poll();
      if (this.leave !== undefined && feedState() !== 'live') this.becomeFresh(polled);
    } catch {
      // Reason: with the feed cut the server is often away altogether; the next heartbeat asks again.
    }
  }

  private become(value: Value): void {
    this.value = value;
    for (const [name, { show }] of this.panels) {
      drawSoon(show, name === undefined ? this.rules.together : undefined);
    }
  }
}

/** One part of a live state; the component renders again only when that part changes (by identity). */
export function useLive<Value, Part>(state: LiveState<Value>, part: (value: Value) => Part): Part {
  return useSyncExternalStore(state.watch, () => part(state.current()));
}

/** Why a state's topic is refused, and the way to ask again. */
export interface RefusedTopic {
  readonly refusal: TopicRefusal;
  readonly again: () => void;
}

/** Undefined unless the topic of a live state is refused. */
export function useRefused<Value>(state: LiveState<Value>): RefusedTopic | undefined {
  const refusal = useSyncExternalStore(state.watch, state.refused);
  return refusal === undefined ? undefined : { refusal, again: state.again };
}

/** One part of a live state, shown at most once in so many milliseconds: the newest, sooner or later. */
export function useCalmly<Value, Part>(
  state: LiveState<Value>,
  everyMs: number,
  part: (value: Value) => Part,
): Part {
  const calm = useMemo(() => calmed(state, everyMs), [state, everyMs]);
  return useSyncExternalStore(calm.watch, () => part(calm.current()));
}

/**
 * Calls `draw` with a live state now and after each shown change, for the columns of book and deals, which are
 * written into the page: ten times a second they cost React more than the browser. Gives the way to stop.
 */
export function follow<Value>(state: LiveState<Value>, draw: (value: Value) => void): () => void {
  const drawNow = (): void => draw(state.current());
  const stop = state.watch(drawNow);
  drawNow();
  return stop;
}

function calmed<Value>(state: LiveState<Value>, everyMs: number) {
  // By itself: what is drawn calmly is not drawn in the frames of what is not.
  const panel = {};
  let shown = state.current(panel);
  let shownMs = Number.NEGATIVE_INFINITY;
  const watch = (watcher: () => void): (() => void) => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      waiting = undefined;
      shown = state.current(panel);
      shownMs = steadyNow();
      watcher();
    };
    const showLate = (): void => {
      if (waiting !== undefined) show();
    };
    // What changed between the first drawing and this moment was not notified.
    shown = state.current(panel);
    const changed = (): void => {
      if (waiting !== undefined) return;
      const leftMs = shownMs + everyMs - steadyNow();
      if (leftMs <= 0) show();
      else waiting = setTimeout(() => drawSoon(showLate), leftMs);
    };
    const unwatch = state.watch(changed, panel);
    return () => {
      unwatch();
      clearTimeout(waiting);
      waiting = undefined;
    };
  };
  return { watch, current: () => shown };
}

/** Live states by name, made when first asked for. */
export function liveStates<Value>(rulesOf: (name: string) => LiveRules<Value>) {
  const states = new Map<string, LiveState<Value>>();
  return (name: string): LiveState<Value> => {
    let state = states.get(name);
    if (state === undefined) {
      state = new LiveState(rulesOf(name));
      states.set(name, state);
    }
    return state;
  };
}
