import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { PairStatus } from '@exchange/core/pair.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { seededRandom, type SeededRandom } from '../../../../testing/seeded-random.ts';
import { labelOf, type Action, type ModelCommand } from './model-command.ts';
import type { NaiveExchange } from './naive/exchange.ts';
import type { Listed, NaiveOrder } from './naive/order.ts';
import { owedOtos } from './naive/oto.ts';
import { marketOf } from './naive/state.ts';
import { RandomRequests } from './random-requests.ts';

const START = 1_700_000_000_000;
const REMEMBERED = 60;
/**
 * Number of open orders above which cancels are frequent. It bounds the duration of a run, because the reference
 * exchange scans all orders for every query.
 */
const CROWDED = 50;

/**
 * An endless stream of random commands for one seed. They are derived from the naive exchange's state, so that
 * most are valid: they concern the owner's orders and have prices around the last one. Some are deliberately
 * invalid.
 */
export class RandomTrading {
  private readonly random: SeededRandom;
  private readonly requests: RandomRequests;
  private readonly listings: readonly Listed[];
  private readonly users: readonly UserId[];
  private readonly recent: { label: string; owner: UserId }[] = [];
  private sequence: number;
  private now: Instant = instant(START);

  /** `sequence` is the sequence number of the last step before the random commands. */
  constructor(seed: number, listings: readonly Listed[], allUsers: readonly UserId[], sequence: number) {
    this.random = seededRandom(seed);
    this.listings = listings;
    // With few owners self-trades are frequent, with many they are rare, so each seed has another number of
    // owners.
    this.users = allUsers.slice(0, this.random.whole(2, allUsers.length));
    this.requests = new RandomRequests(this.random, this.users);
    this.sequence = sequence;
  }

  next(naive: NaiveExchange): ModelCommand {
    this.sequence += 1;
    this.now = instant(this.now + this.random.whole(0, 40));
    const deed = this.randomAction(naive);
    if (deed.kind === 'exits') this.remember(labelOf(this.sequence), naive.state.owed[0]!.owner);
    if (deed.kind === 'place') this.remember(labelOf(this.sequence), deed.owner);
    if (deed.kind === 'oto') {
      this.remember(labelOf(this.sequence), deed.owner);
      this.remember(labelOf(this.sequence, deed.pending === undefined ? 'limit' : 'pending'), deed.owner);
    }
    if (deed.kind === 'oco') {
      this.remember(labelOf(this.sequence, 'limit'), deed.owner);
      this.remember(labelOf(this.sequence, 'stop'), deed.owner);
    }
    return { sequence: this.sequence, now: this.now, action: deed };
  }

  private randomAction(naive: NaiveExchange): Action {
    const { random, requests } = this;
    const { orders, due, owed, markets } = naive.state;
    if (due.length > 0) {
      if (random.chance(0.02)) return { kind: 'restart' };
      const first = orders.find(({ label }) => label === due[0])!;
      if (random.chance(0.02)) return this.halt(first);
      if (random.chance(0.03)) return this.cancelOf(first);
      if (random.chance(0.72)) return { kind: 'trigger', ...requests.outside(first.listed) };
    }
    if (owed.length > 0) {
      if (random.chance(0.02)) return { kind: 'restart' };
      if (random.chance(0.04)) return this.halt(owed[0]);
      if (random.chance(0.75)) return { kind: 'exits', ...requests.outside(owed[0]!.listed) };
    }
    const [released] = owedOtos(naive.state);
    if (released !== undefined) {
      if (random.chance(0.03)) return { kind: 'restart' };
      if (random.chance(0.04)) return this.halt(released);
      if (random.chance(0.04)) return this.cancelOf(released);
      if (random.chance(0.7)) return { kind: 'release', ...requests.outside(released.listed) };
    }
    const halted = markets.find(({ status }) => status !== 'open');
    if (halted !== undefined && random.chance(0.12))
      return { kind: 'status', symbol: halted.listed.pair.symbol, status: 'open' };
    // While a pair is halted, all orders are cancelled more often, because some bugs of this command show only
    // then.
    if (halted !== undefined && random.chance(0.03)) return this.cancelAll();

    const crowd = orders.length > CROWDED ? 0.3 : 0;
    const draw = random.whole(1, 1000);
    if (draw <= 3) return { kind: 'restart' };
    if (draw <= 6) return this.halt(undefined);
    if (draw <= 24) return this.jump();
    if (draw <= 30) return this.cancelAll();
    if (draw <= 100 || random.chance(crowd)) return this.cancel(orders);
    if (draw <= 210 && orders.length > 0) return this.amend(naive, orders);
    const market = marketOf(naive.state, random.pick(this.listings).pair.symbol);
    if (draw <= 280) return requests.oco(market);
    if (draw <= 330) return requests.oto(market, naive.state.accounts);
    return requests.place(market, this.now);
  }

  private remember(label: string, owner: UserId): void {
    this.recent.push({ label, owner });
    if (this.recent.length > REMEMBERED) this.recent.shift();
  }

  /**
   * Advances the time of the random run, rarely so far that nearly every order with an expiry expires, and
   * returns the command that ends expired orders.
   */
  private jump(): Action {
    this.now = instant(this.now + this.random.whole(0, this.random.chance(0.1) ? 90_000 : 600));
    return { kind: 'expire' };
  }

  private halt(order: NaiveOrder | undefined): Action {
    const status: PairStatus = this.random.pick(['cancelOnly', 'closed', 'closed', 'open']);
    const { symbol } = (order?.listed ?? this.random.pick(this.listings)).pair;
    return { kind: 'status', symbol, status };
  }

  private cancelOf({ label, owner }: { label: string; owner: UserId }): Action {
    return { kind: 'cancel', order: label, owner: this.random.chance(0.95) ? owner : this.requests.owner() };
  }

  private cancel(orders: readonly NaiveOrder[]): Action {
    const { random } = this;
    if (orders.length > 0 && random.chance(0.88)) return this.cancelOf(random.pick(orders));
    if (this.recent.length > 0) return this.cancelOf(random.pick(this.recent));
    return this.cancelOf({ label: labelOf(0), owner: this.requests.owner() });
  }

  private cancelAll(): Action {
    const { random } = this;
    const { pair } = random.pick(this.listings);
    const byPair = random.chance(0.6);
    return {
      kind: 'cancelAll',
      owner: this.requests.owner(),
      base: byPair ? pair.base : undefined,
      quote: byPair || random.chance(0.2) ? pair.quote : undefined,
      side: random.chance(0.4) ? random.pick(['buy', 'sell'] as const) : undefined,
    };
  }

  /** A random change of a resting order, sometimes of an order that must not be changed or has ended. */
  private amend(naive: NaiveExchange, orders: readonly NaiveOrder[]): Action {
    const { random, requests } = this;
    const resting = orders.filter((order) => order.resting);
    const order = random.pick(resting.length > 0 && random.chance(0.7) ? resting : orders);
    if (this.recent.length > 0 && random.chance(0.03)) {
      const recentOrder = random.pick(this.recent);
      const change = { price: order.price, amount: order.amount, stopPrice: undefined, exits: undefined };
      return {
        kind: 'amend',
        ...recentOrder,
        order: recentOrder.label,
        ...change,
        ...requests.outside(order.listed),
      };
    }
    const changesExits = random.chance(order.resting ? 0.4 : 0.03);
    const changesPrice = random.chance(changesExits ? 0.2 : 0.5);
    const changesAmount = random.chance(changesExits ? 0.2 : changesPrice ? 0.5 : 0.96);
    const market = marketOf(naive.state, order.listed.pair.symbol);
    return {
      kind: 'amend',
      owner: random.chance(0.97) ? order.owner : requests.owner(),
      order: order.label,
      price: changesPrice ? requests.price(order.listed) : undefined,
      amount: changesAmount ? this.amountFor(order) : undefined,
      stopPrice: random.chance(order.stopPrice === undefined ? 0.02 : 0.4)
        ? requests.price(order.listed)
        : undefined,
      exits: changesExits ? requests.changedExits(market, order.side) : undefined,
      ...requests.outside(order.listed),
    };
  }

  private amountFor(order: NaiveOrder): Decimal | undefined {
    const { random } = this;
    const { amountDigits } = order.listed.pair;
    if (order.amount === undefined || random.chance(0.4)) return this.requests.amount(order.listed);
    if (random.chance(0.1)) return order.amount;
    if (random.chance(0.1)) return order.filledAmount;
    const percent = Decimal.ofScaled(BigInt(random.whole(20, 140)), 2);
    return order.amount.times(percent, 'up', amountDigits);
  }
}
