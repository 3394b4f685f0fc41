import type { TextByLocale } from '@exchange/core/locale.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { MarketTables } from './tables.ts';

/** A source that was switched off or on again, by whom and why. */
export interface SourceChange {
  readonly source: string;
  readonly isOn: boolean;
  /** What everybody is told of a source that is off. */
  readonly note: TextByLocale | undefined;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}

/** The changes after a moment and, of each source, the last one before it; in the order in which they were made. */
export async function changesInForceFrom(reader: Reader, moment: Instant): Promise<SourceChange[]> {
  const changes = reader.withTables<MarketTables>().selectFrom('market_source_change');
  const [before, after] = await Promise.all([
    changes
      .distinctOn('source')
      .selectAll()
      .where('at', '<=', BigInt(moment))
      .orderBy('source')
      .orderBy('number', 'desc')
      .execute(),
    changes.selectAll().where('at', '>', BigInt(moment)).orderBy('number').execute(),
  ]);
  return [...before, ...after].map((row) => ({
    source: row.source,
    isOn: row.is_on,
    by: row.changed_by,
    reason: row.reason,
    note: row.note === null ? undefined : (row.note as TextByLocale),
    at: instant(Number(row.at)),
  }));
}

export async function storeChange(
  store: Reader,
  { source, isOn, note, by, reason, at }: SourceChange,
): Promise<void> {
  await store
    .withTables<MarketTables>()
    .insertInto('market_source_change')
    .values({
      source,
      is_on: isOn,
      changed_by: by,
      reason,
      at: BigInt(at),
      note: note === undefined ? null : JSON.stringify(note),
    })
    .execute();
}
