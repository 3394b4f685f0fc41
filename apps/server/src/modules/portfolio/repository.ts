import type { CoinCost } from '@exchange/core/cost.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Tx, Reader, Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { PortfolioTables } from './tables.ts';

/** The last entry that a user's costs count; locks it until the transaction ends. */
export async function lockPosition(tx: Tx, owner: UserId): Promise<number> {
  const db = tx.withTables<PortfolioTables>();
  await db
    .insertInto('portfolio_cost_position')
    .values({ owner, entry: 0n })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('portfolio_cost_position')
    .selectAll()
    .where('owner', '=', owner)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return wholeNumber(row.entry);
}

/** What a user's coins cost, by coin. */
export async function costsOf(tx: Tx, owner: UserId): Promise<Map<string, CoinCost>> {
  const rows = await tx
    .withTables<PortfolioTables>()
    .selectFrom('portfolio_cost')
    .selectAll()
    .where('owner', '=', owner)
    .execute();
  return new Map(
    rows.map(({ asset, amount, cost, realized, uncosted }) => [
      asset,
      {
        amount: Decimal.parse(amount),
        cost: Decimal.parse(cost),
        realized: Decimal.parse(realized),
        uncosted: Decimal.parse(uncosted),
      },
    ]),
  );
}

/** Stores costs and the last entry that they count. */
export async function keepCosts(
  tx: Tx,
  owner: UserId,
  costs: ReadonlyMap<string, CoinCost>,
  entry: number,
): Promise<void> {
  const db = tx.withTables<PortfolioTables>();
  const rows = [...costs].map(([asset, { amount, cost, realized, uncosted }]) => ({
    owner,
    asset,
    amount: amount.toString(),
    cost: cost.toString(),
    realized: realized.toString(),
    uncosted: uncosted.toString(),
  }));
  if (rows.length > 0)
    await db
      .insertInto('portfolio_cost')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['owner', 'asset']).doUpdateSet((eb) => ({
          amount: eb.ref('excluded.amount'),
          cost: eb.ref('excluded.cost'),
          realized: eb.ref('excluded.realized'),
          uncosted: eb.ref('excluded.uncosted'),
        })),
      )
      .execute();
  await db
    .updateTable('portfolio_cost_position')
    .set({ entry: BigInt(entry) })
    .where('owner', '=', owner)
    .execute();
}

/** The worth of everything of a user at the end of a day, which is counted from 1970-01-01. */
interface DayValue {
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
