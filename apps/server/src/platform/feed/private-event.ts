import type { UserId } from '@exchange/core/ids.ts';
import { eventKind, type EventKind, type Events } from '../events.ts';
import type { Feed } from './feed.ts';

/** A committed event that concerns an object of one user, such as an order. */
interface OwnedFact {
  readonly owner: UserId;
}

/** A kind of event that is also sent to the user whom it concerns, on a private topic of the live feed. */
export interface PrivateEvent<Fact extends OwnedFact = OwnedFact, Message = unknown> extends EventKind<Fact> {
  readonly topic: string;
  /** Builds the feed message that describes the event. */
  message(fact: Fact): Message;
}

/**
 * Declares an event that is sent to its owner on a private topic after the commit. The module lists it in its
 * `privateEvents`.
 *
 * @param declaration `name` of the event, e.g. `finance.changed`; `topic` as in the feed's description; `message`
 *   converts a fact to the topic's message
 */
export function privateEvent<Fact extends OwnedFact, Message extends readonly unknown[]>({
  name,
  topic,
  message,
}: {
  readonly name: string;
  readonly topic: string;
  readonly message: (fact: Fact) => Message;
}): PrivateEvent<Fact, Message> {
  return Object.assign(eventKind<Fact>(name), { topic, message });
}

/**
 * Registers the private topics of these events, and sends each event to its owner if the owner is subscribed. The
 * snapshot of such a topic is an empty list. Several kinds of events may have the same topic.
 */
export function connectPrivateEvents(
  privateEvents: readonly PrivateEvent[],
  events: Events,
  feed: Feed,
): void {
  for (const topic of new Set(privateEvents.map((event) => event.topic)))
    feed.servePrivate(topic, () => Promise.resolve([]));
  for (const event of privateEvents)
    events.on(event, (fact) => {
      if (feed.hasPrivateListener(event.topic, fact.owner))
        feed.publishPrivate(event.topic, fact.owner, event.message(fact));
    });
}
