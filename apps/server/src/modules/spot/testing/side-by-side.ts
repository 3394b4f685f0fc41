import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { houseAddress, userAddress } from '../../ledger/index.ts';
import { remainingAmount, type SpotOrder } from '../domain/order.ts';
import { amountOf, priceOf } from '../settlement.ts';
import { Coverage } from './coverage.ts';
import { amendmentDifference, Names, orderDifference, tradeDifference } from './differences.ts';
import { labelOf, type ModelCommand } from './model-command.ts';
import { NaiveExchange, type NaiveAnswer } from './naive/exchange.ts';
import { byPriority, type NaiveOrder } from './naive/order.ts';
import { owedOtos } from './naive/oto.ts';
import { ordersOn } from './naive/state.ts';
import { addressText, type RealAnswer, type RealExchange } from './real-exchange.ts';

const READ_EVERY = 64;

/** Error for a difference between the real and the reference exchange, or for a violated invariant. */
class Difference extends Error {}

/**
 * Runs the same commands on the real and the reference exchange. After every command their answers,
 * orders, trades and balances must be equal and the invariants must hold; periodically and at the
 * end their complete states are compared.
 */
export class SideBySide {
  readonly naive: NaiveExchange;
  readonly coverage = new Coverage();
  private readonly real: RealExchange;
  private readonly names = new Names();
  private readonly ended = new Map<string, NaiveOrder>();
  private commands = 0;

  constructor(real: RealExchange) {
    this.real = real;
    this.naive = new NaiveExchange(real.listings);
    for (const { owner, asset, amount } of real.funding) this.naive.state.accounts.fund(owner, asset, amount);
  }

  /** Runs a command on both exchanges; returns a description of the first difference, undefined if there is none. */
  run(command: ModelCommand): Promise<string | undefined> {
    return this.captureDifference(async () => {
      const dueBefore = this.naive.state.due.length;
      const owedBefore = this.naive.state.owed.length;
      const otosBefore = owedOtos(this.naive.state).length;
      const naive = this.naive.run(command);
      const real = await this.real.run(command, this.names);
      this.coverage.record(command, naive, { due: dueBefore, owed: owedBefore, otos: otosBefore });
      this.compare(command, real, naive);
      this.requireInvariants(real);
      this.commands += 1;
      if (this.commands % READ_EVERY === 0 || command.action.kind === 'restart') this.readAll();
    });
  }

  /**
   * Compares the complete states once more, including ended orders and stored rows. Returns a description of the
   * first difference, undefined if there is none.
   */
  finish(): Promise<string | undefined> {
    return this.captureDifference(() => {
      this.readAll();
      for (const stored of this.real.storedOrders()) {
        const naive = this.naiveOrder(stored);
        // The stored row of a waiting trailing stop may be older than memory, so it is not compared.
        if (naive.type === 'trailing' && naive.stopStatus === 'waiting' && naive.state === 'open') continue;
        require(orderDifference(stored, naive, this.names), 'stored');
      }
    });
  }

  private async captureDifference(body: () => void | Promise<void>): Promise<string | undefined> {
    try {
      await body();
      return undefined;
    } catch (cause) {
      // Any error of the real side other than a refusal is a bug and counts as a difference.
      return cause instanceof Difference ? cause.message : String((cause as Error).stack ?? cause);
    }
  }

  private compare({ sequence, action }: ModelCommand, real: RealAnswer, naive: NaiveAnswer): void {
    if (real.refused !== naive.refused)
      differ(`answers ${real.refused ?? 'done'} instead of ${naive.refused ?? 'done'}`);
    if (real.refused !== undefined) return;
    if (action.kind === 'cancelAll' && real.count !== naive.count)
      differ(`cancelled ${real.count} instead of ${naive.count}`);
    for (const order of real.orders) this.nameNew(sequence, order);

    if (real.trades.length !== naive.trades.length)
      differ(`traded ${real.trades.length} times instead of ${naive.trades.length}`);
    for (const [index, trade] of real.trades.entries())
      require(tradeDifference(trade, naive.trades[index]!, this.names), `${index + 1}.`);
    if (real.amendments.length !== naive.amendments.length)
      differ(`stored ${real.amendments.length} amendments instead of ${naive.amendments.length}`);
    for (const [index, amended] of real.amendments.entries())
      require(amendmentDifference(amended, naive.amendments[index], this.names), 'stored');
    for (const order of naive.changed) if (order.state !== 'open') this.ended.set(order.label, order);
    for (const order of real.orders)
      require(orderDifference(order, this.naiveOrder(order), this.names), 'wrote');
    const written = new Set(real.orders.map(({ id }) => this.names.labelOf(id)));
    for (const { label } of naive.changed) if (!written.has(label)) differ(`order ${label} was not written`);
    for (const { owner, asset, available, frozen } of real.balances) {
      const account = this.naive.state.accounts.accountOf(owner, asset);
      if (!available.equals(account.available) || !frozen.equals(account.frozen)) {
        const instead = `${account.available} and ${account.frozen}`;
        differ(`${owner} is told ${available} and ${frozen} ${asset} instead of ${instead}`);
      }
    }
  }

  /** Pairs the labels of an order that occurs for the first time, its OCO and its OTO with their real ids. */
  private nameNew(sequence: number, { id, type, groupId, oto }: SpotOrder): void {
    if (this.names.labelOf(id) !== undefined) return;
    const single = oto?.role === 'pending' ? 'pending' : '';
    const leg = groupId === '' ? single : type === 'limit' ? 'limit' : 'stop';
    this.names.pair(labelOf(sequence, leg), id);
    if (groupId !== '') this.names.pair(`group ${sequence}`, groupId);
    if (oto !== undefined) this.names.pair(`oto ${sequence}`, oto.id);
  }

  private naiveOrder({ id }: SpotOrder): NaiveOrder {
    const label = this.names.labelOf(id);
    const naive =
      this.naive.state.orders.find((order) => order.label === label) ?? this.ended.get(label ?? '');
    return naive ?? differ(`the naive side knows no order ${label ?? id}`);
  }

  /** Checks the invariants that hold under any trading rules. */
  private requireInvariants({ orders, trades, symbols }: RealAnswer): void {
    const { ledger, exchange } = this.real;
    const sums = new Map<string, bigint>();
    for (const { asset, atoms, address, mayBeNegative } of ledger.everyAccount()) {
      sums.set(asset, (sums.get(asset) ?? 0n) + atoms);
      if (atoms < 0n && !mayBeNegative) differ(`${address} is negative`);
    }
    for (const [asset, sum] of sums) if (sum !== 0n) differ(`${asset} is not conserved: ${sum}`);
    for (const { taker, maker } of trades) if (taker === maker) differ(`${taker} traded with himself`);
    for (const symbol of symbols) {
      const { book } = exchange.market(symbol);
      const [bid, ask] = [book.best('buy'), book.best('sell')];
      if (bid !== null && ask !== null && bid.price >= ask.price) differ(`the book of ${symbol} is crossed`);
    }
    const owners = new Set<UserId>();
    for (const order of orders) {
      requireConsistent(order);
      owners.add(order.owner);
    }
    for (const owner of owners) this.requireHolds(owner);
  }

  /** Audit rule M4: the frozen balance equals the held funds of the open orders. */
  private requireHolds(owner: UserId): void {
    const { ledger, exchange, assets } = this.real;
    const open = exchange.orders.ofOwner(owner);
    for (const asset of assets) {
      let held = 0n;
      for (const order of open) if (order.heldAsset === asset) held += order.held.atoms;
      const frozen = ledger.balance(userAddress(owner, 'spot', 'frozen'), asset);
      if (frozen.atoms !== held)
        differ(`${owner} has ${frozen} ${asset} frozen, not ${Decimal.ofAtoms(held)}`);
    }
  }

  private readAll(): void {
    const { real, naive } = this;
    const open = real.openOrders();
    if (open.length !== naive.state.orders.length)
      differ(`${open.length} orders are open instead of ${naive.state.orders.length}`);
    for (const order of open) require(orderDifference(order, this.naiveOrder(order), this.names), 'open');
    for (const { owner, asset, available, frozen } of naive.state.accounts.rows) {
      requireBalance(real, userAddress(owner, 'spot', 'available'), asset, available);
      requireBalance(real, userAddress(owner, 'spot', 'frozen'), asset, frozen);
    }
    for (const asset of real.assets)
      requireBalance(real, houseAddress('fees'), asset, naive.state.accounts.earned(asset));
    const due = real.exchange.due.ids.map((id) => this.names.labelOf(id));
    if (due.join() !== naive.state.due.join())
      differ(`due are ${due.join()} instead of ${naive.state.due.join()}`);
    const owed = real.exchange.owedOtos.ids.map((id) => this.names.labelOf(id)).join();
    const owedNaive = owedOtos(naive.state).map(({ label }) => label);
    if (owed !== owedNaive.join()) differ(`owed are the orders ${owed} instead of ${owedNaive.join()}`);
    for (const { listed, status, last } of naive.state.markets) {
      const market = real.exchange.market(listed.pair.symbol);
      if (market.status !== status) differ(`${listed.pair.symbol} is ${market.status}, not ${status}`);
      if (market.last?.atoms !== last?.atoms) differ(`${listed.pair.symbol}: another last price`);
      for (const problem of market.book.validate()) differ(problem);
      for (const side of ['buy', 'sell'] as const) this.readSide(listed.pair.symbol, side);
    }
    for (const problem of real.ledger.verify()) differ(problem);
  }

  /** Compares the resting orders of one side one by one, and the published price levels. */
  private readSide(symbol: string, side: Side): void {
    const { pair, book } = this.real.exchange.market(symbol);
    const queue = ordersOn(this.naive.state, symbol).filter((order) => order.resting && order.side === side);
    const labels = queue.sort(byPriority).map(({ label }) => label);
    const resting = [...book.resting(side)];
    const names = resting.map(({ id }) => this.names.labelOf(id));
    if (names.join() !== labels.join())
      differ(`${symbol} ${side} queues ${names.join()} instead of ${labels.join()}`);
    const levels = new Map<string, bigint>();
    for (const { price, amount } of resting) {
      const name = priceOf(pair, price).toString();
      levels.set(name, (levels.get(name) ?? 0n) + amountOf(pair, amount).atoms);
    }
    const published = this.real.publishedLevels(symbol, side);
    if (published.size !== levels.size)
      differ(`${symbol} ${side}: ${published.size} levels were published, ${levels.size} are`);
    for (const [price, atoms] of levels) {
      if (published.get(price) !== atoms)
        differ(`${symbol} ${side} ${price}: published ${published.get(price)}, not ${atoms}`);
    }
  }
}

function differ(text: string): never {
  throw new Difference(text);
}

function require(difference: string | undefined, where: string): void {
  if (difference !== undefined) differ(`${where} ${difference}`);
}

function requireBalance(
  { ledger }: RealExchange,
  address: ReturnType<typeof userAddress>,
  asset: string,
  expected: Decimal,
): void {
  const balance = ledger.balance(address, asset);
  if (!balance.equals(expected))
    differ(`${addressText(address)} has ${balance} ${asset} instead of ${expected}`);
}

/** Checks a single order: its amounts add up, and an ended order holds nothing. */
function requireConsistent(order: SpotOrder): void {
  const { id, state, amount, filledAmount, cancelledAmount, held } = order;
  if (amount !== undefined) {
    const sum = filledAmount.plus(remainingAmount(order)).plus(cancelledAmount);
    if (!sum.equals(amount) || remainingAmount(order).isNegative()) differ(`${id} does not add up`);
    if (state === 'filled' && !filledAmount.equals(amount)) differ(`${id} is filled and is not`);
  }
  if (state !== 'open' && !held.isZero()) differ(`${id} ended and still holds ${held}`);
}
