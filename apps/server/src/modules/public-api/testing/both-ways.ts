import { Decimal } from '@exchange/core/decimal.ts';
import * as wire from '@exchange/wire/spot.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';
import type { SeededRandom } from '../../../../testing/seeded-random.ts';
import type { TestKey } from './programs.ts';

/** How a test command reaches the exchange: through the app's calls or the trading API. */
export type Way = 'app' | 'api';

/** A test account that trades through the app's calls and with an API key. */
export interface Account {
  readonly trader: TestTrader;
  readonly key: TestKey;
}

/**
 * A command of one test account. Cancellations and reductions concern the account's order with the number
 * `order`: the first order that the account tried to place has number 1, and refused orders also count.
 */
export type Command = { readonly account: number } & (
  | {
      readonly kind: 'place';
      readonly side: 'BUY' | 'SELL';
      readonly type: 'LIMIT' | 'LIMIT_MAKER' | 'MARKET';
      readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | undefined;
      readonly price: string | undefined;
      readonly quantity: string | undefined;
      readonly quoteQuantity: string | undefined;
    }
  | { readonly kind: 'cancel'; readonly order: number }
  | { readonly kind: 'reduce'; readonly order: number; readonly quantity: string }
  | { readonly kind: 'cancelAll' }
);

/** An account's orders, fills and balances, as the app's calls or the trading API show them. */
export interface View {
  readonly orders: readonly unknown[];
  readonly fills: readonly unknown[];
  readonly balances: readonly unknown[];
}

type Row = Readonly<Record<string, string | number | boolean>>;
type Fields = Readonly<Record<string, string | undefined>>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const SYMBOL = 'BTCUSDT';
const PAIR = { baseCoin: 'BTC', quoteCoin: 'USDT' } as const;
/**
 * Number of newest rows that are compared between app and API: as many as one call of the app returns.
 */
const COMPARED = 100;

/** A random command. Some commands are refused, e.g. for a small amount, a crossing price or an ended order. */
export function randomCommand(random: SeededRandom, accounts: number): Command {
  const account = random.whole(0, accounts - 1);
  const draw = random.whole(1, 100);
  if (draw <= 3) return { account, kind: 'cancelAll' };
  if (draw <= 20) return { account, kind: 'cancel', order: random.whole(0, 30) };
  const quantity = (random.whole(0, 30) / 1_000).toFixed(3);
  if (draw <= 30) return { account, kind: 'reduce', order: random.whole(0, 30), quantity };
  const type = random.pick(['LIMIT', 'LIMIT', 'LIMIT', 'LIMIT_MAKER', 'MARKET'] as const);
  const isByTotal = type === 'MARKET' && random.chance(0.3);
  return {
    account,
    kind: 'place',
    side: random.pick(['BUY', 'SELL'] as const),
    type,
    timeInForce: type === 'LIMIT' ? random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const) : undefined,
    price: type === 'MARKET' ? undefined : String(random.whole(49_900, 50_100)),
    quantity: isByTotal ? undefined : quantity,
    quoteQuantity: isByTotal ? String(random.whole(1, 500)) : undefined,
  };
}

/**
 * Executes commands of test accounts through the app's calls or the API. Every order has a client order id,
 * by which both ways find it.
 */
export class BothWays {
  private readonly exchange: TestExchange;
  private readonly accounts: readonly Account[];
  /** Number of orders that each account has tried to place, accepted or not. */
  private readonly counts: number[];

  constructor(exchange: TestExchange, accounts: readonly Account[]) {
    this.exchange = exchange;
    this.accounts = accounts;
    this.counts = accounts.map(() => 0);
  }

  /** Executes a command and returns whether it was accepted. */
  execute(command: Command, way: Way): Promise<boolean> {
    const { account } = command;
    if (command.kind === 'place') this.counts[account]! += 1;
    return way === 'app' ? this.executeByApp(command) : this.executeByKey(command);
  }

  /** An account's orders, fills and balances, as the app or the API shows them. */
  async view(account: number, way: Way): Promise<View> {
    return way === 'app' ? this.viewOfApp(account) : this.viewOfKey(account);
  }

  private async executeByApp(command: Command): Promise<boolean> {
    const { trader } = this.accounts[command.account]!;
    if (command.kind === 'cancelAll') return (await trader.request(wire.cancelAllOrders, PAIR)).count > 0;
    if (command.kind === 'cancel')
      return (await trader.call(wire.cancelOrder, { clientId: nameOf(command.order) })).code === 1;
    if (command.kind === 'reduce') {
      const { list } = await trader.request(wire.orderRecords, { entryStatus: '0', pageSize: '100' });
      const order = list.find(({ clientId }) => clientId === nameOf(command.order));
      // The app's call can also raise amounts, which the API's call cannot, so an amount that is not lower is
      // not sent and counts as refused.
      if (order === undefined || Number(command.quantity) >= Number(order.amount)) return false;
      return (await trader.call(wire.amendOrder, { id: order.id, amount: command.quantity })).code === 1;
    }
    const { side, type, timeInForce, price, quantity, quoteQuantity } = command;
    const fields = sent({
      clientId: nameOf(this.counts[command.account]!),
      tradeType: side === 'BUY' ? 'buy' : 'sell',
      orderType: type === 'MARKET' ? 'market' : 'limit',
      postOnly: type === 'LIMIT_MAKER' ? '1' : undefined,
      timeInForce,
      price,
      amount: quantity,
      total: quoteQuantity,
    });
    return (await trader.call(wire.createOrder, { ...PAIR, ...fields })).code === 1;
  }

  private async executeByKey(command: Command): Promise<boolean> {
    const { account } = command;
    if (command.kind === 'cancelAll') return this.isAccepted(account, 'DELETE', '/api/v3/openOrders', {});
    if (command.kind === 'cancel') {
      const origClientOrderId = nameOf(command.order);
      return this.isAccepted(account, 'DELETE', '/api/v3/order', { origClientOrderId });
    }
    if (command.kind === 'reduce') {
      const fields = { origClientOrderId: nameOf(command.order), newQty: command.quantity };
      return this.isAccepted(account, 'PUT', '/api/v3/order/amend/keepPriority', fields);
    }
    const { side, type, timeInForce, price, quantity, quoteQuantity } = command;
    return this.isAccepted(account, 'POST', '/api/v3/order', {
      newClientOrderId: nameOf(this.counts[account]!),
      side,
      type,
      timeInForce,
      price,
      quantity,
      quoteOrderQty: quoteQuantity,
    });
  }

  private async isAccepted(account: number, method: Method, path: string, fields: Fields): Promise<boolean> {
    const { status } = await this.send(account, method, path, { symbol: SYMBOL, ...fields });
    // A refusal (400) is a valid answer; every other status is a failure of the exchange.
    if (status !== 200 && status !== 400) throw new Error(`${method} ${path} was answered with ${status}`);
    return status === 200;
  }

  private async send(account: number, method: Method, path: string, fields: Fields): Promise<Response> {
    const { key } = this.accounts[account]!;
    const timestamp = String(this.exchange.clock.now());
    const query = new URLSearchParams(sent({ ...fields, timestamp, recvWindow: '60000' })).toString();
    return fetch(`${this.exchange.url}${path}?${query}&signature=${key.sign(query)}`, {
      method,
      headers: { 'x-mbx-apikey': key.key },
    });
  }

  private async read<T>(account: number, path: string, fields: Fields = {}): Promise<T> {
    const answer = await this.send(account, 'GET', path, fields);
    if (answer.status !== 200) throw new Error(`${path} was refused: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  private async viewOfApp(account: number): Promise<View> {
    const { trader } = this.accounts[account]!;
    const newest = { ...PAIR, pageSize: String(COMPARED) };
    const [orders, fills, assets] = await Promise.all([
      trader.request(wire.orderRecords, newest),
      trader.request(wire.fillRecords, newest),
      trader.request(wire.spotAssets, { pageSize: '100' }),
    ]);
    return {
      orders: orders.list.toReversed().map((order) => ({
        name: order.clientId,
        side: order.tradeType === 1 ? 'BUY' : 'SELL',
        type: order.orderType === 'market' ? 'MARKET' : order.postOnly === 1 ? 'LIMIT_MAKER' : 'LIMIT',
        price: plain(order.price),
        quantity: plain(order.amount === '' ? order.filledAmount : order.amount),
        filled: plain(order.filledAmount),
        paid: plain(order.filledTotal),
        state: stateOf(order.status),
      })),
      fills: fills.list.toReversed().map((fill) => ({
        price: plain(fill.price),
        quantity: plain(fill.amount),
        paid: plain(fill.total),
        fee: plain(fill.fee),
        feeAsset: fill.feeCoin,
        isMaker: fill.role === 'maker',
      })),
      balances: assets.list
        .map(({ currencyName, availableCurrency, frozenCurrency }) => ({
          asset: currencyName,
          free: plain(availableCurrency),
          locked: plain(frozenCurrency),
        }))
        .filter(isFunded),
    };
  }

  private async viewOfKey(account: number): Promise<View> {
    const newest = { symbol: SYMBOL, limit: String(COMPARED) };
    const [orders, fills, { balances }] = await Promise.all([
      this.read<Row[]>(account, '/api/v3/allOrders', newest),
      this.read<Row[]>(account, '/api/v3/myTrades', newest),
      this.read<{ balances: Row[] }>(account, '/api/v3/account'),
    ]);
    return {
      orders: orders.map((order) => ({
        name: order['clientOrderId'],
        side: order['side'],
        type: order['type'],
        price: plain(order['price']),
        quantity: plain(order['origQty']),
        filled: plain(order['executedQty']),
        paid: plain(order['cummulativeQuoteQty']),
        state: STATES[String(order['status'])] ?? 'ended',
      })),
      fills: fills.map((fill) => ({
        price: plain(fill['price']),
        quantity: plain(fill['qty']),
        paid: plain(fill['quoteQty']),
        fee: plain(fill['commission']),
        feeAsset: fill['commissionAsset'],
        isMaker: fill['isMaker'],
      })),
      balances: balances
        .map(({ asset, free, locked }) => ({ asset, free: plain(free), locked: plain(locked) }))
        .filter(isFunded),
    };
  }
}

const STATES: Readonly<Record<string, string>> = { NEW: 'open', PARTIALLY_FILLED: 'open', FILLED: 'filled' };

function stateOf(status: number): string {
  if (status === wire.ORDER_STATUS.filled) return 'filled';
  return status <= wire.ORDER_STATUS.partlyFilled ? 'open' : 'ended';
}

/** The client order id of an account's order by the order's number. */
function nameOf(order: number): string {
  return `order-${order}`;
}

/** Returns the fields of a request without those that are undefined. */
function sent(fields: Fields): Record<string, string> {
  const entries = Object.entries(fields).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** A number in its shortest form; app and API write different numbers of decimals. */
function plain(value: string | number | boolean | undefined): string {
  return Decimal.parse(value === '' || value === undefined ? '0' : String(value)).toString();
}

function isFunded({ free, locked }: { readonly free: string; readonly locked: string }): boolean {
  return free !== '0' || locked !== '0';
}
