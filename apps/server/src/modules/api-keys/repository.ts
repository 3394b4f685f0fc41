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

export class ApiKeyRepository {
  private readonly store: Kysely<ApiKeyTables>;

  constructor(store: Store) {
    this.store = store.withTables<ApiKeyTables>();
  }

  /** The owner's keys that are not revoked, newest first. */
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
    if (row === undefined) return undefined;
    return {
      apiKey: keyOf(row),
      sealedSecret: row.sealed_secret ?? undefined,
      publicKey: row.public_key ?? undefined,
    };
  }

  /** Locks the owner's keys until the transaction ends and returns their number. */
  async lockAndCount(tx: Tx, owner: UserId): Promise<number> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`api keys ${owner}`}, 0))`.execute(tx);
    const row = await tx
      .withTables<ApiKeyTables>()
      .selectFrom('api_key')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('owner', '=', owner)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(row.count);
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
        addresses: [...apiKey.addresses],
        created_at: BigInt(apiKey.createdAt),
        expires_at: apiKey.expiresAt === undefined ? null : BigInt(apiKey.expiresAt),
        last_used_at: null,
        last_used_address: null,
        revoked_at: null,
      })
      .execute();
  }

  /** Revokes one key of the owner, or all; returns the public halves of those that were revoked by this call. */
  async revoke(owner: UserId, id: string | undefined, now: Instant): Promise<string[]> {
    let update = this.store
      .updateTable('api_key')
      .set({ revoked_at: BigInt(now) })
      .where('owner', '=', owner)
      .where('revoked_at', 'is', null);
    if (id !== undefined) update = update.where('id', '=', id);
    const rows = await update.returning('key').execute();
    return rows.map(({ key }) => key);
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

  /**
   * Remembers that a key was used from an address. Returns whether the address is new for a key that was used before
   * from others.
   */
  async rememberAddress(id: string, address: string, now: Instant): Promise<'first' | 'new' | 'known'> {
    const { rows } = await sql<{ before: bigint; inserted: boolean }>`
      with known as (select count(*) as before from api_key_address where key_id = ${id}),
      added as (
        insert into api_key_address (key_id, address, first_used_at)
        select ${id}, ${address}, ${now} from known where before < ${ADDRESSES_REMEMBERED}
        on conflict do nothing returning 1
      )
      select before, exists (select from added) as inserted from known
    `.execute(this.store);
    const row = rows[0]!;
    if (!row.inserted) return 'known';
    return Number(row.before) === 0 ? 'first' : 'new';
  }
}

function keyOf(row: Selectable<ApiKeyTables['api_key']>): ApiKey {
  return {
    id: row.id,
    owner: row.owner as UserId,
    name: row.name,
    key: row.key,
    kind: row.kind as KeyKind,
    mayTrade: row.may_trade,
    addresses: row.addresses,
    createdAt: instant(Number(row.created_at)),
    expiresAt: row.expires_at === null ? undefined : instant(Number(row.expires_at)),
    lastUsedAt: row.last_used_at === null ? undefined : instant(Number(row.last_used_at)),
    lastUsedAddress: row.last_used_address ?? '',
  };
}
