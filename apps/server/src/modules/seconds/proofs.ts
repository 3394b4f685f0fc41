import { canonicalText } from '@exchange/core/canonical.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { settlementSeconds, TAPE_SECONDS_MAX } from '@exchange/core/seconds.ts';
import { later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AskedPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import { publishedKeys } from '../../platform/secrets/published-keys.ts';
import type { Signature, SigningKey } from '../../platform/secrets/signing-key.ts';
import type { Assets } from '../assets/index.ts';
import type { Market } from '../market/index.ts';
import { findInterval } from './repository.ts';
import {
  checkpoints,
  intervals,
  lastCheckpoint,
  positionById,
  saveCheckpoints,
  termsVersions,
} from './records-repository.ts';

/**
 * The number of lines of the index tape between two checkpoints of a pair; a line is the recorded index price of one
 * second.
 */
const CHECKPOINT_LINES = 60;
const CHECKPOINTS_MOST = 100;
/**
 * Maximum milliseconds from entry to expiry of a position whose proof contains all tape lines of that time. The proof
 * of a longer position contains only the lines of its entry and settlement seconds.
 */
const WHOLE_UNTIL_MS = 10 * MINUTE_MS;

interface Deps {
  readonly assets: Pick<Assets, 'pairs' | 'findPair'>;
  readonly database: Pick<Database, 'reader' | 'store'>;
  readonly market: Pick<Market, 'tapeReader'>;
  readonly signingKey: SigningKey;
}

/**
 * Public evidence of settlements: the index tape, its signed checkpoints, and the data by which
 * each position was settled.
 */
export class Proofs {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Signs checkpoints of the index tape that are not signed yet, at most the `CHECKPOINTS_MOST` oldest per pair and
   * call.
   */
  async sign(): Promise<void> {
    const { assets, database, market, signingKey } = this.deps;
    for (const { pair } of assets.pairs) {
      const lastSigned = await lastCheckpoint(database.reader, pair.symbol);
      const marks = await market.tapeReader.marks(
        pair.symbol,
        lastSigned,
        CHECKPOINT_LINES,
        CHECKPOINTS_MOST,
      );
      const signed = marks.map(({ seq, t, hash }) => {
        const text = ['tape', pair.symbol, seq, t, hash].join('|');
        return { symbol: pair.symbol, seq, t, hash, ...signingKey.sign(text) };
      });
      await saveCheckpoints(database.store, signed);
    }
  }

  /**
   * All public keys that have signed proofs, newest first, each with the handover from its predecessor if it
   * has one.
   */
  async keys() {
    const keys = await publishedKeys(this.deps.database.store);
    return keys.map(({ id, publicKey, handover }) => ({
      id,
      algorithm: 'Ed25519' as const,
      publicKey,
      ...(handover !== undefined && { handover }),
    }));
  }

  /**
   * Yields the tape lines between two seconds, both included, in parts. Refuses an unknown pair, and seconds in
   * reverse order or more than an hour apart.
   */
  lines(symbol: string, from: Instant, to: Instant): AsyncGenerator<readonly string[], void> {
    this.requirePair(symbol);
    if (to < from) throw new Refused(refusal('invalidField', 'l.period_backwards', { field: 'to' }));
    const limit = later(from, TAPE_SECONDS_MAX * 1_000);
    if (to > limit) {
      const details = { field: 'to', limit: String(limit), value: String(to) };
      throw new Refused(refusal('aboveMaximum', 'l.field_max', details));
    }
    return this.deps.market.tapeReader.parts(symbol, from, to);
  }

  hours(symbol: string, page: AskedPage) {
    this.requirePair(symbol);
    return this.deps.market.tapeReader.hours(symbol, rowsOfPage(page));
  }

  /**
   * The index tape lines of a completed UTC hour. Refuses an unknown pair, and with `l.not_found` an hour whose lines
   * are not packed into a file yet.
   */
  async file(symbol: string, hour: Instant): Promise<string[]> {
    this.requirePair(symbol);
    const lines = await this.deps.market.tapeReader.file(symbol, hour);
    if (lines === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return lines;
  }

  /** The newest checkpoint of each pair that has one. */
  async newestCheckpoints() {
    const { assets, database } = this.deps;
    const newest = await Promise.all(
      assets.pairs.map(({ pair }) => checkpoints(database.reader, pair.symbol, undefined, 1)),
    );
    return newest.flat();
  }

  checkpoints(symbol: string, from: number | undefined) {
    this.requirePair(symbol);
    return checkpoints(this.deps.database.reader, symbol, from, CHECKPOINTS_MOST);
  }

  voids(page: AskedPage) {
    return intervals(this.deps.database.reader, rowsOfPage(page));
  }

  /** A page of the versions of the contract's terms, newest first. */
  terms(page: AskedPage) {
    return termsVersions(this.deps.database.reader, rowsOfPage(page));
  }

  /**
   * The data by which a position was settled. The position includes its owner, which must not be published.
   * Refuses with `l.not_found` when the position is unknown or open.
   */
  async settlement(id: string) {
    const { database, market } = this.deps;
    const position = await positionById(database.reader, id);
    if (position?.outcome === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { symbol, entryAt, expireAt, window } = position;
    const seconds = settlementSeconds(expireAt, window);
    const lines =
      expireAt - entryAt <= WHOLE_UNTIL_MS
        ? await market.tapeReader.lines(symbol, entryAt, expireAt)
        : [
            ...(await market.tapeReader.lines(symbol, entryAt, entryAt)),
            ...(await market.tapeReader.lines(symbol, seconds[0] ?? expireAt, expireAt)),
          ];
    const [checkpoint] = await checkpoints(database.reader, symbol, expireAt, 1);
    const { intervalId, refund } = position.outcome;
    const interval = intervalId === undefined ? undefined : await findInterval(database.reader, intervalId);
    const refundInterval = refund && (await findInterval(database.reader, refund.intervalId));
    return { position, outcome: position.outcome, lines, checkpoint, interval, refundInterval };
  }

  /**
   * Signs the published data of a settlement or of terms, so that anyone who has it can prove its publication.
   */
  receipt(subject: 'settlement' | 'terms', published: object): Signature {
    return this.deps.signingKey.sign(`${subject}|${canonicalText(published)}`);
  }

  private requirePair(symbol: string): void {
    if (this.deps.assets.findPair(symbol) === undefined) throw invalidChoice('symbol', symbol);
  }
}
