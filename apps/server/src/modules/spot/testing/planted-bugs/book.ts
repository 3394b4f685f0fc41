import type { OrderBook, Amendment, IncomingOrder, Placement } from '../../../matching/index.ts';
import type * as matching from '../../../matching/index.ts';
import type * as placing from '../../placing.ts';
import type * as resting from '../../resting.ts';
import type * as touched from '../../exchange-state.ts';
import { planted, type PlantedBug } from './plant.ts';

type Prepared = Parameters<typeof placing.checkedIncoming>;

const SWAPPED = {
  cancelTaker: 'cancelMaker',
  cancelMaker: 'cancelTaker',
  cancelBoth: 'decrement',
  decrement: 'cancelBoth',
} as const;

/**
 * Planted bugs in the orders that the exchange passes to its books, and in its use of their
 * results.
 */
export const BOOK_BUGS: readonly PlantedBug[] = [
  planted<typeof placing>(
    'the modes of self-trade prevention are mixed up',
    'placing.ts',
    ({ checkedIncoming }) => ({
      checkedIncoming: (...parts: Prepared): IncomingOrder => {
        const order = checkedIncoming(...parts);
        return { ...order, selfTrade: SWAPPED[order.selfTrade] };
      },
    }),
  ),
  planted<typeof placing>('an order with an end does not rest', 'placing.ts', ({ checkedIncoming }) => ({
    checkedIncoming: (...parts: Prepared): IncomingOrder => {
      const order = checkedIncoming(...parts);
      return parts[1].timeInForce === 'GTT' && !order.postOnly ? { ...order, timeInForce: 'IOC' } : order;
    },
  })),
  planted<typeof resting>('a post-only order takes', 'resting.ts', ({ incomingOf }) => ({
    incomingOf: (...parts: Parameters<typeof incomingOf>): IncomingOrder => ({
      ...incomingOf(...parts),
      postOnly: false,
    }),
  })),
  planted<typeof resting>('a market order has no guard', 'resting.ts', ({ incomingOf }) => ({
    incomingOf: (...parts: Parameters<typeof incomingOf>): IncomingOrder => ({
      ...incomingOf(...parts),
      guardPrice: undefined,
    }),
  })),
  planted<typeof matching>('a decrement is not counted', '../matching/index.ts', ({ PriceTimeBook }) => ({
    PriceTimeBook: class extends PriceTimeBook {
      override place(order: IncomingOrder): Placement {
        return { ...super.place(order), decremented: 0n };
      }
    },
  })),
  planted<typeof matching>(
    'a greater amount keeps its place in the queue',
    '../matching/index.ts',
    ({ PriceTimeBook }) => ({
      PriceTimeBook: class extends PriceTimeBook {
        override amend(id: string, change: Amendment): Placement {
          const before = this.get(id);
          const behind = before === null ? [] : behindOf(this, before);
          const placement = super.amend(id, change);
          if (before === null || this.get(id)?.price !== before.price) return placement;
          for (const order of behind) this.cancel(order.id);
          for (const order of behind) this.restore(order);
          return placement;
        }
      },
    }),
  ),
  planted<typeof touched>(
    'a level that was traded away is not told',
    'exchange-state.ts',
    ({ ChangedLevels }) => ({
      ChangedLevels: class extends ChangedLevels {
        override publish(...[step, market]: Parameters<touched.ChangedLevels['publish']>): void {
          const { book, pair } = market;
          const shown = {
            amountAt: (...at: Parameters<OrderBook['amountAt']>) => book.amountAt(...at) || 1n,
          };
          super.publish(step, { pair, book: shown });
        }
      },
    }),
  ),
];

function behindOf(book: OrderBook, { id, side, price }: matching.RestingOrder): matching.RestingOrder[] {
  const queue = [...book.resting(side)].filter((order) => order.price === price);
  return queue.slice(queue.findIndex((order) => order.id === id) + 1);
}
