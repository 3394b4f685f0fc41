import { DAY_MS, HOUR_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import { CODE_RULES, type AskedCodes, type Purpose } from './domain/mailed-code.ts';
import type { IdentityTables } from './tables.ts';

export interface NewCode {
  readonly id: string;
  readonly email: string;
  readonly purpose: Purpose;
  readonly hash: Buffer;
  readonly askedFrom: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export interface OpenCode {
  readonly id: string;
  readonly hash: Buffer;
}

/** The rows of mailed codes and of the tickets they were exchanged for. */
export class CodeRepository {
  private readonly reader: Kysely<IdentityTables>;

  constructor(reader: Kysely<unknown>) {
    this.reader = reader.withTables<IdentityTables>();
  }

  /**
   * Counts what was asked for so far, holding off others who ask for the same address or from the same
   * one until this transaction ends: parallel requests cannot all find the last place free.
   */
  async asked(tx: Tx, email: string, origin: string, now: Instant): Promise<AskedCodes> {
    await sql`select pg_advisory_xact_lock(1, hashtext(${email}))`.execute(tx);
    await sql`select pg_advisory_xact_lock(2, hashtext(${origin}))`.execute(tx);
    const db = tx.withTables<IdentityTables>();
    const byAddress = await db
      .selectFrom('email_code')
      .select('created_at')
      .where('email', '=', email)
      .where('created_at', '>', BigInt(now - DAY_MS))
      .orderBy('created_at', 'desc')
      .limit(CODE_RULES.perAddressDay)
      .execute();
    const counted = await db
      .selectNoFrom((of) => [
        of
          .selectFrom('email_code')
          .select((count) => count.fn.countAll<bigint>().as('n'))
          .where('asked_from', '=', origin)
          .where('created_at', '>', BigInt(now - HOUR_MS))
          .as('origin'),
        of
          .selectFrom('email_code')
          .select((count) => count.fn.countAll<bigint>().as('n'))
          .where('created_at', '>', BigInt(now - HOUR_MS))
          .as('everybody'),
      ])
      .executeTakeFirstOrThrow();
    return {
      byAddress: byAddress.map((row) => instant(Number(row.created_at))),
      byOriginLastHour: Number(counted.origin),
      byEverybodyLastHour: Number(counted.everybody),
    };
  }

  /** Inserts a code; the one before it for the same address and purpose is worth nothing from now on. */
  async insert(tx: Tx, code: NewCode): Promise<void> {
    const db = tx.withTables<IdentityTables>();
    await db
      .updateTable('email_code')
      .set({ closed_at: BigInt(code.createdAt) })
      .where('email', '=', code.email)
      .where('purpose', '=', code.purpose)
      .where('closed_at', 'is', null)
      .execute();
    await db
      .insertInto('email_code')
      .values({
        id: code.id,
        email: code.email,
        purpose: code.purpose,
        code_hash: code.hash,
        asked_from: code.askedFrom,
        created_at: BigInt(code.createdAt),
        expires_at: BigInt(code.expiresAt),
        tries: 0,
        closed_at: null,
      })
      .execute();
  }

  /** Uses up one try of the open code, committed at once: a refusal that follows does not give it back. */
  async takeTry(email: string, purpose: Purpose, now: Instant): Promise<OpenCode | undefined> {
    const row = await this.reader
      .updateTable('email_code')
      .set((of) => ({ tries: of('tries', '+', 1) }))
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('closed_at', 'is', null)
      .where('expires_at', '>', BigInt(now))
      .where('tries', '<', CODE_RULES.tries)
      .returning(['id', 'code_hash'])
      .executeTakeFirst();
    return row && { id: row.id, hash: row.code_hash };
  }

  /** Closes a code; true for exactly one caller. */
  async close(tx: Tx, id: string, now: Instant): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .updateTable('email_code')
      .set({ closed_at: BigInt(now) })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  async insertTicket(tx: Tx, ticket: IdentityTables['email_ticket']): Promise<void> {
    await tx.withTables<IdentityTables>().insertInto('email_ticket').values(ticket).execute();
  }

  async hasTicket(tokenHash: Buffer, email: string, purpose: Purpose, now: Instant): Promise<boolean> {
    const row = await this.reader
      .selectFrom('email_ticket')
      .select('id')
      .where('token_hash', '=', tokenHash)
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', BigInt(now))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Uses a ticket up; true for exactly one caller. */
  async takeTicket(tx: Tx, tokenHash: Buffer): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .deleteFrom('email_ticket')
      .where('token_hash', '=', tokenHash)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Removes what no limit counts any more. */
  async removeOld(now: Instant): Promise<void> {
    await this.reader
      .deleteFrom('email_code')
      .where('created_at', '<', BigInt(now - 2 * DAY_MS))
      .execute();
    await this.reader.deleteFrom('email_ticket').where('expires_at', '<', BigInt(now)).execute();
  }
}
