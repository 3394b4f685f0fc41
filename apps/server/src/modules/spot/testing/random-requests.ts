import { Decimal } from '@exchange/core/decimal.ts';
import { FEE_TIERS } from '@exchange/core/fee.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { oppositeSide, type Side } from '@exchange/core/pair.ts';
import type { ExitsRequest, OrderRequest, OrderType, TimeInForce } from '@exchange/core/spot.ts';
import { instant, later, type Instant } from '@exchange/core/time.ts';
import type { SeededRandom } from '../../../../testing/seeded-random.ts';
import type {
  PlacementContext,
  OcoCommand,
  OtoCommand,
  ExternalInputs,
  PlaceCommand,
} from './model-command.ts';
import type { NaiveAccounts } from './naive/accounts.ts';
import type { Listed } from './naive/order.ts';
import type { NaiveMarket } from './naive/state.ts';

const RATES = FEE_TIERS.map(({ maker, taker }) => ({ maker, taker }));

/**
 * The state of a pair's random prices, in ticks. The prices are mostly multiples of `step` around the moving
 * `middle`, so that many orders have equal prices.
 */
interface PriceProcess {
  middle: bigint;
  readonly step: bigint;
}

const STARTS: Readonly<Record<string, bigint>> = { btcusdt: 5_000_000n, ethbtc: 50_000n };
const MODES = ['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement'] as const;
/**
 * Order types for the random choice, repeated by their frequencies. Each stop type is rare, because the number
 * of an owner's stops is limited.
 */
const TYPES: readonly OrderType[] = [
  ...Array.from({ length: 26 }, () => 'limit' as const),
  ...Array.from({ length: 9 }, () => 'market' as const),
  ...Array.from({ length: 4 }, () => 'stopLimit' as const),
  ...Array.from({ length: 4 }, () => 'stopMarket' as const),
  ...Array.from({ length: 4 }, () => 'takeProfitLimit' as const),
  ...Array.from({ length: 4 }, () => 'takeProfitMarket' as const),
  ...Array.from({ length: 4 }, () => 'trailing' as const),
];
const TRAILS = ['0.001', '0.0015', '0.002', '0.0025', '0.003', '0.005', '0.01', '0.0213', '0.2'];
const BAD_TRAILS = ['0.0009', '0.2001', '0.00215'];

/**
 * Generator of random orders with random owners, prices, amounts and lifetimes. Most are valid, some break
 * one rule.
 */
export class RandomRequests {
  private readonly random: SeededRandom;
  private readonly users: readonly UserId[];
  private readonly wanderings = new Map<string, PriceProcess>();

  constructor(random: SeededRandom, users: readonly UserId[]) {
    this.random = random;
    this.users = users;
  }

  owner(): UserId {
    return this.random.pick(this.users);
  }

  quoteValue(): Decimal | undefined {
    return this.random.chance(0.1) ? undefined : Decimal.ofScaled(BigInt(this.random.whole(1, 900_000)), 4);
  }

  outside(listed: Listed): ExternalInputs {
    const { random } = this;
    const noise = Decimal.ofScaled(BigInt(random.whole(9_970, 10_030)), 4);
    const index = this.priceAt(listed, 0n).times(noise, 'down', listed.pair.priceDigits + 2);
    return { reference: random.chance(0.03) ? undefined : index, quoteValue: this.quoteValue() };
  }

  /**
   * A random price: mostly a valid one near the middle price, and often equal to the price of other orders;
   * rarely an invalid one.
   */
  price(listed: Listed, side?: Side): Decimal {
    const { random } = this;
    const wandering = this.wandering(listed);
    if (random.chance(0.006))
      return this.priceAt(listed, 0n).times(Decimal.parse('0.79'), 'down', listed.pair.priceDigits);
    if (random.chance(0.006))
      return this.priceAt(listed, 0n).times(Decimal.parse('1.22'), 'down', listed.pair.priceDigits);
    if (random.chance(0.006))
      return this.priceAt(listed, 0n).plus(Decimal.ofScaled(1n, listed.pair.priceDigits + 1));
    const lean = side === undefined ? 0 : side === 'buy' ? -3 : 3;
    const steps = BigInt(random.whole(-9, 9) + lean);
    const offGrid = random.chance(0.2) ? BigInt(random.whole(-5, 5)) : 0n;
    return this.priceAt(listed, steps * wandering.step + offGrid);
  }

  amount({ pair, filters }: Listed): Decimal {
    const { random } = this;
    if (random.chance(0.008)) return filters.minAmount;
    if (random.chance(0.008)) return filters.maxAmount.plus(Decimal.ofScaled(1n, pair.amountDigits));
    if (random.chance(0.005)) return Decimal.ofScaled(100_001n, pair.amountDigits + 1);
    // Rarely, the amount is the pair's maximum, which is more than a user owns.
    if (random.chance(0.02)) return filters.maxAmount;
    const coarse = random.chance(0.5);
    const lots = coarse ? random.whole(1, 12) * 1_000 : random.whole(40, 12_000);
    return Decimal.ofScaled(BigInt(lots), pair.amountDigits);
  }

  place(market: NaiveMarket, now: Instant): PlaceCommand {
    this.wander(market.listed);
    return { kind: 'place', ...this.entering(market.listed), request: this.request(market, now) };
  }

  oco(market: NaiveMarket): OcoCommand {
    const { random } = this;
    const { listed } = market;
    this.wander(listed);
    const side = random.pick(['buy', 'sell'] as const);
    const last = market.last ?? this.priceAt(listed, 0n);
    const outward = side === 'sell' ? 1n : -1n;
    const { step } = this.wandering(listed);
    const away = (most: number) => BigInt(random.chance(0.05) ? -1 : random.whole(1, most)) * step * outward;
    const limitPrice = shifted(listed, last, away(9));
    const stopPrice = shifted(listed, last, -away(6));
    const slip = BigInt(random.whole(-1, 4)) * step * outward;
    const stopLimitPrice = random.chance(0.45) ? shifted(listed, stopPrice, -slip) : undefined;
    return {
      kind: 'oco',
      ...this.entering(listed),
      side,
      amount: this.amount(listed),
      limitPrice,
      stopPrice,
      stopLimitPrice,
    };
  }

  /** A random OTO or OTOCO near the market. Its pending orders mostly trade the proceeds of the working order. */
  oto(market: NaiveMarket, accounts: NaiveAccounts): OtoCommand {
    const { random } = this;
    const { listed } = market;
    this.wander(listed);
    const side = random.pick(['buy', 'sell'] as const);
    const pendingSide = random.chance(0.85) ? oppositeSide(side) : side;
    const price = this.price(listed, side);
    const amount = this.amount(listed);
    const timeInForce = random.pick(['GTC', 'GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const);
    const working = {
      side,
      price,
      amount,
      timeInForce,
      postOnly: timeInForce === 'GTC' && random.chance(0.2),
    };
    const afterwards = { ...market, last: price };
    const isOtoco = random.chance(0.45);
    const { owner, symbol, selfTrade, rates, clientId, reference, quoteValue } = this.entering(listed);
    // A pending sale of the owner's whole later balance lacks the fee of the working order; a larger one
    // lacks more.
    const owned = accounts
      .accountOf(owner, listed.pair.base)
      .available.rounded(listed.pair.amountDigits, 'down');
    const everything = owned.plus(amount).plus(random.chance(0.7) ? Decimal.zero : amount);
    const pendingAmount = random.chance(0.6) ? amount : random.chance(0.5) ? everything : this.amount(listed);
    return {
      kind: 'oto',
      owner,
      symbol,
      selfTrade,
      rates,
      clientId,
      reference,
      quoteValue,
      working,
      pending: isOtoco ? undefined : this.pending(afterwards, pendingSide, pendingAmount),
      pendingOco: isOtoco ? this.pendingOco(afterwards, pendingSide, pendingAmount) : undefined,
    };
  }

  private pending(market: NaiveMarket, side: Side, amount: Decimal): OtoCommand['pending'] {
    const { random } = this;
    const { listed, last } = market;
    const type = random.pick([
      ...(['limit', 'limit', 'limit', 'market'] as const),
      ...(['stopLimit', 'stopMarket', 'takeProfitLimit', 'takeProfitMarket'] as const),
    ]);
    const isLimit = type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit';
    const isStop = type !== 'limit' && type !== 'market';
    const rises = type.startsWith('takeProfit') === (side === 'sell');
    const { step } = this.wandering(listed);
    const away = BigInt(random.chance(0.05) ? 0 : random.whole(1, 6)) * step * (rises ? 1n : -1n);
    const stopPrice = isStop ? shifted(listed, last!, away) : undefined;
    const timeInForce = isLimit ? random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const) : 'IOC';
    return {
      side,
      type,
      price: isLimit ? this.limitPrice(listed, side, stopPrice) : undefined,
      amount,
      stopPrice,
      timeInForce,
      postOnly: timeInForce === 'GTC' && random.chance(0.2),
    };
  }

  private pendingOco({ listed, last }: NaiveMarket, side: Side, amount: Decimal): OtoCommand['pendingOco'] {
    const { random } = this;
    const { step } = this.wandering(listed);
    const outward = side === 'sell' ? 1n : -1n;
    const away = (most: number) => BigInt(random.chance(0.05) ? -1 : random.whole(1, most)) * step * outward;
    const stopPrice = shifted(listed, last!, -away(6));
    const slip = BigInt(random.whole(-1, 4)) * step * outward;
    return {
      side,
      amount,
      limitPrice: shifted(listed, last!, away(9)),
      stopPrice,
      stopLimitPrice: random.chance(0.45) ? shifted(listed, stopPrice, -slip) : undefined,
    };
  }

  private entering(listed: Listed): PlacementContext {
    const { random } = this;
    return {
      owner: this.owner(),
      symbol: listed.pair.symbol,
      selfTrade: random.pick(MODES),
      rates: random.pick(RATES),
      clientId: random.chance(0.3) ? `client ${random.whole(1, 1_000_000)}` : '',
      ...this.outside(listed),
    };
  }

  private request(market: NaiveMarket, now: Instant): OrderRequest {
    const { random } = this;
    const { listed } = market;
    const side = random.pick(['buy', 'sell'] as const);
    const type = random.pick(TYPES);
    const isLimit = type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit';
    const isStop = type !== 'limit' && type !== 'market';
    const timeInForce = this.timeInForce(isLimit);
    const stop = isStop ? this.stop(market, side, type) : {};
    const byTotal = !isLimit && random.chance(0.35) && (type === 'market' || side === 'buy');
    const amount = this.amount(listed);
    const near = stop.stopPrice ?? this.priceAt(listed, 0n);
    return maybeInvalid(random, {
      side,
      type,
      price: isLimit ? this.limitPrice(listed, side, stop.stopPrice) : undefined,
      amount: byTotal ? undefined : amount,
      total: byTotal ? this.total(listed, near, amount) : undefined,
      timeInForce,
      postOnly: (timeInForce === 'GTC' || timeInForce === 'GTT') && isLimit && random.chance(0.15),
      expireAt: timeInForce === 'GTT' ? this.expireAt(listed, now) : undefined,
      ...(random.chance(0.2) ? { exits: this.exits(market, side, type) } : {}),
      ...stop,
    });
  }

  /**
   * Random take-profit and stop-loss prices around the market, mostly valid; sometimes for an order that
   * must not have exits.
   */
  private exits({ listed, last }: NaiveMarket, side: Side, type: OrderType): OrderRequest['exits'] {
    const { random } = this;
    if (type !== 'limit' && type !== 'market' && !random.chance(0.1)) return undefined;
    const { step, middle: ticks } = this.wandering(listed);
    const middle = random.chance(0.5) ? (last ?? this.priceAt(listed, 0n)) : this.priceAt(listed, 0n);
    const profit = side === 'buy' ? 1n : -1n;
    const away = (least: number, most: number) => BigInt(random.whole(least, most)) * step * profit;
    const stopLoss = random.chance(0.75) ? shifted(listed, middle, -away(-1, 14)) : undefined;
    // `beyond` is a distance in ticks to a price outside the price band that is still positive.
    const beyond = side === 'buy' ? 100_000n * step : -(ticks * 6n) / 10n;
    const far = random.chance(0.02) ? beyond : away(-1, 14);
    const takeProfit =
      stopLoss === undefined || random.chance(0.75) ? shifted(listed, middle, far) : undefined;
    const slips = random.chance(0.4) && (stopLoss !== undefined || random.chance(0.05));
    const stopLossLimit = slips ? shifted(listed, stopLoss ?? middle, -away(-2, 3)) : undefined;
    return { takeProfit, stopLoss, stopLossLimit };
  }

  /**
   * A random change of an order's take-profit and stop-loss: each price is kept, replaced or removed.
   */
  changedExits(market: NaiveMarket, side: Side): ExitsRequest {
    const { random } = this;
    const randomChange = (price: Decimal | undefined) => {
      if (random.chance(0.25)) return Decimal.zero;
      return random.chance(0.8) ? price : undefined;
    };
    const { takeProfit, stopLoss, stopLossLimit } = this.exits(market, side, 'limit') ?? {};
    const change = { takeProfit: randomChange(takeProfit), stopLoss: randomChange(stopLoss) };
    return { ...change, stopLossLimit: random.chance(0.5) ? randomChange(stopLossLimit) : undefined };
  }

  private timeInForce(isLimit: boolean): TimeInForce {
    const { random } = this;
    if (!isLimit) return random.pick(['IOC', 'IOC', 'IOC', 'IOC', 'IOC', 'IOC', 'FOK'] as const);
    return random.pick(['GTC', 'GTC', 'GTC', 'GTC', 'GTC', 'GTT', 'GTT', 'IOC', 'FOK'] as const);
  }

  private total(listed: Listed, price: Decimal, amount: Decimal): Decimal {
    if (this.random.chance(0.15))
      return listed.filters.minTotal.times(Decimal.ofWhole(this.random.whole(1, 3)), 'down');
    const { priceDigits, amountDigits } = listed.pair;
    const places = this.random.chance(0.02) ? 18 : Math.min(8, priceDigits + amountDigits);
    const odd = Decimal.ofScaled(BigInt(this.random.whole(1, 9)), places);
    return price.times(amount, 'down', places).plus(odd);
  }

  private expireAt(listed: Listed, now: Instant): Instant {
    const { random } = this;
    if (random.chance(0.03)) return instant(now - random.whole(0, 5));
    if (random.chance(0.03)) return later(now, listed.filters.maxLifetimeMs + random.whole(0, 1));
    return later(now, random.whole(1, random.chance(0.3) ? 120 : 8_000));
  }

  private limitPrice(listed: Listed, side: Side, stopPrice: Decimal | undefined): Decimal {
    const { random } = this;
    if (stopPrice === undefined) return this.price(listed, side);
    if (random.chance(0.02))
      return this.priceAt(listed, 0n).times(Decimal.parse('0.75'), 'down', listed.pair.priceDigits);
    return shifted(listed, stopPrice, BigInt(random.whole(-4, 4)) * this.wandering(listed).step);
  }

  /**
   * A random trigger of a stop order, mostly on the side of the last price that the order type requires.
   */
  private stop(
    { listed, last }: NaiveMarket,
    side: Side,
    type: OrderType,
  ): Pick<OrderRequest, 'stopPrice' | 'direction' | 'trail' | 'activation'> {
    const { random } = this;
    if (type === 'trailing') {
      if (random.chance(0.02)) return {};
      const trail = Decimal.parse(random.pick(random.chance(0.04) ? BAD_TRAILS : TRAILS));
      return random.chance(0.6) ? { trail } : { trail, activation: this.price(listed) };
    }
    const defaultDirection = type.startsWith('takeProfit') === (side === 'sell') ? 'gte' : 'lte';
    const direction = random.chance(0.15) ? random.pick(['gte', 'lte'] as const) : undefined;
    const outward = (direction ?? defaultDirection) === 'gte' ? 1n : -1n;
    const steps = random.chance(0.05) ? -random.whole(0, 2) : random.whole(1, 6);
    const away = BigInt(steps) * this.wandering(listed).step * outward;
    return { stopPrice: shifted(listed, last ?? this.priceAt(listed, 0n), away), direction };
  }

  private wandering({ pair }: Listed): PriceProcess {
    let process = this.wanderings.get(pair.symbol);
    if (process === undefined) {
      const middle = STARTS[pair.symbol]!;
      process = { middle, step: middle / BigInt(this.random.whole(800, 4_000)) };
      this.wanderings.set(pair.symbol, process);
    }
    return process;
  }

  /** In three of ten calls, moves the middle price by a small step, rarely by a large one that triggers stops. */
  private wander(listed: Listed): void {
    const { random } = this;
    const wandering = this.wandering(listed);
    const start = STARTS[listed.pair.symbol]!;
    if (random.chance(0.7)) return;
    const reach = random.chance(0.05) ? 8 : 1;
    const reversion =
      wandering.middle > (start * 11n) / 10n ? -1 : wandering.middle < (start * 9n) / 10n ? 1 : 0;
    wandering.middle += BigInt(random.whole(-reach, reach) + reversion) * wandering.step;
  }

  private priceAt(listed: Listed, away: bigint): Decimal {
    return Decimal.ofScaled(this.wandering(listed).middle + away, listed.pair.priceDigits);
  }
}

function shifted({ pair }: Listed, price: Decimal, ticks: bigint): Decimal {
  return price.plus(Decimal.ofScaled(ticks, pair.priceDigits));
}

/** Rarely removes, adds or changes a field of a request, which usually makes the request invalid. */
function maybeInvalid(random: SeededRandom, request: OrderRequest): OrderRequest {
  if (!random.chance(0.035)) return request;
  const positive = Decimal.one;
  return random.pick<OrderRequest>([
    { ...request, price: undefined },
    { ...request, amount: undefined },
    { ...request, amount: undefined, total: positive },
    { ...request, amount: positive, total: positive },
    { ...request, stopPrice: undefined },
    { ...request, stopPrice: positive },
    { ...request, trail: undefined },
    { ...request, trail: Decimal.parse('0.01') },
    { ...request, direction: 'gte' },
    { ...request, postOnly: true },
    { ...request, timeInForce: 'GTC' },
    { ...request, timeInForce: 'GTT', expireAt: undefined },
  ]);
}
