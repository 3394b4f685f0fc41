import { drawSoon } from '../../feed/draw-queue.ts';
import { feed } from '../../feed/feed.ts';
import type { TopicMessage } from '../../feed/feed-client.ts';
import { act } from '@testing-library/react';
import { vi } from 'vitest';

/**
 * Mocks the feed. Returns a function that publishes data to the subscribers of `topic`, at the first call as a
 * snapshot, then as updates, and resolves when the subscribers have drawn. Restoring the test's mocks restores the real
 * feed.
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
      // The draw queue draws in the order of the requests, so the published data have been drawn when this request
      // runs.
      await new Promise<void>((resolve) => drawSoon(resolve));
    });
}
