import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { distanceBeyondBest } from './distance-beyond-best.ts';
import { fillEstimate } from './fill-estimate.ts';
import { MARKET, PAIR } from './testing/fixtures.ts';
import { initialTicket, type Ticket } from './ticket.ts';

const d = (text: string) => Decimal.parse(text);
const market = { ...MARKET, bestBid: d('49990'), bestAsk: d('50000') };
const limit = (side: 'buy' | 'sell', price: string, changes: Partial<Ticket> = {}): Ticket => ({
  ...initialTicket(side, 'limit'),
  price,
  amount: '3',
  ...changes,
});
const share = (ticket: Ticket) => distanceBeyondBest(ticket, market)?.toString();

describe('a limit far beyond the best price', () => {
  it('WEB-270 is at least 2 % beyond the best price and would trade immediately', () => {
    expect(share(limit('buy', '50999.9'))).toBeUndefined();
    expect(share(limit('buy', '51000'))).toBe('0.02');
    expect(share(limit('buy', '55000'))).toBe('0.1');
    expect(share(limit('sell', '55000'))).toBeUndefined();
    expect(share(limit('sell', '44991'))).toBe('0.1');
    expect(share(limit('sell', '49000'))).toBeUndefined();
    expect(share(limit('buy', '55000', { postOnly: true }))).toBeUndefined();
    expect(share({ ...limit('buy', '55000'), type: 'stopLimit' })).toBeUndefined();
    expect(share(limit('buy', 'much'))).toBeUndefined();
    expect(distanceBeyondBest(limit('buy', '55000'), { ...market, bestAsk: undefined })).toBeUndefined();
  });

  it('WEB-270 fills from the best row up to its limit; the remainder would rest', () => {
    const asks = [
      { price: d('50000'), amount: d('1') },
      { price: d('51000'), amount: d('1') },
      { price: d('60000'), amount: d('9') },
    ];
    const part = fillEstimate(limit('buy', '55000'), PAIR, asks);
    expect([part?.amount.toString(), part?.averagePrice.toString(), part?.isWhole]).toEqual([
      '2',
      '50500',
      false,
    ]);
    const whole = fillEstimate(limit('buy', '60000', { amount: '2.5' }), PAIR, asks);
    expect([whole?.amount.toString(), whole?.averagePrice.toString(), whole?.isWhole]).toEqual([
      '2.5',
      '52400',
      true,
    ]);
    expect(fillEstimate(limit('buy', '49000'), PAIR, asks)).toBeUndefined();
    const bids = [{ price: d('49990'), amount: d('5') }];
    expect(fillEstimate(limit('sell', '40000'), PAIR, bids)?.averagePrice.toString()).toBe('49990');
  });
});
