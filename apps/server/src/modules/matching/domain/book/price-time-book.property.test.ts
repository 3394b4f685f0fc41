import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomCommands, type Command } from '../../testing/random-commands.ts';
import { SHAPES } from '../../testing/shapes.ts';
import type { IncomingOrder, OrderBook, Placement, RestingOrder } from './contract.ts';
import { PriceTimeBook } from './price-time-book.ts';

const anyMarket = fc.record({
  shape: fc.constantFrom(...SHAPES),
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  commands: fc.integer({ min: 1, max: 150 }),
});

/** Runs a random market and calls `onPlacement`, which executes the placement, for every order. */
function trade(
  market: { shape: (typeof SHAPES)[number]; seed: number; commands: number },
  book: OrderBook,
  onPlacement: (order: IncomingOrder, placing: () => Placement) => void,
): void {
  const commands = new RandomCommands(market.shape, market.seed);
  for (let count = 0; count < market.commands; count += 1) {
    const command: Command = commands.next(book.size);
    try {
      if (command.kind === 'cancel') book.cancel(command.id);
      else if (command.kind === 'amend') book.amend(command.id, command.change);
      else onPlacement(command.order, () => book.place(command.order));
    } catch (error) {
      // The random market contains invalid orders; the book refuses them with `RangeError` only.
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

const restingLots = (book: OrderBook): bigint =>
  [...book.resting('buy'), ...book.resting('sell')].reduce((sum, order) => sum + order.amount, 0n);

describe('properties of the book', () => {
  it('MATCH-022 a quote returns exactly what placing does and changes nothing', () => {
    fc.assert(
      fc.property(anyMarket, (market) => {
        const book = new PriceTimeBook();
        trade(market, book, (order, placing) => {
          const before = [...book.resting('buy'), ...book.resting('sell')];
          const quoted = book.quote(order);
          expect([...book.resting('buy'), ...book.resting('sell')]).toEqual(before);
          expect(placing()).toMatchObject(quoted);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('MATCH-023 no lot is lost: each is traded, decremented, cancelled or resting', () => {
    fc.assert(
      fc.property(anyMarket, (market) => {
        const book = new PriceTimeBook();
        trade(market, book, (order, placing) => {
          const before = restingLots(book);
          const placed = placing();
          const cancelled = placed.cancelledMakers.reduce((sum, maker) => sum + maker.amount, 0n);
          const added = placed.outcome === 'rested' ? placed.remaining : 0n;
          expect(restingLots(book)).toBe(before - placed.filledAmount - cancelled + added);
          const lots = placed.filledAmount + placed.decremented + placed.remaining;
          expect(order.amount === null || lots === order.amount).toBe(true);
          const total = placed.filledTotal + placed.remainingTotal;
          expect(order.total === undefined || total <= order.total).toBe(true);
        });
        expect(book.validate()).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('MATCH-024 no trade is worse than the limit or guard price, and no owner trades with itself', () => {
    fc.assert(
      fc.property(anyMarket, (market) => {
        const book = new PriceTimeBook();
        trade(market, book, (order, placing) => {
          const limit = order.price ?? order.guardPrice;
          for (const fill of placing().fills) {
            expect(fill.makerOwner).not.toBe(order.owner);
            if (limit === undefined) continue;
            const isFair = order.side === 'buy' ? fill.price <= limit : fill.price >= limit;
            expect(isFair).toBe(true);
          }
        });
      }),
      { numRuns: 100 },
    );
  });

  it('MATCH-025 a book restored from its resting orders equals the original', () => {
    fc.assert(
      fc.property(anyMarket, (market) => {
        const book = new PriceTimeBook();
        trade(market, book, (_order, placing) => void placing());
        const stored: RestingOrder[] = [...book.resting('buy'), ...book.resting('sell')];
        const restored = new PriceTimeBook();
        for (const order of stored) restored.restore(order);
        expect([...restored.resting('buy'), ...restored.resting('sell')]).toEqual(stored);
        expect(restored.depth(1_000)).toEqual(book.depth(1_000));
        expect(restored.validate()).toEqual([]);
        restored.clear();
        expect([restored.size, restored.best('buy'), restored.validate()]).toEqual([0, null, []]);
      }),
      { numRuns: 60 },
    );
  });
});
