import { useEffect, useRef } from 'react';
import { feed } from './feed.ts';
import type { TopicListener } from './feed-client.ts';

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
