import { Decimal } from '@exchange/core/decimal.ts';
import { triggersStop } from '@exchange/core/stop.ts';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import type { SpotOrder } from './order.ts';
import { StopLevels } from './stop-levels.ts';

it.each(['gte', 'lte'] as const)(
  'SPOT-985 the index of %s stops finds the lowest rank that a price triggers after any sequence of additions and removals',
  (direction) => {
    const random = seededRandom(direction === 'gte' ? 11 : 12);
    const levels = new StopLevels(direction);
    const present = new Set<SpotOrder>();
    for (let rank = 1; rank <= 6_000; rank += 1) {
      if (random.chance(0.6) || present.size === 0) {
        const stop = { price: Decimal.parse(String(random.whole(1, 60))) };
        const order = { id: `order ${rank}`, rank, stop } as unknown as SpotOrder;
        levels.add(order);
        present.add(order);
      } else {
        const order = random.pick([...present].slice(0, 30));
        levels.remove(order);
        present.delete(order);
        // Removing an order that is no longer in the index does nothing.
        levels.remove(order);
      }
      if (rank % 7 !== 0) continue;
      const last = Decimal.parse(String(random.whole(0, 61)));
      const met = [...present].filter(({ stop }) => triggersStop(direction, stop!.price, last));
      const lowest = met.reduce<SpotOrder | undefined>(
        (lowestSoFar, order) =>
          lowestSoFar === undefined || order.rank < lowestSoFar.rank ? order : lowestSoFar,
        undefined,
      );
      expect(levels.lowestTriggered(last)).toBe(lowest);
    }
  },
);
