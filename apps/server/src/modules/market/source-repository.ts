import type { TextByLocale } from '@exchange/core/locale.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Reader, Store } from '../../platform/database/database.ts';
import type { MarketTables } from './tables.ts';

/** A stored switch of a price source, off or on, by an operator. */
export interface SourceChange {
  readonly source: string;
  readonly isOn: boolean;
  /**
   * Public note, by language, with which an operator switched the source off; undefined in a switch that
   * switches it on.
   */
  readonly note: TextByLocale | undefined;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}

/**
 * The switches of price sources that operators made after an instant, and the last earlier switch of each source; the
 * delay until a switch takes effect is not considered. The switches of one source are in the order of their numbers.
 */
export async function changesInForceFrom(reader: Reader, time: Instant): Promise<SourceChange[]> {
  const changes = reader.withTables<MarketTables>().selectFrom('market_source_change');
  const [earlier, later] = await Promise.all([
    changes
      .distinctOn('source')
      .selectAll()
      .where('at', '<=', BigInt(time))
      .orderBy('source')
      .orderBy('number', 'desc')
      .execute(),
    changes.selectAll().where('at', '>', BigInt(time)).orderBy('number').execute(),
  ]);
  return [...earlier, ...later].map((row) => ({
    source: row.source,
    isOn: row.is_on,
    by: row.changed_by,
    reason: row.reason,
    note: row.note === null ? undefined : (row.note as TextByLocale),
    at: instant(Number(row.at)),
  }));
}

export async function storeChange(
  store: Store,
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
