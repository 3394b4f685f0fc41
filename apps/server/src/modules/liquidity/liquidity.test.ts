import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import { oppositeSide, type Pair, type Side } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { instant, later, type Instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../platform/log.ts';
import { createAssets } from '../assets/index.ts';
import { SimulatedPath, simulatedCoin } from '../market/domain/simulated-path.ts';
import { PriceTimeBook } from '../matching/index.ts';
import { MarketMaker } from './market-maker.ts';
import type { HouseOrder, Prices, SpotTrading } from './parts.ts';
import { SimulatedFlow } from './simulated-flow.ts';

const START = instant(1_800_000_000_000);
const MAKER = 'maker' as UserId;
const TAKERS = 'takers' as UserId;
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
// All pairs except those whose base coin was sold in a token sale; in the demo another account makes the market of
// these.
const pairs = createAssets({ mode: 'demo' }).pairs.filter(({ isToken }) => !isToken);
const pairsBySymbol = new Map(pairs.map(({ pair }) => [pair.symbol, pair]));

type OpenOrder = ReturnType<SpotTrading['openOrders']>[number];

/**
 * A fake of spot's order entry: matches orders in real order books without moving balances, and records the commands of
 * all users, and how many commands of one user on one pair run at the same time.
 */
class Trading implements SpotTrading {
  readonly books = new Map(pairs.map(({ pair }) => [pair.symbol, new PriceTimeBook()]));
  readonly commands: { user: UserId; symbol: string; kind: string }[] = [];
  readonly atOnce = new Map<string, number>();
  mostAtOnce = 0;
  deals = 0;
  refuse: Refused | undefined;
  private ids = 0;
  /**
   * The last returned state of each order, cached because open orders are read many times a second.
   */
  private readonly views = new Map<string, { amount: bigint; order: OpenOrder }>();

  async place(user: UserId, order: HouseOrder): Promise<unknown> {
    return this.counted(user, order.symbol, 'place', (book, pair) => {
      if (this.refuse !== undefined) throw this.refuse;
      this.ids += 1;
      const placed = book.place({
        id: `${order.symbol}:${this.ids}`,
        owner: user,
        side: order.side,
        price: order.price?.toScaled(pair.priceDigits) ?? null,
        amount: order.amount.toScaled(pair.amountDigits),
        timeInForce: order.timeInForce,
        postOnly: order.postOnly ?? false,
        selfTrade: 'cancelTaker',
      });
      this.deals += placed.fills.length;
      if (placed.reason === 'wouldCross') throw new Refused(refusal('generic', 'l.post_only_crosses'));
      return placed;
    });
  }

  async amend(user: UserId, id: OrderId, { price }: { price: Decimal }): Promise<unknown> {
    return this.counted(user, id.split(':')[0] ?? '', 'amend', (book, pair) => {
      const order = book.get(id);
      if (order === undefined || order === null) throw new Refused(refusal('generic', 'l.order_not_open'));
      const { side, amount } = order;
      book.cancel(id);
      const placed = book.place({
        id,
        owner: user,
        side,
        price: price.toScaled(pair.priceDigits),
        amount,
        timeInForce: 'GTC',
        postOnly: true,
        selfTrade: 'cancelTaker',
      });
      if (placed.reason === 'wouldCross') throw new Error('a moved quote crosses the book');
      this.views.delete(id);
      return placed;
    });
  }

  async cancel(user: UserId, id: OrderId): Promise<unknown> {
    return this.counted(user, id.split(':')[0] ?? '', 'cancel', (book) => {
      if (book.cancel(id) === null) throw new Refused(refusal('generic', 'l.order_not_open'));
    });
  }

  openOrders(user: UserId): OpenOrder[] {
    const orders: OpenOrder[] = [];
    for (const [symbol, book] of this.books)
      for (const side of ['buy', 'sell'] as const)
        for (const resting of book.resting(side))
          if (resting.owner === user) orders.push(this.viewOf(symbol, side, resting));
    return orders;
  }

  private viewOf(
    symbol: string,
    side: Side,
    { id, price, amount }: { id: string; price: bigint; amount: bigint },
  ): OpenOrder {
    const cached = this.views.get(id);
    if (cached?.amount === amount) return cached.order;
    const { priceDigits, amountDigits } = pairOf(symbol);
    const order: OpenOrder = {
      id: id as OrderId,
      symbol,
      side,
      price: Decimal.ofScaled(price, priceDigits),
      remaining: Decimal.ofScaled(amount, amountDigits),
    };
    this.views.set(id, { amount, order });
    return order;
  }

  private async counted<T>(
    user: UserId,
    symbol: string,
    kind: string,
    run: (book: PriceTimeBook, pair: Pair) => T,
  ) {
    this.commands.push({ user, symbol, kind });
    const key = `${user}.${symbol}`;
    this.atOnce.set(key, (this.atOnce.get(key) ?? 0) + 1);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce.get(key) ?? 0);
    await Promise.resolve();
    this.atOnce.set(key, (this.atOnce.get(key) ?? 0) - 1);
    return run(this.books.get(symbol) ?? new PriceTimeBook(), pairOf(symbol));
  }
}

function pairOf(symbol: string): Pair {
  const pair = pairsBySymbol.get(symbol);
  if (pair === undefined) throw new Error(`no pair ${symbol}`);
  return pair;
}

/**
 * Upper limit of the market maker's commands on one pair that run at the same time: it sends the commands for a whole
 * ladder at once, and further commands only after those are answered.
 */
const WHOLE_LADDER = 60;

/** A market maker with its own clock, the simulated price path as index, and real books. */
function startMaker(options: { withTakers: boolean } = { withTakers: true }) {
  const trading = new Trading();
  const path = new SimulatedPath(
    createAssets({ mode: 'demo' }).coins.map(({ code }) => simulatedCoin(code)),
    new SeededGenerator(5),
  );
  const worth = (code: string) => (code === 'USDT' ? 1 : path.price(code));
  const environment = { now: START, hasIndex: true, trading };
  const clock = { now: () => environment.now, monotonicMs: () => environment.now };
  const index = (symbol: string): Decimal => {
    const { base, quote, priceDigits } = pairOf(symbol);
    const digits = priceDigits + 2;
    return Decimal.ofScaled(BigInt(Math.round((worth(base) / worth(quote)) * 10 ** digits)), digits);
  };
  const prices: Prices = {
    indexPrice: (symbol) => (environment.hasIndex ? { price: index(symbol) } : undefined),
    bestPrice: (symbol, side) => {
      const best = trading.books.get(symbol)?.best(side);
      return best ? Decimal.ofScaled(best.price, pairOf(symbol).priceDigits) : undefined;
    },
    usdtPrice: (coin) => (coin === 'USDT' ? Decimal.one : index(`${coin}usdt`.toLowerCase())),
  };
  const parts = { clock, log: silent, spot: trading, prices, pairs };
  const newMaker = (quoted = pairs) => new MarketMaker({ ...parts, pairs: quoted }, MAKER, 11);
  let maker = newMaker();
  const flow = new SimulatedFlow(parts, TAKERS, 12);
  const run = async (seconds: number, eachSecond: (now: Instant) => void = () => {}) => {
    for (let tick = 0; tick < seconds * 20; tick += 1) {
      environment.now = later(environment.now, 50);
      if (tick % 20 === 0) {
        path.advance(1);
        eachSecond(environment.now);
      }
      await Promise.all([
        maker.advance(environment.now),
        ...(options.withTakers ? [flow.advance(environment.now)] : []),
      ]);
    }
  };
  const restart = async (quoted = pairs) => {
    maker = newMaker(quoted);
    await maker.cancelUnquoted();
  };
  return { house: environment, trading, index, run, restart, prices };
}

/**
 * Distance between the middle of a pair's book and the pair's index, in ticks and as a fraction of the index,
 * and the spread as a fraction of the middle.
 */
function distanceOf({ index, prices }: ReturnType<typeof startMaker>, symbol: string) {
  const [bid, ask] = [prices.bestPrice(symbol, 'buy'), prices.bestPrice(symbol, 'sell')];
  if (bid === undefined || ask === undefined) return { isTwoSided: false, fraction: 1, spread: 1, ticks: 99 };
  const number = (value: Decimal) => Number(value.toString());
  const middle = (number(bid) + number(ask)) / 2;
  const difference = Math.abs(middle - number(index(symbol)));
  return {
    isTwoSided: true,
    fraction: difference / number(index(symbol)),
    ticks: difference * 10 ** pairOf(symbol).priceDigits,
    spread: (number(ask) - number(bid)) / middle,
  };
}

describe('the market maker', () => {
  it('LIQ-003 LIQ-005 LIQ-030 LIQ-1035 keeps every book deep and near the index for ten minutes with a bounded rate of commands', async () => {
    const maker = startMaker();
    await maker.run(30);
    const filled = maker.trading.commands.length;
    const samples: Record<string, { off: number[]; spread: number[] }> = {};
    await maker.run(600, () => {
      for (const { pair } of pairs) {
        const { fraction, ticks, spread, isTwoSided } = distanceOf(maker, pair.symbol);
        expect(isTwoSided).toBe(true);
        const list = (samples[pair.symbol] ??= { off: [], spread: [] });
        list.off.push(ticks <= 2 ? 0 : fraction);
        list.spread.push(spread);
      }
    });
    const median = (values: number[] = []) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 1;
    const worst = (values: number[] = []) => Math.max(...values);
    expect(median(samples['btcusdt']?.off)).toBeLessThan(0.0003);
    // At the simulated prices, these limits permit a median spread of at most three price ticks.
    expect(median(samples['btcusdt']?.spread)).toBeLessThan(0.0000004);
    expect(median(samples['ethusdt']?.spread)).toBeLessThan(0.00001);
    for (const { pair } of pairs) {
      expect([pair.symbol, worst(samples[pair.symbol]?.off) < 0.006]).toEqual([pair.symbol, true]);
    }
    const since = maker.trading.commands.slice(filled);
    const rate = (user: UserId) => since.filter((command) => command.user === user).length / 600;
    expect(rate(MAKER)).toBeLessThan(2);
    expect(rate(TAKERS)).toBeGreaterThan(1);
    expect(rate(TAKERS)).toBeLessThan(1.5);
    expect(maker.trading.deals).toBeGreaterThan(600);
    expect(maker.trading.mostAtOnce).toBeLessThanOrEqual(WHOLE_LADDER);
    for (const [symbol, book] of maker.trading.books) {
      expect(book.validate()).toEqual([]);
      const { bids, asks } = book.depth(20);
      expect([symbol, bids.length, asks.length]).toEqual([symbol, 20, 20]);
    }
  });

  it('LIQ-006 quotes nothing once the index is gone, and quotes again when it is back', async () => {
    const maker = startMaker({ withTakers: false });
    await maker.run(20);
    const ordersBefore = maker.trading.openOrders(MAKER).length;
    expect(ordersBefore).toBeGreaterThan(500);
    maker.house.hasIndex = false;
    await maker.run(1);
    expect(maker.trading.openOrders(MAKER)).toHaveLength(ordersBefore);
    await maker.run(12);
    expect(maker.trading.openOrders(MAKER)).toEqual([]);
    maker.house.hasIndex = true;
    await maker.run(20);
    expect(maker.trading.openOrders(MAKER).length).toBeGreaterThan(500);
  });

  it('LIQ-007 continues after a restart with the orders it finds and leaves none behind', async () => {
    const maker = startMaker({ withTakers: false });
    await maker.run(20);
    const ids = new Set(maker.trading.openOrders(MAKER).map(({ id }) => id));
    const placed = maker.trading.commands.length;
    await maker.restart();
    await maker.run(5);
    const keptCount = maker.trading.openOrders(MAKER).filter(({ id }) => ids.has(id)).length;
    expect(keptCount / ids.size).toBeGreaterThan(0.9);
    expect(maker.trading.commands.length - placed).toBeLessThan(100);
  });

  it('LIQ-009 cancels its orders on pairs that it no longer quotes', async () => {
    const maker = startMaker({ withTakers: false });
    await maker.run(20);
    await maker.restart(pairs.slice(0, 1));
    const symbols = new Set(maker.trading.openOrders(MAKER).map(({ symbol }) => symbol));
    expect([...symbols]).toEqual([pairs[0]?.pair.symbol]);
    await maker.restart([]);
    await maker.run(5);
    expect(maker.trading.openOrders(MAKER)).toEqual([]);
  });

  it('LIQ-008 pauses a refused side and sends at most one ladder before it is answered', async () => {
    const maker = startMaker({ withTakers: false });
    maker.trading.refuse = new Refused(refusal('insufficientBalance', 'l.insufficient_balance'));
    await maker.run(1);
    const attempts = maker.trading.commands.length;
    await maker.run(24);
    // After a refusal because of too small a balance, the market maker sends no order on that side of the book for half
    // a minute.
    expect(maker.trading.commands.length).toBe(attempts);
    maker.trading.refuse = undefined;
    await maker.run(40);
    expect(maker.trading.openOrders(MAKER).length).toBeGreaterThan(500);
    expect(maker.trading.mostAtOnce).toBeLessThanOrEqual(WHOLE_LADDER);
  });

  it.each(['buy', 'sell'] as const)(
    'LIQ-004 takes another trader’s %s that is better than its own quote',
    async (side: Side) => {
      const maker = startMaker({ withTakers: false });
      await maker.run(20);
      const { pair } = pairs.find((listed) => listed.pair.symbol === 'btcusdt') ?? pairs[0]!;
      const factor = Decimal.parse(side === 'buy' ? '1.001' : '0.999');
      const price = maker.index(pair.symbol).times(factor, 'halfEven', pair.priceDigits);
      const trader = 'stranger' as UserId;
      const amount = Decimal.parse('0.01');
      // The market maker's quotes on the other side are cancelled first, because the trader's order would match them at
      // once.
      for (const quote of maker.trading.openOrders(MAKER)) {
        if (quote.symbol === pair.symbol && quote.side === oppositeSide(side))
          maker.trading.books.get(pair.symbol)?.cancel(quote.id);
      }
      await maker.trading.place(trader, {
        symbol: pair.symbol,
        side,
        type: 'limit',
        price,
        amount,
        timeInForce: 'GTC',
      });
      expect(maker.trading.openOrders(trader)).toHaveLength(1);
      await maker.run(10);
      expect(maker.trading.openOrders(trader)).toEqual([]);
      expect(maker.trading.books.get(pair.symbol)?.best(oppositeSide(side))).not.toBeNull();
    },
  );
});
