import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Database, Reads } from '../../platform/database/database.ts';
import { ListOrder, type PagedRows, mapPage, readPage } from '../../platform/database/paged-rows.ts';
import type { TapeHead, TapeLine } from './domain/tape.ts';
import type { MarketTables } from './tables.ts';

/** A packed hour of a pair's index tape: its compressed lines, and the number and hash of its last line. */
export interface TapeHour {
  readonly symbol: string;
  readonly hour: Instant;
  readonly firstSeq: number;
  readonly last: TapeHead;
  /** SHA-256 of the hour's lines as text, each terminated by a line feed. */
  readonly sha256: Buffer;
  readonly lines: Buffer;
}

const BY_HOUR = new ListOrder([{ name: 'hour', type: 'bigint' }]);

export class TapeRepository {
  private readonly database: Database;
  private readonly reader: Reads<MarketTables>;

  constructor(database: Database) {
    this.database = database;
    this.reader = database.reader.withTables<MarketTables>();
  }

  /**
   * The oldest second of the index tape with a line, of any pair, that is not in a packed hour; undefined if
   * all lines are packed.
   */
  async oldestLoose(): Promise<Instant | undefined> {
    const row = await this.reader
      .selectFrom('market_tape')
      .select('t')
      .orderBy('t')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? undefined : instant(Number(row.t));
  }

  /**
   * The lines of a pair's index tape from `from` (included) to `until` (excluded) that are not in a packed
   * hour, in order.
   */
  async lines(symbol: string, from: Instant, until: Instant): Promise<TapeLine[]> {
    const rows = await this.reader
      .selectFrom('market_tape')
      .selectAll()
      .where('symbol', '=', symbol)
      .where('t', '>=', BigInt(from))
      .where('t', '<', BigInt(until))
      .orderBy('seq')
      .execute();
    return rows.map((row) => ({ ...row, seq: Number(row.seq), t: Number(row.t), text: row.line }));
  }

  /** The lines of a pair's index tape at the given seconds that are not in a packed hour. */
  async linesAt(symbol: string, seconds: readonly Instant[]): Promise<{ t: number; text: string }[]> {
    const { rows } = await sql<{ t: bigint; line: string }>`
      SELECT t, line FROM market_tape WHERE t = ANY(${seconds}::bigint[]) AND symbol = ${symbol}`.execute(
      this.reader,
    );
    return rows.map(({ t, line }) => ({ t: Number(t), text: line }));
  }

  /**
   * At most `limit` tape lines of a pair, without their text, whose number is a multiple of `every` and greater than
   * `behind`, oldest first; lines in packed hours are left out.
   */
  async marks(symbol: string, behind: number, every: number, limit: number): Promise<TapeHead[]> {
    const { rows } = await sql<{ seq: bigint; t: bigint; hash: string }>`
      SELECT seq, t, hash FROM market_tape WHERE symbol = ${symbol} AND seq > ${behind} AND seq % ${every} = 0
      ORDER BY seq LIMIT ${limit}`.execute(this.reader);
    return rows.map(({ seq, t, hash }) => ({ seq: Number(seq), t: Number(t), hash }));
  }

  /** A page of the packed hours of a pair's index tape without their lines, newest first. */
  async hours(symbol: string, page: PagedRows) {
    const closed = this.reader
      .selectFrom('market_tape_hour')
      .where('symbol', '=', symbol)
      .select(['hour', 'first_seq', 'last_seq', 'last_hash', 'sha256']);
    return mapPage(await readPage(this.reader, closed, BY_HOUR, page), (row) => ({
      symbol,
      hour: instant(Number(row.hour)),
      lastHash: row.last_hash,
      firstSeq: Number(row.first_seq),
      lastSeq: Number(row.last_seq),
      sha256: row.sha256.toString('hex'),
    }));
  }

  async hour(symbol: string, hour: Instant): Promise<TapeHour | undefined> {
    const row = await this.reader
      .selectFrom('market_tape_hour')
      .selectAll()
      .where('symbol', '=', symbol)
      .where('hour', '=', BigInt(hour))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const last = { seq: Number(row.last_seq), t: Number(row.last_t), hash: row.last_hash };
    return { symbol, hour, firstSeq: Number(row.first_seq), last, sha256: row.sha256, lines: row.lines };
  }

  /** Stores a packed hour of the index tape and deletes its single lines in one transaction. */
  async closeHour({ symbol, hour, firstSeq, last, sha256, lines }: TapeHour): Promise<void> {
    await this.database.transaction(async (tx) => {
      const tables = tx.withTables<MarketTables>();
      await tables
        .insertInto('market_tape_hour')
        .values({
          symbol,
          hour: BigInt(hour),
          first_seq: BigInt(firstSeq),
          last_seq: BigInt(last.seq),
          last_t: BigInt(last.t),
          last_hash: last.hash,
          sha256,
          lines,
        })
        .execute();
      await tables
        .deleteFrom('market_tape')
        .where('symbol', '=', symbol)
        .where('seq', '>=', BigInt(firstSeq))
        .where('seq', '<=', BigInt(last.seq))
        .execute();
    });
  }
}
