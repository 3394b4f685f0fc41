import { drawSoon } from '../../feed/draw-queue.ts';
import { feed } from '../../feed/feed.ts';
import type { TopicMessage } from '../../feed/feed-client.ts';
import { act } from '@testing-library/react';
import { vi } from 'vitest';

/**
 * Replaces the feed: returns a function that publishes data to the topic's subscribers, first as a snapshot, and waits
 * until they have drawn. Undone when the test's mocks are restored.
 */
export function topicPublisher(topic: string): (data: unknown) => Promise<void> {
  let listener: ((message: TopicMessage) => void) | undefined;
  vi.spyOn(feed, 'subscribe').mockImplementation((name, listening) => {
    if (name === topic) listener = listening;
    return () => undefined;
  });
  let seq = 0;
  return (data) =>
    act(async () => {
      seq += 1;
      const type = seq === 1 ? 'snapshot' : 'update';
      listener?.({ topic, type, seq, data } as TopicMessage);
      // The draw queue is first in, first out: published data are drawn before this.
      await new Promise<void>((resolve) => drawSoon(resolve));
    });
}
