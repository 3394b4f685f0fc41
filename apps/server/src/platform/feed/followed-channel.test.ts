import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import type { Connection, Following } from './connection.ts';
import { FollowedChannel, TopicFailure } from './followed-channel.ts';
import type { SharedFrame } from './frame.ts';
import { FrameDistributor } from './spreader.ts';

interface Message {
  readonly type: 'snapshot' | 'update';
  readonly seq: number;
  readonly data: number;
}

/** A test subscriber of a topic whose state is a number; each update raises the number by one. */
class Subscriber {
  readonly messages: Message[] = [];
  readonly subscriptions = new Map<string, Following>();
  readonly isOpen = true;
  value: number | undefined;
  private seq = 0;

  get connection(): Connection {
    return this as unknown as Connection;
  }

  write(frame: SharedFrame): boolean {
    const { type, seq, data } = JSON.parse(frame.text) as Message;
    if (type === 'update' && (seq !== this.seq + 1 || data !== (this.value ?? Number.NaN) + 1))
      throw new Error(`update ${seq} to ${data} after ${this.seq}, ${this.value}`);
    this.seq = seq;
    this.value = data;
    this.messages.push({ type, seq, data });
    return true;
  }
}

/** Simulates a topic that another process publishes, whose messages arrive late and may be lost. */
class Topic {
  value = 0;
  position = 0;
  readonly arriving: (() => void)[] = [];
  readonly channel: FollowedChannel;
  readonly failed: unknown[] = [];
  isFollowed = true;
  /** Whether snapshots arrive before the updates that they contain. */
  overtakes = false;
  requests = 1;
  private request = 1;

  constructor() {
    const clock = new FakeClock();
    this.channel = new FollowedChannel({
      topic: 'tickers',
      clock,
      spreader: new FrameDistributor(clock),
      refetch: () => this.fetch(),
      failed: (_connection, cause) => this.failed.push(cause),
      emptied: () => (this.isFollowed = false),
    });
    this.answer();
  }

  publish(): void {
    this.value += 1;
    this.position += 1;
    const { value, position } = this;
    this.arriving.push(() => this.channel.update(String(value), position));
  }

  /**
   * Simulates the moment at which a request for a snapshot reaches the publishing process, which then sends its current
   * state.
   */
  fetch(): void {
    this.requests += 1;
    this.request += 1;
    this.answer();
  }

  arrive(): void {
    this.arriving.shift()?.();
  }

  /**
   * Drops the next message, if there is one. When the message would have arrived, its loss is detected instead, and a
   * snapshot is requested.
   */
  lose(): void {
    if (this.arriving.shift() === undefined) return;
    this.arriving.unshift(() => {
      this.channel.invalidate();
      this.fetch();
    });
  }

  private answer(): void {
    const { value, position, request } = this;
    const install = () => {
      // This simulation discards a snapshot that answers an earlier, replaced request.
      if (request === this.request) this.channel.install(String(value), position);
    };
    // Snapshots and public updates are sent separately, so they may arrive in another order.
    if (this.overtakes) this.arriving.unshift(install);
    else this.arriving.push(install);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a topic that another process publishes', () => {
  it('CLU-031 every subscriber has the last state and no gap, whatever is lost and whenever it joins', async () => {
    const steps = fc.array(
      fc.constantFrom(
        'publish',
        'publish',
        'arrive',
        'arrive',
        'lose',
        'join',
        'burst',
        'settle',
        'overtake',
      ),
      {
        maxLength: 30,
        size: 'medium',
      },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const topic = new Topic();
        const subscribers: Subscriber[] = [];
        const join = () => {
          const subscriber = new Subscriber();
          subscribers.push(subscriber);
          topic.channel.join(subscriber.connection);
        };
        join();
        for (const step of sequence) {
          if (step === 'join') join();
          else if (step === 'burst') for (let count = 0; count < 70; count += 1) topic.publish();
          else if (step === 'settle') await settled();
          else if (step === 'overtake') topic.overtakes = !topic.overtakes;
          else topic[step]();
        }
        for (let rounds = 0; topic.arriving.length > 0 && rounds < 10_000; rounds += 1) {
          topic.arrive();
          await Promise.resolve();
        }
        await settled();
        expect(subscribers.map(({ value }) => value)).toEqual(subscribers.map(() => topic.value));
      }),
    );
  });

  it('CLU-031 a snapshot that was out of date before it was delivered is followed by the newer one', async () => {
    const topic = new Topic();
    const subscriber = new Subscriber();
    topic.channel.join(subscriber.connection);
    // In a single turn of the event loop the snapshot arrives, the loss of an update is detected, and the snapshot that
    // replaces the first one arrives.
    topic.arrive();
    topic.publish();
    topic.lose();
    topic.arrive();
    topic.arrive();
    await settled();
    expect(subscriber.messages.map(({ type, data }) => [type, data])).toEqual([
      ['snapshot', 0],
      ['snapshot', 1],
    ]);
  });

  it('CLU-031 updates that a snapshot contains already are not sent again', async () => {
    const { channel } = new Topic();
    const subscriber = new Subscriber();
    channel.join(subscriber.connection);
    channel.update('1', 1);
    channel.install('2', 2);
    await settled();
    channel.update('2', 2);
    channel.update('3', 3);
    expect(subscriber.messages.map(({ type, data }) => [type, data])).toEqual([
      ['snapshot', 2],
      ['update', 3],
    ]);
  });

  it('CLU-032 many subscribers cost the publisher one snapshot, until too many updates have followed it', async () => {
    const topic = new Topic();
    const subscribers = Array.from({ length: 200 }, () => new Subscriber());
    for (const { connection } of subscribers.slice(0, 120)) topic.channel.join(connection);
    topic.arrive();
    await settled();
    for (let count = 0; count < 10; count += 1) topic.publish();
    while (topic.arriving.length > 0) topic.arrive();
    for (const { connection } of subscribers.slice(120)) topic.channel.join(connection);
    await settled();
    expect(new Set(subscribers.map(({ value }) => value))).toEqual(new Set([10]));
    expect(topic.requests).toBe(1);
    for (let count = 0; count < 80; count += 1) topic.publish();
    while (topic.arriving.length > 0) topic.arrive();
    topic.channel.join(new Subscriber().connection);
    expect(topic.requests).toBe(2);
  });

  it('CLU-033 a topic that does not exist ends its subscriptions, and one that nobody reads is not followed', () => {
    const topic = new Topic();
    const subscriber = new Subscriber();
    topic.channel.join(subscriber.connection);
    topic.channel.end('absent');
    expect(topic.failed).toMatchObject([new TopicFailure('absent')]);
    expect([subscriber.subscriptions.size, topic.isFollowed]).toEqual([0, false]);
  });
});
