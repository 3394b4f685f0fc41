import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair, PairStatus, Side } from '@exchange/core/pair.ts';
import { publicPause, type PublicPause } from '@exchange/core/trading-pause.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { orderProblem, type OrderRequest } from '@exchange/core/spot.ts';
import type { Amendment } from '@exchange/core/spot-amend.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Log } from '../../platform/log.ts';
import type { FollowedState } from '../../platform/sequencer/followed-state.ts';
import type { AnswerCodec, Participant, Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Turn } from '../../platform/sequencer/turns.ts';
import { StateNotLoaded } from '../../platform/state-not-loaded.ts';
import type { Assets, ListedPair, PairCoins } from '../assets/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Deal, Market } from '../market/index.ts';
import { PriceTimeBook } from '../matching/index.ts';
import {
  type PlacementContext,
  type CancelState,
  type ExternalInputs,
  type PlaceOco,
  type PlaceOrder,
  type PlaceOto,
  type AccountStatuses,
  placeInput,
  requestOf,
} from './command-inputs.ts';
import { spotCommands, type SpotCommands } from './commands.ts';
import { DueOrders } from './due-orders.ts';
import { SpotExchange } from './exchange.ts';
import { FeeRatesByVolume } from './fee-rates.ts';
import { orderAnswerCodec } from './order-answers.ts';
import {
  isPending,
  remainingAmount,
  snapshotOf,
  type ListedForTrading,
  type SpotOrder,
  type Stop,
} from './domain/order.ts';
import { AlgoOrders } from './algo-orders.ts';
import { Chases } from './chases.ts';
import { DueChases } from './due-chases.ts';
import { DueTwaps } from './due-twaps.ts';
import { FollowedExchange } from './following.ts';
import { Grids } from './grids.ts';
import { Icebergs } from './icebergs.ts';
import { Ladders } from './ladders.ts';
import { levelsOf, loadExchange } from './loading.ts';
import type { TradingPauses } from '../trading-pauses/index.ts';
import { PairStatuses, Heartbeat } from './pair-statuses.ts';
import { presentOrder } from './present.ts';
import { bestFor } from './placing.ts';
import { MARKED_MOST } from './portions.ts';
import {
  pairTrades,
  tradedSeconds,
  type SecondRange,
  type TradedSeconds,
  type TradeRange,
} from './pair-trades-repository.ts';
import { findOrder, tradesSince } from './repository.ts';
import { Twaps } from './twaps.ts';
import type { SpotTrade } from './tables.ts';

/**
 * The refusal for a post-only order that would trade at once with the best opposite price; undefined if it would not,
 * or if the order is not post-only.
 */
function crossingProblem(
  { side, price, postOnly }: OrderRequest,
  best: Decimal | undefined,
): Refusal | undefined {
  if (!postOnly || price === undefined || best === undefined) return undefined;
  const crosses = side === 'buy' ? !price.isLess(best) : !price.isMore(best);
  return crosses ? refusal('generic', 'l.post_only_crosses') : undefined;
}

/** The interval in milliseconds at which `Spot.tick` runs the periodic work. */
const TICK_MS = 100;

type OrderShown = ReturnType<typeof presentOrder>;
type PlacementFields = Pick<PlaceOrder, 'symbol' | 'side' | 'selfTrade'>;

interface Parts {
  mode: 'demo' | 'live';
  assets: Assets;
  ledger: Ledger;
  market: Market;
  accountStatuses: AccountStatuses;
  tradingPauses: Pick<TradingPauses, 'find'>;
  sequencer: Sequencer;
  database: Database;
  reader: Reader;
  clock: Clock;
  log: Log;
}

/**
 * Fields that a program's order has besides its terms: client order id, client connection and place in a
 * batch.
 */
interface ProgramFields {
  /** The client order id; unique among the owner's open orders. */
  readonly clientId: string;
  /**
   * Id of the client connection whose end cancels the order; undefined for an order that does not end with a
   * connection.
   */
  readonly sessionId: string | undefined;
  /**
   * Makes the order's command enter the sequencer's queue after the commands of the earlier orders of the same batch
   * request; undefined for an order that is not part of a batch.
   */
  readonly turn?: Turn | undefined;
}

/** The session and the client order ids of an OCO that a program places. */
interface ProgramListFields extends Pick<ProgramFields, 'sessionId'> {
  /** The client order ids of the limit leg, the stop leg and their list. */
  readonly limitName: string;
  readonly stopName: string;
  readonly listName: string | undefined;
}

/**
 * Fields that a program's OTO has besides its terms: the client order ids of its orders and of their list,
 * the client connection and the place in a batch.
 */
interface ProgramOtoFields extends ProgramFields {
  /** The client order id of the pending order, or of the limit leg of the pending OCO. */
  readonly pendingClientId: string;
  readonly stopClientId: string | undefined;
  readonly listName: string | undefined;
}

interface CancelOptions {
  /** The only state in which the order may be cancelled; undefined for any state. */
  readonly onlyIf?: CancelState | undefined;
  readonly submission?: Submission;
}

/** The use cases of spot trading. Reads for screens are in `records.ts`. */
export class Spot implements Participant {
  readonly name = 'spot';
  readonly following: FollowedState;
  readonly fees: FeeRatesByVolume;
  readonly algoOrders: AlgoOrders;
  readonly chases: Chases;
  readonly grids: Grids;
  readonly icebergs: Icebergs;
  readonly ladders: Ladders;
  readonly twaps: Twaps;
  readonly statuses: PairStatuses;
  /**
   * Called after each successful placement of an order, OCO or OTO (not of an algo order), with the milliseconds from
   * its arrival here to the commit.
   */
  onAcknowledged: ((ms: number) => void) | undefined;
  private readonly parts: Parts;
  private readonly exchange: SpotExchange;
  private isLoaded = false;
  private readonly commands: SpotCommands;
  private readonly dueOrders: DueOrders;
  private readonly dueTwaps: DueTwaps;
  private readonly dueChases: DueChases;
  private readonly heartbeat: Heartbeat;
  private readonly ticks = new PeriodicTask(() => this.tick(), { everyMs: TICK_MS });

  constructor(parts: Parts) {
    this.parts = parts;
    this.exchange = new SpotExchange(parts.ledger);
    this.fees = new FeeRatesByVolume(parts);
    for (const { pair, filters } of parts.assets.pairs) {
      this.exchange.list(pair, filters, new PriceTimeBook());
    }
    // Trades, triggered stops and exits move funds of users whose balances the commands do not load, so the accounts of
    // users with open orders, TWAP orders or exits still to be placed must stay in memory.
    parts.ledger.retain(() => {
      const { orders, owedExits, twaps } = this.exchange;
      const owedOwners = new Set(Array.from(owedExits.inOrder(), ({ owner }) => owner));
      return (owner) => orders.hasOwner(owner) || twaps.hasOwner(owner) || owedOwners.has(owner);
    });
    const outside = (pair: Pair) => this.outside(pair);
    this.commands = spotCommands(
      this.exchange,
      () => {
        if (this.exchange.isAnyDue) this.dueOrders.propose();
      },
      (now) => this.dueOrders.proposeCountdowns(now),
    );
    parts.sequencer.register(Object.values(this.commands));
    this.following = this.followingFor();
    const shared = { exchange: this.exchange, commands: this.commands };
    this.dueOrders = new DueOrders({ ...parts, ...shared, outside });
    this.statuses = new PairStatuses({ ...parts, ...shared });
    this.heartbeat = new Heartbeat(parts);
    const placing = {
      exchange: this.exchange,
      commands: this.commands,
      reader: parts.reader,
      sequencer: parts.sequencer,
      contextOf: (owner: UserId, order: PlacementFields, submission: Submission | undefined) =>
        this.placementContext(owner, order, submission),
      referenceOf: (symbol: string) => parts.market.reference(symbol),
    };
    this.algoOrders = new AlgoOrders(placing);
    this.chases = new Chases(placing);
    this.grids = new Grids(placing);
    this.icebergs = new Icebergs(placing);
    this.ladders = new Ladders(placing);
    this.twaps = new Twaps(placing);
    const proposing = { ...placing, clock: parts.clock, log: parts.log };
    this.dueTwaps = new DueTwaps(proposing);
    this.dueChases = new DueChases(proposing);
  }

  /**
   * Loads open orders and books from the database, as step `sequence` left them, and publishes the books to the market
   * module.
   */
  async load(sequence: number): Promise<void> {
    const { database, ledger } = this.parts;
    await loadExchange(this.exchange, database, ledger);
    this.isLoaded = true;
    this.publishBooks(sequence);
  }

  private followingFor(): FollowedState {
    const { database, ledger } = this.parts;
    const followed = new FollowedExchange({ exchange: this.exchange, database, ledger });
    return {
      load: (snapshot) => followed.load(snapshot),
      update: (snapshot) => followed.update(snapshot),
      confirm: async (snapshot) => {
        await followed.confirm(snapshot);
        this.isLoaded = true;
        // Step 0: the recording of the order book drops level changes up to the given step. Nothing has to be dropped
        // here, because a standby publishes only changes of later steps.
        this.publishBooks(0);
      },
      end: () => followed.end(),
    };
  }

  /** Publishes all price levels of all pairs to the market module; `step` is the last step that the levels contain. */
  private publishBooks(step: number): void {
    for (const listed of this.exchange.markets.values())
      this.parts.market.loadBook(listed.pair.symbol, levelsOf(listed), step);
  }

  /**
   * Cancels the orders of connections of the previous process, executes due orders, makes pairs cancel-only
   * after a long outage (in live mode), and starts the periodic work (`tick`). Must be called after the start
   * of the sequencer and before users may trade.
   */
  async start(): Promise<void> {
    // Orders that end with their client connection are cancelled, because all connections ended with the
    // previous process.
    await this.dueOrders.endSessions(this.exchange.orders.sessionIds);
    await this.dueOrders.settle();
    const outageMs = await this.heartbeat.outageMs();
    await this.statuses.haltAfterOutage(this.parts.mode === 'live' ? outageMs : 0);
    await this.heartbeat.tick();
    this.ticks.start();
  }

  async stop(): Promise<void> {
    await this.ticks.stop();
    await this.dueTwaps.whenIdle();
    await this.dueChases.whenIdle();
    await this.heartbeat.storePlannedStop();
  }

  /** Marks the coming stop as unplanned; the next start treats it as an outage. */
  markStopUnplanned(): void {
    this.heartbeat.markStopUnplanned();
  }

  /**
   * Runs the periodic work of spot: queues the due commands of TWAP orders and chase orders, executes due orders, opens
   * pairs after a cancel-only phase, and stores that trading runs.
   */
  async tick(): Promise<void> {
    this.dueTwaps.tick();
    this.dueChases.tick();
    await Promise.all([this.dueOrders.tick(), this.statuses.tick(), this.heartbeat.tick()]);
  }

  /**
   * Places an order and returns it after the commit. Refuses an account that may not trade on the order's side, an
   * order that breaks a rule of its pair, more open orders than the pair permits, and a balance that is too small. A
   * repetition with the same idempotency key returns the first response and changes nothing.
   */
  async place(owner: UserId, order: PlaceOrder, submission?: Submission): Promise<OrderShown> {
    const arrivedMs = this.parts.clock.monotonicMs();
    const context = await this.placementContext(owner, order, submission);
    const placed = await this.execute(owner, order, submission, context);
    this.reportAcknowledged(arrivedMs);
    return placed;
  }

  /**
   * Passes the milliseconds between the arrival of an order (`arrivedMs`, monotonic clock) and now, after its commit,
   * to `onAcknowledged`.
   */
  private reportAcknowledged(arrivedMs: number): void {
    this.onAcknowledged?.(this.parts.clock.monotonicMs() - arrivedMs);
  }

  /**
   * The refusal that an order would have now because of the status, limits and prices of its pair; undefined if there
   * is none. Does not check balances and the owner's other orders, and changes nothing. Throws a refusal for an unknown
   * pair.
   */
  problemOf(order: PlaceOrder): Refusal | undefined {
    const { clock, market } = this.parts;
    const listed = this.exchange.market(order.symbol);
    const { pair, filters, status, last } = listed;
    const request = requestOf(order);
    const best = bestFor(listed, order.side);
    const view = {
      status,
      last,
      best,
      reference: market.reference(pair.symbol),
      now: clock.now(),
    };
    return orderProblem(pair, filters, request, view) ?? crossingProblem(request, best);
  }

  /**
   * Places an order with a client order id. Refuses as `place` does, and with `l.duplicate_key` if an open order of the
   * owner has the same client order id. Resolves to the order's id and the order in its state after the placement; for
   * a repetition with the same idempotency key to the id only.
   */
  async placeNamed(
    owner: UserId,
    order: PlaceOrder,
    { clientId, sessionId, turn }: ProgramFields,
    submission: Submission,
  ): Promise<{ readonly id: OrderId; readonly order: SpotOrder | undefined }> {
    const arrivedMs = this.parts.clock.monotonicMs();
    const context = await this.placementContext(owner, order, submission);
    const entering = { ...context, clientId, isNameUnique: true, sessionId };
    if (turn !== undefined) await turn.started;
    let placed: SpotOrder | undefined;
    const executed = this.execute(owner, order, submission, entering, (placedOrder) => {
      placed = snapshotOf(placedOrder);
      return presentOrder(placedOrder);
    });
    turn?.end();
    const { id } = await executed;
    this.reportAcknowledged(arrivedMs);
    return { id: id as OrderId, order: placed };
  }

  private async execute(
    owner: UserId,
    order: PlaceOrder,
    submission: Submission | undefined,
    entering: PlacementContext,
    answer: (placed: SpotOrder) => OrderShown = presentOrder,
  ): Promise<OrderShown> {
    const input = placeInput(entering, requestOf(order));
    const options = { actor: owner, submission, answers: this.answersOf(owner), answer };
    return this.parts.sequencer.execute(this.commands.place, input, options);
  }

  /**
   * Places an OCO: two orders (legs) of which the first to trigger or trade cancels the other. With `fields` the legs
   * and their list get client order ids. Refuses as `place` does, and with `l.duplicate_key` if an open order or list
   * of the owner has one of these ids. A repetition with the same idempotency key returns the first response and
   * changes nothing.
   */
  async placeOco(
    owner: UserId,
    order: PlaceOco,
    submission?: Submission,
    fields?: ProgramListFields,
  ): Promise<{ groupId: string; ids: string[]; orders: OrderShown[] }> {
    const arrivedMs = this.parts.clock.monotonicMs();
    const { symbol: _symbol, selfTrade: _selfTrade, ...request } = order;
    const context = await this.placementContext(owner, order, submission);
    const named = fields && {
      clientId: fields.limitName,
      stopClientId: fields.stopName,
      listName: fields.listName,
      sessionId: fields.sessionId,
      isNameUnique: true,
    };
    const input = { ...context, ...named, request };
    const placed = await this.parts.sequencer.execute(this.commands.oco, input, {
      actor: owner,
      submission,
      answer: ({ groupId, limit, stop }) => ({
        groupId,
        ids: [limit.id, stop.id],
        orders: [presentOrder(limit), presentOrder(stop)],
      }),
    });
    this.reportAcknowledged(arrivedMs);
    return placed;
  }

  /**
   * Places an OTO or OTOCO: a working order, and pending orders that are placed when the working order is completely
   * filled. Refuses as `place` would refuse one of the orders, except for the funds of the pending ones, and with
   * `l.duplicate_key` if an open order or list of the owner has one of the client order ids. Resolves to the
   * id of the OTO and the ids of its orders: first the working order, then the pending ones, with the limit
   * leg of a pending OCO before its stop leg.
   */
  async placeOto(
    owner: UserId,
    { symbol, selfTrade, ...request }: PlaceOto,
    fields: ProgramOtoFields,
    submission: Submission,
  ): Promise<{ readonly listId: string; readonly ids: readonly string[] }> {
    const arrivedMs = this.parts.clock.monotonicMs();
    const { side } = request.working;
    const context = await this.placementContext(owner, { symbol, side, selfTrade }, submission);
    const pendingSide = (request.pending ?? request.pendingOco!).side;
    if (pendingSide !== side) await this.parts.accountStatuses.requireTrading(owner, pendingSide);
    const input = { ...context, ...fields, isNameUnique: true, request };
    const placed = await this.parts.sequencer.execute(this.commands.oto, input, {
      actor: owner,
      submission,
      answer: ({ listId, orders }) => ({ listId, ids: orders.map(({ id }) => id) }),
    });
    this.reportAcknowledged(arrivedMs);
    return placed;
  }

  /**
   * The response to placing, amending or cancelling an order, restored from the form in which it is stored under its
   * idempotency key.
   */
  async restoreOrder(owner: UserId, stored: string): Promise<OrderShown> {
    return (await this.answersOf(owner).restore(stored)) as OrderShown;
  }

  /**
   * Changes price, amount, stop price or exits of an open order. With `isReduction`, refuses a larger amount, and every
   * order that is off the book or belongs to an OCO. Also refuses an order that is not open or not the owner's, an
   * account that may not trade on its side, and changes that the command `amend` refuses.
   */
  async amend(
    owner: UserId,
    id: OrderId,
    { isReduction, ...change }: Amendment & { readonly isReduction?: boolean },
    submission?: Submission,
  ): Promise<OrderShown> {
    const { accountStatuses, sequencer } = this.parts;
    const openOrder = this.exchange.orders.get(id);
    if (openOrder !== undefined && openOrder.owner === owner)
      await accountStatuses.requireTrading(owner, openOrder.side);
    const outside =
      openOrder === undefined
        ? { reference: undefined, quoteValue: undefined, mostMarked: MARKED_MOST }
        : this.outside(openOrder.pair);
    const { price, amount, stopPrice, exits } = change;
    const input = { ...outside, owner, order: id, price, amount, stopPrice, exits, isReduction };
    const options = { actor: owner, submission, answers: this.answersOf(owner) };
    return this.explainNotOpen(owner, id, () =>
      sequencer.execute(this.commands.amend, input, { ...options, answer: presentOrder }),
    );
  }

  /**
   * Cancels an open order. Refuses with `order_not_open` if the order has ended, with `not_found` if it is not the
   * owner's, with `cancel_restricted` if it is not in the state `onlyIf`, and with other keys if the pair is
   * closed or the asset to release is halted. A repetition with the same idempotency key returns the first
   * response and changes nothing.
   */
  async cancel(owner: UserId, id: OrderId, options: CancelOptions = {}): Promise<OrderShown> {
    return this.endWith(owner, id, options, presentOrder);
  }

  /**
   * Cancels an open order, with the same refusals as `cancel`. Also resolves to the order in its state after the
   * cancellation, which is undefined for a repetition with the same idempotency key.
   */
  async end(
    owner: UserId,
    id: OrderId,
    options: CancelOptions = {},
  ): Promise<{ readonly shown: OrderShown; readonly order: SpotOrder | undefined }> {
    let order: SpotOrder | undefined;
    const shown = await this.endWith(owner, id, options, (ended) => {
      order = snapshotOf(ended);
      return presentOrder(ended);
    });
    return { shown, order };
  }

  private async endWith(
    owner: UserId,
    id: OrderId,
    { onlyIf, submission }: CancelOptions,
    answer: (ended: SpotOrder) => OrderShown,
  ): Promise<OrderShown> {
    if (this.exchange.orders.get(id) === undefined) {
      // The step that ended the order may not be committed yet and could still be undone, so the answer waits.
      await this.parts.sequencer.settled();
      throw await this.whyNotOpen(owner, id);
    }
    const options = { actor: owner, submission, answers: this.answersOf(owner), answer };
    const input = { owner, order: id, onlyIf };
    return this.explainNotOpen(owner, id, () =>
      this.parts.sequencer.execute(this.commands.cancel, input, options),
    );
  }

  /**
   * Cancels the first of the owner's open orders (in the order of `openOrdersOf`) with the given client order
   * id. Refuses with `l.not_found` if the owner has no such open order, and otherwise as `cancel` does.
   */
  async cancelByClientId(owner: UserId, clientId: string): Promise<OrderShown> {
    const order = this.exchange.orders.ofOwner(owner).find((open) => open.clientId === clientId);
    if (order === undefined) {
      await this.parts.sequencer.settled();
      throw new Refused(refusal('generic', 'l.not_found'));
    }
    return this.cancel(owner, order.id);
  }

  /**
   * Cancels all open orders of the owner that match the filter, except orders of closed pairs and orders whose
   * cancellation would release a halted coin, by one command. With `endsTwaps` it also ends the running TWAP orders
   * that match. Returns the number of cancelled orders (`count`), and the number of entries (`entries`), in which an
   * order list counts once and each TWAP order too. Refuses coins of no pair.
   */
  async cancelAll(
    owner: UserId,
    filter: PairCoins & { readonly side?: Side | undefined; readonly endsTwaps?: true | undefined },
    submission?: Submission,
  ): Promise<{ count: number; entries: number }> {
    const { baseCoin: base, quoteCoin: quote, side, endsTwaps } = filter;
    // A mistyped coin is refused, so that it does not look like a pair without orders.
    this.parts.assets.requirePairs({ baseCoin: base, quoteCoin: quote });
    const input = { owner, base, quote, side, endsTwaps };
    return this.parts.sequencer.execute(this.commands.cancelAll, input, { actor: owner, submission });
  }

  /**
   * Starts an account's countdown for a pair, or for all pairs without `symbol`, in place of the running one. After
   * `durationMs` milliseconds, the open orders that were placed by then are cancelled, unless the countdown is set
   * again. A duration of 0 ends the countdown. Resolves to the time of the cancellation; to undefined if the countdown
   * was ended. Refuses an unknown pair. A repetition with the same idempotency key returns the first response and
   * changes nothing.
   */
  setCountdown(
    owner: UserId,
    { symbol = '', durationMs }: { readonly symbol: string | undefined; readonly durationMs: number },
    submission: Submission,
  ): Promise<{ readonly dueAt?: Instant | undefined }> {
    const input = { owner, symbol, durationMs };
    return this.parts.sequencer.execute(this.commands.countdown, input, { actor: owner, submission });
  }

  /**
   * Cancels the open orders of an ended connection that were placed with the option to be cancelled at its end.
   * Resolves when they are cancelled, or when the remaining ones must wait for a later tick.
   */
  endSession(sessionId: string): Promise<void> {
    return this.dueOrders.endSessions([sessionId]);
  }

  /**
   * Sets a pair's status (open, cancelOnly or closed) for every later command. Author and reason are required and
   * stored.
   */
  setStatus(symbol: string, status: PairStatus, why: { by: string; reason: string }): Promise<void> {
    return this.statuses.set(symbol, status, why);
  }

  /**
   * The owner's limit orders on the books, from memory, in the order of `openOrdersOf`, without pending
   * orders and without orders that were placed as stops, even triggered ones.
   */
  openOrders(owner: UserId): readonly {
    id: OrderId;
    symbol: string;
    side: Side;
    price: NonNullable<SpotOrder['price']>;
    remaining: SpotOrder['held'];
  }[] {
    return this.exchange.orders
      .ofOwner(owner)
      .filter((order) => order.stop === undefined && !isPending(order))
      .map((order) => ({
        id: order.id,
        symbol: order.pair.symbol,
        side: order.side,
        price: order.price!,
        remaining: remainingAmount(order),
      }));
  }

  /**
   * All open orders of the owner, stops included, from memory, oldest first; an order that an amendment moved
   * back on the book, or that was placed later (a triggered stop or a pending order), counts from then on.
   */
  openOrdersOf(owner: UserId): readonly SpotOrder[] {
    return this.exchange.orders.ofOwner(owner);
  }

  /**
   * The symbol of the pair of an owner's order, from memory. Undefined for another user's order, and for an order that
   * is neither open nor among the recently ended ones.
   */
  symbolInMemory(owner: UserId, id: OrderId): string | undefined {
    const { orders, recentlyEnded } = this.exchange;
    const order = orders.get(id);
    if (order !== undefined) return order.owner === owner ? order.pair.symbol : undefined;
    return recentlyEnded.ownerOf(id) === owner ? recentlyEnded.symbolOf(id) : undefined;
  }

  /**
   * The current trigger of an open order, also of one that has triggered already; undefined if the order is not open or
   * never had a trigger. Throws `StateNotLoaded` in a process that has not loaded the open orders.
   */
  waitingStop(id: OrderId): Stop | undefined {
    if (!this.isLoaded) throw new StateNotLoaded('the open orders');
    return this.exchange.orders.get(id)?.stop;
  }

  pairOf(symbol: string): Pair {
    return this.exchange.market(symbol).pair;
  }

  /**
   * The pairs with the base or quote coin of a filter, or all pairs. Refuses a coin that no pair has on that side,
   * and two coins that form no pair.
   */
  listed(only: PairCoins): ListedForTrading[] {
    return this.parts.assets.requirePairs(only).map((listed) => this.forTrading(listed));
  }

  /**
   * A pair with its trading status and pause, by its symbol in lower case; undefined if the pair is not
   * listed.
   */
  findListed(symbol: string): ListedForTrading | undefined {
    const listed = this.parts.assets.findPair(symbol);
    return listed && this.forTrading(listed);
  }

  private forTrading(listed: ListedPair): ListedForTrading {
    const { status } = this.exchange.market(listed.pair.symbol);
    const pause = this.pauseOf(listed.pair, status);
    return {
      ...listed,
      status: pause !== undefined && status === 'open' ? 'cancelOnly' : status,
      pause,
      logo: this.parts.assets.logo(listed.pair.base),
    };
  }

  /**
   * The public reason why a pair does not trade, from its own status or from the halt of one of its coins; undefined if
   * it trades.
   */
  private pauseOf({ symbol, base, quote }: Pair, status: PairStatus): PublicPause | undefined {
    const { ledger, tradingPauses } = this.parts;
    if (status !== 'open') return publicPause(tradingPauses.find('pair', symbol));
    const coin = [base, quote].find((asset) => ledger.halts.isStopped(asset));
    return coin === undefined ? undefined : publicPause(tradingPauses.find('coin', coin), coin);
  }

  /** At most `limit` trades of all pairs after a sequence number, oldest first, for readers with a cursor. */
  async dealsSince(sequence: number, limit: number): Promise<Deal[]> {
    const trades = await tradesSince(this.parts.reader, sequence, limit);
    return trades.map(({ id, ...deal }) => ({ ...deal, tradeId: id }));
  }

  /**
   * Trades of a pair in a range, oldest first: up to `limit`, the oldest from a lower bound on, or without one the
   * newest.
   */
  pairTrades(range: TradeRange): Promise<SpotTrade[]> {
    return pairTrades(this.parts.reader, range);
  }

  /** Sums of the trades of each second of a range, at most of its newest or oldest 100,000 trades. */
  tradedSeconds(range: SecondRange): Promise<TradedSeconds> {
    return tradedSeconds(this.parts.reader, range);
  }

  /** The violated invariants of all books; empty when all are valid. */
  validate(): string[] {
    return [...this.exchange.markets.values()].flatMap(({ pair, book }) =>
      book.validate().map((problem) => `${pair.symbol}: ${problem}`),
    );
  }

  /**
   * Reads the values that the command of a new order takes as input besides the request: main account, fee rates,
   * prices and the present time as that of receipt. Refuses an owner who may not trade on the order's side.
   */
  private async placementContext(
    owner: UserId,
    order: PlacementFields,
    submission: Submission | undefined,
  ): Promise<PlacementContext> {
    const { clock, market, accountStatuses } = this.parts;
    const receivedAt = clock.now();
    const { symbol, side, selfTrade = 'cancelTaker' } = order;
    const { pair } = this.exchange.market(symbol);
    const account = accountStatuses.tradingAccount(owner, side);
    // The account is awaited only if it is not in memory, because every `await` delays a new order by a turn of the
    // promise queue.
    const { master } = account instanceof Promise ? await account : account;
    const { tier } = this.fees.cachedTierOf(owner) ?? (await this.fees.tierOf(owner));
    return {
      owner,
      master,
      symbol,
      selfTrade,
      rates: { maker: tier.maker, taker: tier.taker },
      clientId: submission?.key ?? '',
      receivedAt,
      reference: market.reference(symbol),
      quoteValue: market.usdtPrice(pair.quote),
      mostMarked: MARKED_MOST,
    };
  }

  /**
   * Values that a command on the pair takes as input: the current reference price of the pair (index price,
   * or else last price) and the value of its quote coin in USDT, each undefined if unknown, and the maximum
   * number of stops to mark.
   */
  private outside({ symbol, quote }: Pair): ExternalInputs {
    const { market } = this.parts;
    return {
      reference: market.reference(symbol),
      quoteValue: market.usdtPrice(quote),
      mostMarked: MARKED_MOST,
    };
  }

  private answersOf(owner: UserId): AnswerCodec {
    return orderAnswerCodec(this.parts.reader, owner, (symbol) => this.pairOf(symbol));
  }

  private async explainNotOpen<T>(owner: UserId, id: OrderId, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (cause) {
      if (!(cause instanceof Refused) || cause.refusal.key !== 'l.order_not_open') throw cause;
      throw await this.whyNotOpen(owner, id);
    }
  }

  /**
   * The refusal for an order that is not open: `order_not_open` for an ended order of the owner, `not_found` for
   * an unknown id and for another user's order.
   */
  private async whyNotOpen(owner: UserId, id: OrderId): Promise<Refused> {
    const { orders, recentlyEnded } = this.exchange;
    const inMemory = orders.get(id)?.owner ?? recentlyEnded.ownerOf(id);
    const pairOf = (symbol: string) => this.pairOf(symbol);
    const isOwn =
      inMemory === undefined
        ? (await findOrder(this.parts.reader, owner, id, pairOf)) !== undefined
        : inMemory === owner;
    return new Refused(refusal('generic', isOwn ? 'l.order_not_open' : 'l.not_found'));
  }
}
