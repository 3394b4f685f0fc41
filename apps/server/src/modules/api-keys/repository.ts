import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Store, Tx } from '../../platform/database/database.ts';
import type { ApiKey, KeyKind } from './domain.ts';
import type { ApiKeyTables } from './tables.ts';

/** A key with what its signatures are verified with. */
export interface StoredKey {
  readonly apiKey: ApiKey;
  readonly sealedSecret: Buffer | undefined;
  readonly publicKey: string | undefined;
}

/** Addresses of a key that are remembered; uses from further ones are not reported. */
const ADDRESSES_REMEMBERED = 200;
/** Expired keys of an account that stay listed when a key is created; older ones are revoked. */
const EXPIRED_LISTED = 30;

export class ApiKeyRepository {
  private readonly store: Kysely<ApiKeyTables>;

  constructor(store: Store) {
    this.store = store.withTables<ApiKeyTables>();
  }

  /** The owner's keys that are not revoked, newest first; expired ones are among them. */
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

  /** The key with this public half; undefined for an unknown or revoked one. */
  async find(key: string): Promise<StoredKey | undefined> {
    const row = await this.store
      .selectFrom('api_key')
      .selectAll()
      .where('key', '=', key)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return row && storedKeyOf(row);
  }

  /** The owner's key with this id; undefined for an unknown or revoked one, and for another user's. */
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

  /** Locks the owner's keys until the transaction ends and returns the number of those that can be used. */
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

  /** Revokes the owner's expired keys except those that expired last, so that the list stays short. Returns their ids. */
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
        addresses: [...apiKey.addresses],
        created_at: BigInt(apiKey.createdAt),
        expires_at: apiKey.expiresAt === undefined ? null : BigInt(apiKey.expiresAt),
        last_used_at: null,
        last_used_address: null,
        revoked_at: null,
      })
      .execute();
  }

  /** Revokes one key of the owner, or all if `id` is undefined. Returns those that this call revoked. */
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

  /** Stores the last use of keys. */
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

  /** Remembers that a key was used from an address. Returns whether the address is new for the key. */
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
    addresses: row.addresses,
    createdAt: instant(Number(row.created_at)),
    expiresAt: row.expires_at === null ? undefined : instant(Number(row.expires_at)),
    lastUsedAt: row.last_used_at === null ? undefined : instant(Number(row.last_used_at)),
    lastUsedAddress: row.last_used_address ?? '',
  };
}
