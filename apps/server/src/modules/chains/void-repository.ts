import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store } from '../../platform/database/database.ts';
import type { VoidStatus } from './domain.ts';
import { storeVoid } from './repository.ts';

/**
 * Voids a payment of any network while the settings contain no signer or no channel for it. Returns `unsigned` if no
 * signature was ever requested for the payment alone and no batch contains it, so that it can never be sent. Otherwise
 * the signer may have signed it, and it waits until the settings contain signer and channel again; `txid` is that of its
 * newest stored transaction, empty if none is stored.
 */
export async function voidWithoutSender(store: Store, origin: string, now: Instant): Promise<VoidStatus> {
  await storeVoid(store, origin, now);
  const { rows } = await sql<{ txid: string | null }>`
    select coalesce(
      (select txid from chain_variant where origin = ${origin} order by number desc limit 1),
      (select txid from chain_sending where origin = ${origin}),
      (select v.txid from utxo_payment p join utxo_variant v on v.batch = p.batch and not p.origin = any(v.without)
       where p.origin = ${origin} order by v.number desc limit 1)
    ) as txid
    where exists (select from chain_sending where origin = ${origin} and (raw is not null or signing_at is not null))
      or exists (select from utxo_payment where origin = ${origin})
  `.execute(store);
  const [asked] = rows;
  return asked === undefined ? { state: 'unsigned' } : { state: 'waiting', txid: asked.txid ?? '' };
}

/**
 * Returns the origins (idempotency keys) of the payments for which one of the given transactions was signed,
 * replaced transactions included, on every network.
 */
export async function originsOfTransactions(
  reader: Reader,
  transactions: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    select origin from chain_sending where txid = any(${transactions}::text[])
    union select origin from chain_variant where txid = any(${transactions}::text[])
    union select p.origin from utxo_variant v join utxo_payment p on p.batch = v.batch and not p.origin = any(v.without)
      where v.txid = any(${transactions}::text[])
  `.execute(reader);
  return rows.map(({ origin }) => origin);
}
