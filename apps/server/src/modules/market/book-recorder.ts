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

/** A part without changes goes on until it has this length. */
const QUIET_PART_MS = 10 * MINUTE_MS;
/** Number of changes, and length of their text, at which a part ends before its minute. */
const PART_CHANGES_MAX = 5_000;
const PART_LENGTH_MAX = 300_000;
/** Greatest number of ended parts that wait to be stored; further ones are lost, which is visible as a gap. */
const WAITING_MAX = 200;
/** Number of parts stored by one statement. */
const STORED_AT_ONCE = 20;
/** Of 11; higher ones save a tenth of the space and take twice the time. */
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

/** The recording of one pair. */
interface PairRecording {
  part: BookPart;
  /** The last step whose changes the opening levels contain; changes of earlier steps are left out. */
  readonly afterStep: number;
  /** Trades of the step whose levels follow. */
  trades: BookTrade[];
}

/** The text of a part, and its place in the chain; undefined while the part is not stored. */
export interface ReadPart {
  readonly text: string;
  readonly stored: StoredPart | undefined;
}

/**
 * Records the public order books: receives committed changes, collects them in memory and stores them in parts, each
 * linked to the part before by its hash and signed. Nothing waits for it. What a crash or a full queue loses is missing
 * between the end of a part and the beginning of the next one, and is never filled in.
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

  /** Begins to store with an epoch of the tape, and begins the parts of the books that are loaded already anew. */
  start(epoch: bigint): void {
    this.epoch = epoch;
    for (const [symbol, { afterStep }] of this.recordings) this.restart(symbol, afterStep);
  }

  /**
   * Begins a part with the levels that the public book has now, which contain every step up to `step`. A running part
   * ends at its last change, because what came between is unknown.
   */
  restart(symbol: string, step: number): void {
    const market = this.parts.markets.get(symbol);
    if (market === undefined) return;
    this.end(symbol);
    const part = newPart(market, this.parts.clock.now(), false);
    this.recordings.set(symbol, { part, afterStep: step, trades: [] });
  }

  /** Adds a committed trade; the levels of its step follow. */
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

  /** Adds the committed changes of a step. The public book must contain them already. */
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

  /** Ends the parts whose minute is over, and stores what waits. */
  async tick(): Promise<void> {
    const now = this.parts.clock.now();
    for (const [symbol, { part }] of this.recordings) if (isDue(part, now)) this.continueInNext(symbol, now);
    if (this.waiting.length > 0) await this.runs.run();
  }

  /** Ends all parts and stores them; what cannot be stored is lost. */
  async stop(): Promise<void> {
    const now = this.parts.clock.now();
    for (const symbol of this.recordings.keys()) this.end(symbol, now);
    this.recordings.clear();
    await this.runs.whenIdle();
    await this.runs.run();
  }

  /** Removes the parts that are too old. */
  async removeOld(): Promise<void> {
    const before = later(this.parts.clock.now(), -RECORDED_BOOK_DAYS * DAY_MS);
    for (const symbol of this.parts.markets.keys()) await this.parts.repository.remove(symbol, before);
  }

  /** The parts of a pair that are not stored yet, oldest first; at most `WAITING_MAX` and the running one. */
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

  /** Ends a pair's part, at its last change unless it is known that nothing else has changed until `until`. */
  private end(symbol: string, until?: Instant): void {
    const part = this.recordings.get(symbol)?.part;
    if (part === undefined) return;
    const ended = part.end(until ?? part.lastCommit);
    if (ended.changeCount > 0 || ended.until > ended.from) this.enqueue(ended);
  }

  /** Returns false if the part is lost, because too many wait. */
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
      // A later process records the books now.
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

/** The text that is signed for a part. */
function signedText({ symbol, seq, until, hash }: Pick<StoredPart, 'symbol' | 'seq' | 'until' | 'hash'>) {
  return ['book', symbol, seq, until, hash].join('|');
}

/** The text of a stored part. Throws when it is damaged. */
export async function textOfPart({ content, ...stored }: PartWithContent): Promise<ReadPart> {
  const text = (await expand(content)).toString();
  if (sha256(text) !== stored.hash)
    throw new Error(`part ${stored.seq} of the recorded book of ${stored.symbol} is damaged`);
  return { text, stored };
}

/** Whether a part with changes has reached the end of its minute, or a quiet one its greatest length. */
function isDue({ from, changeCount }: BookPart, now: Instant): boolean {
  const minuteEnd = instant((Math.floor(from / MINUTE_MS) + 1) * MINUTE_MS);
  return now >= (changeCount > 0 ? minuteEnd : later(from, QUIET_PART_MS));
}

function newPart({ pair, scale, book }: PairMarket, from: Instant, continues: boolean): BookPart {
  return new BookPart({ symbol: pair.symbol, scale, book }, from, continues);
}
