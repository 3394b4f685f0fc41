import type { ProductAccount } from '@exchange/core/accounts.ts';
import { FEED_PATH } from '@exchange/wire/feed.ts';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { sessionEndedByServer } from '../api/client.ts';
import { sessionToken, useSession } from '../session/session-store.ts';
import { FeedClient, type FeedState, type TopicListener } from './feed-client.ts';

const useState = create<{ state: FeedState }>(() => ({ state: 'connecting' }));

/** The page's only feed connection. */
export const feed = new FeedClient({
  url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${FEED_PATH}`,
  token: sessionToken,
  onState: (state) => {
    // A stale feed stays stale while the client reconnects, and becomes live when the connection is open.
    if (state === 'connecting' && useState.getState().state === 'stale') return;
    useState.setState({ state });
  },
  onEnded: () => sessionEndedByServer('l.session_ended'),
});

/** State of live data: `live`, `connecting` (just opened or just lost), or `stale` (lost or silent for 10 seconds). */
export function useFeedState(): FeedState {
  return useState(({ state }) => state);
}

export function feedState(): FeedState {
  return useState.getState().state;
}

/**
 * Returns whether the page currently receives the given private topic: the feed is live, the connection is
 * authenticated, and the topic's snapshot has arrived. False, for example, if the server refuses the topic
 * because the account has too many connections.
 */
export function receivesPrivateTopic(
  topic: 'order' | 'asset' | 'transfer' | 'contract' | ProductAccount,
): boolean {
  return feedState() === 'live' && feed.isSignedIn && feed.receives(topic);
}

/** Calls `listener` each time the feed's state changes to `live`. Returns a function that removes the listener. */
export function onFeedLive(listener: () => void): () => void {
  return useState.subscribe((current, previous) => {
    if (current.state === 'live' && previous.state !== 'live') listener();
  });
}

/**
 * Connects the feed, and writes its state to the document's `data-feed` attribute. Reconnects after sign-ins and
 * sign-outs, and when the device comes online while the feed is not live. Returns a function that closes the connection
 * and removes all these listeners.
 */
export function startFeed(): () => void {
  const markDocument = (state: FeedState): void => {
    document.documentElement.dataset['feed'] = state;
  };
  markDocument(feedState());
  const stopMarking = useState.subscribe(({ state }) => markDocument(state));
  feed.start();
  const stopFollowingSession = useSession.subscribe((current, previous) => {
    if (current.session?.token !== previous.session?.token) feed.reconnect();
  });
  const reconnectWhenOnline = () => {
    if (feedState() !== 'live') feed.reconnect();
  };
  window.addEventListener('online', reconnectWhenOnline);
  return () => {
    stopFollowingSession();
    stopMarking();
    window.removeEventListener('online', reconnectWhenOnline);
    feed.stop();
  };
}

/**
 * Collects the messages of a private topic while a query for the same data is loading. The response of the query may be
 * older than these messages, so they are then applied to the response in the sequence of their arrival.
 */
export class UpdatesDuringLoad<Message> {
  private readonly loads = new Set<Message[]>();

  /** Adds a message of the feed topic to the received messages of each `load` that is still running. */
  receive(message: Message): void {
    for (const received of this.loads) received.push(message);
  }

  /**
   * Runs `load`, then applies to its result with `apply` each message received during the load, and returns the
   * outcome.
   */
  async load<Answer>(
    load: () => Promise<Answer>,
    apply: (answer: Answer, message: Message) => Answer,
  ): Promise<Answer> {
    const received: Message[] = [];
    this.loads.add(received);
    try {
      return received.reduce(apply, await load());
    } finally {
      this.loads.delete(received);
    }
  }
}

/** Subscribes to a feed topic while the component is mounted; does nothing when `topic` is undefined. */
export function useTopic(topic: string | undefined, listener: TopicListener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(
    () => (topic === undefined ? undefined : feed.subscribe(topic, (message) => latest.current(message))),
    [topic],
  );
}
