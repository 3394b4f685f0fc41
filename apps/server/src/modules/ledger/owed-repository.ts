import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';

/** What one user has of one coin over all accounts; quotas are no coins. */
export interface Owed {
  readonly owner: UserId;
  readonly asset: AssetCode;
  readonly amount: Decimal;
  /** Whether one of the accounts is below zero. */
  readonly isBelowZero: boolean;
}

/**
 * What the next `limit` users behind one are owed, in the order of their ids; those who have nothing are passed by. It steps
 * from owner to owner in the index: asked for distinct ones, the database may sort all that are left for every page.
 */
export async function owedToNext(
  reader: Reader,
  except: readonly UserId[],
  behind: string,
  limit: number,
): Promise<Owed[]> {
  const { rows } = await sql<{ owner: UserId; asset: string; amount: string; isBelowZero: boolean }>`
    with recursive page(owner, place) as (
      (select owner, 1 from ledger_account
       where owner > ${behind} and owner <> all(${except}::uuid[]) and balance <> 0 and asset not like '%:%'
       order by owner limit 1)
      union all
      select next.owner, page.place + 1 from page cross join lateral (
        select owner from ledger_account
        where owner > page.owner and owner <> all(${except}::uuid[]) and balance <> 0 and asset not like '%:%'
        order by owner limit 1
      ) as next
      where page.place < ${limit}
    )
    select a.owner, a.asset, sum(a.balance)::text as amount, min(a.balance) < 0 as "isBelowZero"
    from ledger_account a
    where a.owner = any(array(select owner from page)) and a.balance <> 0 and a.asset not like '%:%'
    group by a.owner, a.asset order by a.owner, a.asset
  `.execute(reader);
  return rows.map((row) => ({ ...row, amount: Decimal.parse(row.amount) }));
}

/** What these have together, by coin. */
export async function ownedBy(reader: Reader, owners: readonly UserId[]): Promise<Map<AssetCode, Decimal>> {
  const { rows } = await sql<{ asset: string; amount: string }>`
    select asset, sum(balance)::text as amount from ledger_account
    where owner = any(${owners}::uuid[]) and asset not like '%:%' group by asset having sum(balance) <> 0
  `.execute(reader);
  return new Map(rows.map(({ asset, amount }) => [asset, Decimal.parse(amount)]));
}
