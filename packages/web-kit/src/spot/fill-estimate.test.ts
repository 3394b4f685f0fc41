import { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Level } from '../market/book.ts';
import { figuresOf, fillEstimate } from './fill-estimate.ts';
import { PAIR } from './testing/fixtures.ts';
import { initialTicket, type Ticket } from './ticket.ts';

const d = (text: string) => Decimal.parse(text);
/** Test pair whose amounts are integers, so that the reference implementation can buy unit by unit. */
const WHOLE = { ...PAIR, amountDigits: 0, filters: { ...PAIR.filters, marketGuard: Decimal.one } };

function rows(...texts: readonly (readonly [price: string, amount: string])[]): Level[] {
  return texts.map(([price, amount]) => ({ price: d(price), amount: d(amount) }));
}

function market(side: 'buy' | 'sell', by: 'amount' | 'total', orderedSize: string): Ticket {
  return { ...initialTicket(side, 'market'), by, [by]: orderedSize };
}

/** Reference implementation: buys units of 1 one after the other, each from the cheapest level that is not used up. */
function unitByUnit(levels: readonly Level[], by: 'amount' | 'total', orderedSize: number) {
  const units = levels.flatMap(({ price, amount }) =>
    Array.from({ length: Number(amount.toString()) }, () => Number(price.toString())),
  );
  let [amount, total] = [0, 0];
  for (const price of units) {
    if (by === 'amount' ? amount === orderedSize : total + price > orderedSize)
      return { amount, total, isWhole: true };
    amount += 1;
    total += price;
  }
  // If the levels are used up, an order by total is whole only if its remaining total is too small for
  // another unit at the last price.
  return {
    amount,
    total,
    isWhole: by === 'amount' ? amount === orderedSize : orderedSize - total < units.at(-1)!,
  };
}

describe('the estimate of a market order', () => {
  it('WEB-129 fills levels from the best price like unit-by-unit trading', () => {
    const book = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 5 })), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        book,
        fc.constantFrom('amount', 'total'),
        fc.integer({ min: 1, max: 2_500 }),
        (steps, by, most) => {
          let price = 100;
          const levels = rows(
            ...steps.map(([step, amount]) => [String((price += step)), String(amount)] as const),
          );
          const orderedSize = by === 'amount' ? (most % 30) + 1 : most;
          const expected = unitByUnit(levels, by, orderedSize);
          const estimate = fillEstimate(market('buy', by, String(orderedSize)), WHOLE, levels);
          expect(estimate?.amount.toString() ?? '0').toBe(String(expected.amount));
          if (estimate === undefined) return;
          const average = d(String(expected.total)).over(estimate.amount, 'up', PAIR.priceDigits);
          expect(estimate.averagePrice.toString()).toBe(average.toString());
          expect(estimate.isWhole).toBe(expected.isWhole);
        },
      ),
    );
  });

  it('WEB-129 calculates the taker fee and the amount received after it', () => {
    const levels = rows(['99', '1'], ['98', '5']);
    const sale = fillEstimate(market('sell', 'amount', '2'), PAIR, levels)!;
    expect(sale.averagePrice.toString()).toBe('98.5');
    expect(sale.fee.equals(feeOn(d('197'), PAIR.takerFee))).toBe(true);
    expect(sale.received.plus(sale.fee).toString()).toBe('197');
    const purchase = fillEstimate(market('buy', 'amount', '2'), PAIR, levels.toReversed())!;
    expect(purchase.received.plus(purchase.fee).toString()).toBe('2');
  });

  it('WEB-129 rounds the average price to the user’s disadvantage', () => {
    expect(
      fillEstimate(market('buy', 'amount', '3'), PAIR, rows(['100', '2'], ['100.01', '1']))?.averagePrice,
    ).toEqual(d('100.01'));
    expect(
      fillEstimate(market('sell', 'amount', '3'), PAIR, rows(['100', '2'], ['99.99', '1']))?.averagePrice,
    ).toEqual(d('99.99'));
  });

  it('WEB-1105 says how far the average price is from the best price, and how many levels are filled', () => {
    const impactOf = (ticket: Ticket, levels: readonly Level[]) => {
      const { slippageBps, levels: count } = fillEstimate(ticket, PAIR, levels)!;
      return [slippageBps.toString(), count];
    };
    const asks = rows(['100', '1'], ['100.5', '1'], ['101', '5']);
    expect(impactOf(market('buy', 'amount', '1'), asks)).toEqual(['0', 1]);
    expect(impactOf(market('buy', 'amount', '2'), asks)).toEqual(['25', 2]);
    expect(impactOf(market('buy', 'total', '301.5'), asks)).toEqual(['50', 3]);
    const bids = rows(['200', '1'], ['199.97', '2']);
    // An average price of 199.98 is 1 basis point below 200.
    expect(impactOf(market('sell', 'amount', '3'), bids)).toEqual(['1', 2]);
    expect(impactOf(market('sell', 'amount', '1.0001'), bids)).toEqual(['0.5', 2]);
  });

  it('WEB-129 stops at the protection price and at the end of the book, and reports a partial fill', () => {
    const beyond = fillEstimate(market('buy', 'amount', '2'), PAIR, rows(['100', '1'], ['105.01', '9']));
    expect(beyond).toMatchObject({ isWhole: false, amount: d('1'), worstPrice: d('105') });
    const within = fillEstimate(market('buy', 'amount', '2'), PAIR, rows(['100', '1'], ['105', '9']));
    expect(within).toMatchObject({ isWhole: true, amount: d('2') });
    const far = rows(['104', '1'], ['106', '9']);
    expect(fillEstimate(market('buy', 'amount', '2'), PAIR, far, d('100'))).toMatchObject({
      amount: d('1'),
      isWhole: false,
      worstPrice: d('105'),
    });
    expect(fillEstimate(market('buy', 'amount', '2'), PAIR, rows(['106', '9']), d('100'))).toBeUndefined();
    expect(fillEstimate(market('sell', 'amount', '2'), PAIR, rows(['100', '1']))).toMatchObject({
      isWhole: false,
    });
    const dust = fillEstimate(market('buy', 'total', '100.0009'), PAIR, rows(['100', '1']));
    expect(dust).toMatchObject({ isWhole: true, amount: d('1') });
  });

  it('WEB-129 is undefined for other order types, empty amounts and empty books', () => {
    const levels = rows(['100', '1']);
    expect(
      fillEstimate({ ...market('buy', 'amount', '1'), type: 'stopMarket' }, PAIR, levels),
    ).toBeUndefined();
    expect(fillEstimate(market('buy', 'amount', ''), PAIR, levels)).toBeUndefined();
    expect(fillEstimate(market('buy', 'amount', '1'), PAIR, [])).toBeUndefined();
    expect(fillEstimate(market('buy', 'total', '0.0001'), PAIR, levels)).toBeUndefined();
  });
});

describe('the estimate of a limit order', () => {
  const asks = rows(['100', '1'], ['100.5', '1'], ['101', '5']);
  const limit = (
    side: 'buy' | 'sell',
    price: string,
    amount: string,
    changes: Partial<Ticket> = {},
  ): Ticket => ({
    ...initialTicket(side, 'limit', price),
    amount,
    ...changes,
  });

  it('WEB-1110 is that of a market order for what trades at once', () => {
    const crossing = fillEstimate(limit('buy', '101', '2'), PAIR, asks);
    const atMarket = fillEstimate(market('buy', 'amount', '2'), PAIR, asks);
    expect(crossing).toEqual({ ...atMarket, worstPrice: d('101') });
    expect(crossing).toMatchObject({ levels: 2, slippageBps: d('25'), isWhole: true });
    for (const timeInForce of ['IOC', 'FOK', 'GTT'] as const)
      expect(fillEstimate(limit('buy', '101', '2', { timeInForce }), PAIR, asks)).toEqual(crossing);
  });

  it('WEB-1110 stops at the limit, beyond which the rest stays open', () => {
    const part = fillEstimate(limit('buy', '100.5', '3'), PAIR, asks);
    expect(part).toMatchObject({ amount: d('2'), levels: 2, isWhole: false, worstPrice: d('100.5') });
    const bids = rows(['99', '1'], ['98', '5']);
    expect(fillEstimate(limit('sell', '99', '3'), PAIR, bids)).toMatchObject({ amount: d('1'), levels: 1 });
  });

  it('WEB-1110 is undefined for an order that would rest, and for a post-only order', () => {
    expect(fillEstimate(limit('buy', '99.99', '1'), PAIR, asks)).toBeUndefined();
    expect(fillEstimate(limit('buy', '', '1'), PAIR, asks)).toBeUndefined();
    expect(fillEstimate(limit('buy', '101', '1', { postOnly: true }), PAIR, asks)).toBeUndefined();
  });

  it('WEB-1110 decides fee and proceeds only of an order that is filled at once', () => {
    const summary = { fee: d('9'), received: d('8') };
    const ticket = limit('buy', '101', '2');
    const whole = fillEstimate(ticket, PAIR, asks)!;
    expect(figuresOf(ticket, whole, summary)).toBe(whole);
    expect(figuresOf(ticket, { ...whole, isWhole: false }, summary)).toBe(summary);
    expect(figuresOf(ticket, undefined, summary)).toBe(summary);
    const atMarket = market('buy', 'amount', '20');
    const thin = fillEstimate(atMarket, PAIR, asks)!;
    expect(thin.isWhole).toBe(false);
    expect(figuresOf(atMarket, thin, summary)).toBe(thin);
  });
});
