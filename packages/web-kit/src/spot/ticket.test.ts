import { Decimal } from '@exchange/core/decimal.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARKET, NOW, PAIR } from './testing/fixtures.ts';
import { type Ticket, afterPlacing, initialTicket } from './ticket.ts';
import { withAmount, withPercent, withPrice, withTotal } from './ticket-edits.ts';
import { isOrderTicket, payloadOf } from './ticket-payload.ts';
import { ticketProblem } from './ticket-problem.ts';
import { summarise } from './ticket-summary.ts';

const d = (text: string) => Decimal.parse(text);
const price = fc.integer({ min: 8_001, max: 11_999 }).map((cents) => (cents / 100).toFixed(2));
const amount = fc
  .integer({ min: 1, max: 1_000_000 })
  .map((lots) => Decimal.ofScaled(BigInt(lots), 5).toString());
const side = fc.constantFrom('buy' as const, 'sell' as const);

function limit(side: 'buy' | 'sell', price: string, amount: string): Ticket {
  return withAmount(withPrice(initialTicket(side), price, MARKET), amount, MARKET);
}

function orderPayload(ticket: Ticket) {
  if (!isOrderTicket(ticket)) throw new Error('an OCO is two orders');
  return payloadOf(ticket, PAIR, NOW);
}

describe('a ticket', () => {
  it('WEB-001 calculates the exact total from price and amount', () => {
    fc.assert(
      fc.property(side, price, amount, (side, price, amount) => {
        expect(limit(side, price, amount).total).toBe(d(price).timesExact(d(amount)).toString());
      }),
    );
  });

  it('WEB-001 calculates from a total the largest valid amount that it pays for', () => {
    fc.assert(
      fc.property(price, amount, (price, total) => {
        const ticket = withTotal(withPrice(initialTicket('buy'), price, MARKET), total, MARKET);
        const bought = ticket.amount === '' ? Decimal.zero : d(ticket.amount);
        const lot = d('0.00001');
        expect(bought.fits(PAIR.amountDigits)).toBe(true);
        expect(bought.timesExact(d(price)).isMore(d(total))).toBe(false);
        expect(bought.plus(lot).timesExact(d(price)).isMore(d(total))).toBe(true);
      }),
    );
  });

  it('WEB-001 keeps the value typed last when the price changes', () => {
    const byTotal = withTotal(withPrice(initialTicket('buy'), '100', MARKET), '50', MARKET);
    expect(withPrice(byTotal, '80', MARKET)).toMatchObject({ total: '50', amount: '0.625' });
    expect(withPrice(limit('buy', '100', '0.5'), '80', MARKET)).toMatchObject({ amount: '0.5', total: '40' });
  });

  it('WEB-002 never orders more than is available, at any percentage', () => {
    const percent = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(
        side,
        price,
        percent,
        fc.constantFrom('limit' as const, 'market' as const),
        (side, price, part, type) => {
          const ticket = withPercent({ ...initialTicket(side, type), price }, part, MARKET);
          expect(ticketProblem(ticket, MARKET, NOW)?.key).not.toBe('l.insufficient_balance');
        },
      ),
    );
    const wholeBalance = withPercent(initialTicket('sell', 'limit', '100'), 100, MARKET);
    expect(wholeBalance.amount).toBe('2');
  });

  it('WEB-003 shows the fee in the received coin; received amount plus fee is the whole', () => {
    fc.assert(
      fc.property(side, price, amount, (side, price, amount) => {
        const summary = summarise(limit(side, price, amount), MARKET);
        const gross = side === 'buy' ? d(amount) : d(price).timesExact(d(amount));
        expect(summary.received!.plus(summary.fee!).equals(gross)).toBe(true);
        expect(summary.receivedCoin).toBe(side === 'buy' ? 'BTC' : 'USDT');
        expect(summary.fee!.isLess(gross.times(summary.feeRate, 'down'))).toBe(false);
      }),
    );
  });

  it.each([
    ['a buy below the best offer rests', limit('buy', '100', '1'), '0.001'],
    ['a buy at the best offer takes', limit('buy', '100.5', '1'), '0.002'],
    ['a sell above the best bid rests', limit('sell', '99.6', '1'), '0.001'],
    ['a sell at the best bid takes', limit('sell', '99.5', '1'), '0.002'],
    ['a post-only order makes', { ...limit('buy', '100.5', '1'), postOnly: true }, '0.001'],
    ['a market order takes', withAmount(initialTicket('buy', 'market'), '1', MARKET), '0.002'],
  ])('WEB-003 previews the rate: %s', (_what, ticket, rate) => {
    expect(summarise(ticket, MARKET).feeRate.toString()).toBe(rate);
  });

  it.each([
    ['l.price_required', initialTicket('buy')],
    ['l.amount_required', initialTicket('buy', 'limit', '100')],
    ['l.amount_decimals', limit('buy', '100', '0.000001')],
    ['l.amount_min', limit('buy', '100', '0')],
    ['l.amount_max', limit('sell', '100', '101')],
    ['l.price_band_low', limit('buy', '79.99', '1')],
    ['l.price_band_high', limit('sell', '120.01', '1')],
    ['l.total_min', limit('buy', '100', '0.04999')],
    ['l.insufficient_balance', limit('buy', '100', '10.00001')],
    ['l.insufficient_balance', limit('sell', '100', '2.00001')],
    ['l.amount_or_total', initialTicket('buy', 'market')],
  ])('WEB-004 tells before sending: %s', (key, ticket) => {
    expect(ticketProblem(ticket, MARKET, NOW)?.key).toBe(key);
  });

  it('WEB-004 names the limit and the given value', () => {
    expect(ticketProblem(limit('buy', '100', '0.03'), MARKET, NOW)?.parameters).toMatchObject({
      limit: '5',
      value: '3',
      unit: 'USDT',
    });
  });

  it('WEB-004 accepts an order within all limits, and ignores unknown balances', () => {
    expect(ticketProblem(limit('buy', '100', '1'), MARKET, NOW)).toBeUndefined();
    const visitor = { ...MARKET, baseAvailable: undefined, quoteAvailable: undefined };
    expect(ticketProblem(limit('buy', '100', '50'), visitor, NOW)).toBeUndefined();
  });

  it('WEB-005 sends exactly one of amount and total', () => {
    const byTotal = withTotal(initialTicket('buy', 'market'), '50', MARKET);
    expect(orderPayload(byTotal)).toMatchObject({ orderType: 'market', timeInForce: 'IOC', amount: null });
    expect(String(orderPayload(byTotal).total)).toBe('50');
    const byAmount = orderPayload(limit('sell', '100', '1'));
    expect(byAmount).toMatchObject({ tradeType: '2', orderType: 'limit', timeInForce: 'GTC', total: null });
    expect(String(byAmount.price)).toBe('100');
  });

  it('WEB-005 clears the amounts after placing and keeps the price', () => {
    expect(afterPlacing(limit('buy', '100', '1'))).toMatchObject({ price: '100', amount: '', total: '' });
  });
});
