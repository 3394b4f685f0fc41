import type { Side } from '@exchange/core/pair.ts';
import type * as spot from '@exchange/wire/spot.ts';
import type { RequestFields } from '../calling.ts';
import type { SeededRandom } from '../seeded-random.ts';

type OrderFields = RequestFields<typeof spot.createOrder>;
export type OrderKind = (typeof spot.ORDER_TYPES)[number];

export const TRADED_PAIR = { baseCoin: 'BTC', quoteCoin: 'USDT', symbol: 'btcusdt' } as const;
const PRICE_DIGITS = 2;
const AMOUNT_DIGITS = 5;
/**
 * Range of the distance of a drawn limit price from the market price, in ten-thousandths of the price. Distances are so
 * small that many orders fill within seconds.
 */
const NEAR = { least: -10, most: 200 } as const;
/**
 * Range of the distance of a drawn stop price from the market price, in ticks of 0.01 USDT. Distances are so small that
 * even a short run triggers some stop orders.
 */
const STOP_TICKS = { least: 1, most: 25 } as const;
const TICK = 0.01;
const LIFETIME_MS = { least: 500, most: 20_000 } as const;
/** Probability of each order type that is not a limit order. The remaining probability is that of limit orders. */
const SHARES: readonly (readonly [OrderKind, number])[] = [
  ['market', 0.2],
  ['stopMarket', 0.07],
  ['stopLimit', 0.07],
  ['takeProfitMarket', 0.06],
  ['takeProfitLimit', 0.06],
  ['trailing', 0.06],
];

/** Draws an order of a random type whose price is near `price`. */
export function drawOrder(random: SeededRandom, price: number, nowMs: number): OrderFields {
  const side = random.pick(['buy', 'sell'] as const);
  const type = drawType(random);
  const base = {
    baseCoin: TRADED_PAIR.baseCoin,
    quoteCoin: TRADED_PAIR.quoteCoin,
    tradeType: side,
    orderType: type,
  };
  const amount = drawAmount(random);
  if (type === 'market')
    return side === 'buy' && random.chance(0.3)
      ? { ...base, total: (random.whole(600, 3_000) / 100).toFixed(2) }
      : { ...base, amount };
  if (type === 'limit') {
    const limit = around(price, side === 'buy' ? -1 : 1, random.whole(NEAR.least, NEAR.most));
    return { ...base, amount, price: limit, ...drawLifetime(random, nowMs) };
  }
  if (type === 'trailing') return { ...base, amount, trailPct: (random.whole(10, 60) / 100).toFixed(2) };
  return { ...base, amount, ...drawStop(random, type, side, price) };
}

/** Draws an OCO whose prices are near `price`. */
export function drawOco(random: SeededRandom, price: number): RequestFields<typeof spot.createOco> {
  const side = random.pick(['buy', 'sell'] as const);
  const direction = side === 'sell' ? 1 : -1;
  const stopPrice = drawNear(random, price, -direction);
  return {
    baseCoin: TRADED_PAIR.baseCoin,
    quoteCoin: TRADED_PAIR.quoteCoin,
    tradeType: side,
    amount: drawAmount(random),
    limitPrice: drawNear(random, price, direction),
    stopPrice,
    ...(random.chance(0.5) ? { stopLimitPrice: stopPrice } : {}),
  };
}

/** Draws an amendment of an order: it changes the price, the amount, or both. */
export function drawAmendment(random: SeededRandom, price: number, side: Side) {
  const choice = random.whole(0, 2);
  const limit = around(price, side === 'buy' ? -1 : 1, random.whole(5, NEAR.most));
  return {
    ...(choice === 0 ? {} : { price: limit }),
    ...(choice === 1 ? {} : { amount: drawAmount(random) }),
  };
}

function drawType(random: SeededRandom): OrderKind {
  let remaining = random.whole(0, 9_999) / 10_000;
  for (const [type, share] of SHARES) {
    if (remaining < share) return type;
    remaining -= share;
  }
  return 'limit';
}

function drawAmount(random: SeededRandom): string {
  return (random.whole(20, 60) / 100_000).toFixed(AMOUNT_DIGITS);
}

function drawLifetime(random: SeededRandom, nowMs: number): OrderFields {
  if (!random.chance(0.25)) return {};
  const expireTime = String(Math.round(nowMs) + random.whole(LIFETIME_MS.least, LIFETIME_MS.most));
  return { timeInForce: 'GTT', expireTime };
}

function drawStop(random: SeededRandom, type: OrderKind, side: Side, price: number): OrderFields {
  const isProfit = type.startsWith('takeProfit');
  const direction = (side === 'buy') === isProfit ? -1 : 1;
  const stopPrice = drawNear(random, price, direction);
  return type.endsWith('Limit') ? { stopPrice, price: stopPrice } : { stopPrice };
}

/** Draws a price that is a few ticks above `price` (`direction` 1) or below it (`direction` −1). */
function drawNear(random: SeededRandom, price: number, direction: number): string {
  return (price + direction * TICK * random.whole(STOP_TICKS.least, STOP_TICKS.most)).toFixed(PRICE_DIGITS);
}

/** Returns the price that is `parts` ten-thousandths above `price` (`direction` 1) or below it (`direction` −1). */
function around(price: number, direction: number, parts: number): string {
  return (price * (1 + (direction * parts) / 10_000)).toFixed(PRICE_DIGITS);
}
