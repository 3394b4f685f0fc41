import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { canonicalAddress } from '@exchange/core/chain-address.ts';
import { findNetwork } from '@exchange/core/network-table.ts';
import { sql, type Selectable } from 'kysely';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { activeFrom, type AddressEntry } from './domain.ts';
import type { WithdrawalTables } from './repository.ts';

const tables = tablesOf<WithdrawalTables>();

/**
 * Limit of the query for a user's address book. It is above the maximum of 50 addresses, so the query reads the whole
 * book.
 */
const MOST_READ = 100;

export async function addressesOf(reader: Reader, owner: UserId): Promise<AddressEntry[]> {
  const rows = await tables(reader)
    .selectFrom('withdrawal_address')
    .selectAll()
    .where('owner', '=', owner)
    .where('removed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(MOST_READ)
    .execute();
  return rows.map(addressOf);
}

/**
 * Returns the time of a user's latest withdrawal request to each destination, keyed by `placeOf`. Only
 * pending, approved and finished withdrawals count.
 */
export async function lastUses(reader: Reader, owner: UserId): Promise<ReadonlyMap<string, Instant>> {
  const { rows } = await sql<Place & { at: string }>`
    select asset, network, address, memo, max(created_at)::text as at
    from withdrawal where owner = ${owner} and status in (0, 1, 3)
    group by asset, network, address, memo
  `.execute(reader);
  return new Map(rows.map((row) => [placeOf(row), instant(Number(row.at))]));
}

interface Place {
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo?: string | null | undefined;
}

/** Returns a text that identifies a destination: asset, network, canonical address and memo. */
export function placeOf({ asset, network, address, memo }: Place): string {
  return JSON.stringify([asset, network, canonicalForm(network, address), memo ?? '']);
}

/**
 * Returns the canonical form of an address on a network, for comparisons. Old rows may contain other forms of
 * the same address.
 */
export function canonicalForm(network: string, address: string): string {
  const kind = findNetwork(network)?.addressKind;
  return kind === undefined ? address : canonicalAddress(kind, address);
}

/**
 * Returns the instant from which an address counts as known to a user: 24 hours after the user first stored
 * it or requested a withdrawal to it on this network, with the same memo and in whatever coin, or an earlier
 * instant that the exchange has set. Removed address book entries and cancelled withdrawals still count. For
 * an address that the user has never used, the instant is 24 hours after `now`.
 */
export async function addressKnownAt(
  reader: Reader,
  { owner, network, address, memo }: Omit<Place, 'asset'> & { readonly owner: UserId },
  now: Instant,
): Promise<Instant> {
  const { rows } = await sql<{ address: string; kept: string | null; used: string | null }>`
    select address, min(active_at)::text as kept, null as used from withdrawal_address
    where owner = ${owner} and network = ${network} and lower(address) = lower(${address})
      and coalesce(memo, '') = ${memo ?? ''} group by address
    union all
    select address, null, min(created_at)::text from withdrawal
    where owner = ${owner} and network = ${network} and lower(address) = lower(${address})
      and coalesce(memo, '') = ${memo ?? ''} group by address
  `.execute(reader);
  const canonical = canonicalForm(network, address);
  const instants = rows
    .filter((row) => canonicalForm(network, row.address) === canonical)
    .map(({ kept, used }) => (used === null ? instant(Number(kept)) : activeFrom(instant(Number(used)))));
  return instant(Math.min(activeFrom(now), ...instants));
}

export async function insertAddress(store: Store, entry: AddressEntry): Promise<void> {
  const { id, owner, asset, network, address, memo, remark, activeAt, createdAt } = entry;
  await tables(store)
    .insertInto('withdrawal_address')
    .values({
      id,
      owner,
      asset,
      network,
      address,
      memo: memo ?? null,
      remark: remark ?? null,
      active_at: BigInt(activeAt),
      created_at: BigInt(createdAt),
      removed_at: null,
    })
    .execute();
}

export async function renameAddress(reader: Reader, id: string, remark: string | undefined): Promise<void> {
  await sql`update withdrawal_address set remark = ${remark ?? null} where id = ${id}`.execute(reader);
}

export async function removeAddress(reader: Reader, id: string, now: Instant): Promise<void> {
  await sql`update withdrawal_address set removed_at = ${now}::bigint where id = ${id}`.execute(reader);
}

/**
 * Returns the stored whitelist state of a user, also of a whitelist that was disabled; undefined if the user
 * has never enabled it.
 */
export async function storedWhitelist(
  reader: Reader,
  owner: UserId,
): Promise<{ offAt: Instant | undefined } | undefined> {
  const row = await tables(reader)
    .selectFrom('withdrawal_whitelist')
    .select('off_at')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row && { offAt: row.off_at === null ? undefined : instant(wholeNumber(row.off_at)) };
}

export async function saveWhitelist(
  reader: Reader,
  owner: UserId,
  offAt: Instant | undefined,
): Promise<void> {
  await sql`
    insert into withdrawal_whitelist (owner, off_at) values (${owner}, ${offAt ?? null}::bigint)
    on conflict (owner) do update set off_at = excluded.off_at
  `.execute(reader);
}

function addressOf(row: Selectable<WithdrawalTables['withdrawal_address']>): AddressEntry {
  return {
    id: row.id,
    owner: row.owner as UserId,
    asset: row.asset,
    network: row.network,
    address: row.address,
    memo: row.memo ?? undefined,
    remark: row.remark ?? undefined,
    activeAt: instant(wholeNumber(row.active_at)),
    createdAt: instant(wholeNumber(row.created_at)),
  };
}
