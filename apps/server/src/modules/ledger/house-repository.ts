import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { sql } from 'kysely';
import { readBoundedText, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';

const HOUSE_ACCOUNTS = sql<{ address: string; asset: string; balance: string }>`
    select address, asset, balance::text from ledger_account
    where owner is null and address like 'house:%' and asset not like '%:%'
    order by address, asset`;

/** Every account of the house, apart from quotas, which are no coins: a few per listed coin and per project's token. */
export async function houseAccounts(reader: Reader) {
  const { rows } = await HOUSE_ACCOUNTS.execute(reader);
  return rows;
}

/** The same up to a bound, for screens. */
export function firstHouseAccounts(
  reader: Reader,
  limit: number,
): Promise<BoundedRows<{ address: string; asset: string; balance: string }>> {
  return readBoundedText(reader, HOUSE_ACCOUNTS, limit);
}

/**
 * What moved on one account of nobody's, newest first, as far as it lies among the newest `depth` entries: those who own
 * no account have no statement, so that what the house trades is written once.
 */
export async function entriesOnAccount(
  reader: Reader,
  address: string,
  asset: string,
  { depth, limit }: { readonly depth: number; readonly limit: number },
) {
  const { rows } = await sql<{
    sequence: bigint;
    at: bigint;
    kind: string;
    reference: string | null;
    amount: string;
  }>`
    with account as (
      select id from ledger_account where address = ${address} and asset = ${asset} and owner is null
    ), newest as (select * from ledger_entry order by sequence desc limit ${depth})
    select sequence, at, kind, reference, trim_scale(sum(
      case when one.destination = account.id then one.amount else 0 end
      - case when one.source = account.id then one.amount else 0 end
    ))::text as amount
    from newest cross join account
    cross join lateral unnest(newest.sources, newest.destinations, newest.amounts) as one(source, destination, amount)
    where account.id in (one.source, one.destination)
    group by sequence, at, kind, reference order by sequence desc limit ${limit}
  `.execute(reader);
  return rows.map(({ sequence, at, ...row }) => ({
    entry: wholeNumber(sequence),
    at: wholeNumber(at),
    ...row,
  }));
}

/** All that lies outside, by coin and the name of its network; below zero where more came in than went out. */
export async function outsideAccounts(reader: Reader) {
  const { rows } = await sql<{ asset: string; network: string; balance: string }>`
    select asset, split_part(address, ':', 3) as network, trim_scale(balance)::text as balance from ledger_account
    where owner is null and address like 'world:%' and asset not like '%:%' and balance <> 0
    order by asset, address
  `.execute(reader);
  return rows;
}

/**
 * Per coin what users are owed, what the house trades with, its accounts, and what lies outside; the four sum to zero.
 * This is the one definition of what users are owed: people alone are users, not the accounts that the house trades
 * with (`trading`).
 */
export async function coinTotals(reader: Reader, trading: readonly UserId[]) {
  const { rows } = await sql<Record<'asset' | 'users' | 'trading' | 'house' | 'outside' | 'sum', string>>`
    select asset,
      trim_scale(coalesce(sum(balance) filter (where owner is not null and owner <> all(${trading}::uuid[])), 0))::text as users,
      trim_scale(coalesce(sum(balance) filter (where owner = any(${trading}::uuid[])), 0))::text as trading,
      trim_scale(coalesce(sum(balance) filter (where address like 'house:%'), 0))::text as house,
      trim_scale(coalesce(sum(balance) filter (where address like 'world:%'), 0))::text as outside,
      trim_scale(sum(balance))::text as sum
    from ledger_account where asset not like '%:%' group by asset order by asset
  `.execute(reader);
  return rows;
}

/**
 * The same without the accounts of users being read: postings move amounts from one account to another, so what users are
 * owed is what everything else lacks. Only for showing: whether the four really sum to zero, `coinTotals` tells.
 */
export async function shownCoinTotals(reader: Reader, trading: readonly UserId[]) {
  const { rows } = await sql<Record<'asset' | 'users' | 'trading' | 'house' | 'outside', string>>`
    with others as (
      select asset, balance, address from ledger_account where owner is null and asset not like '%:%'
      union all
      select asset, balance, null from ledger_account
      where owner = any(${trading}::uuid[]) and asset not like '%:%'
    )
    select asset,
      trim_scale(-sum(balance))::text as users,
      trim_scale(coalesce(sum(balance) filter (where address is null), 0))::text as trading,
      trim_scale(coalesce(sum(balance) filter (where address like 'house:%'), 0))::text as house,
      trim_scale(coalesce(sum(balance) filter (where address like 'world:%'), 0))::text as outside
    from others group by asset order by asset
  `.execute(reader);
  return rows;
}

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
