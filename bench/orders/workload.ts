import { seededRandom, type SeededRandom } from '../../apps/server/testing/seeded-random.ts';

/**
 * What each trader does, the same on every side: 60 % passive limit orders near the touch, 30 % cancels of
 * his own orders (70 % of them recent), 10 % limit orders that cross. Buyers only buy and sellers only sell.
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
/** Several runs on one database must stay below the exchange's limit of open orders. */
const OPEN_MAX = 45;

/** Which of the traders buy. */
export function buys(trader: number): boolean {
  return trader % 2 === 0;
}

/** One trader's endless stream of commands; it has to be told what became of them. */
export class Trader {
  readonly index: number;
  readonly isBuyer: boolean;
  private readonly random: SeededRandom;
  private readonly open: string[] = [];
  private readonly run: string;
  private count = 0;

  /** `run` tells the orders of one measurement from those of another on the same database. */
  constructor(index: number, run = 'bench') {
    this.index = index;
    this.run = run;
    this.isBuyer = buys(index);
    this.random = seededRandom(7_919 * (index + 1));
  }

  next(): Command {
    const draw = this.random.whole(0, 9);
    const cancels = draw < 3 || this.open.length >= OPEN_MAX;
    if (cancels && this.open.length > 0) return { kind: 'cancel', id: this.takeOut() };
    return this.placing(draw === 9);
  }

  /** An order of his was accepted and rests on the book. */
  rests(id: string): void {
    this.open.push(id);
  }

  private placing(crosses: boolean): Command {
    this.count += 1;
    const { random } = this;
    const distance = Math.min(random.whole(1, PASSIVE_TICKS), random.whole(1, PASSIVE_TICKS));
    const away = crosses ? -random.whole(1, CROSSING_TICKS) : distance;
    const ticks = MIDDLE_TICKS + (this.isBuyer ? -away : away);
    const lots = random.whole(10, LOTS_MAX) * (crosses ? 2 : 1);
    return {
      kind: 'place',
      price: `${Math.floor(ticks / 100)}.${String(ticks % 100).padStart(2, '0')}`,
      amount: `0.${String(lots).padStart(5, '0')}`,
      clientId: `${this.run}-${this.index}-${this.count}`,
    };
  }

  private takeOut(): string {
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
