import { Decimal } from '@exchange/core/decimal.ts';
import type { Order } from '@exchange/wire/feed.ts';
import type { TicketMarket, TicketPair } from '../ticket.ts';

const d = (text: string) => Decimal.parse(text);

export const NOW = Date.UTC(2026, 10, 21);

export const PAIR: TicketPair = {
  symbol: 'btcusdt',
  base: 'BTC',
  quote: 'USDT',
  priceDigits: 2,
  amountDigits: 5,
  status: 'open',
  makerFee: d('0.001'),
  takerFee: d('0.002'),
  filters: {
    minAmount: d('0.00001'),
    maxAmount: d('100'),
    minTotal: d('5'),
    priceBand: d('0.2'),
    marketGuard: d('0.05'),
    maxOpenOrders: 200,
    maxStopOrders: 10,
    minTrail: d('0.001'),
    maxTrail: d('0.2'),
    maxLifetimeMs: 90 * 86_400_000,
  },
};

/**
 * Test data: the last price is 100, best bid and best ask are 99.5 and 100.5, and the user has 2 BTC and 1,000 USDT
 * available.
 */
export const MARKET: TicketMarket = {
  pair: PAIR,
  bestBid: d('99.5'),
  bestAsk: d('100.5'),
  reference: d('100'),
  last: d('100'),
  baseAvailable: d('2'),
  quoteAvailable: d('1000'),
  openOrders: { resting: 0, waiting: 0 },
};

/** Test data: an open limit order that buys 1 BTC at 100 USDT; `changes` replaces fields. */
export function order(id: string, changes: Partial<Order> = {}): Order {
  return {
    id,
    clientId: '',
    symbol: 'btcusdt',
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    tradeType: 1,
    orderType: 'limit',
    timeInForce: 'GTC',
    postOnly: 0,
    price: '100',
    stopPrice: '',
    direction: '',
    trailPct: '',
    ...({
      takeProfitPrice: '',
      stopLossPrice: '',
      stopLossLimitPrice: '',
      exitStatus: '',
      entryId: '',
      listRole: '',
      parentId: '',
    } as const),
    listId: '',
    activationPrice: '',
    activatedTime: 0,
    stopStatus: '',
    expireTime: 0,
    groupId: '',
    stp: 'cancelTaker',
    amount: '1',
    total: '',
    filledAmount: '0',
    filledTotal: '0',
    cancelledAmount: '0',
    avgPrice: '',
    fee: '0',
    feeCoin: 'BTC',
    status: 0,
    reason: '',
    createTime: 1,
    updateTime: 1,
    ...changes,
  };
}
