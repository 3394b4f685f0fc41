import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { OrderRequest } from '@exchange/core/spot.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Participant, Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Assets } from '../assets/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Deal, Market } from '../market/index.ts';
import { PriceTimeBook, type SelfTrade } from '../matching/index.ts';
import { SpotExchange } from './exchange.ts';
import { FeeRatesByVolume } from './fee-rates.ts';
import type { ListedForTrading } from './listing-domain.ts';
import { remainingAmount, type SpotOrder } from './order-domain.ts';
import { presentOrder } from './present.ts';
import { findOrder, lastTradeSequence, openOrders, pairStatuses, tradesSince } from './repository.ts';
import { amountOf, priceOf } from './scale.ts';

/** What an order needs to be told; `timeInForce` defaults to GTC for limit and IOC for market orders. */
export interface PlaceOrder extends Omit<OrderRequest, 'timeInForce' | 'postOnly'> {
  readonly symbol: string;
  readonly timeInForce?: OrderRequest['timeInForce'] | undefined;
  readonly postOnly?: boolean | undefined;
  readonly selfTrade?: SelfTrade | undefined;
}

/** What spot asks of identity: whether a user may buy, from memory. */
export interface Standings {
  /** Loads the user's standing where it is not yet known; refuses a frozen account. */
  requireTrading(user: UserId, side: Side): Promise<void>;
}

type OrderShown = ReturnType<typeof presentOrder>;

interface Parts {
  assets: Assets;
  ledger: Ledger;
  market: Market;
  standings: Standings;
  sequencer: Sequencer;
  reader: Reader;
  clock: Clock;
}

/** The use cases of spot trading. Reads for screens are in `records.ts`. */
export class Spot implements Participant {
  readonly name = 'spot';
  readonly fees: FeeRatesByVolume;
  private readonly parts: Parts;
  private readonly exchange: SpotExchange;

  constructor(parts: Parts) {
    this.parts = parts;
    this.exchange = new SpotExchange(parts.ledger);
    this.fees = new FeeRatesByVolume(parts.reader, parts.clock);
    for (const { pair, filters } of parts.assets.pairs) {
      this.exchange.markets.set(pair.symbol, { pair, filters, book: new PriceTimeBook(), status: 'open' });
    }
  }

  /** Reads the open orders back into the books, in their old order. */
  async load(): Promise<void> {
    const { reader, ledger, market } = this.parts;
    const [orders, statuses, sequence] = await Promise.all([
      openOrders(reader, (symbol) => this.exchange.market(symbol).pair),
      pairStatuses(reader),
      lastTradeSequence(reader),
    ]);
    await ledger.prepareAll(new Set(orders.map((order) => order.owner)));
    this.exchange.clear();
    this.exchange.tradeSequence = sequence;
    for (const order of orders) this.exchange.restore(order);
    for (const { pair, book } of this.exchange.markets.values()) {
      this.exchange.market(pair.symbol).status = statuses.get(pair.symbol) ?? 'open';
      const { bids, asks } = book.depth(Number.MAX_SAFE_INTEGER);
      const levels = [
        ...bids.map((level) => ({
          side: 'buy' as const,
          price: priceOf(pair, level.price),
          amount: amountOf(pair, level.amount),
        })),
        ...asks.map((level) => ({
          side: 'sell' as const,
          price: priceOf(pair, level.price),
          amount: amountOf(pair, level.amount),
        })),
      ];
      market.loadBook(pair.symbol, levels);
    }
  }

  /**
   * Places an order and answers after its commit. Refuses what breaks a limit or exceeds the balance.
   * With `key`, the same key again gives the first answer.
   */
  async place(owner: UserId, order: PlaceOrder, key?: string): Promise<OrderShown> {
    const { sequencer, ledger, market, standings } = this.parts;
    const target = this.exchange.market(order.symbol);
    const [fees] = await Promise.all([
      this.fees.of(owner),
      ledger.prepare(owner),
      standings.requireTrading(owner, order.side),
    ]);
    const { symbol, timeInForce, postOnly = false, selfTrade = 'cancelTaker', ...rest } = order;
    const placing = {
      owner,
      request: { ...rest, postOnly, timeInForce: timeInForce ?? (order.type === 'limit' ? 'GTC' : 'IOC') },
      selfTrade,
      rates: fees.tier,
      clientId: key ?? '',
      reference: market.reference(symbol),
      quoteValue: market.usdtPrice(target.pair.quote),
    };
    return sequencer.run('spot.place', { actor: owner, key, input: order }, (step) =>
      presentOrder(this.exchange.place(step, target, placing)),
    );
  }

  /** Cancels one open order; an order that is no longer open is refused, one that is not the owner's not found. */
  async cancel(owner: UserId, id: OrderId): Promise<OrderShown> {
    try {
      return await this.parts.sequencer.run('spot.cancel', {}, (step) =>
        presentOrder(this.exchange.cancel(step, owner, id)),
      );
    } catch (cause) {
      if (!(cause instanceof Refused) || cause.refusal.key !== 'l.order_not_open') throw cause;
      const known = await findOrder(
        this.parts.reader,
        owner,
        id,
        (symbol) => this.exchange.market(symbol).pair,
      );
      throw known === undefined ? new Refused(refusal('generic', 'l.not_found')) : cause;
    }
  }

  /** Cancels by the key an open order was placed with. */
  async cancelByClientId(owner: UserId, clientId: string): Promise<OrderShown> {
    const order = this.exchange.orders.ofOwner(owner).find((open) => open.clientId === clientId);
    if (order === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return this.cancel(owner, order.id);
  }

  /** Cancels all open orders that match and may leave, in one step; gives how many. */
  async cancelAll(
    owner: UserId,
    only: { base?: string | undefined; quote?: string | undefined; side?: Side | undefined },
    key?: string,
  ): Promise<{ count: number }> {
    return this.parts.sequencer.run('spot.cancelAll', { actor: owner, key, input: only }, (step) => {
      const matching = this.exchange.orders
        .ofOwner(owner)
        .filter(
          ({ pair, side }) =>
            (only.base === undefined || pair.base === only.base) &&
            (only.quote === undefined || pair.quote === only.quote) &&
            (only.side === undefined || side === only.side),
        )
        // A refusal half-way would undo the money but not the books: what has to stay is left out first.
        .filter((order) => this.exchange.mayCancel(order));
      for (const order of matching) this.exchange.cancel(step, owner, order.id);
      return { count: matching.length };
    });
  }

  /** The owner's open orders as they are in memory, oldest first. */
  openOrders(owner: UserId): readonly {
    id: OrderId;
    symbol: string;
    side: Side;
    price: NonNullable<SpotOrder['price']>;
    remaining: SpotOrder['held'];
  }[] {
    return this.exchange.orders.ofOwner(owner).map((order) => ({
      id: order.id,
      symbol: order.pair.symbol,
      side: order.side,
      price: order.price!,
      remaining: remainingAmount(order),
    }));
  }

  pairOf(symbol: string): Pair {
    return this.exchange.market(symbol).pair;
  }

  /** The pairs, narrowed to a base or a quote coin. */
  listed(only: { base?: string | undefined; quote?: string | undefined }): ListedForTrading[] {
    const { assets } = this.parts;
    return assets.pairs
      .filter(
        ({ pair }) => (only.base ?? pair.base) === pair.base && (only.quote ?? pair.quote) === pair.quote,
      )
      .map((listed) => ({
        ...listed,
        status: this.exchange.market(listed.pair.symbol).status,
        logo: assets.logo(listed.pair.base),
      }));
  }

  /** Deals behind a sequence number, for those who follow with a cursor. */
  async dealsSince(sequence: number, limit: number): Promise<Deal[]> {
    const trades = await tradesSince(this.parts.reader, sequence, limit);
    return trades.map(({ id, symbol, price, amount, takerSide, at, sequence: number }) => ({
      symbol,
      tradeId: id,
      price,
      amount,
      takerSide,
      at,
      sequence: number,
    }));
  }

  /** Every broken rule of every book; empty when all are sound. */
  validate(): string[] {
    return [...this.exchange.markets.values()].flatMap(({ pair, book }) =>
      book.validate().map((problem) => `${pair.symbol}: ${problem}`),
    );
  }
}
