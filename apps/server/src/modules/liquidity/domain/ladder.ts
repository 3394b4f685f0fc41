import { Decimal, greatest, least } from '@exchange/core/decimal.ts';
import { oppositeSide, type Pair, type PairFilters, type Side } from '@exchange/core/pair.ts';
import type { QuotingProfile } from './profile.ts';

/** An open order of the market maker. */
export interface OpenQuote {
  readonly id: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly remaining: Decimal;
}

export type QuoteCommand =
  | { readonly kind: 'cancel'; readonly id: string; readonly reason: 'tooClose' | 'tooFar' | 'surplus' }
  | { readonly kind: 'place'; readonly side: Side; readonly price: Decimal; readonly amount: Decimal }
  /** Changes the price of one of the market maker's orders to that of an empty level; the amount stays. */
  | { readonly kind: 'move'; readonly id: string; readonly side: Side; readonly price: Decimal }
  /**
   * Command to place an immediate-or-cancel order at the market maker's best target price, to trade with an
   * order of another trader whose price is at least as good.
   */
  | { readonly kind: 'take'; readonly side: Side; readonly price: Decimal; readonly amount: Decimal };

export interface LadderInput {
  readonly pair: Pair;
  readonly filters: PairFilters;
  readonly profile: QuotingProfile;
  /** The centre of the market maker's ladder of orders: the index price at which it was last centred. */
  readonly index: Decimal;
  /** USDT per unit of the quote asset. */
  readonly quoteValue: Decimal;
  readonly open: readonly OpenQuote[];
  /**
   * The best price per side of the whole book, other traders' orders included; undefined for a side without
   * orders.
   */
  readonly best: Readonly<Record<Side, Decimal | undefined>>;
  /** Returns a uniformly distributed number in [0, 1), for the random parts of order prices and sizes. */
  readonly draw: () => number;
}

/** The inputs from which the target prices of the market maker's levels are computed. */
type LevelInput = Pick<LadderInput, 'pair' | 'filters' | 'profile' | 'index'>;

const PPM = 1_000_000n;
/**
 * Target prices use only this percentage of the price band, so that they stay within the band when the reference price
 * moves.
 */
const BAND_PERCENT = 95n;
/**
 * Greatest number of the market maker's orders whose nearest level is the same; the smallest orders above this number
 * are cancelled.
 */
const QUOTES_PER_LEVEL = 3;
/**
 * If the remaining amount of an order is worth less than this percentage of its level's size, the level counts as
 * empty, so that a further order is placed there.
 */
const WORN_PERCENT = 25n;

/**
 * The commands for the quotes of one pair, most urgent first: cancel or move quotes that are too close to the index or
 * beyond it; without any of these, take orders of other traders whose price is at least as good as the best target
 * price; move spare quotes to empty levels next to the spread; fill empty levels from the inside out; cancel quotes
 * that are too far out or surplus. Quotes between two levels stay, so a moving index costs a few commands at the edges
 * instead of a new ladder. Empty when nothing needs to change.
 */
export function quoteCommands(input: LadderInput): QuoteCommand[] {
  const sides = (['buy', 'sell'] as const).map((side) => new SidePlan(input, side));
  const moves = sides.flatMap((plan) => plan.moves());
  const moved = new Set(moves.map(({ id }) => id));
  const urgent = sides.flatMap((plan) => plan.tooClose()).filter(({ id }) => !moved.has(id));
  // Orders that are too close to the index, or on its wrong side, are moved away before the orders of the other side
  // follow the index.
  const crossed = moves.filter(({ isCrossed }) => isCrossed);
  const following = moves.filter(({ isCrossed }) => !isCrossed);
  const takes = urgent.length + crossed.length > 0 ? [] : sides.flatMap((plan) => plan.takes());
  const [bids = [], asks = []] = sides.map((plan) => plan.places());
  return [
    ...crossed.map(moveOf),
    ...urgent,
    ...takes,
    ...following.map(moveOf),
    ...alternate(bids, asks),
    ...sides
      .flatMap((plan) => plan.surplus())
      .filter((command) => !('id' in command && moved.has(command.id))),
  ];
}

/**
 * True if the market maker has fewer open orders than half of its levels; then all commands for the ladder are sent at
 * once instead of one at a time.
 */
export function isThin(input: LevelInput & Pick<LadderInput, 'open'>): boolean {
  const levels = targetTicks(input, 'buy').length + targetTicks(input, 'sell').length;
  return input.open.length * 2 < levels;
}

/**
 * The target prices of one side of the market maker's ladder in ticks, best first: distinct, and
 * within the allowed part of the price band.
 */
export function targetTicks(input: LevelInput, side: Side): bigint[] {
  const targets: bigint[] = [];
  const limit = outward(input, side, (input.filters.priceBand.toScaled(6) * BAND_PERCENT) / 100n);
  const centre = outward(input, side, 0n);
  const candidates = [
    ...input.profile.topTicks.map((ticks) =>
      side === 'buy' ? centre - BigInt(ticks) : centre + BigInt(ticks),
    ),
    ...distancesPpm(input.profile).map((distance) => outward(input, side, distance)),
  ];
  for (const candidate of candidates) {
    const previous = targets.at(-1);
    const target =
      previous === undefined || isBeyond(side, candidate, previous) ? candidate : oneTickOut(side, previous);
    if (target <= 0n || isBeyond(side, target, limit)) break;
    targets.push(target);
  }
  return targets;
}

/**
 * A move of a market maker's order to another price; `isCrossed` says whether the order was too close to the
 * index or on the wrong side of it.
 */
interface Move {
  readonly id: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly isCrossed: boolean;
}

function moveOf({ id, side, price }: Move): QuoteCommand {
  return { kind: 'move', id, side, price };
}

/** The price of one of the market maker's orders in ticks, and the level that it fills. */
interface Place {
  readonly ticks: bigint;
  /** Index of the ladder level whose target price is nearest to the order's price; 0 is the best level. */
  readonly level: number;
  /** True if the order's remaining amount is too small to fill its level (see `WORN_PERCENT`). */
  readonly isWorn: boolean;
}

class SidePlan {
  private readonly input: LadderInput;
  private readonly side: Side;
  private readonly targets: readonly bigint[];
  /**
   * Limit price in ticks: an order of the market maker that is nearer to the ladder's centre than this price
   * is too close and is moved or cancelled.
   */
  private readonly nearest: bigint;
  private readonly staying: readonly OpenQuote[];
  /**
   * Cache of each order's price in ticks and ladder level, because the commands of every pair are computed
   * several times a second.
   */
  private readonly known = new Map<OpenQuote, Place>();

  constructor(input: LadderInput, side: Side) {
    this.input = input;
    this.side = side;
    this.targets = targetTicks(input, side);
    this.nearest = outward(input, side, BigInt(Math.round(input.profile.nearestPpm / 6)));
    this.staying = input.open.filter((quote) => quote.side === side && !this.isTooClose(quote));
  }

  /**
   * Plans moves of the market maker's spare orders to empty levels next to the spread. Spare are orders that
   * are too close to the index or on the wrong side of it, and those that share their level with others; an
   * order whose remaining amount is too small for its level is not moved.
   */
  moves(): Move[] {
    const { topTicks } = this.input.profile;
    const missing = this.emptyLevels().filter((level) => level < topTicks.length);
    const isWhole = (quote: OpenQuote) => !this.placeOf(quote).isWorn;
    const crossed = this.crossedQuotes().filter(isWhole);
    const spare = [...crossed, ...this.sharedLevelQuotes().filter(isWhole)];
    return missing.slice(0, spare.length).map((level, place) => {
      const { id, side } = spare[place]!;
      const ticks = this.jitter(this.targets[level]!, level);
      const price = Decimal.ofScaled(ticks, this.input.pair.priceDigits);
      return { id, side, price, isCrossed: place < crossed.length };
    });
  }

  /**
   * The market maker's orders on this side beyond the first on each ladder level, those on the outermost
   * levels first. Empty for a quoting profile without innermost levels (`topTicks`).
   */
  private sharedLevelQuotes(): OpenQuote[] {
    if (this.input.profile.topTicks.length === 0) return [];
    const seen = new Set<number>();
    const spare: OpenQuote[] = [];
    for (const quote of this.staying) {
      const { level } = this.placeOf(quote);
      if (seen.has(level)) spare.push(quote);
      seen.add(level);
    }
    return spare.toSorted((a, b) => this.placeOf(b).level - this.placeOf(a).level);
  }

  private emptyLevels(): number[] {
    const places = this.staying.map((quote) => this.placeOf(quote));
    const filled = new Set(places.filter(({ isWorn }) => !isWorn).map(({ level }) => level));
    return this.targets.flatMap((_, level) => (filled.has(level) ? [] : [level]));
  }

  tooClose(): (QuoteCommand & { readonly kind: 'cancel' })[] {
    return this.crossedQuotes().map(({ id }) => ({ kind: 'cancel', id, reason: 'tooClose' }));
  }

  /**
   * The market maker's orders on this side that are too close to the index or beyond it, best price first.
   */
  private crossedQuotes(): OpenQuote[] {
    return this.input.open
      .filter((quote) => quote.side === this.side && this.isTooClose(quote))
      .toSorted((a, b) => (isBeyond(this.side, this.placeOf(a).ticks, this.placeOf(b).ticks) ? 1 : -1));
  }

  takes(): QuoteCommand[] {
    const bestOffer = this.input.best[oppositeSide(this.side)];
    const [best] = this.targets;
    if (bestOffer === undefined || best === undefined) return [];
    const ticks = bestOffer.toScaled(this.input.pair.priceDigits);
    // The market maker's own quotes on the opposite side cannot be within reach of the best target price: quotes too
    // close to the index are moved or cancelled before orders are taken. So the order that would be matched is another
    // trader's.
    if (isBeyond(this.side, best, ticks)) return [];
    return this.order('take', best, 0);
  }

  places(): QuoteCommand[] {
    const moving = this.moves().length;
    return this.emptyLevels()
      .slice(moving)
      .flatMap((level) => this.order('place', this.jitter(this.targets[level]!, level), level));
  }

  surplus(): QuoteCommand[] {
    const last = this.targets.at(-1);
    const outermostRoom = last === undefined ? undefined : this.jitterRoom(this.targets.length - 1);
    const crowds = new Map<number, OpenQuote[]>();
    const commands: QuoteCommand[] = [];
    for (const quote of this.staying) {
      const { ticks, level } = this.placeOf(quote);
      if (
        last === undefined ||
        outermostRoom === undefined ||
        isBeyond(this.side, ticks, last, 2n * outermostRoom + 1n)
      ) {
        commands.push({ kind: 'cancel', id: quote.id, reason: 'tooFar' });
        continue;
      }
      crowds.set(level, [...(crowds.get(level) ?? []), quote]);
    }
    for (const crowd of crowds.values()) {
      const smallestFirst = crowd.toSorted((a, b) => a.remaining.compare(b.remaining));
      const tooMany = smallestFirst.slice(0, Math.max(0, crowd.length - QUOTES_PER_LEVEL));
      commands.push(...tooMany.map(({ id }) => ({ kind: 'cancel', id, reason: 'surplus' }) as const));
    }
    return commands;
  }

  private isTooClose(quote: OpenQuote): boolean {
    const [best] = this.targets;
    const { ticks } = this.placeOf(quote);
    // On a coarse price grid the best level may itself be nearer to the centre than the limit price
    // `nearest`; an order at this level or further out is not too close.
    if (best !== undefined && (ticks === best || isBeyond(this.side, ticks, best))) return false;
    return !isBeyond(this.side, ticks, this.nearest) && ticks !== this.nearest;
  }

  private placeOf(quote: OpenQuote): Place {
    const known = this.known.get(quote);
    if (known !== undefined) return known;
    const ticks = quote.price.toScaled(this.input.pair.priceDigits);
    const level = this.levelAt(ticks);
    const place = { ticks, level, isWorn: this.isWorn(quote, level) };
    this.known.set(quote, place);
    return place;
  }

  private isWorn(quote: OpenQuote, level: number): boolean {
    const full = this.sizeUsdt(level);
    const remainingUsdt = quote.remaining.times(quote.price, 'down').times(this.input.quoteValue, 'down');
    return remainingUsdt
      .times(Decimal.ofWhole(100n), 'down')
      .isLess(full.times(Decimal.ofWhole(WORN_PERCENT), 'down'));
  }

  private levelAt(ticks: bigint): number {
    let nearest = 0;
    let shortest: bigint | undefined;
    // Target prices are sorted by distance from the centre, so the search ends at the first level that is not
    // nearer to the order's price than the previous one.
    for (const [level, target] of this.targets.entries()) {
      const away = distance(target, ticks);
      if (shortest !== undefined && away >= shortest) break;
      nearest = level;
      shortest = away;
    }
    return nearest;
  }

  /**
   * Moves a target price outwards by a random distance of up to a third of the gap to the next better level, so that
   * the orders are not evenly spaced. The price of the best level is not changed.
   */
  private jitter(target: bigint, level: number): bigint {
    if (level === 0) return target;
    const room = this.jitterRoom(level);
    const offset = (room * BigInt(Math.floor(this.input.draw() * 1_000))) / 1_000n;
    return this.side === 'buy' ? target - offset : target + offset;
  }

  private jitterRoom(level: number): bigint {
    const before = this.targets[level - 1];
    const target = this.targets[level];
    return before === undefined || target === undefined ? 0n : distance(before, target) / 3n;
  }

  private order(kind: 'place' | 'take', ticks: bigint, level: number): QuoteCommand[] {
    const { pair, filters, quoteValue } = this.input;
    const price = Decimal.ofScaled(ticks, pair.priceDigits);
    const draw = Decimal.ofScaled(BigInt(Math.floor(60 + 100 * this.input.draw())), 2);
    const usdt = this.sizeUsdt(level).times(draw, 'down');
    const requested = usdt.over(price.times(quoteValue, 'up'), 'down', pair.amountDigits);
    const minimum = filters.minTotal.over(price, 'up', pair.amountDigits);
    const amount = least(greatest(requested, greatest(minimum, filters.minAmount)), filters.maxAmount);
    return [{ kind, side: this.side, price, amount }];
  }

  private sizeUsdt(level: number): Decimal {
    const { topTicks, topUsdt, levelUsdt, sizeGrowth } = this.input.profile;
    if (level < topTicks.length) return Decimal.ofWhole(topUsdt);
    return Decimal.ofWhole(Math.round(levelUsdt * (1 + sizeGrowth * (level - topTicks.length))));
  }
}

/** The distances of the outer levels from the ladder's centre in ppm, nearest first. */
function distancesPpm({ levels, topTicks, nearestPpm, stepPpm, stepGrowth }: QuotingProfile): bigint[] {
  const distances: bigint[] = [];
  let distance = nearestPpm;
  for (let level = topTicks.length; level < levels; level += 1) {
    distances.push(BigInt(Math.round(distance)));
    distance += stepPpm * stepGrowth ** (level - topTicks.length);
  }
  return distances;
}

/** The price in ticks at a distance of `ppm` from the ladder's centre, rounded away from the centre. */
function outward({ pair, index }: Pick<LadderInput, 'pair' | 'index'>, side: Side, ppm: bigint): bigint {
  const rounding = side === 'buy' ? 'down' : 'up';
  const factor = Decimal.ofScaled(side === 'buy' ? PPM - ppm : PPM + ppm, 6);
  return index.times(factor, rounding, pair.priceDigits).toScaled(pair.priceDigits);
}

/** True if the price `ticks` is further out than `than` (lower for bids, higher for asks) by more than `by` ticks. */
function isBeyond(side: Side, ticks: bigint, than: bigint, by = 0n): boolean {
  return side === 'buy' ? ticks < than - by : ticks > than + by;
}

function oneTickOut(side: Side, ticks: bigint): bigint {
  return side === 'buy' ? ticks - 1n : ticks + 1n;
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

function alternate<T>(first: readonly T[], second: readonly T[]): T[] {
  const merged: T[] = [];
  for (let at = 0; at < Math.max(first.length, second.length); at += 1) {
    merged.push(...first.slice(at, at + 1), ...second.slice(at, at + 1));
  }
  return merged;
}
