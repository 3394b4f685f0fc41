import { Decimal } from '@exchange/core/decimal.ts';
import { defaultDirection } from '@exchange/core/stop.ts';
import type { ApiOrderRequest } from '@exchange/wire/public-api/order-snippets.ts';
import { directionOf, isByTotal } from './ticket-figures.ts';
import {
  hasExits,
  ticketFields,
  timeInForceOf,
  type SelfTradeMode,
  type Ticket,
  type TicketPair,
} from './ticket.ts';

/**
 * Order types of the trading API by the ticket's order type; undefined for a trailing stop, which the API cannot place.
 */
const API_TYPES = {
  limit: 'LIMIT',
  market: 'MARKET',
  stopLimit: 'STOP_LOSS_LIMIT',
  stopMarket: 'STOP_LOSS',
  takeProfitLimit: 'TAKE_PROFIT_LIMIT',
  takeProfitMarket: 'TAKE_PROFIT',
  trailing: undefined,
} as const;

/**
 * Values of the API parameter for self-trade prevention, by mode; without the parameter, the exchange cancels the taker
 * order.
 */
const API_SELF_TRADE: Readonly<Record<SelfTradeMode, string | undefined>> = {
  cancelTaker: undefined,
  cancelMaker: 'EXPIRE_MAKER',
  cancelBoth: 'EXPIRE_BOTH',
  decrement: 'DECREMENT',
};

/**
 * Returns the trading API request that places the ticket's order. A number that the user has not typed is
 * replaced by a name in capitals. Undefined for orders that the API cannot place: trailing stops, attached
 * take-profit or stop-loss, expiring orders, post-only stops, triggers in the unusual direction, stops sized
 * by their total, and orders without a limit price that must be filled completely.
 */
export function apiOrderOf(ticket: Ticket, pair: TicketPair): ApiOrderRequest | undefined {
  const symbol = `${pair.base}${pair.quote}`.toUpperCase();
  const side = ticket.side === 'buy' ? 'BUY' : 'SELL';
  const mode = API_SELF_TRADE[ticket.stp];
  const parameters = new Map([
    ['symbol', symbol],
    ['side', side],
  ]);
  const own = ticket.type === 'oco' ? listParameters(ticket) : orderParameters(ticket, ticket.type);
  if (own === undefined) return undefined;
  for (const [name, value] of own) parameters.set(name, value);
  if (mode !== undefined) parameters.set('selfTradePreventionMode', mode);
  return { path: ticket.type === 'oco' ? '/api/v3/orderList/oco' : '/api/v3/order', parameters };
}

type Sent = readonly (readonly [name: string, value: string])[];

function orderParameters(ticket: Ticket, type: keyof typeof API_TYPES): Sent | undefined {
  const apiType = API_TYPES[type];
  const fields = ticketFields(ticket);
  const timeInForce = timeInForceOf(ticket);
  const isPostOnly = fields.canPostOnly && ticket.postOnly;
  const isUnusual = fields.hasDirection && directionOf(ticket) !== defaultDirection(type, ticket.side);
  if (apiType === undefined || hasExits(ticket) || timeInForce === 'GTT' || isUnusual) return undefined;
  if (isPostOnly && type !== 'limit') return undefined;
  if (type !== 'market' && isByTotal(ticket)) return undefined;
  if (!fields.hasPrice && timeInForce === 'FOK') return undefined;
  const isResting = type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit';
  const size = isByTotal(ticket)
    ? (['quoteOrderQty', numberOr(ticket.total, 'TOTAL')] as const)
    : (['quantity', numberOr(ticket.amount, 'QUANTITY')] as const);
  const parts: (Sent[number] | undefined)[] = [
    ['type', isPostOnly ? 'LIMIT_MAKER' : apiType],
    isResting && !isPostOnly ? ['timeInForce', timeInForce] : undefined,
    size,
    fields.hasPrice ? ['price', numberOr(ticket.price, 'PRICE')] : undefined,
    fields.hasStopPrice ? ['stopPrice', numberOr(ticket.stopPrice, 'STOP_PRICE')] : undefined,
  ];
  return parts.filter((part) => part !== undefined);
}

/**
 * The request parameters with which the trading API places the OCO of a ticket. For a selling OCO the limit
 * order is above the last price and the stop below; for a buying OCO the limit order is below and the stop
 * above.
 */
function listParameters(ticket: Ticket): Sent {
  const [limit, stop] = ticket.side === 'sell' ? ['above', 'below'] : ['below', 'above'];
  const isStopLimit = ticket.stopLimitPrice !== '';
  return [
    ['quantity', numberOr(ticket.amount, 'QUANTITY')],
    [`${limit}Type`, 'LIMIT_MAKER'],
    [`${limit}Price`, numberOr(ticket.price, 'PRICE')],
    [`${stop}Type`, isStopLimit ? 'STOP_LOSS_LIMIT' : 'STOP_LOSS'],
    [`${stop}StopPrice`, numberOr(ticket.stopPrice, 'STOP_PRICE')],
    ...(isStopLimit
      ? ([
          [`${stop}Price`, numberOr(ticket.stopLimitPrice, 'STOP_LIMIT_PRICE')],
          [`${stop}TimeInForce`, 'GTC'],
        ] as const)
      : []),
  ];
}

function numberOr(text: string, placeholder: string): string {
  return Decimal.tryParse(text)?.toString() ?? placeholder;
}
