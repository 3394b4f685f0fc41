import type { Amendment, IncomingOrder, SelfTrade, Side } from '../domain/book/contract.ts';
import { SeededGenerator } from './seeded-generator.ts';

export type Command =
  | { readonly kind: 'place'; readonly order: IncomingOrder }
  | { readonly kind: 'cancel'; readonly id: string }
  | { readonly kind: 'amend'; readonly id: string; readonly change: Amendment };

/** The parameters of a random market. */
export interface MarketShape {
  readonly name: string;
  readonly owners: number;
  /** Limit prices lie at most this many ticks from the middle price, which moves slowly. */
  readonly ticks: number;
  /** Above this number of resting orders most commands are cancels. */
  readonly mostOrders: number;
  readonly mostLots: number;
}

const MODES: readonly SelfTrade[] = ['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement'];
const MIDDLE = 1_000_000;

/**
 * An endless stream of random commands. It contains every order type, some invalid orders, and cancels and
 * amendments of resting orders and of ended ones.
 */
export class RandomCommands {
  readonly shape: MarketShape;
  private readonly random: SeededGenerator;
  private readonly ids: string[] = [];
  private placed = 0;
  private middle = MIDDLE;

  constructor(shape: MarketShape, seed: number) {
    this.shape = shape;
    this.random = new SeededGenerator(seed);
  }

  /** The next command for a book with `size` resting orders. */
  next(size: number): Command {
    const { random } = this;
    if (random.happens(2)) this.middle += random.below(5) - 2;
    const cancelPercent = size > this.shape.mostOrders ? 60 : 18;
    if (this.ids.length > 0 && random.happens(cancelPercent))
      return { kind: 'cancel', id: this.removeRandomId() };
    if (this.ids.length > 0 && random.happens(12)) {
      return { kind: 'amend', id: random.pick(this.ids), change: this.change() };
    }
    return { kind: 'place', order: this.order() };
  }

  /** An order that rests without trading, for filling an empty book. */
  passive(): { id: string; owner: string; side: Side; price: bigint; amount: bigint } {
    const side = this.side();
    const away = BigInt(1 + this.random.below(this.shape.ticks));
    const price = side === 'buy' ? BigInt(MIDDLE) - away : BigInt(MIDDLE) + away;
    return { id: this.newId(), owner: this.owner(), side, price, amount: this.lots() };
  }

  private order(): IncomingOrder {
    const { random } = this;
    if (random.happens(2)) return this.invalidOrder();
    if (random.happens(18)) return this.market();
    const timeInForce = random.pick(['GTC', 'GTC', 'GTC', 'GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const);
    const postOnly = timeInForce === 'GTC' && random.happens(15);
    return { ...this.identity(), price: this.price(), amount: this.lots(), timeInForce, postOnly };
  }

  private market(): IncomingOrder {
    const { random } = this;
    const timeInForce = random.pick(['IOC', 'IOC', 'FOK'] as const);
    const guardPrice = random.happens(50) ? this.price() : undefined;
    const market = { ...this.identity(), price: null, timeInForce, postOnly: false, guardPrice };
    if (random.happens(50)) return { ...market, amount: this.lots() };
    // The total ranges from less than the price of one lot up to the value of several orders.
    const total = BigInt(1 + random.below(this.shape.mostLots * 3 * MIDDLE));
    const small = total % BigInt(MIDDLE * 2) || 1n;
    return {
      ...market,
      amount: random.happens(25) ? this.lots() : null,
      total: random.happens(20) ? small : total,
    };
  }

  /** An invalid order, in one of the ways in which an order can be invalid. */
  private invalidOrder(): IncomingOrder {
    const limit: IncomingOrder = {
      ...this.identity(),
      price: this.price(),
      amount: this.lots(),
      timeInForce: 'GTC',
      postOnly: false,
    };
    return this.random.pick<IncomingOrder>([
      { ...limit, amount: 0n },
      { ...limit, amount: null },
      { ...limit, price: -limit.price! },
      { ...limit, total: 5n },
      { ...limit, guardPrice: 5n },
      { ...limit, postOnly: true, timeInForce: 'IOC' },
      { ...limit, price: null },
      { ...limit, price: null, timeInForce: 'IOC', amount: null },
      { ...limit, price: null, timeInForce: 'IOC', postOnly: true },
      { ...limit, price: null, timeInForce: 'IOC', guardPrice: 0n },
      { ...limit, price: null, timeInForce: 'FOK', total: 0n },
    ]);
  }

  private change(): Amendment {
    const { random } = this;
    const price = random.happens(40) ? this.price() : undefined;
    const amount = random.happens(70) ? this.lots() : undefined;
    const selfTrade = random.happens(50) ? random.pick(MODES) : undefined;
    if (random.happens(1)) return { price: 0n };
    return { price, amount, selfTrade, postOnly: random.happens(20) };
  }

  private identity(): Pick<IncomingOrder, 'id' | 'owner' | 'side' | 'selfTrade'> {
    return { id: this.newId(), owner: this.owner(), side: this.side(), selfTrade: this.random.pick(MODES) };
  }

  private newId(): string {
    // Some order ids occur twice: the book rejects the second order only while the first one rests.
    if (this.ids.length > 0 && this.random.happens(1)) return this.random.pick(this.ids);
    this.placed += 1;
    const id = `order-${this.placed}`;
    this.ids.push(id);
    return id;
  }

  private removeRandomId(): string {
    const index = this.random.below(this.ids.length);
    const id = this.ids[index]!;
    this.ids[index] = this.ids.at(-1)!;
    this.ids.pop();
    return id;
  }

  private owner(): string {
    return `owner-${this.random.below(this.shape.owners)}`;
  }

  private side(): Side {
    return this.random.happens(50) ? 'buy' : 'sell';
  }

  private price(): bigint {
    return BigInt(this.middle + this.random.below(2 * this.shape.ticks + 1) - this.shape.ticks);
  }

  private lots(): bigint {
    return BigInt(1 + this.random.below(this.shape.mostLots));
  }
}
