import { parseRecordedPart, type RecordedPart } from '@exchange/core/recorded-book.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import { type AskedPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { BookRecordRepository, StoredPart } from './book-record-repository.ts';
import { type BookRecorder, type ReadPart, textOfPart } from './book-recorder.ts';
import type { PairMarket } from './domain/pair-market.ts';

export type { StoredPart };

/**
 * Number of stored parts that are searched for a trade, beginning with the part that covers the trade's time, because
 * the commit of the trade may be recorded in a later part.
 */
const SEARCHED_PARTS = 3;

interface Parts {
  readonly markets: ReadonlyMap<string, PairMarket>;
  readonly repository: BookRecordRepository;
  readonly recorder: Pick<BookRecorder, 'unstored'>;
}

/** A parsed part of the recorded order book, and its stored row; `stored` is undefined while the part is not stored. */
export interface FoundPart {
  readonly part: RecordedPart;
  readonly stored: StoredPart | undefined;
}

/** Reads of the recorded order books. Each method with a symbol refuses an unknown pair. */
export class RecordedBooks {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** A page of the stored parts of a pair, newest first, without their text. */
  list(symbol: string, page: AskedPage) {
    this.requirePair(symbol);
    return this.parts.repository.list(symbol, rowsOfPage(page));
  }

  /**
   * For each pair, the number, end time and hash of the last stored part of its hash chain; the hash is
   * submitted to public time stamp services.
   */
  async heads() {
    const heads = await this.parts.repository.heads();
    return [...heads].map(([symbol, head]) => ({ symbol, ...head }));
  }

  /** The stored part of a pair with the number `seq`; refuses if there is none. */
  async numbered(symbol: string, seq: number): Promise<ReadPart> {
    this.requirePair(symbol);
    const part = await this.parts.repository.bySeq(symbol, seq);
    if (part === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return textOfPart(part);
  }

  /**
   * The stored part that contains `time`, or else the first stored part after it (`found`); and the end of the last
   * part that ended at `time` or earlier (`previousUntil`). Each is undefined if there is none.
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

  /**
   * The part, stored or not, that recorded a trade made at `time`; undefined if none of the parts that are searched
   * from that time on contains the trade.
   */
  async partOfTrade(symbol: string, tradeId: string, time: Instant): Promise<FoundPart | undefined> {
    this.requirePair(symbol);
    for await (const { text, stored } of this.from(symbol, time)) {
      if (!text.includes(`"${tradeId}"`)) continue;
      return { part: parseRecordedPart(text), stored };
    }
    return undefined;
  }

  /** The part, stored or not, that recorded the changes of a journal step; undefined if no part contains them. */
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

  /**
   * The pair's parts from `time` on, oldest first: at most `SEARCHED_PARTS` stored ones, then, if no further one is
   * stored, the unstored ones.
   */
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
