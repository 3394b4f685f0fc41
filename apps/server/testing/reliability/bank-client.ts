import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '@exchange/core/decimal.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { Fill, Order } from '@exchange/wire/feed.ts';
import * as spot from '@exchange/wire/spot.ts';
import { anAddress } from '../calling.ts';
import type { Account } from './account.ts';
import { holdingsAfter, isOpen, type Holding, type HoldRules } from './book-keeping.ts';
import { TRADED_PAIR } from './order-draws.ts';
import { PrivateFeed } from './private-feed.ts';

const PAGE_SIZE = 100;
const AGREE_ATTEMPTS = 15;
const AGREE_PAUSE_MS = 200;

/**
 * A user who computes balances from the messages of the private feed and compares them with every list of the server.
 */
export class BankClient {
  readonly account: Account;
  readonly feed: PrivateFeed;
  private readonly start: ReadonlyMap<string, Decimal>;
  private readonly rules: HoldRules;
  /**
   * The stop price from which the server computed the funds that it holds for a trailing stop, by order id. The order's
   * current stop price is different, because it follows the market.
   */
  private readonly heldStopPrices = new Map<string, string>();

  private constructor(parts: {
    account: Account;
    feed: PrivateFeed;
    start: ReadonlyMap<string, Decimal>;
    rules: HoldRules;
  }) {
    this.account = parts.account;
    this.feed = parts.feed;
    this.start = parts.start;
    this.rules = parts.rules;
  }

  /** Connects a user who has not traded yet to the feed and starts computing the user's balances. */
  static async open(url: string, account: Account): Promise<BankClient> {
    const feed = await PrivateFeed.open(url, account.token, anAddress());
    const [pair] = await account.request(spot.spotBasics, {
      baseCoin: TRADED_PAIR.baseCoin,
      quoteCoin: TRADED_PAIR.quoteCoin,
    });
    const rules = { marketGuard: Decimal.parse(pair!.marketGuard), priceDigits: pair!.pricePrecision };
    const { list } = await account.request(spot.spotAssets, { pageSize: String(PAGE_SIZE) });
    const start = new Map(list.map((row) => [row.currencyName, Decimal.parse(row.availableCurrency)]));
    return new BankClient({ account, feed, start, rules });
  }

  /**
   * Records the stop prices of trailing stops from the responses to placing and amending an order. The held funds of
   * these orders are computed from these prices.
   */
  recordHolds(orders: readonly Order[]): void {
    for (const { id, stopPrice } of orders) this.heldStopPrices.set(id, stopPrice);
  }

  /** The orders that are open according to the private feed. */
  get open(): Order[] {
    return [...this.feed.orders.values()].filter(isOpen);
  }

  /**
   * Compares the balances, orders and fills of the server's lists with those computed from the feed. Trading
   * continues meanwhile, so the comparison is repeated up to `AGREE_ATTEMPTS` times until it finds no
   * difference. Returns the contradictions that the feed contained, and the differences of the last
   * comparison.
   */
  async differences(): Promise<string[]> {
    let differences: string[] = [];
    for (let attempt = 0; attempt < AGREE_ATTEMPTS; attempt += 1) {
      differences = [
        ...(await this.balancesDiffer()),
        ...(await this.ordersDiffer()),
        ...(await this.fillsDiffer()),
      ];
      if (differences.length === 0) break;
      await sleep(AGREE_PAUSE_MS);
    }
    return [...this.feed.problems, ...differences].map((problem) => `${this.account.email}: ${problem}`);
  }

  private get holdings(): Map<string, Holding> {
    const orders = [...this.feed.orders.values()].map((order) =>
      order.orderType === 'trailing'
        ? { ...order, stopPrice: this.heldStopPrices.get(order.id) ?? order.stopPrice }
        : order,
    );
    return holdingsAfter(this.start, this.feed.fills.values(), orders, this.rules);
  }

  private async balancesDiffer(): Promise<string[]> {
    const { list } = await this.account.request(spot.spotAssets, { pageSize: String(PAGE_SIZE) });
    const expected = this.holdings;
    return list.flatMap(({ currencyName: coin, availableCurrency, frozenCurrency }) => {
      const [available, frozen] = [Decimal.parse(availableCurrency), Decimal.parse(frozenCurrency)];
      const expectedHolding = expected.get(coin) ?? { total: Decimal.zero, frozen: Decimal.zero };
      const fedBalance = this.feed.balances.get(coin);
      const problems: string[] = [];
      if (!available.plus(frozen).equals(expectedHolding.total))
        problems.push(`${coin}: ${available} + ${frozen} listed, the fills say ${expectedHolding.total}`);
      if (!frozen.equals(expectedHolding.frozen))
        problems.push(`${coin}: ${frozen} frozen, the open orders say ${expectedHolding.frozen}`);
      if (
        fedBalance !== undefined &&
        (fedBalance.available !== availableCurrency || fedBalance.frozen !== frozenCurrency)
      )
        problems.push(
          `${coin}: listed ${available} + ${frozen}, fed ${fedBalance.available} + ${fedBalance.frozen}`,
        );
      return problems;
    });
  }

  private async ordersDiffer(): Promise<string[]> {
    const listed = new Map((await this.pages(spot.orderRecords)).map((order) => [order.id, order]));
    const problems: string[] = [];
    for (const order of this.feed.orders.values()) {
      const listedOrder = listed.get(order.id);
      if (listedOrder === undefined) problems.push(`order ${order.id} is not listed`);
      else if (stateOf(listedOrder) !== stateOf(order))
        problems.push(`order ${order.id} is listed as ${stateOf(listedOrder)}, fed as ${stateOf(order)}`);
    }
    for (const id of listed.keys())
      if (!this.feed.orders.has(id)) problems.push(`order ${id} is listed and was never fed`);
    return problems;
  }

  private async fillsDiffer(): Promise<string[]> {
    const listed = new Map(
      (await this.pages(spot.fillRecords)).map((fill) => [`${fill.tradeId} ${fill.orderId}`, fill]),
    );
    const problems: string[] = [];
    for (const [name, fill] of this.feed.fills) {
      const listedFill = listed.get(name);
      if (listedFill === undefined) problems.push(`fill ${name} is not listed`);
      else if (fillText(listedFill) !== fillText(fill))
        problems.push(`fill ${name} is listed as ${fillText(listedFill)}, fed as ${fillText(fill)}`);
    }
    for (const name of listed.keys())
      if (!this.feed.fills.has(name)) problems.push(`fill ${name} is listed and was never fed`);
    return problems;
  }

  private async pages<E extends typeof spot.orderRecords | typeof spot.fillRecords>(
    endpoint: E,
  ): Promise<DataOf<E>['list'][number][]> {
    const rows: DataOf<E>['list'][number][] = [];
    for (let page = 1; ; page += 1) {
      const fields = { pageNo: String(page), pageSize: String(PAGE_SIZE) };
      const { list, totalRow } = (await this.account.request(endpoint, fields as never)) as DataOf<E>;
      rows.push(...list);
      if (list.length < PAGE_SIZE || rows.length >= totalRow) return rows;
    }
  }
}

function stateOf({ status, filledAmount, filledTotal, fee, reason }: Order): string {
  return `${status} ${filledAmount} ${filledTotal} ${fee} ${reason}`;
}

function fillText({ price, amount, total, fee, feeCoin, tradeType }: Fill): string {
  return `${tradeType} ${amount} at ${price} for ${total}, fee ${fee} ${feeCoin}`;
}
