import { instant, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { ListOrder, type PagedRows, mapPage, readPage } from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { MarketTables } from './tables.ts';

/** A stored part of the recorded order book of a pair, without its text. A part covers a span of time. */
export interface StoredPart {
  readonly symbol: string;
  readonly seq: number;
  readonly from: Instant;
  readonly until: Instant;
  /**
   * Sequence numbers of the first and the last journal step whose changes or trades the part contains; undefined if it
   * contains none.
   */
  readonly steps: { readonly first: number; readonly last: number } | undefined;
  readonly changeCount: number;
  /** SHA-256 of the part's uncompressed text, in hexadecimal. */
  readonly hash: string;
  /** Id of the key that signed the part. */
  readonly key: string;
  /** Signature over the text `book|symbol|seq|until|hash`, in Base64. */
  readonly signature: string;
}

/** A stored part of the recorded order book with its compressed text. */
export interface PartWithContent extends StoredPart {
  readonly content: Buffer;
}

/**
 * Sequence number, end time and hash of the last stored part of a pair's recorded order book; the next part
 * refers to this hash.
 */
export interface PartHead {
  readonly seq: number;
  readonly until: number;
  readonly hash: string;
}

/**
 * Thrown when another process with a later epoch records the order books; the calling process can no longer store
 * parts.
 */
export class BookRecordFenced extends Error {
  override readonly name = 'BookRecordFenced';
}

const BY_SEQ = new ListOrder([{ name: 'seq', type: 'bigint' }]);
/** Greatest number of parts of one pair that one call of `remove` deletes. */
const REMOVED_MAX = 1_000;

const STORED_COLUMNS = [
  'symbol',
  'seq',
  'from_at',
  'until_at',
  'first_step',
  'last_step',
  'changes',
  'hash',
  'signing_key',
  'signature',
] as const;

type StoredRow = Pick<MarketTables['market_book_part'], (typeof STORED_COLUMNS)[number]>;

export class BookRecordRepository {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** By symbol: number, end and hash of the last stored part of the pair's recorded order book. */
  async heads(): Promise<Map<string, PartHead>> {
    const { rows } = await sql<{ symbol: string; seq: bigint; until_at: bigint; hash: string }>`
      select distinct on (symbol) symbol, seq, until_at, hash from market_book_part order by symbol, seq desc`.execute(
      this.database.reader,
    );
    return new Map(
      rows.map(({ symbol, seq, until_at: until, hash }) => [
        symbol,
        { seq: wholeNumber(seq), until: wholeNumber(until), hash },
      ]),
    );
  }

  /**
   * Stores parts of recorded order books. Storing the same parts again has no effect. Throws `BookRecordFenced` if
   * another process has claimed the index tape with a later epoch.
   */
  async append(parts: readonly PartWithContent[], epoch: bigint): Promise<void> {
    const { rows } = await sql<{ is_writer: boolean }>`
      with fence as (select 1 from market_tape_writer where epoch = ${epoch} for share),
      added as (
        insert into market_book_part
          (symbol, seq, from_at, until_at, first_step, last_step, changes, hash, signing_key, signature, content)
        select p.* from fence, unnest(
          ${parts.map(({ symbol }) => symbol)}::text[],
          ${parts.map(({ seq }) => seq)}::bigint[],
          ${parts.map(({ from }) => from)}::bigint[],
          ${parts.map(({ until }) => until)}::bigint[],
          ${parts.map(({ steps }) => steps?.first ?? null)}::bigint[],
          ${parts.map(({ steps }) => steps?.last ?? null)}::bigint[],
          ${parts.map(({ changeCount }) => changeCount)}::integer[],
          ${parts.map(({ hash }) => hash)}::text[],
          ${parts.map(({ key }) => key)}::text[],
          ${parts.map(({ signature }) => signature)}::text[],
          ${parts.map(({ content }) => content)}::bytea[]) as p
        -- After an answer that never came, the same parts are sent again.
        on conflict (symbol, seq) do nothing)
      select exists (select from fence) as is_writer`.execute(this.database.store);
    if (rows[0]?.is_writer !== true)
      throw new BookRecordFenced(`epoch ${epoch} of the recorded book is over`);
  }

  /** A page of the stored parts of a pair, newest first, without their text. */
  async list(symbol: string, page: PagedRows) {
    const stored = this.database.reader
      .withTables<MarketTables>()
      .selectFrom('market_book_part')
      .where('symbol', '=', symbol)
      .select(STORED_COLUMNS);
    return mapPage(await readPage(this.database.reader, stored, BY_SEQ, page), partOf);
  }

  /**
   * The stored part that covers `time`, or else the first stored part after it; undefined if no part ends after `time`.
   */
  async at(symbol: string, time: Instant): Promise<PartWithContent | undefined> {
    const row = await this.parts()
      .where('symbol', '=', symbol)
      .where('until_at', '>', BigInt(time))
      .orderBy('until_at')
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    return row && { ...partOf(row), content: row.content };
  }

  async bySeq(symbol: string, seq: number): Promise<PartWithContent | undefined> {
    const row = await this.parts()
      .where('symbol', '=', symbol)
      .where('seq', '=', BigInt(seq))
      .executeTakeFirst();
    return row && { ...partOf(row), content: row.content };
  }

  /**
   * The stored part whose journal steps include `step`, or else the first stored part with later steps; undefined if
   * there is none. A part contains a step only if the step traded or changed recorded levels of the pair's book.
   */
  async byStep(symbol: string, step: number): Promise<PartWithContent | undefined> {
    const row = await this.parts()
      .where('symbol', '=', symbol)
      .where('last_step', '>=', BigInt(step))
      .orderBy('last_step')
      .limit(1)
      .executeTakeFirst();
    return row && { ...partOf(row), content: row.content };
  }

  /** End of the pair's last stored part that ended at `time` or earlier; undefined if there is none. */
  async endBefore(symbol: string, time: Instant): Promise<Instant | undefined> {
    const row = await this.database.reader
      .withTables<MarketTables>()
      .selectFrom('market_book_part')
      .select('until_at')
      .where('symbol', '=', symbol)
      .where('until_at', '<=', BigInt(time))
      .orderBy('until_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && instant(wholeNumber(row.until_at));
  }

  /**
   * Deletes stored parts of a pair that ended before `before`, the oldest first: at most `REMOVED_MAX` per call, and
   * never the newest part.
   */
  async remove(symbol: string, before: Instant): Promise<void> {
    await sql`delete from market_book_part where symbol = ${symbol} and seq in (
        select seq from market_book_part where symbol = ${symbol} order by seq limit ${REMOVED_MAX})
      and until_at < ${before}::bigint
      and seq < (select max(seq) from market_book_part where symbol = ${symbol})`.execute(
      this.database.store,
    );
  }

  private parts() {
    return this.database.reader.withTables<MarketTables>().selectFrom('market_book_part').selectAll();
  }
}

function partOf(row: StoredRow): StoredPart {
  return {
    symbol: row.symbol,
    seq: wholeNumber(row.seq),
    from: instant(wholeNumber(row.from_at)),
    until: instant(wholeNumber(row.until_at)),
    steps:
      row.first_step === null || row.last_step === null
        ? undefined
        : { first: wholeNumber(row.first_step), last: wholeNumber(row.last_step) },
    changeCount: row.changes,
    hash: row.hash,
    key: row.signing_key,
    signature: row.signature,
  };
}
