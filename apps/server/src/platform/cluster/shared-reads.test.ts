import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import type { TextAnswer } from './commands.ts';
import { SharedReads, type SharedAnswer } from './shared-reads.ts';

const text = (body: string): TextAnswer => ({ status: 200, code: 1, body });

/** Reads whose commands are answered by the test: each sent command with the function that answers it. */
function reads() {
  const sent: {
    readonly callers: readonly string[];
    answer(answer: SharedAnswer): void;
    fail(cause: Error): void;
  }[] = [];
  let shared = 0;
  const clock = new FakeClock();
  const sharing = new SharedReads<string>({
    send: (first, others) =>
      new Promise((resolve, reject) => {
        sent.push({ callers: [first, ...others], answer: resolve, fail: reject });
      }),
    groupOf: (caller) => caller,
    clock,
    onShared: (count) => (shared += count),
  });
  const read = async (key: string, caller: string) => (await sharing.read(key, caller)).body;
  return { sent, read, clock, shared: () => shared };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('identical reads of several callers', () => {
  it('CLU-114 wait for the answer to the earlier command, and are then one command', async () => {
    const { sent, read, shared } = reads();
    const answers = ['a', 'b', 'c'].map((caller) => read('depth', caller));
    expect(sent.map(({ callers }) => callers)).toEqual([['a']]);
    sent[0]!.answer({ first: text('old'), others: undefined });
    await settled();
    expect(sent.map(({ callers }) => callers)).toEqual([['a'], ['b', 'c']]);
    const late = read('depth', 'd');
    sent[1]!.answer({ first: text('new'), others: [text('new, c')] });
    await settled();
    expect(sent[2]?.callers).toEqual(['d']);
    sent[2]!.answer({ first: text('newest'), others: undefined });
    expect(await Promise.all([...answers, late])).toEqual(['old', 'new', 'new, c', 'newest']);
    expect(shared()).toBe(1);
  });

  it('CLU-114 with other keys do not wait', async () => {
    const { sent, read } = reads();
    const answers = [read('depth', 'a'), read('trades', 'b')];
    expect(sent.map(({ callers }) => callers)).toEqual([['a'], ['b']]);
    for (const command of sent) command.answer({ first: text('x'), others: undefined });
    await Promise.all(answers);
  });

  it('CLU-114 are sent one by one if the answer is for the first caller only', async () => {
    const { sent, read, shared } = reads();
    const answers = ['a', 'b', 'c'].map((caller) => read('depth', caller));
    sent[0]!.answer({ first: text('1'), others: undefined });
    await settled();
    sent[1]!.answer({ first: text('refused'), others: undefined });
    await settled();
    expect(sent.map(({ callers }) => callers)).toEqual([['a'], ['b', 'c'], ['c']]);
    sent[2]!.answer({ first: text('3'), others: undefined });
    expect(await Promise.all(answers)).toEqual(['1', 'refused', '3']);
    expect(shared()).toBe(0);
  });

  it('CLU-115 name callers last that were refused within ten seconds, so that others share the first answer', async () => {
    const { sent, read, clock } = reads();
    const refused: TextAnswer = { status: 429, code: -9, body: 'wait' };
    const flood = read('depth', 'flood');
    sent[0]!.answer({ first: refused, others: undefined });
    expect(await flood).toBe('wait');
    const answers = ['a', 'flood', 'b'].map((caller) => read('depth', caller));
    sent[1]!.answer({ first: text('1'), others: undefined });
    await settled();
    expect(sent[2]?.callers).toEqual(['b', 'flood']);
    sent[2]!.answer({ first: text('2'), others: [text('2')] });
    expect(await Promise.all(answers)).toEqual(['1', '2', '2']);
    clock.advance(10_000);
    const later = ['a', 'flood', 'b'].map((caller) => read('depth', caller));
    sent[3]!.answer({ first: text('3'), others: undefined });
    await settled();
    expect(sent[4]?.callers).toEqual(['flood', 'b']);
    sent[4]!.answer({ first: text('4'), others: [text('4')] });
    await Promise.all(later);
  });

  it('CLU-114 fail together without an answer, also those that wait, and the next call is sent', async () => {
    const { sent, read } = reads();
    const answers = [read('depth', 'a'), read('depth', 'b')];
    sent[0]!.fail(new Error('no answer'));
    for (const answer of answers) await expect(answer).rejects.toThrow('no answer');
    expect(sent).toHaveLength(1);
    const next = read('depth', 'c');
    sent[1]!.answer({ first: text('again'), others: undefined });
    expect(await next).toBe('again');
  });

  it('CLU-114 are divided into commands of at most 256 callers', async () => {
    const { sent, read } = reads();
    const answers = Array.from({ length: 601 }, (_, index) => read('depth', String(index)));
    for (let count = 0; count < 4; count += 1) {
      const command = sent[count]!;
      const [, ...others] = command.callers;
      command.answer({ first: text('x'), others: others.map(() => text('x')) });
      await settled();
    }
    expect(sent.map(({ callers }) => callers.length)).toEqual([1, 256, 256, 88]);
    await Promise.all(answers);
  });
});
