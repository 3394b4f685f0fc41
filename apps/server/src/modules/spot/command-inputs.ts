import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { OcoRequest } from '@exchange/core/spot-oco.ts';
import type { OrderRequest } from '@exchange/core/spot.ts';
import { becomes } from '@exchange/core/stop.ts';
import * as z from 'zod/mini';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { SelfTrade } from '../matching/index.ts';

const side = z.enum(['buy', 'sell']);
const owner = idOf<UserId>();
const order = idOf<OrderId>();

/** What a step that may trade knows from outside. */
const outside = {
  /** Reference price for the band and for price protection, as it was when the step was asked for. */
  reference: z.optional(decimal),
  /** USDT per unit of the quote asset, for the volume that counts toward fee tiers. */
  quoteValue: z.optional(decimal),
  /** How many stops the step marks as due at most; steps from before there was a bound marked all. */
  mostMarked: z.optional(z.int()),
};

/** What is fixed for an order when it is placed, besides the request itself. */
const entering = {
  owner,
  symbol: z.string(),
  selfTrade: z.enum(['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement']),
  rates: z.object({ maker: decimal, taker: decimal }),
  clientId: z.string(),
  ...outside,
};

/** Of a change, a price of zero takes away. */
const exitPrices = z.object({
  takeProfit: z.optional(decimal),
  stopLoss: z.optional(decimal),
  stopLossLimit: z.optional(decimal),
});

const orderRequest = z.object({
  side,
  type: z.enum([
    ...(['limit', 'market', 'stopLimit', 'stopMarket'] as const),
    ...(['takeProfitLimit', 'takeProfitMarket', 'trailing'] as const),
  ]),
  price: z.optional(decimal),
  amount: z.optional(decimal),
  total: z.optional(decimal),
  timeInForce: z.enum(['GTC', 'GTT', 'IOC', 'FOK']),
  postOnly: z.boolean(),
  stopPrice: z.optional(decimal),
  direction: z.optional(z.enum(['gte', 'lte'])),
  trail: z.optional(decimal),
  activation: z.optional(decimal),
  exits: z.optional(exitPrices),
  expireAt: z.optional(instantField),
});

const ocoRequest = z.object({
  side,
  amount: decimal,
  limitPrice: decimal,
  stopPrice: decimal,
  stopLimitPrice: z.optional(decimal),
});

/** The schema of each command's input. */
export const INPUTS = {
  place: z.object({ ...entering, request: orderRequest }),
  oco: z.object({ ...entering, request: ocoRequest }),
  /** What is absent stays as it is; `amount` counts the filled part too. */
  amend: z.object({
    ...outside,
    owner,
    order,
    price: z.optional(decimal),
    amount: z.optional(decimal),
    stopPrice: z.optional(decimal),
    exits: z.optional(exitPrices),
  }),
  cancel: z.object({ owner, order }),
  cancelAll: z.object({
    owner,
    base: z.optional(z.string()),
    quote: z.optional(z.string()),
    side: z.optional(side),
  }),
  /** `order` is due; nothing happens when it is not any more. */
  trigger: z.object({ ...outside, order }),
  /** `order` has ended and its exits are owed; nothing happens when they are not any more. */
  exits: z.object({ ...outside, order }),
  expire: z.object({
    /** How many orders end in this step at most; steps from before there was a bound ended all. */
    most: z.optional(z.int()),
  }),
  /** Marks the next stops that trades of the pair met; nothing happens when none is left. */
  mark: z.object({
    symbol: z.string(),
    most: z.int(),
  }),
  status: z.object({
    symbol: z.string(),
    status: z.enum(['open', 'cancelOnly', 'closed']),
    by: z.string(),
    reason: z.string(),
  }),
};

export type Inputs = { readonly [Kind in keyof typeof INPUTS]: Readonly<z.infer<(typeof INPUTS)[Kind]>> };

export type PlaceInput = Inputs['place'];
export type OcoInput = Inputs['oco'];
export type AmendInput = Inputs['amend'];
export type CancelAllInput = Inputs['cancelAll'];
export type TriggerInput = Inputs['trigger'];
export type ExpireInput = Inputs['expire'];
export type MarkInput = Inputs['mark'];
export type StatusInput = Inputs['status'];
export type Entering = Omit<PlaceInput, 'request'>;
export type Outside = Pick<PlaceInput, 'reference' | 'quoteValue' | 'mostMarked'>;

/** What the placing step is told, all fields by name: it is the commonest of all. */
export function placeInput(entering: Entering, request: OrderRequest): PlaceInput {
  const { owner, symbol, selfTrade, rates, clientId, reference, quoteValue, mostMarked } = entering;
  return {
    owner,
    symbol,
    selfTrade,
    rates,
    clientId,
    reference,
    quoteValue,
    mostMarked,
    request,
  };
}

/** An order as the book's rules read it, with what it left open as usual. */
export function requestOf(order: PlaceOrder): OrderRequest {
  const usual = becomes(order.type) === 'limit' ? 'GTC' : 'IOC';
  return {
    side: order.side,
    type: order.type,
    price: order.price,
    amount: order.amount,
    total: order.total,
    stopPrice: order.stopPrice,
    direction: order.direction,
    trail: order.trail,
    activation: order.activation,
    exits: order.exits,
    expireAt: order.expireAt,
    postOnly: order.postOnly ?? false,
    timeInForce: order.timeInForce ?? usual,
  };
}

/** What an order needs to be told; `timeInForce` defaults to GTC for what becomes a limit order and IOC for the rest. */
export interface PlaceOrder extends Omit<OrderRequest, 'timeInForce' | 'postOnly'> {
  readonly symbol: string;
  readonly timeInForce?: OrderRequest['timeInForce'] | undefined;
  readonly postOnly?: boolean | undefined;
  readonly selfTrade?: SelfTrade | undefined;
}

export interface PlaceOco extends OcoRequest {
  readonly symbol: string;
  readonly selfTrade?: SelfTrade | undefined;
}

/** What spot asks of identity: whether a user may buy, from memory. */
export interface AccountStatuses {
  /** Loads the user's account status where it is not yet known; refuses a frozen account. */
  requireTrading(user: UserId, side: Side): Promise<void>;
}
