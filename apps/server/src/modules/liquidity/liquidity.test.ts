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
// Tokens of sales are quoted by a house of their own.
const pairs = createAssets({ mode: 'demo' }).pairs.filter(({ isToken }) => !isToken);
const pairsBySymbol = new Map(pairs.map(({ pair }) => [pair.symbol, pair]));

type OpenOrder = ReturnType<SpotTrading['openOrders']>[number];

/** Spot's calls over real books, without money: what is asked, how often, and what the books become. */
class Trading implements SpotTrading {
  readonly books = new Map(pairs.map(({ pair }) => [pair.symbol, new PriceTimeBook()]));
  readonly commands: { user: UserId; symbol: string; kind: string }[] = [];
  readonly atOnce = new Map<string, number>();
  mostAtOnce = 0;
  deals = 0;
  refuse: Refused | undefined;
  private ids = 0;
  /** As last told: the house asks for all its orders many times a second. */
  private readonly told = new Map<string, { amount: bigint; order: OpenOrder }>();

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
      this.told.delete(id);
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
          if (resting.owner === user) orders.push(this.tell(symbol, side, resting));
    return orders;
  }

  private tell(
    symbol: string,
    side: Side,
    { id, price, amount }: { id: string; price: bigint; amount: bigint },
  ): OpenOrder {
    const before = this.told.get(id);
    if (before?.amount === amount) return before.order;
    const { priceDigits, amountDigits } = pairOf(symbol);
    const order: OpenOrder = {
      id: id as OrderId,
      symbol,
      side,
      price: Decimal.ofScaled(price, priceDigits),
      remaining: Decimal.ofScaled(amount, amountDigits),
    };
    this.told.set(id, { amount, order });
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

/** Most orders of one pair: a ladder is put up at once, and nothing more is sent until that is answered. */
const WHOLE_LADDER = 60;

/** A day at the house: its own clock, the hidden path as index, real books. */
function aHouse(options: { withTakers: boolean } = { withTakers: true }) {
  const trading = new Trading();
  const path = new SimulatedPath(
    createAssets({ mode: 'demo' }).coins.map(({ code }) => simulatedCoin(code)),
    new SeededGenerator(5),
  );
  const worth = (code: string) => (code === 'USDT' ? 1 : path.price(code));
  const house = { now: START, hasIndex: true, trading };
  const clock = { now: () => house.now, monotonicMs: () => house.now };
  const index = (symbol: string): Decimal => {
    const { base, quote, priceDigits } = pairOf(symbol);
    const digits = priceDigits + 2;
    return Decimal.ofScaled(BigInt(Math.round((worth(base) / worth(quote)) * 10 ** digits)), digits);
  };
  const prices: Prices = {
    indexPrice: (symbol) => (house.hasIndex ? { price: index(symbol) } : undefined),
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
      house.now = later(house.now, 50);
      if (tick % 20 === 0) {
        path.advance(1);
        eachSecond(house.now);
      }
      await Promise.all([maker.advance(house.now), ...(options.withTakers ? [flow.advance(house.now)] : [])]);
    }
  };
  const restart = async (quoted = pairs) => {
    maker = newMaker(quoted);
    await maker.adopt();
  };
  return { house, trading, index, run, restart, prices };
}

/** How far the middle of the book lies from the index, in ticks and as a fraction. */
function distanceOf({ index, prices }: ReturnType<typeof aHouse>, symbol: string) {
  const [bid, ask] = [prices.bestPrice(symbol, 'buy'), prices.bestPrice(symbol, 'sell')];
  if (bid === undefined || ask === undefined) return { isTwoSided: false, fraction: 1, spread: 1, ticks: 99 };
  const number = (value: Decimal) => Number(value.toString());
  const middle = (number(bid) + number(ask)) / 2;
  const away = Math.abs(middle - number(index(symbol)));
  return {
    isTwoSided: true,
    fraction: away / number(index(symbol)),
    ticks: away * 10 ** pairOf(symbol).priceDigits,
    spread: (number(ask) - number(bid)) / middle,
  };
}

describe('the house market maker', () => {
  it('LIQ-003 LIQ-005 LIQ-030 LIQ-1035 keeps every book deep and near the index for ten minutes with a bounded rate of commands', async () => {
    const there = aHouse();
    await there.run(30);
    const filled = there.trading.commands.length;
    const seen: Record<string, { off: number[]; spread: number[] }> = {};
    await there.run(600, () => {
      for (const { pair } of pairs) {
        const { fraction, ticks, spread, isTwoSided } = distanceOf(there, pair.symbol);
        expect(isTwoSided).toBe(true);
        const list = (seen[pair.symbol] ??= { off: [], spread: [] });
        list.off.push(ticks <= 2 ? 0 : fraction);
        list.spread.push(spread);
      }
    });
    const median = (values: number[] = []) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 1;
    const worst = (values: number[] = []) => Math.max(...values);
    expect(median(seen['btcusdt']?.off)).toBeLessThan(0.0003);
    // Three ticks or fewer.
    expect(median(seen['btcusdt']?.spread)).toBeLessThan(0.0000004);
    expect(median(seen['ethusdt']?.spread)).toBeLessThan(0.00001);
    for (const { pair } of pairs) {
      expect([pair.symbol, worst(seen[pair.symbol]?.off) < 0.006]).toEqual([pair.symbol, true]);
    }
    const since = there.trading.commands.slice(filled);
    const rate = (user: UserId) => since.filter((command) => command.user === user).length / 600;
    expect(rate(MAKER)).toBeLessThan(2);
    expect(rate(TAKERS)).toBeGreaterThan(1);
    expect(rate(TAKERS)).toBeLessThan(1.5);
    expect(there.trading.deals).toBeGreaterThan(600);
    expect(there.trading.mostAtOnce).toBeLessThanOrEqual(WHOLE_LADDER);
    for (const [symbol, book] of there.trading.books) {
      expect(book.validate()).toEqual([]);
      const { bids, asks } = book.depth(20);
      expect([symbol, bids.length, asks.length]).toEqual([symbol, 20, 20]);
    }
  });

  it('LIQ-006 quotes nothing once the index is gone, and quotes again when it is back', async () => {
    const there = aHouse({ withTakers: false });
    await there.run(20);
    const before = there.trading.openOrders(MAKER).length;
    expect(before).toBeGreaterThan(500);
    there.house.hasIndex = false;
    await there.run(1);
    expect(there.trading.openOrders(MAKER)).toHaveLength(before);
    await there.run(12);
    expect(there.trading.openOrders(MAKER)).toEqual([]);
    there.house.hasIndex = true;
    await there.run(20);
    expect(there.trading.openOrders(MAKER).length).toBeGreaterThan(500);
  });

  it('LIQ-007 goes on after a restart with the orders it finds and leaves none behind', async () => {
    const there = aHouse({ withTakers: false });
    await there.run(20);
    const ids = new Set(there.trading.openOrders(MAKER).map(({ id }) => id));
    const placed = there.trading.commands.length;
    await there.restart();
    await there.run(5);
    const kept = there.trading.openOrders(MAKER).filter(({ id }) => ids.has(id)).length;
    expect(kept / ids.size).toBeGreaterThan(0.9);
    expect(there.trading.commands.length - placed).toBeLessThan(100);
  });

  it('LIQ-009 takes its orders back where it is told to quote no pair any more', async () => {
    const there = aHouse({ withTakers: false });
    await there.run(20);
    await there.restart(pairs.slice(0, 1));
    const symbols = new Set(there.trading.openOrders(MAKER).map(({ symbol }) => symbol));
    expect([...symbols]).toEqual([pairs[0]?.pair.symbol]);
    await there.restart([]);
    await there.run(5);
    expect(there.trading.openOrders(MAKER)).toEqual([]);
  });

  it('LIQ-008 rests a side that is refused and never sends more than a ladder before it is answered', async () => {
    const there = aHouse({ withTakers: false });
    there.trading.refuse = new Refused(refusal('insufficientBalance', 'l.insufficient_balance'));
    await there.run(1);
    const attempts = there.trading.commands.length;
    await there.run(24);
    // A refused side is not tried again within the half minute of rest.
    expect(there.trading.commands.length).toBe(attempts);
    there.trading.refuse = undefined;
    await there.run(40);
    expect(there.trading.openOrders(MAKER).length).toBeGreaterThan(500);
    expect(there.trading.mostAtOnce).toBeLessThanOrEqual(WHOLE_LADDER);
  });

  it.each(['buy', 'sell'] as const)(
    'LIQ-004 takes a stranger’s %s that is better than its own quote',
    async (side: Side) => {
      const there = aHouse({ withTakers: false });
      await there.run(20);
      const { pair } = pairs.find((listed) => listed.pair.symbol === 'btcusdt') ?? pairs[0]!;
      const factor = Decimal.parse(side === 'buy' ? '1.001' : '0.999');
      const price = there.index(pair.symbol).times(factor, 'halfEven', pair.priceDigits);
      const stranger = 'stranger' as UserId;
      const amount = Decimal.parse('0.01');
      // Straight onto the book: it would trade with the ladder first otherwise.
      for (const quote of there.trading.openOrders(MAKER)) {
        if (quote.symbol === pair.symbol && quote.side === oppositeSide(side))
          there.trading.books.get(pair.symbol)?.cancel(quote.id);
      }
      await there.trading.place(stranger, {
        symbol: pair.symbol,
        side,
        type: 'limit',
        price,
        amount,
        timeInForce: 'GTC',
      });
      expect(there.trading.openOrders(stranger)).toHaveLength(1);
      await there.run(10);
      expect(there.trading.openOrders(stranger)).toEqual([]);
      expect(there.trading.books.get(pair.symbol)?.best(oppositeSide(side))).not.toBeNull();
    },
  );
});
