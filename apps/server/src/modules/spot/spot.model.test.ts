import { createHash, type Hash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { FEE_TIERS } from '@exchange/core/fee.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import { seededRandom, type SeededRandom } from '../../../testing/seeded-random.ts';
import { keptLog } from '../../../testing/silent-log.ts';
import { stepIds } from '../../platform/sequencer/step-ids.ts';
import { StepRecord, type Step } from '../../platform/sequencer/step.ts';
import { createAssets } from '../assets/index.ts';
import { Ledger, userAddress, worldAddress } from '../ledger/index.ts';
import { PriceTimeBook, type OrderBook } from '../matching/index.ts';
import { NaiveBook } from '../matching/testing/naive-book.ts';
import { SpotExchange, type Placing } from './exchange.ts';
import type { SpotOrder } from './order-domain.ts';

/**
 * The spot core without a database: random traders on two pairs that share a coin, with every invariant
 * checked on the way, and once more with the naive book in place of the real one.
 */
const SEEDS = 100;
const COMMANDS = 10_000;
const CHECKED_EVERY = 250;
/** The naive book is slow on purpose; it plays the beginning of some of the games. */
const NAIVE_SEEDS = 10;
const NAIVE_COMMANDS = 2_000;
const SYMBOLS = ['btcusdt', 'ethbtc'] as const;
const COINS = ['BTC', 'ETH', 'USDT'] as const;
const SECRET = new Uint32Array([5, 6, 7, 8]);

const noDatabase = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

interface World {
  readonly ledger: Ledger;
  readonly exchange: SpotExchange;
  readonly users: readonly UserId[];
  readonly random: SeededRandom;
  readonly placed: SpotOrder[];
  readonly refusals: Map<string, number>;
  sequence: number;
  /** Everything that was told, in order, where that is compared. */
  told: Hash | undefined;
}

async function newWorld(seed: number, newBook: () => OrderBook): Promise<World> {
  const ledger = new Ledger({ reader: noDatabase, log: keptLog() });
  const exchange = new SpotExchange(ledger);
  for (const { pair, filters } of createAssets({ mode: 'demo' }).pairs) {
    if (!(SYMBOLS as readonly string[]).includes(pair.symbol)) continue;
    exchange.markets.set(pair.symbol, { pair, filters, book: newBook(), status: 'open' });
  }
  const users = Array.from(
    { length: 6 },
    (_, index) => `00000000-0000-7000-8000-00000000000${index}` as UserId,
  );
  await ledger.prepareAll(new Set(users));
  const world: World = {
    ledger,
    exchange,
    users,
    random: seededRandom(seed),
    placed: [],
    refusals: new Map(),
    sequence: 0,
    told: undefined,
  };
  for (const user of users) {
    for (const coin of COINS)
      run(world, (step) => ledger.post(step, 'faucet.claimed', null, [funding(user, coin)]));
  }
  return world;
}

/** Facts name whole orders and pairs; bigints have no JSON. */
const plainly = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

const funding = (user: UserId, asset: string) => ({
  source: worldAddress(asset, 'demo'),
  destination: userAddress(user, 'spot', 'available'),
  asset,
  amount: Decimal.parse(asset === 'USDT' ? '200000' : '4'),
});

/** Executes one step as the sequencer would: it stands, or it is undone. */
function run<T>(world: World, body: (step: Step) => T): T | undefined {
  world.sequence += 1;
  const now = instant(1_700_000_000_000 + world.sequence);
  const step = new StepRecord(world.sequence, now, stepIds(SECRET, world.sequence, now));
  try {
    const result = body(step);
    for (const { name, fact } of world.told === undefined ? [] : step.events) {
      world.told?.update(`${name} ${JSON.stringify(fact, plainly)}\n`);
    }
    return result;
  } catch (cause) {
    step.undo();
    if (!(cause instanceof Refused)) throw cause;
    const { key } = cause.refusal;
    world.refusals.set(key, (world.refusals.get(key) ?? 0) + 1);
    return undefined;
  }
}

function randomPlacing(
  { random, users }: World,
  symbol: (typeof SYMBOLS)[number],
  reference: Decimal,
  digits: { price: number; amount: number },
): Placing {
  const side: Side = random.chance(0.5) ? 'buy' : 'sell';
  const type = random.chance(0.3) ? ('market' as const) : ('limit' as const);
  const amount = Decimal.ofScaled(
    BigInt(random.whole(1, symbol === 'btcusdt' ? 30_000 : 40_000)),
    digits.amount,
  );
  const price = reference.times(
    Decimal.ofScaled(BigInt(random.whole(97_000, 103_000)), 5),
    'down',
    digits.price,
  );
  const byTotal = type === 'market' && random.chance(0.4);
  const total = reference.times(amount, 'down', Math.min(8, digits.price + digits.amount));
  const postOnly = type === 'limit' && random.chance(0.1);
  const immediate = random.chance(0.5) ? ('IOC' as const) : ('FOK' as const);
  return {
    owner: random.pick(users),
    request: {
      side,
      type,
      price: type === 'limit' ? price : undefined,
      amount: byTotal ? undefined : amount,
      total: byTotal ? total : undefined,
      timeInForce: type === 'market' || (!postOnly && random.chance(0.15)) ? immediate : 'GTC',
      postOnly,
    },
    selfTrade: random.pick(['cancelTaker', 'cancelMaker', 'cancelBoth'] as const),
    rates: random.pick(FEE_TIERS),
    clientId: '',
    reference,
    quoteValue: Decimal.one,
  };
}

function act(world: World): void {
  const { random, exchange } = world;
  const symbol = random.pick(SYMBOLS);
  const market = exchange.market(symbol);
  if (random.chance(0.25) && world.placed.length > 0) {
    const order = random.pick(world.placed);
    const owner = random.chance(0.9) ? order.owner : random.pick(world.users);
    run(world, (step) => exchange.cancel(step, owner, order.id));
    return;
  }
  const { pair } = market;
  const reference = Decimal.parse(symbol === 'btcusdt' ? '50000' : '0.05');
  const placing = randomPlacing(world, symbol, reference, {
    price: pair.priceDigits,
    amount: pair.amountDigits,
  });
  const order = run(world, (step) => exchange.place(step, market, placing));
  if (order === undefined) return;
  world.placed.push(order);
  expectSound(order);
}

/** M16 and the limits of what an order may have paid. */
function expectSound(order: SpotOrder): void {
  if (order.amount !== undefined && order.filledAmount.isMore(order.amount))
    throw new Error('filled more than ordered');
  if (order.price !== undefined && order.filledAmount.isPositive()) {
    const atLimit = order.price.timesExact(order.filledAmount);
    const worse =
      order.side === 'buy' ? order.filledTotal.isMore(atLimit) : order.filledTotal.isLess(atLimit);
    if (worse) throw new Error(`${order.id} traded beyond its price`);
  }
  if (order.state !== 'open' && !order.held.isZero())
    throw new Error(`${order.id} ended and still holds ${order.held}`);
  if (order.state === 'open' && !order.held.isPositive())
    throw new Error(`${order.id} is open and holds nothing`);
}

/** M2, M3, M4 over all accounts, and the structure of the books. */
function expectInvariants({ ledger, exchange, users }: World): void {
  expect(ledger.verify()).toEqual([]);
  const sums = new Map<string, bigint>();
  for (const account of ledger.everyAccount()) {
    sums.set(account.asset, (sums.get(account.asset) ?? 0n) + account.atoms);
    if (account.atoms < 0n && !account.mayBeNegative) throw new Error(`${account.address} is negative`);
  }
  expect([...sums.values()].every((total) => total === 0n)).toBe(true);
  for (const user of users) {
    for (const coin of COINS) {
      const held = exchange.orders.ofOwner(user).filter((order) => order.heldAsset === coin);
      const total = held.reduce((sum, order) => sum + order.held.atoms, 0n);
      expect(ledger.balance(userAddress(user, 'spot', 'frozen'), coin).atoms).toBe(total);
    }
  }
  for (const market of exchange.markets.values()) expect(market.book.validate()).toEqual([]);
}

function stateHash({ ledger, exchange }: World): string {
  const hash = createHash('sha256');
  for (const { address, asset, atoms } of ledger.everyAccount())
    hash.update(`${address} ${asset} ${atoms}\n`);
  for (const market of exchange.markets.values()) {
    for (const side of ['buy', 'sell'] as const) {
      for (const { id, price, amount } of market.book.resting(side))
        hash.update(`${id} ${price} ${amount}\n`);
    }
  }
  return hash.digest('hex');
}

interface Game {
  readonly commands?: number;
  readonly newBook?: () => OrderBook;
  readonly keepsTold?: boolean;
}

async function play(
  seed: number,
  { commands = COMMANDS, newBook = () => new PriceTimeBook(), keepsTold = false }: Game = {},
): Promise<World> {
  const world = await newWorld(seed, newBook);
  if (keepsTold) world.told = createHash('sha256');
  for (let command = 1; command <= commands; command += 1) {
    act(world);
    if (command % CHECKED_EVERY === 0) expectInvariants(world);
  }
  expectInvariants(world);
  return world;
}

describe('the spot core under random trading', () => {
  it('SPOT-020 conserves every asset, keeps holds equal to what is frozen, and never goes below zero', async () => {
    const refusals = new Set<string>();
    let trades = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const world = await play(seed);
      for (const key of world.refusals.keys()) refusals.add(key);
      trades += world.exchange.tradeSequence;
    }
    // The mix is only worth something when it reaches the corners.
    expect(trades).toBeGreaterThan(SEEDS * COMMANDS * 0.2);
    for (const key of [
      'l.insufficient_balance',
      'l.post_only_crosses',
      'l.fok_unfilled',
      'l.order_not_open',
      'l.self_trade',
    ]) {
      expect(refusals, key).toContain(key);
    }
  }, 240_000);

  it('SPOT-022 gives the same trades, orders and balances with the naive book', async () => {
    for (let seed = 1; seed <= NAIVE_SEEDS; seed += 1) {
      const game = { commands: NAIVE_COMMANDS, keepsTold: true };
      const [real, naive] = [
        await play(seed, game),
        await play(seed, { ...game, newBook: () => new NaiveBook() }),
      ];
      expect(naive.told?.digest('hex')).toBe(real.told?.digest('hex'));
      expect(real.told).toBeDefined();
      expect(stateHash(naive)).toBe(stateHash(real));
    }
  }, 60_000);

  it('SPOT-021 the same seed gives the same state', async () => {
    const [first, second, other] = [await play(42), await play(42), await play(43)];
    expect(stateHash(first)).toBe(stateHash(second));
    expect(stateHash(first)).not.toBe(stateHash(other));
  }, 60_000);
});
