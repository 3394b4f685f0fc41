import { useMemo, useSyncExternalStore } from 'react';
import { deviceNow, steadyNow } from '../clock.ts';
import { onRefresh } from '../refresh.ts';
import { drawSoon } from './draw-queue.ts';
import { setShownTime, registerStoredSource, storedAnswer } from '../api/stored-answers.ts';
import { feed, feedState } from './feed.ts';
import type { TopicMessage, TopicRefusal } from './feed-client.ts';

/**
 * Milliseconds for which a feed topic stays subscribed after its last watcher was removed. If the next screen shows the
 * same topic, no messages are missed in between.
 */
const LINGER_MS = 5_000;

interface LiveRules<Value> {
  readonly topic: string;
  readonly initial: Value;
  /**
   * Returns the state after a feed message. Messages are ordered: a snapshot first, then each update exactly once.
   * After a missed update a new snapshot follows.
   */
  readonly reduce: (value: Value, message: TopicMessage) => Value;
  /**
   * Live states with the same group name are drawn in the same animation frame when they change together.
   * This applies only to watchers that were added without a panel name.
   */
  readonly drawGroup?: string;
  /**
   * Fetches the state over HTTP; called every five seconds while the page is visible and the live feed is interrupted.
   */
  readonly poll?: () => Promise<Value>;
  /**
   * Converts the state to JSON and back, so that its newest value is stored on the device; the stored value is shown
   * while neither the feed nor `poll` has delivered a value.
   */
  readonly stored?: {
    readonly toJson: (value: Value) => unknown;
    readonly fromJson: (json: unknown) => Value;
  };
}

/**
 * Milliseconds to wait for the live feed before the stored state is shown instead; a device without network does not
 * wait.
 */
const SLOW_MS = 3_000;

/**
 * Watchers of a live state that the draw queue calls together in one drawing step; it calls other panels separately.
 */
interface Panel<Value> {
  readonly watchers: Set<() => void>;
  readonly show: () => void;
  /** The state for which the watchers of this panel were last called; it may be older than the newest state. */
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
   * Device time, in milliseconds UTC, at which the feed or `poll` delivered the value; undefined for the initial value,
   * for a stored value, and without the rule `stored`.
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
   * Calls `watcher` after each drawn change of the live state, together with all watchers of the panel `panelName`. A
   * slow device draws each panel in a separate frame. Returns a function that removes `watcher`.
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

  /**
   * Returns the state for which the watchers of the panel `panelName` were last called; if the panel has no
   * watchers, the newest state.
   */
  readonly current = (panelName?: unknown): Value => {
    const panel = this.panels.get(panelName);
    return panel === undefined ? this.value : panel.shown;
  };

  /** The newest state, even if it has not been drawn yet. */
  readonly newest = (): Value => this.value;

  /**
   * Changes the state because of another topic's message; does nothing while the state's own topic is not subscribed.
   */
  readonly update = (change: (value: Value) => Value): void => {
    const next = this.unsubscribeTopic === undefined ? this.value : change(this.value);
    if (next !== this.value) this.setValue(next);
  };

  /** Why the server refuses the feed topic; undefined unless it is refused. */
  readonly refused = (): TopicRefusal | undefined => this.refusal;

  /** Subscribes again to this state's feed topic after the server has refused it, and removes the refusal. */
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

/** Selects a part of a live state; the component re-renders only when `part` returns a different object or value. */
export function useLive<Value, Part>(state: LiveState<Value>, part: (value: Value) => Part): Part {
  return useSyncExternalStore(state.watch, () => part(state.current()));
}

/** A feed topic that the server refuses, with the reason and a function that subscribes again. */
export interface RefusedTopic {
  readonly refusal: TopicRefusal;
  readonly resubscribe: () => void;
}

/**
 * The server's refusal of a live state's feed topic, with a function that subscribes again; undefined unless it is
 * refused.
 */
export function useRefused<Value>(state: LiveState<Value>): RefusedTopic | undefined {
  const refusal = useSyncExternalStore(state.watch, state.refused);
  return refusal === undefined ? undefined : { refusal, resubscribe: state.resubscribe };
}

/**
 * Selects a part of a live state, updated at most once every `everyMs` milliseconds; the newest value of an interval is
 * shown at its end.
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
 * function that ends the calls.
 */
export function followState<Value>(state: LiveState<Value>, draw: (value: Value) => void): () => void {
  const drawNow = (): void => draw(state.current());
  const stop = state.watch(drawNow);
  drawNow();
  return stop;
}

function throttledState<Value>(state: LiveState<Value>, everyMs: number) {
  // Each throttled hook uses a panel of its own. On a slow device it is then drawn in another animation frame than the
  // unthrottled watchers.
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

/** Returns a function that returns the live state of a name; the state is created at the first call for that name. */
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
