import * as calls from './calls.ts';
import type { ApiCall } from './calls.ts';
import { choice, required, words, type Parameters } from './parameters.ts';

/**
 * A tool that an AI assistant can call over the Model Context Protocol: an endpoint of the trading API under a name of
 * its own. The texts about endpoint, parameters and access are those of the API reference.
 */
export interface AssistantTool {
  readonly name: string;
  /** Title of the tool for users who see the list of an assistant's tools. */
  readonly title: string;
  readonly call: ApiCall;
  /** Names of parameters of the endpoint that the tool does not have. */
  readonly without: readonly string[];
  /**
   * Number of rows that the tool returns if the assistant passes no `limit`; undefined for endpoints without `limit`.
   * It is low, because an assistant reads every row of a response.
   */
  readonly rows: number | undefined;
}

interface ToolDescription<P extends Parameters> {
  readonly name: string;
  readonly title: string;
  readonly call: ApiCall<P>;
  readonly without?: readonly string[];
  readonly rows?: number;
}

function tool<P extends Parameters>({
  name,
  title,
  call,
  without = [],
  rows,
}: ToolDescription<P>): AssistantTool {
  return {
    name,
    title,
    call: call as unknown as ApiCall,
    without,
    rows,
  };
}

/** Assistant tools that change nothing. A tool for a signed endpoint needs an API key. */
export const READING_TOOLS: readonly AssistantTool[] = [
  tool({ name: 'get_time', title: 'Time of the exchange', call: calls.time }),
  tool({ name: 'get_status', title: 'Status of the exchange', call: calls.systemStatus }),
  tool({ name: 'get_pairs', title: 'Pairs and their limits', call: calls.exchangeInfo }),
  tool({ name: 'get_price', title: 'Last price', call: calls.tickerPrice }),
  tool({ name: 'get_best_prices', title: 'Best bid and ask', call: calls.bookTicker }),
  tool({ name: 'get_ticker', title: 'Statistics of 24 hours', call: calls.ticker24hr }),
  tool({
    name: 'get_average_price',
    title: 'Average price of five minutes',
    call: calls.avgPrice,
  }),
  tool({
    name: 'get_order_book',
    title: 'Order book',
    call: calls.depth,
    rows: 20,
  }),
  tool({
    name: 'get_trades',
    title: 'Newest trades',
    call: calls.trades,
    rows: 50,
  }),
  tool({
    name: 'get_candles',
    title: 'Candles',
    call: calls.klines,
    without: ['timeZone'],
    rows: 100,
  }),
  tool({ name: 'get_account', title: 'Balances', call: calls.account }),
  tool({ name: 'get_fees', title: 'Fees of a pair', call: calls.accountCommission }),
  tool({ name: 'get_open_orders', title: 'Open orders', call: calls.openOrders }),
  tool({ name: 'get_order', title: 'An order', call: calls.order }),
  tool({
    name: 'get_orders',
    title: 'Orders of a pair',
    call: calls.allOrders,
    rows: 50,
  }),
  tool({
    name: 'get_fills',
    title: 'Fills of a pair',
    call: calls.myTrades,
    rows: 50,
  }),
  tool({ name: 'get_key_permissions', title: 'Permissions of the key', call: calls.apiRestrictions }),
  tool({ name: 'get_deposit_address', title: 'Deposit address', call: calls.walletDepositAddress }),
  tool({
    name: 'get_deposits',
    title: 'Deposits',
    call: calls.walletDeposits,
    rows: 50,
  }),
  tool({
    name: 'get_withdrawals',
    title: 'Withdrawals',
    call: calls.walletWithdrawals,
    rows: 50,
  }),
];

/** Assistant tools that cancel orders; an assistant has them only if trading is enabled. */
export const CANCELLING_TOOLS: readonly AssistantTool[] = [
  tool({
    name: 'cancel_order',
    title: 'Cancel an order',
    call: calls.cancelOrder,
    without: ['newClientOrderId'],
  }),
  tool({ name: 'cancel_open_orders', title: 'Cancel all orders of a pair', call: calls.cancelOpenOrders }),
];

/**
 * An assistant tool that is not a single endpoint of the trading API: it plans an order or places a planned
 * one.
 */
export interface PlanningTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Parameters;
}

const { symbol, side, timeInForce, quantity, quoteOrderQty, price } = calls.newOrderParameters;

/**
 * The assistant tool that estimates an order without placing it. It accepts only order types without a trigger, because
 * the cost of other orders is not known in advance.
 */
export const PLAN_ORDER = {
  name: 'plan_order',
  title: 'Plan an order',
  description:
    'Computes what an order would cost, without placing it: value, what it locks, the greatest fee, the expected price, and what follows from it. Returns `planId` for `place_order`. Show the plan to the person and place it only after they have agreed. `MARKET` takes `quantity` or `quoteOrderQty`; `LIMIT` takes `price`, `quantity` and `timeInForce`; `LIMIT_MAKER` takes `price` and `quantity`.',
  parameters: {
    symbol,
    side,
    type: required(choice(['LIMIT', 'LIMIT_MAKER', 'MARKET'])),
    timeInForce,
    quantity,
    quoteOrderQty,
    price,
  },
} satisfies PlanningTool;

/** The assistant tool that places an order which `PLAN_ORDER` has estimated. */
export const PLACE_ORDER = {
  name: 'place_order',
  title: 'Place a planned order',
  description:
    'Places the order of a plan that the person has agreed to. A plan is valid for two minutes and is executed once: called again with the same plan, the tool answers the first outcome.',
  parameters: { planId: required(words(40)) },
} satisfies PlanningTool;
