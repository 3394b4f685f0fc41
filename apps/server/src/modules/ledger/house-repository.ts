import { sql } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';

const ACCOUNTS_MAX = 1_000;

/** The accounts of the house, apart from quotas, which are no coins. */
export async function houseAccounts(reader: Reader) {
  const { rows } = await sql<{ address: string; asset: string; balance: string }>`
    select address, asset, balance::text from ledger_account
    where owner is null and address like 'house:%' and asset not like '%:%'
    order by address, asset limit ${ACCOUNTS_MAX}
  `.execute(reader);
  return rows;
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
    ...{ entry: wholeNumber(sequence), at: wholeNumber(at), ...row },
  }));
}

/** What lies outside, by coin and the name of its network; below zero where more came in than went out. */
export async function outsideAccounts(reader: Reader) {
  const { rows } = await sql<{ asset: string; network: string; balance: string }>`
    select asset, split_part(address, ':', 3) as network, trim_scale(balance)::text as balance from ledger_account
    where owner is null and address like 'world:%' and asset not like '%:%' and balance <> 0
    order by asset, address limit ${ACCOUNTS_MAX}
  `.execute(reader);
  return rows;
}

/** Per coin what users own, what the house owns, and what lies outside; the three sum to zero. */
export async function coinTotals(reader: Reader) {
  const { rows } = await sql<Record<'asset' | 'users' | 'house' | 'outside' | 'sum', string>>`
    select asset,
      trim_scale(coalesce(sum(balance) filter (where owner is not null), 0))::text as users,
      trim_scale(coalesce(sum(balance) filter (where address like 'house:%'), 0))::text as house,
      trim_scale(coalesce(sum(balance) filter (where address like 'world:%'), 0))::text as outside,
      trim_scale(sum(balance))::text as sum
    from ledger_account where asset not like '%:%' group by asset order by asset
  `.execute(reader);
  return rows;
}
