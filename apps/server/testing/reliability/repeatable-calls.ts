import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import * as spot from '@exchange/wire/spot.ts';
import type { Answered, Sent } from '../calling.ts';
import type { Account } from './account.ts';
import { TRADED } from './order-draws.ts';

/** A call that may be sent again under the same request id, and how its effects are counted. */
export interface RepeatableCall {
  readonly name: string;
  /** Asks until there is an answer. */
  readonly send: (clientId: string) => Promise<Answered<unknown>>;
  /** Asks once; undefined when there was no answer. */
  readonly sendOnce: (clientId: string) => Promise<Answered<unknown> | undefined>;
  /** The same request id with another input. */
  readonly sendOther: (clientId: string) => Promise<Answered<unknown>>;
  /** Counts rows; $1 is `of`, or the request id. */
  readonly counted: { readonly sql: string; readonly of?: string };
  /** How many rows one effect makes. */
  readonly effects: number;
}

const ORDERS = { sql: 'select count(*) as count from spot_order where client_id = $1' };
const OCO_LEGS = {
  sql: `select count(*) as count from spot_order_terms where group_id in (
    select t.group_id from spot_order o join spot_order_terms t on t.order_id = o.id where o.client_id = $1
  )`,
};
const AMENDMENTS = 'select count(*) as count from spot_amendment where order_id = $1';
const CANCELLED = `select count(*) as count from spot_order where owner = $1 and status = 'open'`;

/** Every kind of call that changes something, ready to be sent by one user. */
export async function repeatableCalls(account: Account, price: number): Promise<RepeatableCall[]> {
  const at = (factor: number) => (price * factor).toFixed(2);
  const pair = { baseCoin: TRADED.baseCoin, quoteCoin: TRADED.quoteCoin };
  const buy = { ...pair, tradeType: 'buy' } as const;
  const sell = { ...pair, tradeType: 'sell' } as const;
  const amount = '0.0003';
  const limit = { ...buy, orderType: 'limit', amount, price: at(0.93) } as const;
  const market = { ...buy, orderType: 'market', total: '20' } as const;
  const stop = { ...sell, orderType: 'stopMarket', amount, stopPrice: at(0.9) } as const;
  const oco = { ...sell, amount, limitPrice: at(1.1), stopPrice: at(0.9) } as const;
  const resting = await account.ask(spot.createOrder, { ...limit, clientId: randomUUID() });
  const { createOrder, createOco, amendOrder, cancelAllOrders } = spot;
  const amendment = { id: resting.id, price: at(0.92) };
  return [
    callOf(account, 'limit order', createOrder, limit, { ...limit, amount: '0.0004' }, ORDERS, 1),
    callOf(account, 'market order', createOrder, market, { ...market, total: '21' }, ORDERS, 1),
    callOf(account, 'stop order', createOrder, stop, { ...stop, amount: '0.0004' }, ORDERS, 1),
    callOf(account, 'OCO', createOco, oco, { ...oco, amount: '0.0004' }, OCO_LEGS, 2),
    callOf(
      ...([account, 'amendment', amendOrder, amendment, { ...amendment, price: at(0.91) }] as const),
      ...([{ sql: AMENDMENTS, of: resting.id }, 1] as const),
    ),
    callOf(account, 'cancel all', cancelAllOrders, pair, buy, { sql: CANCELLED, of: account.id }, 0),
  ];
}

function callOf<E extends Endpoint>(
  account: Account,
  name: string,
  endpoint: E,
  fields: Sent<E>,
  other: Sent<E>,
  counted: RepeatableCall['counted'],
  effects: number,
): RepeatableCall {
  return {
    name,
    counted,
    effects,
    send: (clientId) => account.insist(endpoint, { ...fields, clientId }),
    sendOnce: (clientId) => account.attempt(endpoint, { ...fields, clientId }),
    sendOther: (clientId) => account.insist(endpoint, { ...other, clientId }),
  };
}
