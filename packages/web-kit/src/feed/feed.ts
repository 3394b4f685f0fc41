import { FEED_PATH } from '@exchange/wire/feed.ts';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { sessionEndedByServer } from '../api/client.ts';
import { sessionToken, useSession } from '../session/session-store.ts';
import { FeedClient, type FeedState, type TopicListener } from './feed-client.ts';

const useState = create<{ state: FeedState }>(() => ({ state: 'connecting' }));

/** The page's one connection. */
export const feed = new FeedClient({
  url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${FEED_PATH}`,
  token: sessionToken,
  onState: (state) => {
    // A stale feed stays stale while it tries again: only data makes it live.
    if (state === 'connecting' && useState.getState().state === 'stale') return;
    useState.setState({ state });
  },
  onEnded: () => sessionEndedByServer('l.session_ended'),
});

/** Whether live data arrives: `live`, `connecting` (just opened or just lost), `stale` (lost or silent for 10 s). */
export function useFeedState(): FeedState {
  return useState(({ state }) => state);
}

export function feedState(): FeedState {
  return useState.getState().state;
}

/**
 * Whether a private topic arrives. It does not on a connection beyond the account's limit, however live that is, nor
 * where the server could not begin it.
 */
export function receivesOwn(
  topic: 'order' | 'asset' | 'finance' | 'mining' | 'fund' | 'transfer' | 'contract' | 'subscription',
): boolean {
  return feedState() === 'live' && feed.isSignedIn && feed.receives(topic);
}

/** Calls `listener` whenever live data arrive again after they did not; gives the way to stop it. */
export function onFeedLive(listener: () => void): () => void {
  return useState.subscribe((now, before) => {
    if (now.state === 'live' && before.state !== 'live') listener();
  });
}

/** Connects the page, marks it with the state of its data, follows sign-ins and the device's network; gives the way to stop. */
export function startFeed(): () => void {
  const mark = (state: FeedState): void => {
    document.documentElement.dataset['feed'] = state;
  };
  mark(feedState());
  const unmark = useState.subscribe(({ state }) => mark(state));
  feed.start();
  const unfollow = useSession.subscribe((now, before) => {
    if (now.session?.token !== before.session?.token) feed.reconnect();
  });
  const online = () => {
    if (feedState() !== 'live') feed.reconnect();
  };
  window.addEventListener('online', online);
  return () => {
    unfollow();
    unmark();
    window.removeEventListener('online', online);
    feed.stop();
  };
}

/**
 * Remembers what a private topic receives while something about it is being loaded. An answer may be older than what was
 * received before it arrived; what was received is then applied to it, in its order, and wins.
 */
export class ReceivedMeanwhile<Message> {
  private readonly loads = new Set<Message[]>();

  /** The topic has sent this. */
  receive(message: Message): void {
    for (const received of this.loads) received.push(message);
  }

  /** Loads, and gives the answer after `apply` has brought it up to each message that came meanwhile. */
  async during<Answer>(
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

/** Listens to a topic while the component is on screen; undefined listens to nothing. */
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
