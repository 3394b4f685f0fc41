import { describe, expect, it } from 'vitest';
import { FrameDistributor, type FrameSource } from './spreader.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Creates a frame distributor whose clock advances one millisecond per hundred writes, and topics for it. */
function createScene() {
  let written = 0;
  const order: string[] = [];
  const spreader = new FrameDistributor({ monotonicMs: () => written / 100 });
  /** Creates a topic with `readers` subscribers, each of whom must receive `updates` updates. */
  const createTopic = (name: string, readers: number, updates = 1): FrameSource => {
    let left = readers * updates;
    return {
      sendNext: (most) => {
        const count = Math.min(most, left);
        if (count > 0 && order.at(-1) !== name) order.push(name);
        left -= count;
        written += count;
        return left > 0;
      },
    };
  };
  return { spreader, aTopic: createTopic, order, written: () => written };
}

describe('distribution to many subscribers', () => {
  it('EDGE-103 a turn of the event loop writes for at most 5 ms, however many topics change', async () => {
    const { spreader, aTopic, written } = createScene();
    for (let n = 0; n < 20; n += 1) spreader.add(aTopic(`ticker.coin${n}usdt`, 100));
    expect(written()).toBe(0);
    const perTurn: number[] = [];
    while (written() < 2_000) {
      const writtenBefore = written();
      await nextTurn();
      perTurn.push(written() - writtenBefore);
    }
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(600);
    expect(perTurn.length).toBeGreaterThanOrEqual(4);
  });

  it('EDGE-103 topics are served in order of arrival, each completely', async () => {
    const { spreader, aTopic, order, written } = createScene();
    const depth = aTopic('depth', 700, 2);
    spreader.add(depth);
    spreader.add(aTopic('trade', 700));
    spreader.add(depth);
    while (written() < 2_100) await nextTurn();
    expect(order).toEqual(['depth', 'trade']);
    await nextTurn();
    expect(written()).toBe(2_100);
  });
});
