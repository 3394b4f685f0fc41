import { seededRandom, type SeededRandom } from '../../apps/server/testing/seeded-random.ts';

/**
 * A command of a trader. Commands are drawn in the same way for every measured side: 60 % passive limit orders near the
 * best prices, 30 % cancels of own orders (70 % of them recent), 10 % crossing limit orders. A trader without open
 * orders places an order instead of a cancel, and a trader with the maximum number of open orders always cancels one.
 * Buyers only buy and sellers only sell.
 */
export type Command =
  | { readonly kind: 'place'; readonly price: string; readonly amount: string; readonly clientId: string }
  | { readonly kind: 'cancel'; readonly id: string };

export const TRADERS = 256;
export const SYMBOL = 'btcusdt';

const MIDDLE_TICKS = 6_000_000;
const PASSIVE_TICKS = 260;
const CROSSING_TICKS = 20;
const LOTS_MAX = 100;
const RECENT = 8;
/**
 * Maximum number of open orders of a trader in one run. The open orders of several runs on one database add up, and the
 * sum must stay below the exchange's limit for a user.
 */
const OPEN_MAX = 45;

/** Returns whether a trader always buys. The others always sell. */
export function isBuyer(trader: number): boolean {
  return trader % 2 === 0;
}

/**
 * An endless stream of commands of one trader. Callers must pass the ids of accepted orders that rest in the
 * book to `addOpenOrder`, because the stream cancels only these.
 */
export class Trader {
  readonly index: number;
  readonly isBuyer: boolean;
  private readonly random: SeededRandom;
  private readonly open: string[] = [];
  private readonly run: string;
  private count = 0;

  /**
   * `run` is the first part of the client ids of the orders. It distinguishes the orders of several
   * measurements on the same database.
   */
  constructor(index: number, run = 'bench') {
    this.index = index;
    this.run = run;
    this.isBuyer = isBuyer(index);
    this.random = seededRandom(7_919 * (index + 1));
  }

  next(): Command {
    const draw = this.random.whole(0, 9);
    const isCancel = draw < 3 || this.open.length >= OPEN_MAX;
    if (isCancel && this.open.length > 0) return { kind: 'cancel', id: this.removeOpen() };
    return this.createOrder(draw === 9);
  }

  /** Records that an order of this trader was accepted and rests in the book. */
  addOpenOrder(id: string): void {
    this.open.push(id);
  }

  private createOrder(isCrossing: boolean): Command {
    this.count += 1;
    const { random } = this;
    const distance = Math.min(random.whole(1, PASSIVE_TICKS), random.whole(1, PASSIVE_TICKS));
    const away = isCrossing ? -random.whole(1, CROSSING_TICKS) : distance;
    const ticks = MIDDLE_TICKS + (this.isBuyer ? -away : away);
    const lots = random.whole(10, LOTS_MAX) * (isCrossing ? 2 : 1);
    return {
      kind: 'place',
      price: `${Math.floor(ticks / 100)}.${String(ticks % 100).padStart(2, '0')}`,
      amount: `0.${String(lots).padStart(5, '0')}`,
      clientId: `${this.run}-${this.index}-${this.count}`,
    };
  }

  private removeOpen(): string {
    const { open, random } = this;
    const recent = random.chance(0.7);
    const last = open.length - 1;
    const at = recent ? last - random.whole(0, Math.min(last, RECENT)) : random.whole(0, last);
    const id = open[at] ?? '';
    open[at] = open[last] ?? '';
    open.pop();
    return id;
  }
}
