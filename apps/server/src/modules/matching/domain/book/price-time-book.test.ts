import { beforeEach, describe, expect, it } from 'vitest';
import type { IncomingOrder, Placement, SelfTrade, Side } from './contract.ts';
import { PriceTimeBook } from './price-time-book.ts';

let book: PriceTimeBook;

beforeEach(() => {
  book = new PriceTimeBook();
});

/** Places an order of user `taker`, GTC by default. */
function place(
  id: string,
  side: Side,
  price: bigint | null,
  amount: bigint | null,
  more: Partial<IncomingOrder> = {},
): Placement {
  return book.place(order(id, side, price, amount, more));
}

function order(
  id: string,
  side: Side,
  price: bigint | null,
  amount: bigint | null,
  more: Partial<IncomingOrder> = {},
): IncomingOrder {
  const timeInForce = price === null ? 'IOC' : 'GTC';
  const defaults = { owner: 'taker', timeInForce, postOnly: false, selfTrade: 'cancelTaker' } as const;
  return { id, side, price, amount, ...defaults, ...more };
}

/** Adds a resting order to the book without matching; its owner is `maker` unless another one is passed. */
function rest(id: string, side: Side, price: bigint, amount: bigint, owner = 'maker'): void {
  book.restore({ id, owner, side, price, amount });
}

const makers = (placed: Placement): string[] => placed.fills.map((fill) => fill.makerId);

describe('priority and price', () => {
  it('MATCH-001 the better price trades first, then the earlier order', () => {
    rest('late-cheap', 'sell', 100n, 1n);
    rest('dear', 'sell', 101n, 1n);
    rest('last-cheap', 'sell', 100n, 1n);
    expect(makers(place('buy', 'buy', 101n, 3n))).toEqual(['late-cheap', 'last-cheap', 'dear']);
  });

  it('MATCH-002 every trade happens at the price of the resting order', () => {
    rest('a', 'buy', 105n, 2n);
    rest('b', 'buy', 103n, 2n);
    const placed = place('sell', 'sell', 100n, 3n);
    expect(placed.fills.map((fill) => [fill.price, fill.amount, fill.makerRemaining])).toEqual([
      [105n, 2n, 0n],
      [103n, 1n, 1n],
    ]);
    expect(placed).toMatchObject({
      outcome: 'filled',
      filledAmount: 3n,
      filledTotal: 313n,
      worstPrice: 103n,
    });
  });

  it('MATCH-003 the remainder of a limit order rests on the book', () => {
    rest('a', 'sell', 100n, 2n);
    expect(place('b', 'buy', 100n, 5n)).toMatchObject({ outcome: 'rested', filledAmount: 2n, remaining: 3n });
    expect(book.get('b')).toEqual({ id: 'b', owner: 'taker', side: 'buy', price: 100n, amount: 3n });
    expect(book.best('sell')).toBeNull();
  });
});

describe('time in force and post-only', () => {
  it('MATCH-004 immediate-or-cancel cancels the amount that does not trade at once', () => {
    rest('a', 'sell', 100n, 2n);
    rest('b', 'sell', 102n, 2n);
    const placed = place('c', 'buy', 101n, 3n, { timeInForce: 'IOC' });
    expect(placed).toMatchObject({ outcome: 'partly', reason: 'limitReached', remaining: 1n });
    expect(book.get('c')).toBeNull();
  });

  it('MATCH-005 fill-or-kill trades in full or not at all', () => {
    rest('a', 'sell', 100n, 2n);
    rest('b', 'sell', 102n, 2n);
    const refused = place('c', 'buy', 101n, 3n, { timeInForce: 'FOK' });
    expect(refused).toMatchObject({ outcome: 'rejected', reason: 'cannotFill', fills: [], remaining: 3n });
    expect(book.depth(9).asks.map((level) => level.amount)).toEqual([2n, 2n]);
    expect(place('d', 'buy', 102n, 3n, { timeInForce: 'FOK' }).outcome).toBe('filled');
  });

  it.each<SelfTrade>(['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement'])(
    'MATCH-006 fill-or-kill that would match an order of the same owner does nothing (%s)',
    (selfTrade) => {
      rest('own', 'sell', 100n, 1n, 'taker');
      rest('other', 'sell', 101n, 9n);
      const placed = place('c', 'buy', 101n, 2n, { timeInForce: 'FOK', selfTrade });
      expect(placed).toMatchObject({
        outcome: 'rejected',
        reason: 'selfTrade',
        fills: [],
        cancelledMakers: [],
      });
      expect(book.size).toBe(2);
    },
  );

  it('MATCH-007 post-only is refused in full when any part would trade, and rests otherwise', () => {
    rest('a', 'sell', 100n, 1n);
    const refused = place('b', 'buy', 100n, 5n, { postOnly: true });
    expect(refused).toMatchObject({ outcome: 'rejected', reason: 'wouldCross', remaining: 5n });
    expect(book.size).toBe(1);
    expect(place('b', 'buy', 99n, 5n, { postOnly: true }).outcome).toBe('rested');
  });
});

describe('market orders', () => {
  it('MATCH-008 a market order by amount stops at its guard price and never rests', () => {
    rest('a', 'sell', 100n, 1n);
    rest('b', 'sell', 105n, 1n);
    rest('c', 'sell', 106n, 1n);
    const placed = place('m', 'buy', null, 3n, { guardPrice: 105n });
    expect(placed).toMatchObject({
      outcome: 'partly',
      reason: 'guardReached',
      filledTotal: 205n,
      remaining: 1n,
    });
    expect(place('n', 'buy', null, 3n)).toMatchObject({ outcome: 'partly', reason: 'noLiquidity' });
    expect(place('o', 'buy', null, 3n)).toMatchObject({ outcome: 'cancelled', reason: 'noLiquidity' });
  });

  it('MATCH-009 a market buy by total takes at each level the lots that the remaining total can pay for', () => {
    rest('a', 'sell', 100n, 2n);
    rest('b', 'sell', 150n, 9n);
    const placed = place('m', 'buy', null, null, { total: 520n });
    expect(placed).toMatchObject({
      outcome: 'filled',
      filledAmount: 4n,
      filledTotal: 500n,
      remainingTotal: 20n,
    });
    const tiny = place('n', 'buy', null, null, { total: 149n });
    expect(tiny).toMatchObject({ outcome: 'cancelled', reason: 'totalTooSmall', remainingTotal: 149n });
  });

  it('MATCH-010 a market sell by total never receives more than the total, nor sells more than its amount', () => {
    rest('a', 'buy', 100n, 10n);
    expect(place('m', 'sell', null, null, { total: 350n })).toMatchObject({
      outcome: 'filled',
      filledAmount: 3n,
    });
    expect(place('n', 'sell', null, 2n, { total: 350n })).toMatchObject({
      outcome: 'filled',
      filledAmount: 2n,
    });
  });
});

describe('self-trade prevention', () => {
  beforeEach(() => {
    rest('first', 'sell', 100n, 2n);
    rest('own', 'sell', 100n, 3n, 'taker');
    rest('after', 'sell', 100n, 9n);
  });

  const buy = (selfTrade: SelfTrade): Placement => place('t', 'buy', 100n, 7n, { selfTrade });

  it('MATCH-011 cancelTaker keeps earlier fills and cancels the rest of the incoming order', () => {
    expect(buy('cancelTaker')).toMatchObject({ outcome: 'partly', reason: 'selfTrade', filledAmount: 2n });
    expect(book.get('own')?.amount).toBe(3n);
    expect(book.get('t')).toBeNull();
  });

  it('MATCH-012 cancelMaker cancels the own resting order and continues to trade', () => {
    const placed = buy('cancelMaker');
    expect(placed).toMatchObject({ outcome: 'filled', filledAmount: 7n });
    expect(placed.cancelledMakers).toEqual([
      { id: 'own', owner: 'taker', price: 100n, amount: 3n, remaining: 0n },
    ]);
    expect(book.get('own')).toBeNull();
  });

  it('MATCH-013 cancelBoth cancels the own resting order and the remainder of the incoming order', () => {
    expect(buy('cancelBoth')).toMatchObject({ outcome: 'partly', reason: 'selfTrade', remaining: 5n });
    expect(book.get('own')).toBeNull();
    expect(book.get('after')?.amount).toBe(9n);
  });

  it('MATCH-014 decrement takes the smaller amount off both without a trade', () => {
    expect(buy('decrement')).toMatchObject({
      outcome: 'partly',
      decremented: 3n,
      filledAmount: 4n,
      remaining: 0n,
    });
    expect(book.get('own')).toBeNull();
    expect(book.get('after')?.amount).toBe(7n);
  });
});

describe('cancel and amend', () => {
  it('MATCH-015 a cancel returns the open amount, once', () => {
    rest('a', 'buy', 100n, 4n);
    place('s', 'sell', 100n, 1n);
    expect(book.cancel('a')).toEqual({ id: 'a', owner: 'maker', side: 'buy', price: 100n, amount: 3n });
    expect(book.cancel('a')).toBeNull();
    expect(book.depth(1)).toEqual({ bids: [], asks: [] });
  });

  it('MATCH-016 a smaller amount keeps its place; a larger one and a new price go to the back', () => {
    for (const id of ['a', 'b', 'c']) rest(id, 'sell', 100n, 5n);
    book.amend('a', { amount: 4n });
    expect([...book.resting('sell')].map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    book.amend('a', { amount: 6n });
    expect([...book.resting('sell')].map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    book.amend('b', { price: 101n });
    book.amend('b', { price: 100n });
    expect([...book.resting('sell')].map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });

  it('MATCH-017 an amended price that crosses trades at once, unless it is post-only', () => {
    rest('a', 'sell', 100n, 2n);
    rest('b', 'buy', 99n, 5n, 'taker');
    const refused = book.amend('b', { price: 100n, postOnly: true });
    expect(refused).toMatchObject({ outcome: 'rejected', reason: 'wouldCross', remaining: 5n });
    expect(book.get('b')?.price).toBe(99n);
    expect(book.amend('b', { price: 100n })).toMatchObject({
      outcome: 'rested',
      filledAmount: 2n,
      remaining: 3n,
    });
    expect(book.get('b')).toMatchObject({ price: 100n, amount: 3n });
    expect(book.amend('gone', { amount: 1n })).toMatchObject({ outcome: 'rejected', reason: 'unknownOrder' });
  });
});

describe('invalid orders', () => {
  it('MATCH-018 an invalid order, an id that rests, and a stored order that crosses change nothing', () => {
    rest('a', 'sell', 100n, 2n);
    expect(() => place('b', 'buy', 0n, 1n)).toThrow(RangeError);
    expect(() => place('b', 'buy', null, 1n, { timeInForce: 'GTC' })).toThrow('cannot rest');
    expect(() => place('a', 'buy', 100n, 1n)).toThrow('rests already');
    expect(() => rest('c', 'buy', 100n, 1n)).toThrow('may not cross');
    expect(book.size).toBe(1);
    expect(book.validate()).toEqual([]);
  });

  it('MATCH-018 prices that round to the same float keep their order', () => {
    const far = 2n ** 60n;
    for (const step of [3n, 1n, 2n, 0n]) rest(`s${step}`, 'sell', far + step, 1n);
    expect(book.depth(9).asks.map(({ price }) => price - far)).toEqual([0n, 1n, 2n, 3n]);
    book.cancel('s1');
    expect(book.depth(9).asks.map(({ price }) => price - far)).toEqual([0n, 2n, 3n]);
    expect(book.validate()).toEqual([]);
  });
});
