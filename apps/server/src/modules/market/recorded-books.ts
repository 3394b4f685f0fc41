import { parseRecordedPart, type RecordedPart } from '@exchange/core/recorded-book.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { type AskedPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { BookRecordRepository, StoredPart } from './book-record-repository.ts';
import { type BookRecorder, type ReadPart, textOfPart } from './book-recorder.ts';
import type { PairMarket } from './domain/pair-market.ts';

export type { StoredPart };

/** Parts in which a trade is searched from its time on, because a commit may be recorded in a later part. */
const SEARCHED_PARTS = 3;

interface Parts {
  readonly markets: ReadonlyMap<string, PairMarket>;
  readonly repository: BookRecordRepository;
  readonly recorder: Pick<BookRecorder, 'unstored'>;
}

/** A parsed part, and its place in the chain; undefined while the part is not stored. */
export interface FoundPart {
  readonly part: RecordedPart;
  readonly stored: StoredPart | undefined;
}

/** Reads of the recorded order books. All refuse an unknown pair. */
export class RecordedBooks {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The stored parts of a pair, newest first. */
  list(symbol: string, page: AskedPage) {
    this.requirePair(symbol);
    return this.parts.repository.list(symbol, rowsOfPage(page));
  }

  /** The end of each pair's chain of stored parts, for time stamps. */
  async heads() {
    const heads = await this.parts.repository.heads();
    return [...heads].map(([symbol, head]) => ({ symbol, ...head }));
  }

  /** A stored part. Refused if there is none with the number. */
  async numbered(symbol: string, seq: number): Promise<ReadPart> {
    this.requirePair(symbol);
    const part = await this.parts.repository.bySeq(symbol, seq);
    if (part === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return textOfPart(part);
  }

  /**
   * The stored part that contains a time, or else the first one after it, and the end of the last part before the time.
   */
  async at(
    symbol: string,
    time: Instant,
  ): Promise<{ readonly found: ReadPart | undefined; readonly previousUntil: Instant | undefined }> {
    this.requirePair(symbol);
    const { repository } = this.parts;
    const part = await repository.at(symbol, time);
    return {
      found: part && (await textOfPart(part)),
      previousUntil: await repository.endBefore(symbol, time),
    };
  }

  /** The part that recorded a trade of a time, stored or not; undefined when the trade was not recorded. */
  async partOfTrade(symbol: string, tradeId: string, time: Instant): Promise<FoundPart | undefined> {
    this.requirePair(symbol);
    for await (const { text, stored } of this.from(symbol, time)) {
      if (!text.includes(`"${tradeId}"`)) continue;
      return { part: parseRecordedPart(text), stored };
    }
    return undefined;
  }

  /** The part that recorded the changes of a step, stored or not; undefined when they were not recorded. */
  async partOfStep(symbol: string, step: number): Promise<FoundPart | undefined> {
    this.requirePair(symbol);
    const { repository, recorder } = this.parts;
    const stored = await repository.byStep(symbol, step);
    const texts =
      stored === undefined
        ? recorder.unstored(symbol)
        : (stored.steps?.first ?? step) <= step
          ? [await textOfPart(stored)]
          : [];
    for (const read of texts)
      if (read.text.includes(`[${step},`)) return { part: parseRecordedPart(read.text), stored: read.stored };
    return undefined;
  }

  /** The parts from a time on, oldest first, at most a few. */
  private async *from(symbol: string, time: Instant): AsyncGenerator<ReadPart, void> {
    const { repository, recorder } = this.parts;
    let next = await repository.at(symbol, time);
    for (let count = 0; next !== undefined && count < SEARCHED_PARTS; count += 1) {
      yield await textOfPart(next);
      next = await repository.bySeq(symbol, next.seq + 1);
    }
    if (next === undefined) yield* recorder.unstored(symbol);
  }

  private requirePair(symbol: string): void {
    if (!this.parts.markets.has(symbol))
      throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol', value: symbol }));
  }
}
