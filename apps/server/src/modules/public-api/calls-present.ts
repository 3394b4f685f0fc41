import {
  CALL_GROUPS,
  SIGNED_PARAMETERS,
  type ApiCall,
  type API_CALLS,
} from '@exchange/wire/public-api/calls.ts';
import type { Parameter } from '@exchange/wire/public-api/parameters.ts';
import { CALL_EXAMPLES, type CallExample } from './reference-examples.ts';

/** A parameter as documents describe it. */
export interface DescribedParameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly isRequired: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What parameters mean, by name; a name means the same in all calls. */
const PARAMETER_TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    email: 'Name of the sub-account as the list shows it; not a mail address',
    fromEmail: 'The paying sub-account; the main account when absent',
    toEmail: 'The receiving sub-account; the main account when absent',
    fromAccountType: 'Always SPOT',
    toAccountType: 'Always SPOT',
    clientTranId: 'Your name for the transfer; the same one moves nothing again',
    asset: 'Code of a coin, such as `USDT`',
    amount: 'Amount in units of the coin',
    page: 'Number of the page, from 1',
    aboveClientOrderId: 'Your name for the order above the market',
    abovePrice: 'Price of the order above the market; for LIMIT_MAKER and STOP_LOSS_LIMIT',
    aboveStopPrice: 'Stop price of the order above the market, for a stop',
    aboveTimeInForce: 'Only GTC',
    aboveType: 'Type of the order above the market',
    batchOrders: 'Orders as JSON, each with the parameters of a new order',
    belowClientOrderId: 'Your name for the order below the market',
    belowPrice: 'Price of the order below the market; for LIMIT_MAKER and STOP_LOSS_LIMIT',
    belowStopPrice: 'Stop price of the order below the market, for a stop',
    belowTimeInForce: 'Only GTC',
    belowType: 'Type of the order below the market',
    cancelNewClientOrderId: 'Your name for the cancellation',
    cancelOrderId: 'Id of the order to cancel',
    cancelOrigClientOrderId: 'The name that the order to cancel was placed with',
    cancelReplaceMode: 'Whether the new order is placed when the cancellation is refused',
    cancelRestrictions: 'Cancel only while nothing, or only while a part of the order is filled',
    coin: 'Code of a coin, such as `USDT`',
    countback: 'Number of bars up to `to`; it wins over `from`',
    depth: 'Levels of both sides together; 0 is the whole book',
    endTime: 'Newest row, milliseconds UTC, inclusive',
    end_time: 'Newest row, milliseconds UTC, inclusive',
    exchange: 'Name of the exchange; ignored',
    from: 'Oldest bar, seconds UTC',
    fromId: 'Id of the oldest trade',
    icebergQty: 'Only 0: there are no icebergs',
    fromExecutionId: 'Id of the oldest amendment',
    interval: 'Length of a candle',
    level: 'Detail of the book: 1 the best level, 2 aggregated, 3 all',
    limit: 'Greatest number of rows',
    limitClientOrderId: 'Your name for the limit order',
    listClientOrderId: 'Name of the list; made by the server when absent',
    listenKey: 'The listen key',
    network: 'Name of a network, as `getall` lists it',
    newClientOrderId: 'Your name for the order or cancellation, of letters, digits and `-_.:/`',
    countdownTime: 'Milliseconds until the orders are cancelled, at most a day; 0 ends the countdown',
    newQty: 'New amount in the base coin, the executed part included',
    newOrderRespType: 'Detail of the answer; by default FULL for LIMIT and MARKET, otherwise ACK',
    offset: 'Rows to skip, from the newest',
    omitZeroBalances: 'Whether to leave out balances of 0',
    orderId: 'Id of an order',
    orderIdList: 'Ids of orders as JSON',
    orderListId: 'Id of an order list',
    orderRateLimitExceededMode: 'Nothing is done when too many orders were placed',
    origClientOrderIdList: 'Names of orders as JSON',
    origClientOrderId: 'The name that an order was placed with',
    pair: 'Base and quote coin joined by an underscore',
    price: 'Price of one unit of the base coin; for LIMIT, LIMIT_MAKER and the types that end with LIMIT',
    quantity: 'Amount in the base coin; for MARKET this or `quoteOrderQty`',
    query: 'Part of a pair’s name',
    quoteOrderQty: 'MARKET: what a purchase spends or a sale receives at most, in the quote coin',
    recvWindow: 'How long the request is valid after its time, in milliseconds',
    resolution: 'Length of a bar: minutes, or 1D',
    selfTradePreventionMode: 'Which order ends when your orders would trade with each other',
    side: 'Whether to buy or sell the base coin',
    startTime: 'Oldest row, milliseconds UTC, inclusive',
    start_time: 'Oldest row, milliseconds UTC, inclusive',
    status: 'Status of a transfer',
    stopClientOrderId: 'Your name for the stop',
    stopLimitPrice: 'Limit price of the stop; without it the stop executes at market',
    stopLimitTimeInForce: 'Only GTC',
    stopPrice: 'Price at which a stop or take-profit order is triggered',
    symbol: 'A pair in capitals, such as `BTCUSDT`',
    symbols: 'Pairs as JSON, such as `["BTCUSDT","ETHUSDT"]`',
    ticker_id: 'A pair, such as `BTC_USDT`',
    timeInForce: 'Until when it rests; required for LIMIT, STOP_LOSS_LIMIT and TAKE_PROFIT_LIMIT',
    timeZone: 'UTC is the only grid',
    timestamp: 'Time of the request, milliseconds UTC',
    to: 'End of the bars, seconds UTC, exclusive',
    type: 'Kind of order, trade, ticker or symbol',
  }),
);
const PAIR_SCHEMA = { type: 'string', examples: ['BTC_USDT'] };
const { timestamp, recvWindow } = SIGNED_PARAMETERS;
const examples: ReadonlyMap<string, CallExample> = new Map(Object.entries(CALL_EXAMPLES));

/** The name of a call in documents and in the table of examples: `GET /api/v3/depth`. */
export function callName({ method, path }: ApiCall): string {
  return `${method} ${path}`;
}

/** The recorded example of a call; undefined for a call that has none yet. */
export function exampleOf(call: ApiCall): CallExample | undefined {
  return examples.get(callName(call));
}

/** The parameters of a call, those of its path first and those of the signature last, without `signature`. */
export function describedParameters({ path, parameters, access }: ApiCall): DescribedParameter[] {
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]): DescribedParameter => ({
    name: name!,
    place: 'path',
    isRequired: true,
    schema: PAIR_SCHEMA,
  }));
  const signing = access === 'signed' ? { timestamp, recvWindow } : {};
  const sent = Object.entries<Parameter<unknown>>({ ...parameters, ...signing }).map(
    ([name, { isRequired, schema }]): DescribedParameter => ({
      name,
      place: 'query',
      isRequired,
      schema,
    }),
  );
  return [...placeholders, ...sent].map((parameter) => {
    const description = PARAMETER_TEXTS.get(parameter.name) ?? parameter.schema['description'];
    return description === undefined
      ? parameter
      : { ...parameter, schema: { ...parameter.schema, description } };
  });
}

/** Orders of a batch whose weight is shown. */
const ORDERS: readonly unknown[] = [{}];
/** Numbers of rows at which weights change. */
const ROWS = [1, 101, 501, 1_001];

/** The least and the greatest weight of a call. */
export function weightRange({ weight }: ApiCall): readonly [least: number, most: number] {
  const weights = ['BTCUSDT', undefined].flatMap((symbol) =>
    ROWS.map((limit) => weight({ symbol, limit, batchOrders: ORDERS })),
  );
  return [Math.min(...weights), Math.max(...weights)];
}

/** A group with its calls, at least one. */
export interface CallGroup {
  readonly name: ApiCall['group'];
  readonly about: string;
  readonly calls: readonly ApiCall[];
}

/** The calls by group, in the order of the documents. */
export function groupedCalls(calls: typeof API_CALLS): CallGroup[] {
  return Object.entries(CALL_GROUPS).map(([name, about]) => ({
    name: name as ApiCall['group'],
    about,
    calls: calls.filter(({ group }) => group === name),
  }));
}
