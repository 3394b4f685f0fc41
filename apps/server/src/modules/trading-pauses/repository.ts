import type { TextByLocale } from '@exchange/core/locale.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { PauseCause, PauseNotice, PauseScope } from '@exchange/core/trading-pause.ts';
import { tablesOf, type Reader, type Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { TradingPauseTables } from './tables.ts';

const tables = tablesOf<TradingPauseTables>();

/** A published notice about a pause of trading, with the pair, coin or contract that is paused. */
export interface TradingPause extends PauseNotice {
  readonly scope: PauseScope;
  /** The paused pair's symbol, the halted coin, or `seconds` for the seconds contract. */
  readonly subject: string;
  /** When the first notice about this pause was published. */
  readonly since: Instant;
}

/** Name of the operator who publishes or ends a notice, with reason and time. */
interface Decision {
  readonly by: string;
  readonly reason: string;
  readonly now: Instant;
}

/** Returns the published notices about pauses that have not ended, at most one per scope and subject. */
export async function openTradingPauses(reader: Reader): Promise<TradingPause[]> {
  const rows = await tables(reader)
    .selectFrom('trading_pause')
    .selectAll()
    .where('ended_at', 'is', null)
    .execute();
  return rows.map(pauseOf);
}

/**
 * Stores a notice about a pause of trading, and replaces an earlier notice about the same pause. Returns the notice,
 * with the time of the first notice about the pause.
 */
export async function storeTradingPause(
  tx: Tx,
  id: string,
  { scope, subject, cause, note, newsAt }: Omit<TradingPause, 'since'>,
  { by, reason, now }: Decision,
): Promise<TradingPause> {
  const replaced = await endTradingPause(tx, { scope, subject }, { by, reason, now });
  const row = await tables(tx)
    .insertInto('trading_pause')
    .values({
      id,
      scope,
      subject,
      cause,
      note: note === undefined ? null : JSON.stringify(note),
      news_at: newsAt === undefined ? null : BigInt(newsAt),
      since: BigInt(replaced?.since ?? now),
      paused_by: by,
      reason,
      ended_at: null,
      ended_by: null,
      end_reason: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return pauseOf(row);
}

/** Ends the notice of a pause and returns it; undefined if none is published. */
export async function endTradingPause(
  tx: Tx,
  { scope, subject }: Pick<TradingPause, 'scope' | 'subject'>,
  { by, reason, now }: Decision,
): Promise<TradingPause | undefined> {
  const row = await tables(tx)
    .updateTable('trading_pause')
    .set({ ended_at: BigInt(now), ended_by: by, end_reason: reason })
    .where('scope', '=', scope)
    .where('subject', '=', subject)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row && pauseOf(row);
}

function pauseOf(row: {
  readonly scope: string;
  readonly subject: string;
  readonly cause: string;
  readonly note: unknown;
  readonly news_at: bigint | null;
  readonly since: bigint;
}): TradingPause {
  return {
    scope: row.scope as PauseScope,
    subject: row.subject,
    cause: row.cause as PauseCause,
    note: row.note === null ? undefined : (row.note as TextByLocale),
    newsAt: row.news_at === null ? undefined : instant(wholeNumber(row.news_at)),
    since: instant(wholeNumber(row.since)),
  };
}
