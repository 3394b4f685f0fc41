import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { spotBasics } from '@exchange/wire/spot.ts';

/** Test data: a pair in the format of the API. */
export const LISTED: DataOf<typeof spotBasics>[number] = {
  symbol: 'btcusdt',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  logo: '',
  pricePrecision: 2,
  amountPrecision: 5,
  tickSize: '0.01',
  stepSize: '0.00001',
  minAmount: '0.00001',
  maxAmount: '100',
  minTotal: '5',
  priceBand: '0.2',
  marketGuard: '0.05',
  maxOpenOrders: 200,
  maxStopOrders: 10,
  minTrail: '0.001',
  maxTrail: '0.2',
  maxLifetimeMs: 90 * 86_400_000,
  selfTradeModes: [],
  makerFee: '0.001',
  takerFee: '0.001',
  orderTypes: [],
  timesInForce: [],
  status: 'open',
  source: 'own',
};
