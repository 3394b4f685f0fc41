import type { Side } from '@exchange/core/pair.ts';
import { RECORDED_BOOK_VERSION, RECORDED_LEVELS } from '@exchange/core/recorded-book.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { PairScale } from './pair-scale.ts';
import type { PublicBook, SidedLevel } from './public-book.ts';

/** The price levels that one journal step changed, and the time at which the step was matched. */
export interface ChangedLevels {
  readonly step: number;
  readonly at: Instant;
  readonly levels: readonly SidedLevel[];
}

/** A trade, with its price in ticks and its amount in lots. */
export interface BookTrade {
  /** Sequence number of the trade, counted over all pairs. */
  readonly sequence: number;
  readonly tradeId: string;
  readonly price: bigint;
  readonly amount: bigint;
  readonly takerSide: Side;
}

/** A part whose recording has ended, but which has no number and no previous hash yet. */
export interface EndedPart {
  readonly symbol: string;
  readonly from: Instant;
  readonly until: Instant;
  /**
   * Sequence numbers of the first and the last journal step whose changes or trades the part contains; undefined if it
   * contains none.
   */
  readonly steps: { readonly first: number; readonly last: number } | undefined;
  readonly changeCount: number;
  /** Builds the text of the part from its number and the hash of the previous part. */
  readonly textWith: (seq: number, prev: string) => string;
}

/** What a part needs of the pair whose order book it records: its symbol, its decimal digits and its public book. */
export interface RecordedPair {
  readonly symbol: string;
  readonly scale: Pick<PairScale, 'priceDigits' | 'amountDigits'>;
  readonly book: Pick<PublicBook, 'top'>;
}

/**
 * A part of the recorded order book that is still being recorded: the price levels at its start, and the changes since.
 * The text of a change is built when the change is added, so that ending a part is cheap.
 */
export class BookPart {
  readonly from: Instant;
  /** Whether the part starts with the levels with which the previous part of the same recording ended. */
  readonly continues: boolean;
  /** Commit time of the last added step; `from` before the first one. */
  lastCommit: Instant;
  /** Length in characters of the text of the steps that are complete. */
  length = 0;
  private readonly pair: RecordedPair;
  private readonly opening: Readonly<Record<Side, string>>;
  /**
   * For each side that may have more levels than are recorded, its worst recorded price; undefined for a side
   * that is recorded completely.
   */
  private readonly edges: Readonly<Record<Side, bigint | undefined>>;
  private readonly changes = new JoinedTexts();
  private steps: { readonly first: number; readonly last: number } | undefined;
  /** Sequence number of the journal step whose changes are being collected; 0 while there is none. */
  private step = 0;
  private head = '';
  private levels = '';
  private trades = '';

  /**
   * Starts a part at the time `from` with the best `RECORDED_LEVELS` levels of each side that the book has
   * now.
   */
  constructor(pair: RecordedPair, from: Instant, continues: boolean) {
    this.pair = pair;
    this.continues = continues;
    this.from = from;
    this.lastCommit = from;
    const [buy, sell] = (['buy', 'sell'] as const).map((side) => pair.book.top(side, RECORDED_LEVELS));
    this.opening = { buy: this.openingOf(buy!), sell: this.openingOf(sell!) };
    this.edges = { buy: edgeOf(buy!), sell: edgeOf(sell!) };
  }

  /** Number of journal steps that changed the recorded levels or traded. */
  get changeCount(): number {
    return this.changes.count + (this.hasOpenStep ? 1 : 0);
  }

  /**
   * Adds the levels that a step changed, without those beyond the recorded ones, and the trades of the step;
   * `committedAt` is the time of the step's commit.
   */
  add({ step, at, levels }: ChangedLevels, trades: readonly BookTrade[], committedAt: Instant): void {
    this.lastCommit = committedAt;
    if (step !== this.step) {
      this.endStep();
      this.step = step;
      this.head = `${step},${at - this.from},${Math.max(0, committedAt - at)}`;
    }
    for (const level of levels)
      if (this.covers(level)) this.levels = joined(this.levels, this.levelText(level));
    for (const trade of trades) this.trades = joined(this.trades, this.tradeText(trade));
  }

  /**
   * Ends the part at `until`, or at its start if that is later, and returns it; `add` must not be called
   * before `textWith` has built the text.
   */
  end(until: Instant): EndedPart {
    this.endStep();
    const { pair, from, changes, changeCount, steps, continues } = this;
    const last = instant(Math.max(until, from));
    const { buy, sell } = this.opening;
    const { priceDigits, amountDigits } = pair.scale;
    return {
      symbol: pair.symbol,
      from,
      until: last,
      steps,
      changeCount,
      // The keys are in alphabetical order, as in every canonical text.
      textWith: (seq, prev) =>
        `{"amountDigits":${amountDigits},"asks":[${sell}],"bids":[${buy}],"changes":[${changes.toString()}],` +
        `"continues":${continues},"from":${from},"prev":"${prev}","priceDigits":${priceDigits},"seq":${seq},"symbol":"${pair.symbol}",` +
        `"until":${last},"v":${RECORDED_BOOK_VERSION}}`,
    };
  }

  /**
   * The text that the part would have if it ended at `until`, with the number 0 and an empty previous hash. The
   * recording of the part continues.
   */
  soFar(until: Instant): string {
    return this.end(until).textWith(0, '');
  }

  private endStep(): void {
    // A step without a trade that changed only levels beyond the recorded ones is left out.
    if (this.hasOpenStep) {
      const text = `[${this.head},[${this.levels}],[${this.trades}]]`;
      this.changes.push(text);
      this.steps = { first: this.steps?.first ?? this.step, last: this.step };
      this.length += text.length;
      this.levels = '';
      this.trades = '';
    }
    this.step = 0;
  }

  private get hasOpenStep(): boolean {
    return this.levels !== '' || this.trades !== '';
  }

  private covers({ side, price }: SidedLevel): boolean {
    const edge = this.edges[side];
    return edge === undefined || (side === 'buy' ? price >= edge : price <= edge);
  }

  private openingOf(levels: readonly SidedLevel[]): string {
    const { priceDigits, amountDigits } = this.pair.scale;
    return levels
      .map(({ price, amount }) => `["${fixedText(price, priceDigits)}","${fixedText(amount, amountDigits)}"]`)
      .join(',');
  }

  private levelText({ side, price, amount }: SidedLevel): string {
    const { priceDigits, amountDigits } = this.pair.scale;
    return `["${side}","${fixedText(price, priceDigits)}","${fixedText(amount, amountDigits)}"]`;
  }

  private tradeText({ sequence, tradeId, price, amount, takerSide }: BookTrade): string {
    const { priceDigits, amountDigits } = this.pair.scale;
    const [priceText, amountText] = [fixedText(price, priceDigits), fixedText(amount, amountDigits)];
    return `[${sequence},"${tradeId}","${priceText}","${amountText}","${takerSide}"]`;
  }
}

function joined(texts: string, text: string): string {
  return texts === '' ? text : `${texts},${text}`;
}

/** Least number of bytes that a `JoinedTexts` allocates with its first text. */
const FIRST_BYTES = 16_384;

/**
 * ASCII texts joined by commas, in one buffer outside the JavaScript heap. A part collects tens of thousands of short
 * texts, and every garbage collection would copy them if they were strings.
 */
class JoinedTexts {
  count = 0;
  private bytes = Buffer.allocUnsafe(0);
  private used = 0;

  push(text: string): void {
    this.reserve(text.length + 1);
    this.used += this.bytes.write(this.count === 0 ? text : `,${text}`, this.used, 'latin1');
    this.count += 1;
  }

  toString(): string {
    return this.bytes.toString('latin1', 0, this.used);
  }

  private reserve(length: number): void {
    const needed = this.used + length;
    if (needed <= this.bytes.length) return;
    const bytes = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length, FIRST_BYTES));
    this.bytes.copy(bytes, 0, 0, this.used);
    this.bytes = bytes;
  }
}

/** `units × 10^-digits` with exactly `digits` decimals; `units` is not negative. */
function fixedText(units: bigint, digits: number): string {
  const plain = units.toString();
  const text = plain.length > digits ? plain : plain.padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function edgeOf(levels: readonly SidedLevel[]): bigint | undefined {
  return levels.length < RECORDED_LEVELS ? undefined : levels.at(-1)!.price;
}
