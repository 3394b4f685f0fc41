import { asOwnWork } from './database/lanes.ts';
import type { Log } from './log.ts';

/** A kind of committed fact. Its name ends with a past participle, e.g. `spot.traded`. */
export interface EventKind<Fact> {
  readonly name: string;
  /** Never set. It only carries the type of the event's data. */
  readonly fact?: Fact;
}

export function eventKind<Fact>(name: string): EventKind<Fact> {
  return { name };
}

export interface PublishedEvent {
  readonly name: string;
  readonly fact: unknown;
}

type Listener = (fact: unknown) => void;

/**
 * Publishes facts to listeners inside this process, only after their commit. Listeners run in the order of their
 * subscription. An exception is logged and does not affect the others. Delivery is not guaranteed, so code that needs
 * every fact must read it from the database.
 */
export class Events {
  private readonly listeners = new Map<string, Listener[]>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  on<Fact>(kind: EventKind<Fact>, listener: (fact: Fact) => void): void {
    const listeners = this.listeners.get(kind.name) ?? [];
    listeners.push(listener as Listener);
    this.listeners.set(kind.name, listeners);
  }

  publish(events: readonly PublishedEvent[]): void {
    if (events.length === 0) return;
    // Listeners use the exchange's own database pools, even if a user's request has caused the event.
    asOwnWork(() => this.notify(events));
  }

  private notify(events: readonly PublishedEvent[]): void {
    for (const event of events) {
      for (const listener of this.listeners.get(event.name) ?? []) {
        try {
          listener(event.fact);
        } catch (cause) {
          // An exception of a listener is only logged, because the event is committed and other listeners must still
          // receive it.
          this.log.error('events.listener_failed', { event: event.name, cause });
        }
      }
    }
  }
}
