import type { UserId } from '@exchange/core/ids.ts';
import { KYC_STATUS } from '@exchange/core/kyc.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { localeOf, type Locale } from '@exchange/core/locale.ts';
import { sql, type Kysely, type Selectable, type Updateable } from 'kysely';
import { createdWithin } from '../../platform/database/created-within.ts';
import type { Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { HoldReason, AccountStatus } from './domain/account-status.ts';
import type { IdentityTables } from './tables.ts';

/** A user account as stored. */
export interface Account {
  readonly id: UserId;
  /** The main account to which this sub-account belongs; undefined for other accounts. */
  readonly master: UserId | undefined;
  /** Short public number of the account. */
  readonly uid: string;
  /** Email address; empty for system accounts and sub-accounts. */
  readonly email: string;
  readonly nickname: string;
  readonly passwordHash: string | null;
  readonly tradePasswordHash: string | null;
  readonly invitationCode: string;
  readonly mayPurchase: boolean;
  readonly frozen: boolean;
  readonly kycStatus: number;
  /** Masked name and document number of the submitted identity, as shown to the user. */
  readonly nameMasked: string;
  readonly documentMasked: string;
  readonly holdUntil: Instant;
  /** Reason of the current or latest withdrawal hold; empty if there was none. */
  readonly holdReason: HoldReason | '';
  readonly locale: Locale;
  readonly createdAt: Instant;
  readonly authenticator: Authenticator | undefined;
  /** Anti-phishing phrase included in every mail to the user; empty if not set. */
  readonly antiPhishing: string;
  readonly remark: string;
  /** File id of the profile picture; empty if not set. */
  readonly icon: string;
}

/** The TOTP authenticator of an account, as stored. */
export interface Authenticator {
  readonly key: Buffer;
  /**
   * Time step of the last accepted code of the authenticator. `claimedFor` identifies the request
   * that used it.
   */
  readonly step: number;
  readonly claimedFor: Buffer | null;
}

/** The property of an account that decides whether it can receive messages. */
export interface Addressee {
  /** Whether the account is a system account or a sub-account, which receive no messages. */
  readonly isSystemUser: boolean;
}

export interface NewAccount {
  readonly id: UserId;
  readonly uid: string;
  readonly email: string | null;
  readonly houseName: string | null;
  /** The main account of a sub-account; undefined for other accounts. */
  readonly master?: UserId | undefined;
  readonly passwordHash: string | null;
  /**
   * Hash of the trade password, for accounts that are created with a trade password, such as the demo trader; otherwise
   * undefined.
   */
  readonly tradePasswordHash?: string | undefined;
  readonly invitationCode: string;
  readonly invitedBy: UserId | null;
  readonly locale: Locale;
  readonly createdAt: Instant;
}

/**
 * Values of a new account's columns for the authenticator, the anti-phishing phrase, the remark and the picture: all
 * unset.
 */
const UNPROTECTED = {
  totp_key: null,
  totp_new_key: null,
  totp_bound_at: 0n,
  totp_step: 0n,
  totp_claimed_for: null,
  anti_phishing: '',
  remark: '',
  icon: null,
} as const;

/** Columns of `user_account` that authenticate its owner. */
type FactorColumn = 'email' | 'password_hash' | 'trade_password_hash' | 'totp_key';
type Change = Updateable<Omit<IdentityTables['user_account'], FactorColumn>>;
type FactorChange = Updateable<IdentityTables['user_account']>;

declare const ENDS_SESSIONS: unique symbol;

/**
 * A transaction that also ends the account's other sessions before the call is answered. Only
 * `changeFactor` creates it.
 */
export type FactorTx = Tx & { readonly [ENDS_SESSIONS]: true };

/** Access to the `user_account` table. */
export class AccountRepository {
  private readonly reader: Kysely<IdentityTables>;

  constructor(reader: Kysely<unknown>) {
    this.reader = reader.withTables<IdentityTables>();
  }

  async byId(id: UserId): Promise<Account | undefined> {
    const row = await this.reader
      .selectFrom('user_account')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && accountOf(row);
  }

  async byEmail(email: string): Promise<Account | undefined> {
    const row = await this.reader
      .selectFrom('user_account')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirst();
    return row && accountOf(row);
  }

  async byUid(uid: string): Promise<Account | undefined> {
    const row = await this.reader
      .selectFrom('user_account')
      .selectAll()
      .where('uid', '=', uid)
      .executeTakeFirst();
    return row && accountOf(row);
  }

  async byHouseName(name: string): Promise<Account | undefined> {
    const row = await this.reader
      .selectFrom('user_account')
      .selectAll()
      .where('house_name', '=', name)
      .executeTakeFirst();
    return row && accountOf(row);
  }

  /** Ids of all system accounts. */
  async systemUserIds(): Promise<UserId[]> {
    const rows = await this.reader
      .selectFrom('user_account')
      .select('id')
      .where('house_name', 'is not', null)
      .execute();
    return rows.map(({ id }) => id as UserId);
  }

  /** Number of people whose accounts were created in a period, without accounts of the house and sub-accounts. */
  async registrationsIn(from: Instant, until: Instant): Promise<number> {
    const { count } = await this.reader
      .selectFrom('user_account')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where(createdWithin({ from, to: until }))
      .where('house_name', 'is', null)
      .where('master_id', 'is', null)
      .executeTakeFirstOrThrow();
    return wholeNumber(count);
  }

  /** Message recipients by user id, read in the caller's transaction if there is one; unknown ids are omitted. */
  async addressees(ids: readonly UserId[], tx?: Tx): Promise<Map<UserId, Addressee>> {
    if (ids.length === 0) return new Map();
    const rows = await (tx?.withTables<IdentityTables>() ?? this.reader)
      .selectFrom('user_account')
      .select(['id', 'house_name', 'master_id'])
      .where('id', 'in', ids)
      .execute();
    return new Map(
      rows.map((row) => [
        row.id as UserId,
        { isSystemUser: row.house_name !== null || row.master_id !== null },
      ]),
    );
  }

  /** The ids of an account and its sub-accounts, archived ones included. */
  async groupIds(master: UserId): Promise<UserId[]> {
    const rows = await this.reader
      .selectFrom('user_account')
      .select('id')
      .where((where) => where.or([where('id', '=', master), where('master_id', '=', master)]))
      .execute();
    return rows.map(({ id }) => id as UserId);
  }

  /** Whether no account has this account number or this invitation code. */
  async areFree({ uid, invitationCode }: Pick<NewAccount, 'uid' | 'invitationCode'>): Promise<boolean> {
    const row = await this.reader
      .selectFrom('user_account')
      .select('id')
      .where((where) => where.or([where('uid', '=', uid), where('invitation_code', '=', invitationCode)]))
      .executeTakeFirst();
    return row === undefined;
  }

  async idByInvitationCode(code: string): Promise<UserId | undefined> {
    const row = await this.reader
      .selectFrom('user_account')
      .select('id')
      .where('invitation_code', '=', code)
      .executeTakeFirst();
    return row && (row.id as UserId);
  }

  /**
   * Inserts a user. Returns false if the email address, name of a system account, account number or
   * invitation code is taken.
   */
  async insert(tx: Kysely<unknown>, account: NewAccount): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .insertInto('user_account')
      .values({
        id: account.id,
        uid: account.uid,
        email: account.email,
        house_name: account.houseName,
        master_id: account.master ?? null,
        nickname: '',
        password_hash: account.passwordHash,
        trade_password_hash: account.tradePasswordHash ?? null,
        trade_password_failures: 0,
        trade_password_locked_until: 0n,
        invitation_code: account.invitationCode,
        invited_by: account.invitedBy,
        may_purchase: true,
        frozen: false,
        kyc_status: 0,
        name_masked: '',
        document_masked: '',
        hold_until: 0n,
        hold_reason: '',
        locale: account.locale,
        ...UNPROTECTED,
        created_at: BigInt(account.createdAt),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Freezes a sub-account; other accounts stay unchanged. */
  async freezeSubAccount(tx: Kysely<unknown>, id: UserId): Promise<void> {
    await tx
      .withTables<IdentityTables>()
      .updateTable('user_account')
      .set({ frozen: true })
      .where('id', '=', id)
      .where('master_id', 'is not', null)
      .execute();
  }

  /** Changes account columns that do not authenticate the owner. */
  change(tx: Tx, id: UserId, change: Change): Promise<void> {
    return this.update(tx, id, change);
  }

  /** Converts a system account, which cannot sign in, into a personal account with this email address. */
  async becomePerson(tx: Tx, id: UserId, email: string): Promise<void> {
    await tx
      .withTables<IdentityTables>()
      .updateTable('user_account')
      .set({ email, house_name: null })
      .where('id', '=', id)
      .where('house_name', 'is not', null)
      .execute();
  }

  /** Changes account columns that authenticate the owner. */
  changeFactors(tx: FactorTx, id: UserId, change: FactorChange): Promise<void> {
    return this.update(tx, id, change);
  }

  private async update(tx: Tx, id: UserId, change: FactorChange): Promise<void> {
    await tx
      .withTables<IdentityTables>()
      .updateTable('user_account')
      .set(change)
      .where('id', '=', id)
      .execute();
  }

  /**
   * Whether password, email address and authenticator are still those that the sign-in was checked with, and the
   * account is not frozen. If so, the row is share-locked until the transaction ends, so a concurrent factor change
   * or freeze either precedes it or ends the new session.
   */
  async isUnchanged(tx: Tx, account: Account): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .selectFrom('user_account')
      .select('id')
      .where('id', '=', account.id)
      .where('password_hash', '=', account.passwordHash)
      .where('email', '=', account.email)
      .where(sql<boolean>`totp_key is not distinct from ${account.authenticator?.key ?? null}::bytea`)
      .where('frozen', '=', false)
      .forShare()
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Counts one attempt at the trade password before the password is checked, so that parallel attempts count too.
   * Returns the stored hash and the number of attempts used; undefined if the account is locked or has no trade
   * password.
   */
  async countTradePasswordTry(
    id: UserId,
    limit: number,
    lockedUntil: Instant,
    now: Instant,
  ): Promise<{ hash: string | null; used: number } | undefined> {
    const row = await this.reader
      .updateTable('user_account')
      .set({
        // After an expired lock, the count of wrong trade passwords restarts at 1.
        trade_password_failures: sql<number>`case when trade_password_failures >= ${limit}::integer
          then 1 else trade_password_failures + 1 end`,
        trade_password_locked_until: sql<bigint>`case when trade_password_failures = ${limit}::integer - 1
          then ${BigInt(lockedUntil)}::bigint else 0 end`,
      })
      .where('id', '=', id)
      .where('trade_password_locked_until', '<=', BigInt(now))
      .where('trade_password_hash', 'is not', null)
      .returning(['trade_password_hash', 'trade_password_failures'])
      .executeTakeFirst();
    return row && { hash: row.trade_password_hash, used: row.trade_password_failures };
  }

  /**
   * Users whose status changed in transactions that `since` did not include, and the new snapshot position. Without
   * `since` no users are returned. May report a user twice but never misses one, because open transactions count as not
   * included.
   */
  async statusesChanged(since: string | undefined): Promise<{ changed: UserId[]; seen: string }> {
    const { rows } = await sql<{ seen: string; id: UserId | null }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as seen, user_account.id
      from (select) as always left join user_account
        on standing_changed_by >= ${since ?? null}::text::xid8`.execute(this.reader);
    return { changed: rows.flatMap(({ id }) => (id === null ? [] : [id])), seen: rows[0]!.seen };
  }

  /** Resets the count of wrong trade passwords and ends the lock. */
  async clearTradePasswordTries(id: UserId): Promise<void> {
    await this.reader
      .updateTable('user_account')
      .set({ trade_password_failures: 0, trade_password_locked_until: 0n })
      .where('id', '=', id)
      .execute();
  }
}

/**
 * Permissions of the account, as other modules see them. Those of a sub-account are its master's; the sub-account
 * itself is frozen when it is archived.
 */
export function accountStatusOf(account: Account, master: Account | undefined): AccountStatus {
  const person = master ?? account;
  const frozen = account.frozen || person.frozen;
  return {
    frozen,
    purchase: person.mayPurchase && !frozen,
    verified: person.kycStatus === KYC_STATUS.verified,
    master: account.master,
  };
}

function accountOf(row: Selectable<IdentityTables['user_account']>): Account {
  return {
    id: row.id as UserId,
    master: (row.master_id as UserId | null) ?? undefined,
    uid: row.uid,
    email: row.email ?? '',
    nickname: row.nickname,
    passwordHash: row.password_hash,
    tradePasswordHash: row.trade_password_hash,
    invitationCode: row.invitation_code,
    mayPurchase: row.may_purchase,
    frozen: row.frozen,
    kycStatus: row.kyc_status,
    nameMasked: row.name_masked,
    documentMasked: row.document_masked,
    holdUntil: instant(Number(row.hold_until)),
    holdReason: row.hold_reason as HoldReason | '',
    locale: localeOf(row.locale),
    createdAt: instant(Number(row.created_at)),
    authenticator:
      row.totp_key === null
        ? undefined
        : { key: row.totp_key, step: Number(row.totp_step), claimedFor: row.totp_claimed_for },
    antiPhishing: row.anti_phishing,
    remark: row.remark,
    icon: row.icon ?? '',
  };
}
