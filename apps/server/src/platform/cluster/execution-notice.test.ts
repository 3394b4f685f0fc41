import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import type { TopicReceiver, TopicSource } from '../feed/feed.ts';
import { ExecutionNotice } from './execution-notice.ts';

const NOT_WAITING = '{"waitingSince":null}';

describe('the notice of a feed node that no writer leads', () => {
  let clock: FakeClock;
  let link: { isConnected: boolean };
  let writer: TopicSource & { writerSilentMs: number };
  let opened: Map<string, TopicReceiver>;
  let notice: ExecutionNotice;
  /** What the topic's receiver gets: states and updates as they are sent, and `invalidate`. */
  let received: string[];

  beforeEach(() => {
    vi.useFakeTimers();
    clock = new FakeClock();
    link = { isConnected: true };
    opened = new Map();
    received = [];
    writer = {
      writerSilentMs: 0,
      open: (topic, _userId, receiver) => opened.set(topic, receiver),
      refetch: () => undefined,
      close: (topic) => opened.delete(topic),
    };
    notice = new ExecutionNotice({ source: writer, link, clock });
    notice.start();
  });
  afterEach(async () => {
    await notice.stop();
    vi.useRealTimers();
  });

  const receiver: TopicReceiver = {
    install: (json, position) => received.push(`state ${position} ${json}`),
    update: (json, position) => received.push(`update ${position} ${json}`),
    invalidate: () => received.push('invalidate'),
    end: (reason) => received.push(reason),
  };
  const fromWriter = () => {
    const topic = opened.get('execution');
    if (topic === undefined) throw new Error('the topic is not open');
    return topic;
  };
  function pass(ms: number, { isSilent }: { readonly isSilent: boolean }): void {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      writer.writerSilentMs = isSilent ? writer.writerSilentMs + 500 : 0;
      vi.advanceTimersByTime(500);
    }
  }
  const waitingState = (position: number) =>
    expect.stringMatching(new RegExp(`^state ${position} \\{"waitingSince":\\d{13}\\}$`)) as string;

  it('CLU-113 is given after two seconds of silence, once, and withdrawn when the same writer is heard again', () => {
    notice.open('execution', undefined, receiver);
    fromWriter().install(NOT_WAITING, 7);
    pass(5_000, { isSilent: false });
    pass(1_500, { isSilent: true });
    expect(received).toEqual([`state 7 ${NOT_WAITING}`]);
    pass(10_000, { isSilent: true });
    expect(received.slice(1)).toEqual(['invalidate', waitingState(7)]);
    pass(500, { isSilent: false });
    expect(received.slice(3)).toEqual(['invalidate', `state 7 ${NOT_WAITING}`]);
    fromWriter().update('{"waitingSince":5}', 9);
    expect(received.slice(5)).toEqual(['update 9 {"waitingSince":5}']);
  });

  it('CLU-113 is given to clients that connect while no writer was ever heard, and ends with the first state', () => {
    pass(5_000, { isSilent: true });
    notice.open('execution', undefined, receiver);
    pass(500, { isSilent: true });
    expect(received).toEqual(['invalidate', waitingState(0)]);
    pass(1_000, { isSilent: false });
    expect(received).toHaveLength(2);
    fromWriter().install(NOT_WAITING, 3);
    expect(received.slice(2)).toEqual(['invalidate', `state 3 ${NOT_WAITING}`]);
  });

  it('CLU-113 ends with the state of another writer, and can be given again before that arrives', () => {
    notice.open('execution', undefined, receiver);
    fromWriter().install(NOT_WAITING, 7);
    pass(3_000, { isSilent: true });
    writer.writerSilentMs = 0;
    fromWriter().invalidate();
    received = [];
    pass(3_000, { isSilent: true });
    expect(received).toEqual(['invalidate', waitingState(0)]);
    fromWriter().update(NOT_WAITING, 2);
    expect(received.slice(2)).toEqual(['invalidate', `state 2 ${NOT_WAITING}`]);
  });

  it('CLU-113 does not count an interruption of the own connection', () => {
    notice.open('execution', undefined, receiver);
    link.isConnected = false;
    pass(4_000, { isSilent: true });
    link.isConnected = true;
    pass(1_500, { isSilent: true });
    expect(received).toEqual([]);
    pass(500, { isSilent: true });
    expect(received).toEqual(['invalidate', waitingState(0)]);
  });

  it('CLU-113 does not count a time in which the node itself was suspended', () => {
    notice.open('execution', undefined, receiver);
    pass(1_000, { isSilent: false });
    clock.advance(60_000);
    pass(2_000, { isSilent: true });
    writer.writerSilentMs = 0;
    pass(2_000, { isSilent: false });
    expect(received).toEqual([]);
  });

  it('CLU-113 concerns no other topic', () => {
    notice.open('depth.btcusdt', undefined, receiver);
    expect(opened.get('depth.btcusdt')).toBe(receiver);
    pass(5_000, { isSilent: true });
    expect(received).toEqual([]);
  });
});
