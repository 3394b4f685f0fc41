import type { UserId } from '@exchange/core/ids.ts';
import { expect, it } from 'vitest';
import { recordingLog } from '../../../testing/recording-log.ts';
import { Events } from '../events.ts';
import type { Feed } from './feed.ts';
import { connectPrivateEvents, privateEvent } from './private-event.ts';

interface Fact {
  readonly owner: UserId;
  readonly id: string;
}

it('MSG-1087 facts about a user’s object reach that user alone, and only while connected; events share a topic', async () => {
  const [owner, stranger] = ['owner', 'stranger'] as [UserId, UserId];
  const deposited = privateEvent<Fact, readonly unknown[]>({
    name: 'test.deposited',
    topic: 'transfer',
    message: ({ id }) => [{ id, kind: 'deposit' }],
  });
  const withdrawn = privateEvent<Fact, readonly unknown[]>({
    name: 'test.withdrawn',
    topic: 'transfer',
    message: ({ id }) => [{ id, kind: 'withdrawal' }],
  });
  const snapshots = new Map<string, (user: UserId) => Promise<unknown>>();
  const sent: unknown[] = [];
  const feed: Feed = {
    serve: () => expect.unreachable(),
    servePrivate: (topic, snapshot) => {
      expect(snapshots.has(topic)).toBe(false);
      snapshots.set(topic, snapshot);
    },
    publish: () => expect.unreachable(),
    hasListeners: () => true,
    hasPrivateListener: (topic, user) => topic === 'transfer' && user === owner,
    publishPrivate: (...message) => sent.push(message),
  };
  const events = new Events(recordingLog());
  connectPrivateEvents([deposited, withdrawn], events, feed);
  expect(await snapshots.get('transfer')!(owner)).toEqual([]);
  events.publish([
    { name: deposited.name, fact: { owner, id: 'a' } },
    { name: deposited.name, fact: { owner: stranger, id: 'b' } },
    { name: withdrawn.name, fact: { owner, id: 'c' } },
  ]);
  expect(sent).toEqual([
    ['transfer', owner, [{ id: 'a', kind: 'deposit' }]],
    ['transfer', owner, [{ id: 'c', kind: 'withdrawal' }]],
  ]);
});
