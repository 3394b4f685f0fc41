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

/** All house accounts except quotas; a few per listed coin and per project token. */
export async function houseAccounts(reader: Reader) {
  const { rows } = await HOUSE_ACCOUNTS.execute(reader);
  return rows;
}

/** The first `limit` house accounts, ordered by address and asset and without quotas, for screens. */
export function firstHouseAccounts(
  reader: Reader,
  limit: number,
): Promise<BoundedRows<{ address: string; asset: string; balance: string }>> {
  return readBoundedText(reader, HOUSE_ACCOUNTS, limit);
}

/**
 * At most `limit` movements of a house account in one coin in the newest `depth` entries of the ledger,
 * newest first. House accounts have no stored statement, to avoid writing every trade of the exchange twice.
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
      case when transfer.destination = account.id then transfer.amount else 0 end
      - case when transfer.source = account.id then transfer.amount else 0 end
    ))::text as amount
    from newest cross join account
    cross join lateral unnest(newest.sources, newest.destinations, newest.amounts) as transfer(source, destination, amount)
    where account.id in (transfer.source, transfer.destination)
    group by sequence, at, kind, reference order by sequence desc limit ${limit}
  `.execute(reader);
  return rows.map(({ sequence, at, ...row }) => ({
    entry: wholeNumber(sequence),
    at: wholeNumber(at),
    ...row,
  }));
}

/**
 * Balances of the world accounts by coin and network, without zero balances and quotas; negative if more
 * coins came in than went out.
 */
export async function outsideAccounts(reader: Reader) {
  const { rows } = await sql<{ asset: string; network: string; balance: string }>`
    select asset, split_part(address, ':', 3) as network, trim_scale(balance)::text as balance from ledger_account
    where owner is null and address like 'world:%' and asset not like '%:%' and balance <> 0
    order by asset, address
  `.execute(reader);
  return rows;
}

/**
 * By coin: liabilities to users, balances of the exchange's trading users, house accounts, the outside world, and the
 * sum of the four, which is zero in sound books. This defines the liabilities to users: it excludes the users with
 * which the exchange itself trades (`trading`).
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
 * By coin: liabilities to users, balances of the exchange's trading users, house accounts and the outside world. Reads
 * the accounts of users only for the trading users: the liabilities are computed as minus the sum of all other
 * accounts. For screens and the frequent coverage check; it cannot detect that the four do not sum to zero.
 */
export async function displayCoinTotals(reader: Reader, trading: readonly UserId[]) {
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

/**
 * A user's balance of a coin: the sum over all the user's accounts, without quotas (pseudo-assets that count how much
 * can still be bought).
 */
export interface OwedBalance {
  readonly owner: UserId;
  readonly asset: AssetCode;
  readonly amount: Decimal;
  /** Whether any of the user's accounts in the coin has a negative balance. */
  readonly isBelowZero: boolean;
}

/**
 * Balances of the next `limit` users after `behind` in the order of ids, without those in `except` and users
 * who have nothing. It skips through the index from owner to owner; with `distinct` the database might sort
 * all remaining rows for every page.
 */
export async function nextOwedBalances(
  reader: Reader,
  except: readonly UserId[],
  behind: string,
  limit: number,
): Promise<OwedBalance[]> {
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
