import { drawSoon } from '../../feed/draw-queue.ts';
import { feed } from '../../feed/feed.ts';
import type { TopicMessage } from '../../feed/feed-client.ts';
import { act } from '@testing-library/react';
import { vi } from 'vitest';

/**
 * Stands for the feed: what the given function publishes, whoever subscribes to the topic receives, a snapshot first, and
 * has drawn. Ends with the test's mocks.
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
      // First come, first served: what was published is drawn before this.
      await new Promise<void>((resolve) => drawSoon(resolve));
    });
}
