import type { Side } from '@exchange/core/pair.ts';
import { RECORDED_BOOK_VERSION, RECORDED_LEVELS } from '@exchange/core/recorded-book.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { PairScale } from './pair-scale.ts';
import type { PublicBook, SidedLevel } from './public-book.ts';

/** The price levels that one step changed, with the time at which it was matched. */
export interface ChangedLevels {
  readonly step: number;
  readonly at: Instant;
  readonly levels: readonly SidedLevel[];
}

/** A trade, with its price in ticks and its amount in lots. */
export interface BookTrade {
  /** Number of the trade among the trades of all pairs. */
  readonly sequence: number;
  readonly tradeId: string;
  readonly price: bigint;
  readonly amount: bigint;
  readonly takerSide: Side;
}

/** A part whose recording has ended, before it has its place in the chain. */
export interface EndedPart {
  readonly symbol: string;
  readonly from: Instant;
  readonly until: Instant;
  /** The first and the last step with changes; undefined for a part without changes. */
  readonly steps: { readonly first: number; readonly last: number } | undefined;
  readonly changeCount: number;
  /** The text of the part with its number and the hash of the part before. */
  readonly textWith: (seq: number, prev: string) => string;
}

/** A symbol with its units, and the book that the parts describe. */
export interface RecordedPair {
  readonly symbol: string;
  readonly scale: Pick<PairScale, 'priceDigits' | 'amountDigits'>;
  readonly book: Pick<PublicBook, 'top'>;
}

/**
 * A part of the recorded book while it is recorded: the levels at its beginning and the changes since. Texts are made
 * when a change is added, so that the end of a part is cheap.
 */
export class BookPart {
  readonly from: Instant;
  /** Whether the levels at its beginning are those at the end of the part before, of the same recording. */
  readonly continues: boolean;
  /** Time of the last commit that was added; `from` before the first. */
  lastCommit: Instant;
  /** Length of the text of the changes so far. */
  length = 0;
  private readonly pair: RecordedPair;
  private readonly opening: Readonly<Record<Side, string>>;
  /** The worst recorded price of a side that has more levels; undefined for a side that is recorded completely. */
  private readonly edges: Readonly<Record<Side, bigint | undefined>>;
  private readonly changes: string[] = [];
  private steps: { readonly first: number; readonly last: number } | undefined;
  /** The step whose changes are being collected; 0 between steps. */
  private step = 0;
  private head = '';
  private levels = '';
  private trades = '';

  /** Begins with the levels that the book has at `from`. */
  constructor(pair: RecordedPair, from: Instant, continues: boolean) {
    this.pair = pair;
    this.continues = continues;
    this.from = from;
    this.lastCommit = from;
    const [buy, sell] = (['buy', 'sell'] as const).map((side) => pair.book.top(side, RECORDED_LEVELS));
    this.opening = { buy: this.openingOf(buy!), sell: this.openingOf(sell!) };
    this.edges = { buy: edgeOf(buy!), sell: edgeOf(sell!) };
  }

  /** Number of steps that changed the recorded levels or traded. */
  get changeCount(): number {
    return this.changes.length + (this.hasOpenStep ? 1 : 0);
  }

  /** Adds the levels that a step changed and the trades that it made, of which `committedAt` is the time of the commit. */
  add({ step, at, levels }: ChangedLevels, trades: readonly BookTrade[], committedAt: Instant): void {
    this.lastCommit = committedAt;
    if (step !== this.step) {
      this.endStep();
      this.step = step;
      this.head = `${step},${at - this.from},${Math.max(0, committedAt - at)}`;
    }
    for (const level of levels) if (this.covers(level)) this.levels += `,${this.levelText(level)}`;
    for (const trade of trades) this.trades += `,${this.tradeText(trade)}`;
  }

  /** Ends the part. It may not be added to afterwards. */
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
      // Keys in alphabetical order, like every canonical text.
      textWith: (seq, prev) =>
        `{"amountDigits":${amountDigits},"asks":[${sell}],"bids":[${buy}],"changes":[${changes.join(',')}],` +
        `"continues":${continues},"from":${from},"prev":"${prev}","priceDigits":${priceDigits},"seq":${seq},"symbol":"${pair.symbol}",` +
        `"until":${last},"v":${RECORDED_BOOK_VERSION}}`,
    };
  }

  /** The text of the part as it would be if it ended now, without a place in the chain; the part goes on. */
  soFar(until: Instant): string {
    return this.end(until).textWith(0, '');
  }

  private endStep(): void {
    // A step whose changes are all beyond the recorded levels changes nothing that is recorded.
    if (this.hasOpenStep) {
      const text = `[${this.head},[${this.levels.slice(1)}],[${this.trades.slice(1)}]]`;
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

/** `units × 10^-digits` with exactly `digits` decimals; `units` is not negative. */
function fixedText(units: bigint, digits: number): string {
  const plain = units.toString();
  const text = plain.length > digits ? plain : plain.padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function edgeOf(levels: readonly SidedLevel[]): bigint | undefined {
  return levels.length < RECORDED_LEVELS ? undefined : levels.at(-1)!.price;
}
