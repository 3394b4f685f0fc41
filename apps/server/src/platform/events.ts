import { asOwnWork } from './database/lanes.ts';
import type { Log } from './log.ts';

/** A kind of fact that was committed, named in the past participle, e.g. `spot.traded`. */
export interface EventKind<Fact> {
  readonly name: string;
  /** Only carries the type. */
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
 * Facts on their way from those who caused them to those who follow, within this process and only after
 * their commit. Listeners run in order of subscription; one that throws is logged and hinders nobody.
 * Nothing may depend on an event arriving: whoever needs certainty reads the journal.
 */
export class Events {
  private readonly listeners = new Map<string, Listener[]>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  on<Fact>(kind: EventKind<Fact>, listener: (fact: Fact) => void): void {
    const present = this.listeners.get(kind.name) ?? [];
    present.push(listener as Listener);
    this.listeners.set(kind.name, present);
  }

  publish(events: readonly PublishedEvent[]): void {
    if (events.length === 0) return;
    // Whatever follows from a fact is the exchange's own work, whoever's request has caused the fact.
    asOwnWork(() => this.notify(events));
  }

  private notify(events: readonly PublishedEvent[]): void {
    for (const event of events) {
      for (const listener of this.listeners.get(event.name) ?? []) {
        try {
          listener(event.fact);
        } catch (cause) {
          // A follower's bug must not undo or hide what has been committed.
          this.log.error('events.listener_failed', { event: event.name, cause });
        }
      }
    }
  }
}
