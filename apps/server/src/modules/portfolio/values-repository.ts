import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Reader, Store } from '../../platform/database/database.ts';
import type { PortfolioTables } from './tables.ts';

/** The worth of everything of a user at the end of a day, which is counted from 1970-01-01. */
export interface DayValue {
  readonly day: number;
  /** In USDT. */
  readonly total: Decimal;
  /** When it was looked at: what came before that is in it. */
  readonly keptAt: Instant;
}

/** A user's values from a day on, oldest first. */
export async function valuesSince(reader: Reader, owner: UserId, day: number): Promise<DayValue[]> {
  const rows = await reader
    .withTables<PortfolioTables>()
    .selectFrom('portfolio_value')
    .select(['day', 'total', 'kept_at'])
    .where('owner', '=', owner)
    .where('day', '>=', day)
    .orderBy('day')
    .execute();
  return rows.map((row) => ({
    ...{ day: row.day, total: Decimal.parse(row.total) },
    keptAt: instant(wholeNumber(row.kept_at)),
  }));
}

/** Keeps the values of a day; what is there already stays as it is. */
export async function keepValues(
  store: Store,
  values: readonly (DayValue & { readonly owner: UserId })[],
): Promise<void> {
  if (values.length === 0) return;
  await store
    .withTables<PortfolioTables>()
    .insertInto('portfolio_value')
    .values(
      values.map(({ owner, day, total, keptAt }) => ({
        ...{ owner, day, total: total.toString() },
        kept_at: BigInt(keptAt),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Forgets the values of days before one. */
export async function forgetBefore(store: Store, day: number): Promise<void> {
  await store.withTables<PortfolioTables>().deleteFrom('portfolio_value').where('day', '<', day).execute();
}
