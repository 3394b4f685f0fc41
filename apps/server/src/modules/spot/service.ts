import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair, PairStatus, Side } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Amendment } from '@exchange/core/spot-amend.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { AnswerCodec, Participant, Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets, PairCoins } from '../assets/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Deal, Market } from '../market/index.ts';
import { PriceTimeBook } from '../matching/index.ts';
import {
  type Entering,
  type Outside,
  type PlaceOco,
  type PlaceOrder,
  type AccountStatuses,
  placeInput,
  requestOf,
} from './command-inputs.ts';
import { spotCommands, type SpotCommands } from './commands.ts';
import { DueOrders } from './due-orders.ts';
import { SpotExchange } from './exchange.ts';
import { FeeRatesByVolume } from './fee-rates.ts';
import { orderAnswers } from './order-answers.ts';
import { type ListedForTrading, type SpotOrder, type Stop, remainingAmount } from './domain/order.ts';
import { levelsOf, loadExchange } from './loading.ts';
import { PairStatuses, Heartbeat } from './pair-statuses.ts';
import { presentOrder } from './present.ts';
import { MARKED_MOST } from './portions.ts';
import { findOrder, tradesSince } from './repository.ts';

/** How often what is due by time is looked for. */
const TICK_MS = 100;

type OrderShown = ReturnType<typeof presentOrder>;
type Asked = Pick<PlaceOrder, 'symbol' | 'side' | 'selfTrade'>;

interface Parts {
  mode: 'demo' | 'live';
  assets: Assets;
  ledger: Ledger;
  market: Market;
  accountStatuses: AccountStatuses;
  sequencer: Sequencer;
  database: Database;
  reader: Reader;
  clock: Clock;
  log: Log;
}

/** The use cases of spot trading. Reads for screens are in `records.ts`. */
export class Spot implements Participant {
  readonly name = 'spot';
  readonly fees: FeeRatesByVolume;
  readonly statuses: PairStatuses;
  private readonly parts: Parts;
  private readonly exchange: SpotExchange;
  private readonly commands: SpotCommands;
  private readonly dueOrders: DueOrders;
  private readonly heartbeat: Heartbeat;
  private timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
    this.exchange = new SpotExchange(parts.ledger);
    this.fees = new FeeRatesByVolume(parts.reader, parts.clock);
    for (const { pair, filters } of parts.assets.pairs) {
      this.exchange.list(pair, filters, new PriceTimeBook());
    }
    // Takers, triggers and exits move the funds of owners whom their commands do not prepare.
    parts.ledger.retain(() => {
      const { orders, owed } = this.exchange;
      const owedOwners = new Set(Array.from(owed.inTurn(), ({ owner }) => owner));
      return (owner) => orders.hasOwner(owner) || owedOwners.has(owner);
    });
    const outside = (pair: Pair) => this.outside(pair);
    this.commands = spotCommands(this.exchange, () => {
      if (this.exchange.isAnyDue) this.dueOrders.propose();
    });
    parts.sequencer.register(Object.values(this.commands));
    const own = { exchange: this.exchange, commands: this.commands };
    this.dueOrders = new DueOrders({ ...parts, ...own, outside });
    this.statuses = new PairStatuses({ ...parts, ...own });
    this.heartbeat = new Heartbeat(parts);
  }

  /** Reads back everything that is open or waits. */
  async load(): Promise<void> {
    const { database, ledger, market } = this.parts;
    await loadExchange(this.exchange, database, ledger);
    for (const listed of this.exchange.markets.values())
      market.loadBook(listed.pair.symbol, levelsOf(listed));
  }

  /** To be called when steps are taken and before anybody may trade: executes what was due, then goes on by itself. */
  async start(): Promise<void> {
    await this.dueOrders.settle();
    const outageMs = await this.heartbeat.outageMs();
    await this.statuses.comeBack(this.parts.mode === 'live' ? outageMs : 0);
    await this.heartbeat.tick();
    this.timer = setInterval(() => void this.tick(), TICK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.heartbeat.leave();
  }

  /** The stop that follows was not planned: the next start takes it for an outage. */
  failStop(): void {
    this.heartbeat.fail();
  }

  /** Looks once for what is due by time. */
  async tick(): Promise<void> {
    await Promise.all([this.dueOrders.tick(), this.statuses.tick(), this.heartbeat.tick()]);
  }

  /**
   * Places an order and answers after its commit. Refuses what breaks a limit or exceeds the balance.
   * The same submission again gives the first answer.
   */
  async place(owner: UserId, order: PlaceOrder, submission?: Submission): Promise<OrderShown> {
    const entering = await this.entering(owner, order, submission);
    const input = placeInput(entering, requestOf(order));
    const options = { actor: owner, submission, answers: this.answersOf(owner), answer: presentOrder };
    return this.parts.sequencer.execute(this.commands.place, input, options);
  }

  /** Places two orders of which one cancels the other, in one step. */
  async placeOco(
    owner: UserId,
    order: PlaceOco,
    submission?: Submission,
  ): Promise<{ groupId: string; ids: string[]; orders: OrderShown[] }> {
    const { symbol: _symbol, selfTrade: _selfTrade, ...request } = order;
    const input = { ...(await this.entering(owner, order, submission)), request };
    return this.parts.sequencer.execute(this.commands.oco, input, {
      actor: owner,
      submission,
      answer: ({ groupId, limit, stop }) => ({
        groupId,
        ids: [limit.id, stop.id],
        orders: [presentOrder(limit), presentOrder(stop)],
      }),
    });
  }

  /** The answer of `place` or `amend` to the owner, from the form in which it was stored. */
  async restoreOrder(owner: UserId, stored: string): Promise<OrderShown> {
    return (await this.answersOf(owner).restore(stored)) as OrderShown;
  }

  /** Changes price, amount, stop price or exits of an open order. */
  async amend(owner: UserId, id: OrderId, change: Amendment, submission?: Submission): Promise<OrderShown> {
    const { accountStatuses, sequencer } = this.parts;
    const known = this.exchange.orders.get(id);
    if (known !== undefined && known.owner === owner) await accountStatuses.requireTrading(owner, known.side);
    const outside =
      known === undefined
        ? { reference: undefined, quoteValue: undefined, mostMarked: MARKED_MOST }
        : this.outside(known.pair);
    const { price, amount, stopPrice, exits } = change;
    const input = { ...outside, owner, order: id, price, amount, stopPrice, exits };
    const options = { actor: owner, submission, answers: this.answersOf(owner) };
    return this.knowingWhy(owner, id, () =>
      sequencer.execute(this.commands.amend, input, { ...options, answer: presentOrder }),
    );
  }

  /** Cancels one open order; an order that is no longer open is refused, one that is not the owner's not found. */
  async cancel(owner: UserId, id: OrderId): Promise<OrderShown> {
    if (this.exchange.orders.get(id) === undefined) {
      // No step is needed to say so, but what ended the order has to be stored: until then it may come back.
      await this.parts.sequencer.settled();
      throw await this.whyNotOpen(owner, id);
    }
    const options = { actor: owner, answer: presentOrder };
    return this.knowingWhy(owner, id, () =>
      this.parts.sequencer.execute(this.commands.cancel, { owner, order: id }, options),
    );
  }

  /** Cancels by the key an open order was placed with. */
  async cancelByClientId(owner: UserId, clientId: string): Promise<OrderShown> {
    const order = this.exchange.orders.ofOwner(owner).find((open) => open.clientId === clientId);
    if (order === undefined) {
      await this.parts.sequencer.settled();
      throw new Refused(refusal('generic', 'l.not_found'));
    }
    return this.cancel(owner, order.id);
  }

  /** Cancels all open orders that match and may leave, in one step; gives how many. */
  async cancelAll(
    owner: UserId,
    { baseCoin: base, quoteCoin: quote, side }: PairCoins & { side?: Side | undefined },
    submission?: Submission,
  ): Promise<{ count: number; entries: number }> {
    // A mistyped coin must not look like a pair without orders.
    this.parts.assets.requirePairs({ baseCoin: base, quoteCoin: quote });
    const input = { owner, base, quote, side };
    return this.parts.sequencer.execute(this.commands.cancelAll, input, { actor: owner, submission });
  }

  /** Opens, halts or closes a pair for every later step; who and why are kept. */
  setStatus(symbol: string, status: PairStatus, why: { by: string; reason: string }): Promise<void> {
    return this.statuses.set(symbol, status, why);
  }

  /** The owner's orders on the books as they are in memory, oldest first. */
  openOrders(owner: UserId): readonly {
    id: OrderId;
    symbol: string;
    side: Side;
    price: NonNullable<SpotOrder['price']>;
    remaining: SpotOrder['held'];
  }[] {
    return this.exchange.orders
      .ofOwner(owner)
      .filter(({ stop }) => stop === undefined)
      .map((order) => ({
        id: order.id,
        symbol: order.pair.symbol,
        side: order.side,
        price: order.price!,
        remaining: remainingAmount(order),
      }));
  }

  /** What an open order waits for, as it is now; undefined when it does not. */
  waitingStop(id: OrderId): Stop | undefined {
    return this.exchange.orders.get(id)?.stop;
  }

  pairOf(symbol: string): Pair {
    return this.exchange.market(symbol).pair;
  }

  /** The pairs, narrowed to a base or a quote coin; refuses coins that no pair has. */
  listed(only: PairCoins): ListedForTrading[] {
    const { assets } = this.parts;
    return assets.requirePairs(only).map((listed) => ({
      ...listed,
      status: this.exchange.market(listed.pair.symbol).status,
      logo: assets.logo(listed.pair.base),
    }));
  }

  /** Deals behind a sequence number, for those who follow with a cursor. */
  async dealsSince(sequence: number, limit: number): Promise<Deal[]> {
    const trades = await tradesSince(this.parts.reader, sequence, limit);
    return trades.map(({ id, ...deal }) => ({ ...deal, tradeId: id }));
  }

  /** Every broken rule of every book; empty when all are sound. */
  validate(): string[] {
    return [...this.exchange.markets.values()].flatMap(({ pair, book }) =>
      book.validate().map((problem) => `${pair.symbol}: ${problem}`),
    );
  }

  /** Looks up what a placement's step will need, so that the step itself only needs memory. */
  private async entering(owner: UserId, order: Asked, submission: Submission | undefined): Promise<Entering> {
    const { market, accountStatuses } = this.parts;
    const { symbol, side, selfTrade = 'cancelTaker' } = order;
    const { pair } = this.exchange.market(symbol);
    await accountStatuses.requireTrading(owner, side);
    const { tier } = this.fees.known(owner) ?? (await this.fees.of(owner));
    return {
      owner,
      symbol,
      selfTrade,
      rates: { maker: tier.maker, taker: tier.taker },
      clientId: submission?.key ?? '',
      reference: market.reference(symbol),
      quoteValue: market.usdtPrice(pair.quote),
      mostMarked: MARKED_MOST,
    };
  }

  /** What a step on this pair has to know from outside, as it is now. */
  private outside({ symbol, quote }: Pair): Outside {
    const { market } = this.parts;
    return {
      reference: market.reference(symbol),
      quoteValue: market.usdtPrice(quote),
      mostMarked: MARKED_MOST,
    };
  }

  private answersOf(owner: UserId): AnswerCodec {
    return orderAnswers(this.parts.reader, owner, (symbol) => this.pairOf(symbol));
  }

  private async knowingWhy<T>(owner: UserId, id: OrderId, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (cause) {
      if (!(cause instanceof Refused) || cause.refusal.key !== 'l.order_not_open') throw cause;
      throw await this.whyNotOpen(owner, id);
    }
  }

  /** Whether an order that the owner cannot change has ended, or is none of his: that looks like none at all. */
  private async whyNotOpen(owner: UserId, id: OrderId): Promise<Refused> {
    const { orders, ended } = this.exchange;
    const inMemory = orders.get(id)?.owner ?? ended.ownerOf(id);
    const pairOf = (symbol: string) => this.pairOf(symbol);
    const isOwn =
      inMemory === undefined
        ? (await findOrder(this.parts.reader, owner, id, pairOf)) !== undefined
        : inMemory === owner;
    return new Refused(refusal('generic', isOwn ? 'l.order_not_open' : 'l.not_found'));
  }
}
