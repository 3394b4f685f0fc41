import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Kysely } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import type { FactorTx } from './account-repository.ts';
import type { IdentityTables } from './tables.ts';

/** An authenticator code that was verified and is not marked as used yet. */
export interface AcceptedStep {
  readonly step: number;
  /** Digest of the request that uses the authenticator code; undefined if the request may not be repeated with it. */
  readonly claim: Buffer | undefined;
}

/** Reads and writes the authenticators' secret keys, the last accepted codes, and the recovery codes. */
export class AuthenticatorRepository {
  private readonly store: Kysely<IdentityTables>;

  constructor(store: Kysely<unknown>) {
    this.store = store.withTables<IdentityTables>();
  }

  /**
   * The encrypted authenticator key that was shown to the user but not confirmed with a code yet; undefined
   * if there is none.
   */
  async newKey(userId: UserId): Promise<Buffer | undefined> {
    const row = await this.store
      .selectFrom('user_account')
      .select('totp_new_key')
      .where('id', '=', userId)
      .executeTakeFirst();
    return row?.totp_new_key ?? undefined;
  }

  /**
   * Stores an authenticator key that is not confirmed yet, in place of an earlier one. Returns false if an
   * authenticator is active already, otherwise true.
   */
  async storeNewKey(userId: UserId, key: Buffer): Promise<boolean> {
    const row = await this.store
      .updateTable('user_account')
      .set({ totp_new_key: key })
      .where('id', '=', userId)
      .where('totp_key', 'is', null)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Activates a confirmed authenticator key, and stores its recovery codes. Returns false if an authenticator is active
   * already, or if another key was stored meanwhile; otherwise true.
   */
  async bind(
    tx: FactorTx,
    userId: UserId,
    { key, step, hashes, at }: { key: Buffer; step: number; hashes: readonly Buffer[]; at: Instant },
  ): Promise<boolean> {
    const db = tx.withTables<IdentityTables>();
    const row = await db
      .updateTable('user_account')
      .set({
        totp_key: key,
        totp_new_key: null,
        totp_bound_at: BigInt(at),
        totp_step: BigInt(step),
        totp_claimed_for: null,
      })
      .where('id', '=', userId)
      .where('totp_key', 'is', null)
      .where('totp_new_key', '=', key)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return false;
    await this.renewRecoveryCodes(tx, userId, hashes);
    return true;
  }

  /** Replaces all recovery codes of the authenticator by unused ones with the given hashes. */
  async renewRecoveryCodes(tx: FactorTx, userId: UserId, hashes: readonly Buffer[]): Promise<void> {
    const db = tx.withTables<IdentityTables>();
    await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
    await db
      .insertInto('recovery_code')
      .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, used_at: null })))
      .execute();
  }

  /** Removes the authenticator and its recovery codes from an account. */
  async unbind(tx: FactorTx, userId: UserId): Promise<void> {
    const db = tx.withTables<IdentityTables>();
    await db
      .updateTable('user_account')
      .set({ totp_key: null, totp_new_key: null, totp_bound_at: 0n, totp_claimed_for: null })
      .where('id', '=', userId)
      .execute();
    await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  }

  /**
   * Marks an authenticator code and all older codes as used. Returns false if the code or a newer one is used already,
   * or if the authenticator was removed; otherwise true.
   */
  async consumeStep(tx: Tx, userId: UserId, { step, claim }: AcceptedStep): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .updateTable('user_account')
      .set({ totp_step: BigInt(step), totp_claimed_for: claim ?? null })
      .where('id', '=', userId)
      .where('totp_step', '<', BigInt(step))
      .where('totp_key', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Makes the last used authenticator code usable again by restoring the time step of the code before it, unless a
   * newer code was used since.
   */
  async restoreStep(userId: UserId, step: number, previousStep: number): Promise<void> {
    await this.store
      .updateTable('user_account')
      .set({ totp_step: BigInt(previousStep), totp_claimed_for: null })
      .where('id', '=', userId)
      .where('totp_step', '=', BigInt(step))
      .execute();
  }

  async hasRecoveryCode(userId: UserId, hash: Buffer): Promise<boolean> {
    const row = await this.store
      .selectFrom('recovery_code')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('code_hash', '=', hash)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Marks a recovery code as used. Returns false if it does not exist or was used before, otherwise true. */
  async consumeRecoveryCode(tx: Tx, userId: UserId, hash: Buffer, at: Instant): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .updateTable('recovery_code')
      .set({ used_at: BigInt(at) })
      .where('user_id', '=', userId)
      .where('code_hash', '=', hash)
      .where('used_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  async restoreRecoveryCode(userId: UserId, hash: Buffer): Promise<void> {
    await this.store
      .updateTable('recovery_code')
      .set({ used_at: null })
      .where('user_id', '=', userId)
      .where('code_hash', '=', hash)
      .execute();
  }

  /** Number of the account's recovery codes that are not used. */
  async recoveryCodesLeft(userId: UserId): Promise<number> {
    const row = await this.store
      .selectFrom('recovery_code')
      .select((builder) => builder.fn.countAll<bigint>().as('n'))
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(row.n);
  }
}
