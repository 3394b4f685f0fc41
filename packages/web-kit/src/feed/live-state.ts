import { useMemo, useSyncExternalStore } from 'react';
import { deviceNow, steadyNow } from '../clock.ts';
import { onRefresh } from '../refresh.ts';
import { drawSoon } from './draw-queue.ts';
import { setShownTime, registerStoredSource, storedAnswer } from '../api/stored-answers.ts';
import { feed, feedState } from './feed.ts';
import type { TopicMessage, TopicRefusal } from './feed-client.ts';

/**
 * Milliseconds for which a feed topic stays subscribed after its last watcher has left, so that a screen
 * change causes no gap.
 */
const LINGER_MS = 5_000;

interface LiveRules<Value> {
  readonly topic: string;
  readonly initial: Value;
  /**
   * Returns the state after a feed message. Messages are ordered: a snapshot first, then each update exactly
   * once.
   */
  readonly reduce: (value: Value, message: TopicMessage) => Value;
  /** Live states with the same group name are redrawn in the same frame when they change together. */
  readonly drawGroup?: string;
  /** Fetches the state over HTTP; called every five seconds while the live feed is not live and the page is visible. */
  readonly poll?: () => Promise<Value>;
  /**
   * Converts the state to JSON and back, so that the newest one is stored on the device; it is shown while
   * neither the feed nor `poll` has delivered one.
   */
  readonly stored?: {
    readonly toJson: (value: Value) => unknown;
    readonly fromJson: (json: unknown) => Value;
  };
}

/** Milliseconds to wait for the live feed before the stored state is shown instead, unless the device is offline. */
const SLOW_MS = 3_000;

/** Watchers of a live state that are redrawn together. */
interface Panel<Value> {
  readonly watchers: Set<() => void>;
  readonly show: () => void;
  /** The state most recently drawn in this panel. */
  shown: Value;
}

/**
 * The state of one feed topic, held outside React and shared by all watchers. Messages are applied at once and drawn
 * at most once per animation frame.
 */
export class LiveState<Value> {
  private readonly rules: LiveRules<Value>;
  private readonly panels = new Map<unknown, Panel<Value>>();
  private value: Value;
  private refusal: TopicRefusal | undefined;
  private unsubscribeTopic: (() => void) | undefined;
  private lingerTimer: ReturnType<typeof setTimeout> | undefined;
  /**
   * Time of the value in milliseconds UTC by the device's clock; undefined for the initial or a stored value, and
   * without the rule `stored`.
   */
  private freshMs: number | undefined;

  constructor(rules: LiveRules<Value>) {
    this.rules = rules;
    this.value = rules.initial;
    const { stored, topic } = rules;
    if (stored !== undefined)
      registerStoredSource(topic, () =>
        this.freshMs === undefined ? undefined : { time: this.freshMs, data: stored.toJson(this.value) },
      );
  }

  /**
   * Calls `watcher` after each drawn change of the live state, together with all watchers of the same panel.
   * A slow device draws each panel in a separate frame. Returns a function that stops watching.
   */
  readonly watch = (watcher: () => void, panelName?: unknown): (() => void) => {
    const { watchers } = this.panelOf(panelName);
    watchers.add(watcher);
    clearTimeout(this.lingerTimer);
    this.unsubscribeTopic ??= this.subscribeTopic();
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.panels.delete(panelName);
      if (this.panels.size === 0) this.lingerTimer = setTimeout(() => this.leaveTopic(), LINGER_MS);
    };
  };

  /** The state drawn in a panel; for a panel without watchers the newest state. */
  readonly current = (panelName?: unknown): Value => {
    const panel = this.panels.get(panelName);
    return panel === undefined ? this.value : panel.shown;
  };

  /** The newest state, whether drawn or not. */
  readonly newest = (): Value => this.value;

  /**
   * Updates the state from another topic's message; ignored while the state's own topic is not subscribed.
   */
  readonly update = (change: (value: Value) => Value): void => {
    const next = this.unsubscribeTopic === undefined ? this.value : change(this.value);
    if (next !== this.value) this.setValue(next);
  };

  /** Why the server refuses the feed topic; undefined while it is served or pending. */
  readonly refused = (): TopicRefusal | undefined => this.refusal;

  /** Subscribes again to a feed topic that was refused. */
  readonly resubscribe = (): void => {
    this.refusal = undefined;
    feed.resubscribe(this.rules.topic);
    this.setValue(this.value);
  };

  private panelOf(name: unknown): Panel<Value> {
    const existing = this.panels.get(name);
    if (existing !== undefined) return existing;
    const show = (): void => {
      panel.shown = this.value;
      for (const watcher of panel.watchers) watcher();
    };
    const panel: Panel<Value> = { watchers: new Set(), show, shown: this.value };
    this.panels.set(name, panel);
    return panel;
  }

  private subscribeTopic(): () => void {
    const unsubscribe = feed.subscribe(
      this.rules.topic,
      (message) => {
        this.refusal = undefined;
        this.setFreshValue(this.rules.reduce(this.value, message));
      },
      (refusal) => {
        this.refusal = refusal;
        this.setValue(this.value);
      },
    );
    const stopRefreshing = onRefresh(() => void this.pollWhenNotLive());
    const storedTimer = setTimeout(() => this.showStored(), navigator.onLine ? SLOW_MS : 0);
    return () => {
      clearTimeout(storedTimer);
      unsubscribe();
      stopRefreshing();
    };
  }

  private leaveTopic(): void {
    this.unsubscribeTopic?.();
    this.unsubscribeTopic = undefined;
    this.value = this.rules.initial;
    this.freshMs = undefined;
    this.refusal = undefined;
    if (this.rules.stored !== undefined) setShownTime(this.rules.topic, undefined);
  }

  private showStored(): void {
    const { stored, topic, initial } = this.rules;
    if (stored === undefined || this.value !== initial) return;
    const answer = storedAnswer(topic);
    if (answer === undefined) return;
    setShownTime(topic, answer.time);
    this.setValue(stored.fromJson(answer.data));
  }

  private setFreshValue(value: Value): void {
    if (this.rules.stored !== undefined) {
      this.freshMs = deviceNow();
      setShownTime(this.rules.topic, undefined);
    }
    this.setValue(value);
  }

  private async pollWhenNotLive(): Promise<void> {
    if (this.rules.poll === undefined || feedState() === 'live') return;
    try {
      const polled = await this.rules.poll();
      if (this.unsubscribeTopic !== undefined && feedState() !== 'live') this.setFreshValue(polled);
    } catch {
      // A failed request is ignored: while the feed is down the server is often unreachable too, and the next
      // call follows five seconds later.
    }
  }

  private setValue(value: Value): void {
    this.value = value;
    for (const [name, { show }] of this.panels) {
      drawSoon(show, name === undefined ? this.rules.drawGroup : undefined);
    }
  }
}

/** Selects a part of a live state; the component re-renders only when the identity of that part changes. */
export function useLive<Value, Part>(state: LiveState<Value>, part: (value: Value) => Part): Part {
  return useSyncExternalStore(state.watch, () => part(state.current()));
}

/** Why the server refuses a feed topic, and a function that subscribes to it again. */
export interface RefusedTopic {
  readonly refusal: TopicRefusal;
  readonly resubscribe: () => void;
}

/** The refusal of a live state's feed topic; undefined unless it is refused. */
export function useRefused<Value>(state: LiveState<Value>): RefusedTopic | undefined {
  const refusal = useSyncExternalStore(state.watch, state.refused);
  return refusal === undefined ? undefined : { refusal, resubscribe: state.resubscribe };
}

/**
 * Selects a part of a live state, updated at most once every `everyMs` milliseconds; the newest value is always shown
 * eventually.
 */
export function useThrottled<Value, Part>(
  state: LiveState<Value>,
  everyMs: number,
  part: (value: Value) => Part,
): Part {
  const throttled = useMemo(() => throttledState(state, everyMs), [state, everyMs]);
  return useSyncExternalStore(throttled.watch, () => part(throttled.current()));
}

/**
 * Calls `draw` with the current state and after each drawn change. Used for the order book and trade lists, which are
 * written directly into the DOM: ten React renders a second would cost more than the browser's own work. Returns a
 * function that stops.
 */
export function followState<Value>(state: LiveState<Value>, draw: (value: Value) => void): () => void {
  const drawNow = (): void => draw(state.current());
  const stop = state.watch(drawNow);
  drawNow();
  return stop;
}

function throttledState<Value>(state: LiveState<Value>, everyMs: number) {
  // A separate panel, so that throttled watchers are drawn in frames of their own.
  const panel = {};
  let shown = state.current(panel);
  let shownMs = Number.NEGATIVE_INFINITY;
  const watch = (watcher: () => void): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      timer = undefined;
      shown = state.current(panel);
      shownMs = steadyNow();
      watcher();
    };
    const showDelayed = (): void => {
      if (timer !== undefined) show();
    };
    // The state may have changed between the first rendering and this subscription, so it is read again.
    shown = state.current(panel);
    const scheduleShow = (): void => {
      if (timer !== undefined) return;
      const leftMs = shownMs + everyMs - steadyNow();
      if (leftMs <= 0) show();
      else timer = setTimeout(() => drawSoon(showDelayed), leftMs);
    };
    const unwatch = state.watch(scheduleShow, panel);
    return () => {
      unwatch();
      clearTimeout(timer);
      timer = undefined;
    };
  };
  return { watch, current: () => shown };
}

/**
 * Returns a function that creates the live state for a name on first use and returns the same one afterwards.
 */
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
