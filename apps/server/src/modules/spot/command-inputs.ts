import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { OcoRequest } from '@exchange/core/spot-oco.ts';
import type { OtoRequest } from '@exchange/core/spot-oto.ts';
import type { ChaseRequest } from '@exchange/core/spot-chase.ts';
import { GRID_SPACINGS, type GridRequest } from '@exchange/core/spot-grid.ts';
import type { IcebergRequest } from '@exchange/core/spot-iceberg.ts';
import { LADDER_SIZES, type LadderRequest } from '@exchange/core/spot-ladder.ts';
import type { TwapRequest } from '@exchange/core/spot-twap.ts';
import type { OrderRequest } from '@exchange/core/spot.ts';
import { resultingType } from '@exchange/core/stop.ts';
import * as z from 'zod/mini';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { SelfTrade } from '../matching/index.ts';
import { TWAP_PAUSES } from './domain/twap.ts';

const side = z.enum(['buy', 'sell']);
const owner = idOf<UserId>();
const order = idOf<OrderId>();

/** Schema fields of the values that a trading command receives from outside the exchange state. */
const outside = {
  /**
   * The pair's reference price (the index price, or else the last price) when the command was sent, for the price band
   * and price protection; absent if there was none.
   */
  reference: z.optional(decimal),
  /**
   * USDT per unit of the quote asset when the command was sent, for the volume that counts toward fee tiers; absent if
   * it was unknown.
   */
  quoteValue: z.optional(decimal),
  /**
   * Maximum number of stop orders that the command marks as due. Absent in journal steps older than
   * this limit, which mark all of them.
   */
  mostMarked: z.optional(z.int()),
};

/** Schema fields of the values that are fixed when an order is placed, besides the request. */
const entering = {
  owner,
  /**
   * The owner's main account, for self-trade prevention. Absent for an owner that is no
   * sub-account.
   */
  master: z.optional(owner),
  symbol: z.string(),
  selfTrade: z.enum(['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement']),
  rates: z.object({ maker: decimal, taker: decimal }),
  clientId: z.string(),
  /** Whether the order is refused if an open order of its owner has this `clientId`. Absent means false. */
  isNameUnique: z.optional(z.boolean()),
  /**
   * Id of the client connection whose end cancels the order; absent for an order that does not end with a connection.
   */
  sessionId: z.optional(z.string()),
  /**
   * Time at which the request reached the exchange. Absent for orders that the exchange places itself, and in journal
   * steps older than the field.
   */
  receivedAt: z.optional(instantField),
  ...outside,
};

/**
 * Prices of take-profit and stop-loss; in an amendment, a price of zero removes that exit order.
 */
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

const ladderRequest = z.object({
  side,
  fromPrice: decimal,
  toPrice: decimal,
  count: z.int(),
  amount: decimal,
  sizes: z.enum(LADDER_SIZES),
});

const twapRequest = z.object({
  side,
  amount: decimal,
  minutes: z.int(),
  count: z.int(),
  bound: decimal,
  limitPrice: z.optional(decimal),
});

const icebergRequest = z.object({
  side,
  price: decimal,
  amount: decimal,
  visible: decimal,
  postOnly: z.boolean(),
});

const chaseRequest = z.object({
  side,
  amount: decimal,
  distance: decimal,
  limitPrice: z.optional(decimal),
  minutes: z.int(),
});

const immediate = z.enum(['GTC', 'IOC', 'FOK']);

const gridRequest = z.object({
  lowerPrice: decimal,
  upperPrice: decimal,
  levels: z.int(),
  spacing: z.enum(GRID_SPACINGS),
  investment: decimal,
  slippage: decimal,
  // `stopLoss`, `takeProfit`, and `sellsAtEnd` (whether the grid's coins are sold when one of these prices ends the
  // grid) are absent in journal steps older than these fields.
  stopLoss: z.optional(decimal),
  takeProfit: z.optional(decimal),
  sellsAtEnd: z.optional(z.boolean()),
});

/** An OTO list: a working order, and either one pending order or an OCO. */
const otoRequest = z.object({
  working: z.object({
    side,
    price: decimal,
    amount: decimal,
    timeInForce: immediate,
    postOnly: z.boolean(),
  }),
  pending: z.optional(
    z.object({
      side,
      type: z.enum(['limit', 'market', 'stopLimit', 'stopMarket', 'takeProfitLimit', 'takeProfitMarket']),
      price: z.optional(decimal),
      amount: decimal,
      stopPrice: z.optional(decimal),
      timeInForce: immediate,
      postOnly: z.boolean(),
    }),
  ),
  pendingOco: z.optional(ocoRequest),
});

/** States that a cancellation can require of its order: unfilled, or partly filled. */
export const CANCEL_STATES = ['unfilled', 'partlyFilled'] as const;
export type CancelState = (typeof CANCEL_STATES)[number];

/** The input schema of each spot command. */
export const INPUTS = {
  place: z.object({ ...entering, request: orderRequest }),
  oco: z.object({
    ...entering,
    request: ocoRequest,
    /** The client order id of the stop leg. Absent means that both legs have `clientId`. */
    stopClientId: z.optional(z.string()),
    /** The client order id of the list of both legs. Absent means that it has none. */
    listName: z.optional(z.string()),
  }),
  oto: z.object({
    ...entering,
    request: otoRequest,
    /**
     * The client order ids: `pendingClientId` of the pending order or of the limit leg of the pending OCO
     * (absent means that of the working order), `stopClientId` of its stop leg (absent means that of the limit
     * leg).
     */
    pendingClientId: z.optional(z.string()),
    stopClientId: z.optional(z.string()),
    /** The client order id of the list. Absent means that it has none. */
    listName: z.optional(z.string()),
  }),
  /**
   * Input of the command that places a ladder. `clientId` is not used: the ladder's id is the client order id of its
   * orders.
   */
  ladder: z.object({ ...entering, request: ladderRequest }),
  cancelLadder: z.object({
    owner,
    symbol: z.string(),
    /** The ids of all orders of the ladder; the command skips those that have ended. */
    orders: z.array(order),
  }),
  /**
   * Input of the command that starts an iceberg. `clientId` is not used: the iceberg's id is the client order id of its
   * orders.
   */
  iceberg: z.object({ ...entering, request: icebergRequest }),
  cancelIceberg: z.object({ owner, id: idOf<string>() }),
  /**
   * Input of the command that starts a chase order. `clientId` is not used: the chase order's id is the client order id
   * of its order.
   */
  chase: z.object({ ...entering, request: chaseRequest }),
  /**
   * Command that moves the price of a chase order's order after the best price of its side, if the price has changed
   * exactly `move` times before; otherwise does nothing.
   */
  moveChase: z.object({
    ...outside,
    owner,
    id: idOf<string>(),
    symbol: z.string(),
    move: z.int(),
  }),
  cancelChase: z.object({ owner, id: idOf<string>() }),
  /**
   * Input of the command that starts a grid. `clientId` is not used: the grid's id is the client order id of its
   * orders.
   */
  grid: z.object({ ...entering, request: gridRequest }),
  /**
   * Command that ends a grid for its owner. With `sells` it also sells the grid's coins; otherwise the owner keeps
   * them. `sells` and the values from outside are absent in journal steps older than these fields.
   */
  cancelGrid: z.object({ owner, id: idOf<string>(), sells: z.optional(z.boolean()), ...outside }),
  /**
   * Input of the command that starts a TWAP order. `clientId` is not used: the TWAP order's id is the client order id
   * of its children.
   */
  twap: z.object({ ...entering, request: twapRequest }),
  /**
   * Command that places the due child of a TWAP order, or pauses or ends the TWAP order if that is impossible. Does
   * nothing if `child` is not the next child. Of the fields of an order, `symbol` and `clientId` are not used.
   */
  twapChild: z.object({ ...entering, id: idOf<string>(), child: z.int() }),
  /**
   * Command that pauses a TWAP order whose account may not trade; does nothing if `child` is not the index of its next
   * child.
   */
  pauseTwap: z.object({
    owner,
    id: idOf<string>(),
    child: z.int(),
    pause: z.enum(TWAP_PAUSES),
  }),
  endTwap: z.object({
    owner,
    id: idOf<string>(),
    by: z.enum(['user', 'time']),
  }),
  /**
   * Changed terms of an order; absent fields remain unchanged. `amount` includes the filled part.
   */
  amend: z.object({
    ...outside,
    owner,
    order,
    price: z.optional(decimal),
    amount: z.optional(decimal),
    stopPrice: z.optional(decimal),
    exits: z.optional(exitPrices),
    /**
     * Whether the command must not increase the order's amount: an absent or larger amount is refused, and so
     * is every order that is off the book or belongs to an OCO. Absent means false.
     */
    isReduction: z.optional(z.boolean()),
  }),
  cancel: z.object({
    owner,
    order,
    /**
     * Whether the order must be unfilled or partly filled; the cancellation of an order in the other state is
     * refused. Absent means that both are cancelled.
     */
    onlyIf: z.optional(z.enum(CANCEL_STATES)),
  }),
  cancelAll: z.object({
    owner,
    base: z.optional(z.string()),
    quote: z.optional(z.string()),
    side: z.optional(side),
    /**
     * Whether the owner's running TWAP orders that match the coins and the side end too; absent if none ends.
     */
    endsTwaps: z.optional(z.literal(true)),
  }),
  /** Command that places a triggered stop order as a limit or market order if it is due; otherwise does nothing. */
  trigger: z.object({ ...outside, order }),
  /**
   * Command that places the take-profit and stop-loss orders of the ended `order` if they are still to be placed;
   * otherwise does nothing.
   */
  exits: z.object({ ...outside, order }),
  /**
   * Command that places the pending orders of an OTO whose working order is filled, if they are still to be placed;
   * otherwise does nothing. `order` is the pending order or the limit leg of the pending OCO.
   */
  release: z.object({ ...outside, order }),
  expire: z.object({
    /**
     * Maximum number of expired orders to end. Absent in journal steps older than this limit, which end
     * all expired orders.
     */
    most: z.optional(z.int()),
  }),
  /**
   * Command that marks as due the next stop orders of the pair that trades have triggered, at most `most` of them; does
   * nothing if there are none.
   */
  mark: z.object({
    symbol: z.string(),
    most: z.int(),
  }),
  /**
   * Command that starts an account's countdown, at whose end its open orders on the pair are cancelled, in place of the
   * running one. A duration of 0 only ends the running one. An empty symbol stands for all pairs.
   */
  countdown: z.object({
    owner,
    symbol: z.string(),
    durationMs: z.int(),
  }),
  /**
   * Command that cancels at most `most` orders of the countdown that the journal step with the number `rank` started.
   * Does nothing if this countdown has not run out, was ended, or was started again since.
   */
  countdownEnd: z.object({
    owner,
    symbol: z.string(),
    rank: z.int(),
    most: z.int(),
  }),
  /**
   * Command that cancels at most `most` of the open orders that were placed through an ended connection with the option
   * to be cancelled at its end.
   */
  sessionEnd: z.object({
    sessionId: z.string(),
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
export type OtoInput = Inputs['oto'];
export type LadderInput = Inputs['ladder'];
export type CancelLadderInput = Inputs['cancelLadder'];
export type IcebergInput = Inputs['iceberg'];
export type CancelIcebergInput = Inputs['cancelIceberg'];
export type ChaseInput = Inputs['chase'];
export type MoveChaseInput = Inputs['moveChase'];
export type CancelChaseInput = Inputs['cancelChase'];
export type GridInput = Inputs['grid'];
export type CancelGridInput = Inputs['cancelGrid'];
export type TwapInput = Inputs['twap'];
export type TwapChildInput = Inputs['twapChild'];
export type PauseTwapInput = Inputs['pauseTwap'];
export type EndTwapInput = Inputs['endTwap'];
export type AmendInput = Inputs['amend'];
export type CancelInput = Inputs['cancel'];
export type CancelAllInput = Inputs['cancelAll'];
export type TriggerInput = Inputs['trigger'];
export type ExpireInput = Inputs['expire'];
export type MarkInput = Inputs['mark'];
export type CountdownInput = Inputs['countdown'];
export type CountdownEndInput = Inputs['countdownEnd'];
export type SessionEndInput = Inputs['sessionEnd'];
export type StatusInput = Inputs['status'];
export type PlacementContext = Omit<PlaceInput, 'request'>;
export type ExternalInputs = Pick<PlaceInput, 'reference' | 'quoteValue' | 'mostMarked'>;

/**
 * Builds the input of the placing command. Fields are listed by name because this is the most frequent
 * command.
 */
export function placeInput(entering: PlacementContext, request: OrderRequest): PlaceInput {
  const {
    owner,
    master,
    symbol,
    selfTrade,
    rates,
    clientId,
    isNameUnique,
    sessionId,
    receivedAt,
    reference,
    quoteValue,
    mostMarked,
  } = entering;
  return {
    owner,
    master,
    symbol,
    selfTrade,
    rates,
    clientId,
    isNameUnique,
    sessionId,
    receivedAt,
    reference,
    quoteValue,
    mostMarked,
    request,
  };
}

/** Builds the input of the command that places a ladder. */
export function ladderInput(entering: PlacementContext, request: LadderRequest): LadderInput {
  return {
    owner: entering.owner,
    master: entering.master,
    symbol: entering.symbol,
    selfTrade: entering.selfTrade,
    rates: entering.rates,
    clientId: entering.clientId,
    isNameUnique: entering.isNameUnique,
    sessionId: entering.sessionId,
    receivedAt: entering.receivedAt,
    reference: entering.reference,
    quoteValue: entering.quoteValue,
    mostMarked: entering.mostMarked,
    request,
  };
}

/** Builds the input of a command that starts an iceberg, a chase order, a grid or a TWAP order. */
export function algoInput<Request>(
  entering: PlacementContext,
  request: Request,
): Omit<IcebergInput, 'request'> & { readonly request: Request } {
  return {
    owner: entering.owner,
    master: entering.master,
    symbol: entering.symbol,
    selfTrade: entering.selfTrade,
    rates: entering.rates,
    clientId: entering.clientId,
    reference: entering.reference,
    quoteValue: entering.quoteValue,
    mostMarked: entering.mostMarked,
    request,
  };
}

/** The order request that the rules check: the order's fields, with defaults for absent ones. */
export function requestOf(order: PlaceOrder): OrderRequest {
  const usual = resultingType(order.type) === 'limit' ? 'GTC' : 'IOC';
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

/**
 * The fields of a new order. `timeInForce` defaults to GTC for orders that become limit orders and to IOC for
 * all others.
 */
export interface PlaceOrder extends Omit<OrderRequest, 'timeInForce' | 'postOnly'> {
  readonly symbol: string;
  readonly timeInForce?: OrderRequest['timeInForce'] | undefined;
  readonly postOnly?: boolean | undefined;
  readonly selfTrade?: SelfTrade | undefined;
}

export interface PlaceOto extends OtoRequest {
  readonly symbol: string;
  readonly selfTrade?: SelfTrade | undefined;
}

export interface PlaceLadder extends LadderRequest {
  readonly symbol: string;
}

export interface PlaceTwap extends TwapRequest {
  readonly symbol: string;
}

export interface PlaceIceberg extends IcebergRequest {
  readonly symbol: string;
}

export interface PlaceChase extends ChaseRequest {
  readonly symbol: string;
}

export interface PlaceGrid extends GridRequest {
  readonly symbol: string;
}

export interface PlaceOco extends OcoRequest {
  readonly symbol: string;
  readonly selfTrade?: SelfTrade | undefined;
}

/** The part of an account's data that the commands of its orders take as input. */
export interface TradingAccount {
  /** The main account of a sub-account; undefined for other accounts. */
  readonly master: UserId | undefined;
}

/** The part of the identity module that spot uses. */
export interface AccountStatuses {
  /**
   * Loads the user's account status when it is not in memory. Refuses when the account is frozen or may not
   * trade on this side.
   */
  requireTrading(user: UserId, side: Side): Promise<void>;
  /**
   * Refuses like `requireTrading`, and returns the data of the account that its orders contain. If the account status
   * is in memory, returns or throws at once, without a promise.
   */
  tradingAccount(user: UserId, side: Side): TradingAccount | Promise<TradingAccount>;
  /** The ids of all accounts of the person who owns an account. */
  accountsOfPerson(owner: UserId): Promise<readonly UserId[]>;
}
