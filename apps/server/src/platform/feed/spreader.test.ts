import { describe, expect, it } from 'vitest';
import { Spreader, type Spread } from './spreader.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A clock that goes on a millisecond with every hundred sockets written to. */
function aScene() {
  let written = 0;
  const order: string[] = [];
  const spreader = new Spreader({ monotonicMs: () => written / 100 });
  /** So many readers of one topic; each of them gets so many updates. */
  const aTopic = (name: string, readers: number, updates = 1): Spread => {
    let left = readers * updates;
    return {
      handOut: (most) => {
        const now = Math.min(most, left);
        if (now > 0 && order.at(-1) !== name) order.push(name);
        left -= now;
        written += now;
        return left > 0;
      },
    };
  };
  return { spreader, aTopic, order, written: () => written };
}

describe('handing out to many', () => {
  it('EDGE-103 writes for at most 5 ms in one turn of the event loop, however many topics change at once', async () => {
    const { spreader, aTopic, written } = aScene();
    for (let n = 0; n < 20; n += 1) spreader.add(aTopic(`ticker.coin${n}usdt`, 100));
    expect(written()).toBe(0);
    const perTurn: number[] = [];
    while (written() < 2_000) {
      const before = written();
      await nextTurn();
      perTurn.push(written() - before);
    }
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(600);
    expect(perTurn.length).toBeGreaterThanOrEqual(4);
  });

  it('EDGE-103 serves topics in the order of their news, and each to its end', async () => {
    const { spreader, aTopic, order, written } = aScene();
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
