import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { composeIndex, type IndexPoint } from '@exchange/core/index-price.ts';
import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { instant, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import { EMPTY_TAPE, tapeLine, type TapeHead } from '../../../apps/server/src/modules/market/domain/tape.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const VENUES = ['a', 'b', 'c', 'd'];
/**
 * Number of decimals of the prices that venues (price sources) quote; one more than the index price has, so that the
 * index price is rounded.
 */
const QUOTE_DIGITS = 5;
export const INDEX_DIGITS = 4;

/**
 * A random index tape of one pair. In it venues (price sources) can be silent, late or quote a wrong price, and the
 * lines of some seconds can be missing.
 */
export class RandomTape {
  readonly texts: string[] = [];
  readonly points = new Map<Instant, IndexPoint>();
  private readonly random: SeededGenerator;
  private readonly symbol: string;
  private head: TapeHead = EMPTY_TAPE;

  constructor(random: SeededGenerator, symbol: string) {
    this.random = random;
    this.symbol = symbol;
  }

  /**
   * Adds the line of the second `t` to the tape, or sometimes no line. The venues (price sources) quote prices near
   * `about`, which is in units of the fifth decimal. The greater `fault`, the more likely are silent, late and wrong
   * venues and missing lines.
   */
  add(t: Instant, about: number, fault = 0.1): void {
    if (this.chance(fault / 2)) return;
    const quotes = VENUES.filter(() => !this.chance(fault)).map((id) => ({
      id,
      price: Decimal.ofScaled(
        BigInt(this.chance(fault / 4) ? about * 2 : about + this.below(3)),
        QUOTE_DIGITS,
      ),
      at: instant(this.chance(fault) ? t - 3_001 + this.below(2) : t - this.below(3_000)),
    }));
    const point = composeIndex(t, quotes, INDEX_DIGITS);
    const line = tapeLine(this.symbol, point, this.head, sha256);
    this.head = line;
    this.points.set(t, point);
    this.texts.push(line.text);
  }

  /**
   * Adds the lines of `seconds` seconds to the tape, beginning at `from`. The prices, in units of the fifth
   * decimal, are a random walk that begins at `about`. Returns the next price of the walk.
   */
  run(from: Instant, seconds: number, about: number, { stride = 3, fault = 0.1 } = {}): number {
    let price = about;
    for (let second = 0; second < seconds; second += 1) {
      this.add(later(from, second * SECOND_MS), price, fault);
      price = Math.max(10, price + this.below(2 * stride + 1) - stride);
    }
    return price;
  }

  private chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  private below(bound: number): number {
    return Math.floor(this.random.next() * bound);
  }
}
