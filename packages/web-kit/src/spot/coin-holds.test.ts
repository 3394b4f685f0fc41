import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { order } from './testing/fixtures.ts';
import { coinHolds } from './coin-holds.ts';

const d = (text: string) => Decimal.parse(text);
const textsOf = ({ orders, others }: ReturnType<typeof coinHolds>) => [
  orders.map((hold) => [hold.order.id, hold.amount?.toString()]),
  others?.toString(),
];

const SELL = order('sell', { tradeType: 2, price: '110', amount: '1', filledAmount: '0.25' });
const BUY = order('buy', { price: '90', amount: '2' });

describe('the holds of a coin', () => {
  it('MOB-990 are its sales, and for a quote coin the buys, with their open amounts', () => {
    expect(textsOf(coinHolds('BTC', [BUY, SELL], d('0.75')))).toEqual([[['sell', '0.75']], '0']);
    expect(textsOf(coinHolds('USDT', [BUY, SELL], d('200')))).toEqual([[['buy', '180']], '20']);
  });

  it('MOB-990 the legs of an OCO count once, with the larger hold', () => {
    const leg = { price: '90', amount: '1', groupId: 'g' };
    const stop = order('stop', { ...leg, orderType: 'stopLimit', price: '112', stopStatus: 'waiting' });
    expect(textsOf(coinHolds('USDT', [order('limit', leg), stop], d('112')))).toEqual([
      [['limit', '112']],
      '0',
    ]);
  });

  it('PAPI-142 a pending order holds nothing', () => {
    const pending = order('pending', { tradeType: 2, price: '110', amount: '1', listRole: 'pending' });
    expect(textsOf(coinHolds('BTC', [SELL, pending], d('0.75')))).toEqual([[['sell', '0.75']], '0']);
  });

  it('MOB-990 holds for other reasons are unknown while the hold of an order is unknown', () => {
    const stop = order('stop', {
      orderType: 'stopMarket',
      price: '',
      stopPrice: '110',
      stopStatus: 'waiting',
    });
    expect(textsOf(coinHolds('USDT', [stop], d('115')))).toEqual([[['stop', undefined]], undefined]);
    expect(textsOf(coinHolds('USDT', [], d('30')))).toEqual([[], '30']);
  });
});
