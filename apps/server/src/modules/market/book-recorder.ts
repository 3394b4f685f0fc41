import { DAY_MS, instant, later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import { RECORDED_BOOK_DAYS, RECORDED_BOOK_ORIGIN } from '@exchange/core/recorded-book.ts';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Clock } from '../../platform/clock.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { SigningKey } from '../../platform/secrets/signing-key.ts';
import {
  BookRecordFenced,
  type BookRecordRepository,
  type PartHead,
  type PartWithContent,
  type StoredPart,
} from './book-record-repository.ts';
import { BookPart, type BookTrade, type EndedPart } from './domain/book-part.ts';
import type { PairMarket } from './domain/pair-market.ts';
import type { Deal, LevelsMoved } from './events.ts';
import { sha256 } from './index-maker.ts';

/** Milliseconds after which a part that contains no changes ends. */
const QUIET_PART_MS = 10 * MINUTE_MS;
/**
 * Greatest number of journal steps in a part, and greatest length of their text in characters; a part that
 * reaches one of them ends before its minute is over.
 */
const PART_CHANGES_MAX = 5_000;
const PART_LENGTH_MAX = 300_000;
/**
 * Greatest number of ended parts of all pairs together that wait to be stored; further parts are dropped, and the
 * recording then has a gap.
 */
const WAITING_MAX = 200;
/** Maximum number of parts that one SQL statement stores. */
const STORED_AT_ONCE = 20;
/** Brotli quality from 0 to 11; higher ones save a tenth of the space and take twice the time. */
const QUALITY = 2;

const compress = promisify(brotliCompress);
const expand = promisify(brotliDecompress);

interface Parts {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly markets: ReadonlyMap<string, PairMarket>;
  readonly repository: BookRecordRepository;
  readonly signingKey: Pick<SigningKey, 'sign'>;
}

/** The running recording of one pair's order book. */
interface PairRecording {
  part: BookPart;
  /**
   * Sequence number of the last journal step whose changes the levels contained when the recording started; changes of
   * this step and of earlier ones are dropped.
   */
  readonly afterStep: number;
  /** Trades of a step whose changed levels have not arrived yet. */
  trades: BookTrade[];
}

/** The text of a part, and its stored row; `stored` is undefined while the part is not stored. */
export interface ReadPart {
  readonly text: string;
  readonly stored: StoredPart | undefined;
}

/**
 * Records the public order books: receives committed changes, collects them in memory and stores them in parts, each
 * signed and linked to the previous part by its hash. Trading and publishing do not wait for the storage. Changes that
 * are lost in a crash or because the queue is full leave a gap between two parts, which is never filled.
 */
export class BookRecorder {
  private readonly parts: Parts;
  private readonly recordings = new Map<string, PairRecording>();
  private heads: Map<string, PartHead> | undefined;
  private epoch: bigint | undefined;
  private waiting: EndedPart[] = [];
  private isFailing = false;
  private readonly runs = new SerialRuns(() => this.storeWaiting());

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Starts to store parts with the claimed epoch of the index tape, and starts new parts for the books that are already
   * loaded.
   */
  start(epoch: bigint): void {
    this.epoch = epoch;
    for (const [symbol, { afterStep }] of this.recordings) this.restart(symbol, afterStep);
  }

  /**
   * Starts a new part with the levels that the public book has now, which contain the changes of every journal step up
   * to `step`; changes of steps up to `step` are ignored afterwards. The pair's running part ends at its last change,
   * because changes between that and now are unknown. Does nothing for an unknown pair.
   */
  restart(symbol: string, step: number): void {
    const market = this.parts.markets.get(symbol);
    if (market === undefined) return;
    this.end(symbol);
    const part = newPart(market, this.parts.clock.now(), false);
    this.recordings.set(symbol, { part, afterStep: step, trades: [] });
  }

  /**
   * Adds a committed trade; ignores a pair that is not recorded. The price levels that its step changed must be passed
   * to `receiveLevels` afterwards.
   */
  receiveDeal({ symbol, sequence, tradeId, price, amount, takerSide }: Deal): void {
    const market = this.parts.markets.get(symbol);
    if (market === undefined) return;
    const { priceDigits, amountDigits } = market.scale;
    this.recordings.get(symbol)?.trades.push({
      sequence,
      tradeId,
      price: price.toScaled(priceDigits),
      amount: amount.toScaled(amountDigits),
      takerSide,
    });
  }

  /**
   * Adds the price levels that a committed step changed, with its trades, to the pair's part, and begins a new part if
   * that one is full. Ignores a pair that is not recorded, and a step that is contained in the levels with which the
   * recording started. The public book must contain the changes already.
   */
  receiveLevels(moved: LevelsMoved): void {
    const recording = this.recordings.get(moved.symbol);
    if (recording === undefined) return;
    const { part, trades, afterStep } = recording;
    if (trades.length > 0) recording.trades = [];
    if (moved.step <= afterStep) return;
    const now = this.parts.clock.now();
    part.add(moved, trades, now);
    if (part.changeCount < PART_CHANGES_MAX && part.length < PART_LENGTH_MAX) return;
    this.continueInNext(moved.symbol, now);
  }

  /**
   * Ends the parts that are due (see `isDue`), and stores all ended parts. A failure is logged, and the parts wait for
   * the next call.
   */
  async tick(): Promise<void> {
    const now = this.parts.clock.now();
    for (const [symbol, { part }] of this.recordings) if (isDue(part, now)) this.continueInNext(symbol, now);
    if (this.waiting.length > 0) await this.runs.run();
  }

  /** Ends all parts and tries once to store them; parts that cannot be stored are lost. */
  async stop(): Promise<void> {
    const now = this.parts.clock.now();
    for (const symbol of this.recordings.keys()) this.end(symbol, now);
    this.recordings.clear();
    await this.runs.whenIdle();
    await this.runs.run();
  }

  /**
   * Deletes stored parts that ended more than `RECORDED_BOOK_DAYS` days ago, within the limits of
   * `BookRecordRepository.remove`.
   */
  async removeOld(): Promise<void> {
    const before = later(this.parts.clock.now(), -RECORDED_BOOK_DAYS * DAY_MS);
    for (const symbol of this.parts.markets.keys()) await this.parts.repository.remove(symbol, before);
  }

  /**
   * The parts of a pair that are not stored yet, oldest first: at most `WAITING_MAX` ended parts and the running part.
   */
  unstored(symbol: string): ReadPart[] {
    const now = this.parts.clock.now();
    const ended = this.waiting.filter((part) => part.symbol === symbol);
    const running = this.recordings.get(symbol)?.part;
    return [
      ...ended.map((part) => part.textWith(0, '')),
      ...(running === undefined ? [] : [running.soFar(now)]),
    ].map((text) => ({ text, stored: undefined }));
  }

  private continueInNext(symbol: string, now: Instant): void {
    const recording = this.recordings.get(symbol);
    const market = this.parts.markets.get(symbol);
    if (recording === undefined || market === undefined) return;
    const ended = recording.part.end(now);
    recording.part = newPart(market, ended.until, this.enqueue(ended));
  }

  /**
   * Ends a pair's running part at `until`, or at its last change if `until` is absent because later changes may be
   * unknown. Drops a part that has no changes and covers no time.
   */
  private end(symbol: string, until?: Instant): void {
    const part = this.recordings.get(symbol)?.part;
    if (part === undefined) return;
    const ended = part.end(until ?? part.lastCommit);
    if (ended.changeCount > 0 || ended.until > ended.from) this.enqueue(ended);
  }

  /** Adds an ended part to the parts that wait to be stored. Returns false and drops the part if too many wait. */
  private enqueue(part: EndedPart): boolean {
    if (this.waiting.length < WAITING_MAX) {
      this.waiting.push(part);
      return true;
    }
    this.parts.log.warn('market.book_part_lost', { symbol: part.symbol, from: part.from });
    return false;
  }

  private async storeWaiting(): Promise<void> {
    const { epoch } = this;
    if (epoch === undefined) return;
    try {
      while (this.waiting.length > 0) await this.storeSome(epoch, this.waiting.slice(0, STORED_AT_ONCE));
      this.isFailing = false;
    } catch (cause) {
      // Another process with a later epoch records the books now, so this one stops recording.
      if (cause instanceof BookRecordFenced) {
        this.epoch = undefined;
        this.recordings.clear();
        this.waiting = [];
      }
      if (!this.isFailing) this.parts.log.error('market.book_unsaved', { cause });
      this.isFailing = true;
    }
  }

  private async storeSome(epoch: bigint, ended: readonly EndedPart[]): Promise<void> {
    const { repository } = this.parts;
    this.heads ??= await repository.heads();
    const heads = new Map(this.heads);
    const linked: PartWithContent[] = [];
    for (const part of ended) {
      const next = await this.linked(part, heads.get(part.symbol));
      heads.set(part.symbol, next);
      linked.push(next);
    }
    await repository.append(linked, epoch);
    this.heads = heads;
    this.waiting.splice(0, ended.length);
  }

  private async linked(part: EndedPart, head: PartHead | undefined): Promise<PartWithContent> {
    const { symbol, from, until, steps, changeCount } = part;
    const seq = (head?.seq ?? 0) + 1;
    const text = part.textWith(seq, head?.hash ?? RECORDED_BOOK_ORIGIN);
    const hash = sha256(text);
    const { key, signature } = this.parts.signingKey.sign(signedText({ symbol, seq, until, hash }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
    return {
      symbol,
      seq,
      from,
      until,
      steps,
      changeCount,
      hash,
      key,
      signature,
      content: await compress(text, { params }),
    };
  }
}

/** The text over which a part is signed. */
function signedText({ symbol, seq, until, hash }: Pick<StoredPart, 'symbol' | 'seq' | 'until' | 'hash'>) {
  return ['book', symbol, seq, until, hash].join('|');
}

/** Decompresses the text of a stored part. Throws if the text does not have the stored hash. */
export async function textOfPart({ content, ...stored }: PartWithContent): Promise<ReadPart> {
  const text = (await expand(content)).toString();
  if (sha256(text) !== stored.hash)
    throw new Error(`part ${stored.seq} of the recorded book of ${stored.symbol} is damaged`);
  return { text, stored };
}

/** Whether a part must end: with changes at the end of its minute, without changes after `QUIET_PART_MS`. */
function isDue({ from, changeCount }: BookPart, now: Instant): boolean {
  const minuteEnd = instant((Math.floor(from / MINUTE_MS) + 1) * MINUTE_MS);
  return now >= (changeCount > 0 ? minuteEnd : later(from, QUIET_PART_MS));
}

function newPart({ pair, scale, book }: PairMarket, from: Instant, continues: boolean): BookPart {
  return new BookPart({ symbol: pair.symbol, scale, book }, from, continues);
}
