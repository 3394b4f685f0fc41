import { Decimal, greatest, least } from '@exchange/core/decimal.ts';
import { oppositeSide, type Pair, type PairFilters, type Side } from '@exchange/core/pair.ts';
import type { QuotingProfile } from './profile.ts';

/** An order of the house on the book. */
export interface OpenQuote {
  readonly id: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly remaining: Decimal;
}

export type QuoteCommand =
  | { readonly kind: 'cancel'; readonly id: string; readonly reason: 'tooClose' | 'tooFar' | 'surplus' }
  | { readonly kind: 'place'; readonly side: Side; readonly price: Decimal; readonly amount: Decimal }
  /** A quote goes to where one is missing, with the amount that it has. */
  | { readonly kind: 'move'; readonly id: string; readonly side: Side; readonly price: Decimal }
  /** Takes somebody's order that is better than our own quote would be. */
  | { readonly kind: 'take'; readonly side: Side; readonly price: Decimal; readonly amount: Decimal };

export interface LadderInput {
  readonly pair: Pair;
  readonly filters: PairFilters;
  readonly profile: QuotingProfile;
  /** The centre of the ladder: the index, or where it was when the ladder last followed it. */
  readonly index: Decimal;
  /** USDT per unit of the quote coin. */
  readonly quoteValue: Decimal;
  readonly open: readonly OpenQuote[];
  /** Best price of each side of the whole book. */
  readonly best: Readonly<Record<Side, Decimal | undefined>>;
  /** Evenly in [0, 1). */
  readonly draw: () => number;
}

/** What the places of the levels depend on. */
type Standing = Pick<LadderInput, 'pair' | 'filters' | 'profile' | 'index'>;

const PPM = 1_000_000n;
/** Nothing is quoted further out than this part of the price band, so that a moving reference refuses nothing. */
const BAND_PERCENT = 95n;
/** More orders than this near one level are too many. */
const QUOTES_PER_LEVEL = 3;
/** An order filled down to less than this part of its level's size no longer fills its place. */
const WORN_PERCENT = 25n;

/**
 * What to do about the quotes of one pair, most urgent first: give up what has come too close to the
 * index or lies beyond it; take what others offer beyond our best quote; fill empty levels from the
 * inside out; give up what is too far out or too much. Quotes between two levels stay where they are, so
 * a moving index costs a few commands at the edges and not a new ladder. Empty when all is well.
 */
export function ladder(input: LadderInput): QuoteCommand[] {
  const sides = (['buy', 'sell'] as const).map((side) => new SidePlan(input, side));
  const moves = sides.flatMap((plan) => plan.moves());
  const moved = new Set(moves.map(({ id }) => id));
  const urgent = sides.flatMap((plan) => plan.tooClose()).filter(({ id }) => !moved.has(id));
  // What the index has crossed goes away from it before the other side comes after it.
  const crossed = moves.filter(({ isCrossed }) => isCrossed);
  const following = moves.filter(({ isCrossed }) => !isCrossed);
  const takes = urgent.length + crossed.length > 0 ? [] : sides.flatMap((plan) => plan.takes());
  const [bids = [], asks = []] = sides.map((plan) => plan.places());
  return [
    ...crossed.map(moveOf),
    ...urgent,
    ...takes,
    ...following.map(moveOf),
    ...alternated(bids, asks),
    ...sides
      .flatMap((plan) => plan.surplus())
      .filter((command) => !('id' in command && moved.has(command.id))),
  ];
}

/** Whether less than half of the ladder stands, so that it should be built up without waiting. */
export function isThin(input: Standing & Pick<LadderInput, 'open'>): boolean {
  const levels = targetTicks(input, 'buy').length + targetTicks(input, 'sell').length;
  return input.open.length * 2 < levels;
}

/** Target prices of one side, best first, in ticks: distinct, and none beyond the furthest. */
export function targetTicks(input: Standing, side: Side): bigint[] {
  const targets: bigint[] = [];
  const limit = outward(input, side, (input.filters.priceBand.toScaled(6) * BAND_PERCENT) / 100n);
  const centre = outward(input, side, 0n);
  const wanteds = [
    ...input.profile.topTicks.map((ticks) =>
      side === 'buy' ? centre - BigInt(ticks) : centre + BigInt(ticks),
    ),
    ...distancesPpm(input.profile).map((distance) => outward(input, side, distance)),
  ];
  for (const wanted of wanteds) {
    const previous = targets.at(-1);
    const target =
      previous === undefined || isBeyond(side, wanted, previous) ? wanted : stepOut(side, previous);
    if (target <= 0n || isBeyond(side, target, limit)) break;
    targets.push(target);
  }
  return targets;
}

/** A move, and whether the index had crossed its quote. */
interface Move {
  readonly id: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly isCrossed: boolean;
}

function moveOf({ id, side, price }: Move): QuoteCommand {
  return { kind: 'move', id, side, price };
}

class SidePlan {
  private readonly input: LadderInput;
  private readonly side: Side;
  private readonly targets: readonly bigint[];
  /** Best price at which a quote may stay. */
  private readonly nearest: bigint;
  private readonly staying: readonly OpenQuote[];

  constructor(input: LadderInput, side: Side) {
    this.input = input;
    this.side = side;
    this.targets = targetTicks(input, side);
    this.nearest = outward(input, side, BigInt(Math.round(input.profile.nearestPpm / 6)));
    this.staying = input.open.filter((quote) => quote.side === side && !this.isTooClose(quote));
  }

  /**
   * The levels next to the spread that have no quote get one that is not needed where it is: one that the index has
   * crossed, or one that shares its level with others.
   */
  moves(): Move[] {
    const { topTicks } = this.input.profile;
    const missing = this.emptyLevels().filter((level) => level < topTicks.length);
    const crossed = this.crossedQuotes();
    const spare = [...crossed, ...this.crowding()].filter((quote) => !this.isWorn(quote));
    return missing.slice(0, spare.length).map((level, place) => {
      const { id, side } = spare[place]!;
      const ticks = this.jittered(this.targets[level]!, level);
      const price = Decimal.ofScaled(ticks, this.input.pair.priceDigits);
      return { id, side, price, isCrossed: place < crossed.length };
    });
  }

  /** All but the first of the quotes at each level, furthest levels first. */
  private crowding(): OpenQuote[] {
    if (this.input.profile.topTicks.length === 0) return [];
    const seen = new Set<number>();
    const spare: OpenQuote[] = [];
    for (const quote of this.staying) {
      const level = this.levelOf(quote);
      if (seen.has(level)) spare.push(quote);
      seen.add(level);
    }
    return spare.toSorted((a, b) => this.levelOf(b) - this.levelOf(a));
  }

  private emptyLevels(): number[] {
    const fresh = this.staying.filter((quote) => !this.isWorn(quote));
    const filled = new Set(fresh.map((quote) => this.levelOf(quote)));
    return this.targets.flatMap((_, level) => (filled.has(level) ? [] : [level]));
  }

  tooClose(): (QuoteCommand & { readonly kind: 'cancel' })[] {
    return this.crossedQuotes().map(({ id }) => ({ kind: 'cancel', id, reason: 'tooClose' }));
  }

  /** Quotes that are too close to the index or beyond it, those that would trade first at the head. */
  private crossedQuotes(): OpenQuote[] {
    return this.input.open
      .filter((quote) => quote.side === this.side && this.isTooClose(quote))
      .toSorted((a, b) => (isBeyond(this.side, this.ticks(a), this.ticks(b)) ? 1 : -1));
  }

  takes(): QuoteCommand[] {
    const offered = this.input.best[oppositeSide(this.side)];
    const [best] = this.targets;
    if (offered === undefined || best === undefined) return [];
    const ticks = offered.toScaled(this.input.pair.priceDigits);
    // Ours would be cheaper than what we would pay: nobody quotes there but a stranger.
    if (isBeyond(this.side, best, ticks)) return [];
    return this.order('take', best, 0);
  }

  places(): QuoteCommand[] {
    const moving = this.moves().length;
    return this.emptyLevels()
      .slice(moving)
      .flatMap((level) => this.order('place', this.jittered(this.targets[level]!, level), level));
  }

  surplus(): QuoteCommand[] {
    const last = this.targets.at(-1);
    const outermost = last === undefined ? undefined : this.jitterRoom(this.targets.length - 1);
    const crowds = new Map<number, OpenQuote[]>();
    const commands: QuoteCommand[] = [];
    for (const quote of this.staying) {
      const ticks = this.ticks(quote);
      if (
        last === undefined ||
        outermost === undefined ||
        isBeyond(this.side, ticks, last, 2n * outermost + 1n)
      ) {
        commands.push({ kind: 'cancel', id: quote.id, reason: 'tooFar' });
        continue;
      }
      const level = this.levelOf(quote);
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
    const ticks = this.ticks(quote);
    // On a coarse grid the best level itself may be nearer than the limit.
    if (best !== undefined && (ticks === best || isBeyond(this.side, ticks, best))) return false;
    return !isBeyond(this.side, ticks, this.nearest) && ticks !== this.nearest;
  }

  private isWorn(quote: OpenQuote): boolean {
    const full = this.sizeUsdt(this.levelOf(quote));
    const left = quote.remaining.times(quote.price, 'down').times(this.input.quoteValue, 'down');
    return left
      .times(Decimal.ofWhole(100n), 'down')
      .isLess(full.times(Decimal.ofWhole(WORN_PERCENT), 'down'));
  }

  /** The level whose target is nearest. */
  private levelOf(quote: OpenQuote): number {
    const ticks = this.ticks(quote);
    let nearest = 0;
    for (const [level, target] of this.targets.entries()) {
      if (distance(target, ticks) < distance(this.targets[nearest] ?? target, ticks)) nearest = level;
    }
    return nearest;
  }

  /** A little off the target, so that the book is not a comb; the best level stays exact. */
  private jittered(target: bigint, level: number): bigint {
    if (level === 0) return target;
    const room = this.jitterRoom(level);
    const off = (room * BigInt(Math.floor(this.input.draw() * 1_000))) / 1_000n;
    return this.side === 'buy' ? target - off : target + off;
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
    const wanted = usdt.over(price.times(quoteValue, 'up'), 'down', pair.amountDigits);
    const fewest = filters.minTotal.over(price, 'up', pair.amountDigits);
    const amount = least(greatest(wanted, greatest(fewest, filters.minAmount)), filters.maxAmount);
    return [{ kind, side: this.side, price, amount }];
  }

  private sizeUsdt(level: number): Decimal {
    const { topTicks, topUsdt, levelUsdt, sizeGrowth } = this.input.profile;
    if (level < topTicks.length) return Decimal.ofWhole(topUsdt);
    return Decimal.ofWhole(Math.round(levelUsdt * (1 + sizeGrowth * (level - topTicks.length))));
  }

  private ticks(quote: OpenQuote): bigint {
    return quote.price.toScaled(this.input.pair.priceDigits);
  }
}

/** Distances of the levels from the index, nearest first. */
function distancesPpm({ levels, topTicks, nearestPpm, stepPpm, stepGrowth }: QuotingProfile): bigint[] {
  const distances: bigint[] = [];
  let distance = nearestPpm;
  for (let level = topTicks.length; level < levels; level += 1) {
    distances.push(BigInt(Math.round(distance)));
    distance += stepPpm * stepGrowth ** (level - topTicks.length);
  }
  return distances;
}

/** The price so far from the index, on the tick that is not nearer. */
function outward({ pair, index }: Pick<LadderInput, 'pair' | 'index'>, side: Side, ppm: bigint): bigint {
  const rounding = side === 'buy' ? 'down' : 'up';
  const factor = Decimal.ofScaled(side === 'buy' ? PPM - ppm : PPM + ppm, 6);
  return index.times(factor, rounding, pair.priceDigits).toScaled(pair.priceDigits);
}

/** Whether `ticks` lies further from the index than `than`, by more than `by`. */
function isBeyond(side: Side, ticks: bigint, than: bigint, by = 0n): boolean {
  return side === 'buy' ? ticks < than - by : ticks > than + by;
}

function stepOut(side: Side, ticks: bigint): bigint {
  return side === 'buy' ? ticks - 1n : ticks + 1n;
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

function alternated<T>(one: readonly T[], other: readonly T[]): T[] {
  const both: T[] = [];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    both.push(...one.slice(at, at + 1), ...other.slice(at, at + 1));
  }
  return both;
}
