import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import { createOrder } from '@exchange/wire/spot.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { callerOf, demoToken } from './calls.ts';

type Level = readonly [price: number, amount: number];

/**
 * Somebody else who trades BTC/USDT meanwhile: the demo trader, apart from any browser. What moves the price up
 * and what moves it down should take turns, since the funds last for two or three moves one way.
 */
export interface SecondTrader {
  /** Prices that the market has not reached: all offers of the other side and the last price lie within. */
  edges(): Promise<{ readonly floor: Decimal; readonly ceiling: Decimal }>;
  /** Buys or sells through the book until a deal has been made at `price` or beyond. */
  moveLast(side: Side, price: Decimal): Promise<void>;
  /** Offers an amount at a price and leaves it there. */
  offer(side: Side, price: Decimal, amount: Decimal): Promise<void>;
}

const PAIR = { symbol: 'btcusdt', baseCoin: 'BTC', quoteCoin: 'USDT' };
const AMOUNT_DIGITS = 5;
const MOVE_MS = 15_000;

/** Brings a second trader to the market. */
export async function secondTrader(origin: string): Promise<SecondTrader> {
  const call = callerOf(origin);
  const token = await demoToken(call);
  const place = (side: Side, fields: Record<string, string>) =>
    call(
      createOrder.path,
      {
        baseCoin: PAIR.baseCoin,
        quoteCoin: PAIR.quoteCoin,
        tradeType: side === 'buy' ? '1' : '2',
        clientId: crypto.randomUUID(),
        ...fields,
      },
      token,
    );
  /** Takes what the book has for an amount of BTC. */
  const take = async (side: Side, amount: Decimal): Promise<void> => {
    await place(side, { orderType: 'market', amount: amount.toString() });
  };

  const book = async () =>
    (await call('/huobi/getHuobiContractDepthV2', { symbol: PAIR.symbol })) as {
      bids: readonly Level[];
      asks: readonly Level[];
    };

  /** What stands in the way to `price`, the first level at or beyond it included. */
  const inTheWay = async (side: Side, price: Decimal): Promise<Decimal> => {
    const { bids, asks } = await book();
    const levels = side === 'buy' ? asks : bids;
    const beyond = levels.findIndex(([level]) => reaches(side, level, price));
    return levels
      .slice(0, beyond + 1)
      .map(([, amount]) => Decimal.parse(amount.toFixed(AMOUNT_DIGITS)))
      .reduce((total, next) => total.plus(next), Decimal.zero);
  };
  const latestDeals = async (): Promise<readonly { id: string; price: number }[]> =>
    (await call('/huobi/getMarketTrade', { symbol: PAIR.symbol })) as { id: string; price: number }[];

  return {
    edges: async () => {
      const [{ bids, asks }, [deal]] = await Promise.all([book(), latestDeals()]);
      const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
      if (bid === undefined || ask === undefined || deal === undefined)
        throw new Error('There is no market.');
      const price = (value: number): Decimal => Decimal.parse(String(value));
      return { floor: price(Math.min(bid, deal.price)), ceiling: price(Math.max(ask, deal.price)) };
    },
    moveLast: async (side, price) => {
      const deadline = Date.now() + MOVE_MS;
      const before = new Set((await latestDeals()).map(({ id }) => id));
      const isReached = async (): Promise<boolean> =>
        (await latestDeals()).some((deal) => !before.has(deal.id) && reaches(side, deal.price, price));
      while (!(await isReached())) {
        if (Date.now() > deadline) throw new Error(`No deal comes to ${price.toString()}.`);
        const amount = await inTheWay(side, price);
        if (amount.isPositive()) await take(side, amount);
        else await pause(100);
      }
    },
    offer: async (side, price, amount) => {
      await place(side, { orderType: 'limit', price: price.toString(), amount: amount.toString() });
    },
  };
}

function reaches(side: Side, price: number, target: Decimal): boolean {
  const level = Decimal.parse(String(price));
  return side === 'buy' ? !level.isLess(target) : !level.isMore(target);
}
