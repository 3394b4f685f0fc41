import { expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { OpenOrders } from './open-orders.ts';
import type { SpotOrder } from './order.ts';

it('PAPI-148 a client order id is found while an open order of its owner has it, after any sequence of additions and removals', () => {
  const random = seededRandom(3);
  const orders = new OpenOrders();
  const present: SpotOrder[] = [];
  const found = { yes: 0, no: 0 };
  for (let count = 1; count <= 4_000; count += 1) {
    if (random.chance(0.52) || present.length === 0) {
      const order = {
        id: `00000000-0000-7000-8000-${String(count).padStart(12, '0')}`,
        owner: `owner ${random.whole(1, 3)}`,
        clientId: `name ${random.whole(1, 40)}`,
        sessionId: '',
        pair: { symbol: 'BTCUSDT' },
      } as unknown as SpotOrder;
      orders.add(order);
      present.push(order);
    } else {
      orders.remove(present.splice(random.whole(0, present.length - 1), 1)[0]!);
    }
    const [owner, name] = [`owner ${random.whole(1, 3)}` as UserId, `name ${random.whole(1, 40)}`];
    const isOpen = present.some((order) => order.owner === owner && order.clientId === name);
    expect(orders.hasClientId(owner, name)).toBe(isOpen);
    found[isOpen ? 'yes' : 'no'] += 1;
  }
  expect(Math.min(found.yes, found.no)).toBeGreaterThan(300);
});
