import { sql } from 'kysely';
import type pg from 'pg';
import type { Store } from '../../platform/database/database.ts';
import type { TapeHead, TapeLine } from './domain/tape.ts';

/**
 * Thrown when another process has claimed the index tape with a later epoch; the calling process can no longer write to
 * it.
 */
export class TapeFenced extends Error {
  override readonly name = 'TapeFenced';
}

type Queries = Pick<pg.Pool, 'query'>;

/**
 * Opens the next epoch of the index tape and returns it. Lines of earlier epochs are refused from then on. Must be
 * called once at a start, and only by the process that holds the lock of the database's single writer.
 */
export async function claimTape(store: Store): Promise<bigint> {
  const { rows } = await sql<{ epoch: bigint }>`
    UPDATE market_tape_writer SET epoch = epoch + 1 RETURNING epoch`.execute(store);
  return rows[0]!.epoch;
}

/**
 * Appends lines to the index tape over a dedicated connection; refuses them with `TapeFenced` once another
 * process has opened a later epoch.
 */
export class TapeWriter {
  private readonly pool: Queries;
  private readonly epoch: bigint;

  constructor(pool: Queries, epoch: bigint) {
    this.pool = pool;
    this.epoch = epoch;
  }

  /** The last line of each pair's index tape, whether it is a single line or in a packed hour. */
  async heads(): Promise<Map<string, TapeHead>> {
    const { rows } = await this.pool.query<{ symbol: string; seq: bigint; t: bigint; hash: string }>(
      `(SELECT DISTINCT ON (symbol) symbol, last_seq AS seq, last_t AS t, last_hash AS hash
        FROM market_tape_hour ORDER BY symbol, hour DESC)
       UNION ALL
       (SELECT DISTINCT ON (symbol) symbol, seq, t, hash FROM market_tape ORDER BY symbol, seq DESC)`,
    );
    const heads = new Map<string, TapeHead>();
    for (const { symbol, seq, t, hash } of rows) {
      const head = { seq: Number(seq), t: Number(t), hash };
      if (head.seq > (heads.get(symbol)?.seq ?? 0)) heads.set(symbol, head);
    }
    return heads;
  }

  /**
   * Stores lines of the index tape. Storing the same lines again has no effect. Throws `TapeFenced`
   * if another process has opened a later epoch.
   */
  async append(lines: readonly TapeLine[]): Promise<void> {
    const { rows } = await this.pool.query<{ is_writer: boolean }>(
      `WITH fence AS (SELECT 1 FROM market_tape_writer WHERE epoch = $1 FOR SHARE),
       added AS (
         INSERT INTO market_tape (symbol, seq, t, hash, line)
         SELECT l.* FROM fence, unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[]) AS l
         -- After an answer that never came, the same lines are sent again.
         ON CONFLICT (symbol, seq) DO NOTHING)
       SELECT EXISTS (SELECT FROM fence) AS is_writer`,
      [
        this.epoch,
        lines.map(({ symbol }) => symbol),
        lines.map(({ seq }) => seq),
        lines.map(({ t }) => t),
        lines.map(({ hash }) => hash),
        lines.map(({ text }) => text),
      ],
    );
    if (rows[0]?.is_writer !== true) throw new TapeFenced(`epoch ${this.epoch} of the tape is over`);
  }
}
