import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Kysely, Selectable } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import type { FactorTx } from './account-repository.ts';
import type { PasskeyKind } from './domain/passkeys.ts';
import type { IdentityTables } from './tables.ts';

/** A passkey of an account, as it is stored. */
export interface Passkey {
  readonly id: string;
  readonly userId: UserId;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly kind: PasskeyKind;
  readonly name: string;
  readonly createdAt: Instant;
  /** Time of the passkey's last use; 0 if it has never been used. */
  readonly lastUsedAt: Instant;
  /** Time at which the owner was last warned about the passkey's signature counter; 0 if there was no warning. */
  readonly warnedAt: Instant;
}

/** A passkey challenge that is to be marked as used. */
export interface UsedChallenge {
  readonly digest: Buffer;
  readonly expiresAt: Instant;
  /** Digest of the request that uses the challenge; undefined if the request may not be repeated. */
  readonly claim?: Buffer | undefined;
}

/** Reads and writes passkeys, user handles and used challenges. */
export class PasskeyRepository {
  private readonly store: Kysely<IdentityTables>;

  constructor(store: Kysely<unknown>) {
    this.store = store.withTables<IdentityTables>();
  }

  /** The passkeys of a user, newest first. */
  async ofUser(userId: UserId): Promise<Passkey[]> {
    const rows = await this.store
      .selectFrom('passkey')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(passkeyOf);
  }

  async countOf(userId: UserId): Promise<number> {
    const row = await this.store
      .selectFrom('passkey')
      .select((builder) => builder.fn.countAll<bigint>().as('n'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return Number(row.n);
  }

  /** The passkey with this credential id, and the user handle of its account; undefined if there is none. */
  async byCredential(
    credentialId: Buffer,
  ): Promise<{ readonly passkey: Passkey; readonly handle: Buffer } | undefined> {
    const row = await this.store
      .selectFrom('passkey')
      .innerJoin('passkey_user', 'passkey_user.user_id', 'passkey.user_id')
      .selectAll('passkey')
      .select('passkey_user.handle')
      .where('passkey.credential_id', '=', credentialId)
      .executeTakeFirst();
    return row && { passkey: passkeyOf(row), handle: row.handle };
  }

  /** Returns the WebAuthn user handle of an account; if it has none yet, `fresh` becomes its handle. */
  async handleOf(userId: UserId, fresh: Buffer): Promise<Buffer> {
    await this.store
      .insertInto('passkey_user')
      .values({ user_id: userId, handle: fresh })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute();
    const row = await this.store
      .selectFrom('passkey_user')
      .select('handle')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return row.handle;
  }

  /**
   * Returns how many passkeys a user has. Before that, locks the user's row in `passkey_user` until the
   * transaction ends, so that other transactions that call this function before they add or remove a passkey
   * wait.
   */
  async lockAndCount(tx: FactorTx, userId: UserId): Promise<number> {
    const db = tx.withTables<IdentityTables>();
    await db
      .selectFrom('passkey_user')
      .select('user_id')
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    const row = await db
      .selectFrom('passkey')
      .select((builder) => builder.fn.countAll<bigint>().as('n'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return Number(row.n);
  }

  /** Stores a passkey. Returns false if a passkey with this credential id is stored already, otherwise true. */
  async insert(tx: FactorTx, passkey: Passkey): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .insertInto('passkey')
      .values({
        id: passkey.id,
        user_id: passkey.userId,
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        sign_count: BigInt(passkey.counter),
        transports: [...passkey.transports],
        kind: passkey.kind,
        name: passkey.name,
        created_at: BigInt(passkey.createdAt),
        last_used_at: BigInt(passkey.lastUsedAt),
        warned_at: BigInt(passkey.warnedAt),
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  async rename(userId: UserId, id: string, name: string): Promise<Passkey | undefined> {
    const row = await this.store
      .updateTable('passkey')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst();
    return row && passkeyOf(row);
  }

  /** Removes a passkey of a user. Returns false if the user has no passkey with this id, otherwise true. */
  async remove(tx: FactorTx, userId: UserId, id: string): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Stores the signature counter and the time of a passkey's use, and returns true. Returns false if the passkey was
   * removed or its counter changed meanwhile.
   */
  async noteUse(tx: Tx, { id, counter }: Passkey, received: number, at: Instant): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .updateTable('passkey')
      .set({ sign_count: BigInt(received), last_used_at: BigInt(at) })
      .where('id', '=', id)
      .where('sign_count', '=', BigInt(counter))
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Stores that the owner is warned about the passkey's counter now, and returns true. Returns false if a concurrent
   * call did so.
   */
  async noteWarning(tx: Tx, { id, warnedAt }: Passkey, at: Instant): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .updateTable('passkey')
      .set({ warned_at: BigInt(at) })
      .where('id', '=', id)
      .where('warned_at', '=', BigInt(warnedAt))
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Marks a passkey challenge as used, and returns true. Returns false if it was used before. */
  async consumeChallenge(tx: Tx, { digest, expiresAt, claim }: UsedChallenge): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .insertInto('passkey_challenge')
      .values({ digest, expires_at: BigInt(expiresAt), claimed_for: claim ?? null })
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .returning('digest')
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * The digest of the request that used a passkey challenge, null if that request may not be repeated; undefined if the
   * challenge was not used.
   */
  async useOf(digest: Buffer): Promise<{ readonly claim: Buffer | null } | undefined> {
    const row = await this.store
      .selectFrom('passkey_challenge')
      .select('claimed_for')
      .where('digest', '=', digest)
      .executeTakeFirst();
    return row && { claim: row.claimed_for };
  }

  /** Deletes used passkey challenges that have expired. */
  async removeOld(now: Instant): Promise<void> {
    await this.store.deleteFrom('passkey_challenge').where('expires_at', '<', BigInt(now)).execute();
  }
}

function passkeyOf(row: Selectable<IdentityTables['passkey']>): Passkey {
  return {
    id: row.id,
    userId: row.user_id as UserId,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.sign_count),
    transports: row.transports,
    kind: row.kind as PasskeyKind,
    name: row.name,
    createdAt: instant(Number(row.created_at)),
    lastUsedAt: instant(Number(row.last_used_at)),
    warnedAt: instant(Number(row.warned_at)),
  };
}
