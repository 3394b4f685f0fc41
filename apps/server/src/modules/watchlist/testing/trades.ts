import * as spot from '@exchange/wire/spot.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';

/** A seller and a buyer who trade BTC/USDT with each other at a given price. */
export class Dealers {
  private readonly seller: TestTrader;
  private readonly buyer: TestTrader;

  private constructor(seller: TestTrader, buyer: TestTrader) {
    this.seller = seller;
    this.buyer = buyer;
  }

  static async create(exchange: TestExchange): Promise<Dealers> {
    return new Dealers(await exchange.aUser({ BTC: '10' }), await exchange.aUser({ USDT: '1000000' }));
  }

  /** Makes one trade of 0.001 BTC at a price. The trade is committed when the promise resolves. */
  async deal(price: string): Promise<void> {
    const order = { baseCoin: 'BTC', quoteCoin: 'USDT', orderType: 'limit', price, amount: '0.001' } as const;
    await this.seller.request(spot.createOrder, { ...order, tradeType: 'sell' });
    await this.buyer.request(spot.createOrder, { ...order, tradeType: 'buy' });
  }
}
