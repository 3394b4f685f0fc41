import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Store, Tx, Reader } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';
import type { ApiKey, KeyKind } from './domain.ts';
import type { ApiKeyTables } from './tables.ts';

/** An API key with the data for verifying its signatures: an encrypted secret (`hmac`) or a public key (`ed25519`). */
export interface StoredKey {
  readonly apiKey: ApiKey;
  /**
   * The secret shared with the owner of an `hmac` key, encrypted with the server's secret; undefined for an `ed25519`
   * key.
   */
  readonly sealedSecret: Buffer | undefined;
  /** The owner's public Ed25519 key in PEM format; undefined for an `hmac` key. */
  readonly publicKey: string | undefined;
}

/**
 * Greatest number of IP addresses stored per API key. The owner receives an inbox message when the key is
 * used from a new address; with this number of addresses stored, further ones cause no message.
 */
const ADDRESSES_REMEMBERED = 200;
/**
 * Number of an owner's expired API keys that remain in the list when a new key is created; keys that expired before
 * these are revoked.
 */
const EXPIRED_LISTED = 30;

export class ApiKeyRepository {
  private readonly store: Kysely<ApiKeyTables>;

  constructor(store: Store) {
    this.store = store.withTables<ApiKeyTables>();
  }

  /** Returns the owner's API keys, newest first, including expired keys but without revoked ones. */
  async ofOwner(owner: UserId): Promise<ApiKey[]> {
    const rows = await this.store
      .selectFrom('api_key')
      .selectAll()
      .where('owner', '=', owner)
      .where('revoked_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(keyOf);
  }

  /** Returns the API key with the public part `key`; undefined if it is unknown or revoked. */
  async find(key: string): Promise<StoredKey | undefined> {
    const row = await this.store
      .selectFrom('api_key')
      .selectAll()
      .where('key', '=', key)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return row && storedKeyOf(row);
  }

  /**
   * Returns the owner's API key with this id; undefined if the id is unknown, or if the key is revoked or
   * belongs to another user.
   */
  async findOwn(owner: UserId, id: string): Promise<StoredKey | undefined> {
    const row = await this.store
      .selectFrom('api_key')
      .selectAll()
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return row && storedKeyOf(row);
  }

  /**
   * Returns the number of the owner's API keys that are neither revoked nor expired. Until the transaction `tx` ends,
   * other transactions that call this function for the same owner wait, so that concurrent creations cannot exceed the
   * limit.
   */
  async lockAndCount(tx: Tx, owner: UserId, now: Instant): Promise<number> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`api keys ${owner}`}, 0))`.execute(tx);
    const row = await tx
      .withTables<ApiKeyTables>()
      .selectFrom('api_key')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('owner', '=', owner)
      .where('revoked_at', 'is', null)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', BigInt(now))]))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  }

  /**
   * Revokes the owner's expired API keys, except the 30 keys that expired last, so that the list stays short. Returns
   * the ids of the revoked keys.
   */
  async revokeLongExpired(tx: Tx, owner: UserId, now: Instant): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      update api_key set revoked_at = ${now} where id in (
        select id from api_key where owner = ${owner} and revoked_at is null and expires_at <= ${now}
        order by expires_at desc, id desc offset ${EXPIRED_LISTED}
      ) returning id
    `.execute(tx);
    return rows.map(({ id }) => id);
  }

  async insert(tx: Tx, { apiKey, sealedSecret, publicKey }: StoredKey): Promise<void> {
    await tx
      .withTables<ApiKeyTables>()
      .insertInto('api_key')
      .values({
        id: apiKey.id,
        owner: apiKey.owner,
        name: apiKey.name,
        key: apiKey.key,
        kind: apiKey.kind,
        sealed_secret: sealedSecret ?? null,
        public_key: publicKey ?? null,
        may_trade: apiKey.mayTrade,
        may_transfer: apiKey.mayTransfer,
        withdrawal_limit: apiKey.withdrawalLimit?.toString() ?? null,
        addresses: [...apiKey.addresses],
        created_at: BigInt(apiKey.createdAt),
        expires_at: apiKey.expiresAt === undefined ? null : BigInt(apiKey.expiresAt),
        last_used_at: null,
        last_used_address: null,
        revoked_at: null,
      })
      .execute();
  }

  /**
   * Revokes the owner's API key `id`, or all keys of the owner if `id` is undefined. Returns the keys that this call
   * revoked; keys that were already revoked are not included.
   */
  async revoke(tx: Tx, owner: UserId, id: string | undefined, now: Instant): Promise<ApiKey[]> {
    let update = tx
      .withTables<ApiKeyTables>()
      .updateTable('api_key')
      .set({ revoked_at: BigInt(now) })
      .where('owner', '=', owner)
      .where('revoked_at', 'is', null);
    if (id !== undefined) update = update.where('id', '=', id);
    const rows = await update.returningAll().execute();
    return rows.map(keyOf);
  }

  /** Stores the times and IP addresses at which API keys were last used; a later stored use is not overwritten. */
  async storeUses(uses: readonly { id: string; at: Instant; address: string }[]): Promise<void> {
    await sql`
      update api_key set last_used_at = used.at, last_used_address = used.address
      from unnest(
        ${uses.map(({ id }) => id)}::uuid[], ${uses.map(({ at }) => at)}::bigint[],
        ${uses.map(({ address }) => address)}::text[]
      ) as used (id, at, address)
      where api_key.id = used.id and (last_used_at is null or last_used_at < used.at)
    `.execute(this.store);
  }

  /**
   * Stores an IP address from which an API key was used. Returns true if the address is new for the key. Returns false
   * if it is stored already, or if the key has the greatest number of stored addresses, in which case the address is
   * not stored.
   */
  async rememberAddress(tx: Tx, id: string, address: string, now: Instant): Promise<boolean> {
    const { rows } = await sql`
      insert into api_key_address (key_id, address, first_used_at)
      select ${id}, ${address}, ${now}
      where (select count(*) from api_key_address where key_id = ${id}) < ${ADDRESSES_REMEMBERED}
      on conflict do nothing returning 1
    `.execute(tx);
    return rows.length > 0;
  }
}

function storedKeyOf(row: Selectable<ApiKeyTables['api_key']>): StoredKey {
  return {
    apiKey: keyOf(row),
    sealedSecret: row.sealed_secret ?? undefined,
    publicKey: row.public_key ?? undefined,
  };
}

function keyOf(row: Selectable<ApiKeyTables['api_key']>): ApiKey {
  return {
    id: row.id,
    owner: row.owner as UserId,
    name: row.name,
    key: row.key,
    kind: row.kind as KeyKind,
    mayTrade: row.may_trade,
    mayTransfer: row.may_transfer,
    withdrawalLimit: row.withdrawal_limit === null ? undefined : Decimal.parse(row.withdrawal_limit),
    addresses: row.addresses,
    createdAt: instant(Number(row.created_at)),
    expiresAt: row.expires_at === null ? undefined : instant(Number(row.expires_at)),
    lastUsedAt: row.last_used_at === null ? undefined : instant(Number(row.last_used_at)),
    lastUsedAddress: row.last_used_address ?? '',
  };
}

/**
 * Returns the source of API keys, including revoked ones, for the operators' search; operators find a key by
 * its public part.
 */
export function apiKeyRecords(reader: Reader): RecordSource {
  const { page: _, ...source } = recordsOfTable(reader, {
    kind: 'apiKey',
    table: 'api_key',
    at: 'created_at',
    columns: [
      'name',
      'key',
      'kind',
      'may_trade',
      'may_transfer',
      'addresses',
      'created_at',
      'expires_at',
      'last_used_at',
      'last_used_address',
      'revoked_at',
    ],
    times: ['created_at', 'expires_at', 'last_used_at', 'revoked_at'],
    named: ({ text }) => [sql`key = ${text}`],
    describe: ({ name, revokedAt }) => ({
      event: `API key ${name}`,
      status: revokedAt === '' ? undefined : 'revoked',
    }),
  });
  return source;
}
