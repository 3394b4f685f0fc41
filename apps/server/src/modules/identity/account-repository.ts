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

/** A user account as it is stored in the database. */
export interface Account {
  readonly id: UserId;
  /** Id of the main account of a sub-account; undefined for an account that is not a sub-account. */
  readonly master: UserId | undefined;
  /** Short public number of the account (UID). */
  readonly uid: string;
  /** Email address of the account; empty for system accounts and sub-accounts. */
  readonly email: string;
  readonly nickname: string;
  readonly passwordHash: string | null;
  readonly tradePasswordHash: string | null;
  readonly invitationCode: string;
  readonly mayPurchase: boolean;
  readonly frozen: boolean;
  readonly kycStatus: number;
  /**
   * Masked name and masked document number of the identity that the user submitted, as the user sees them; empty if
   * none was submitted.
   */
  readonly nameMasked: string;
  readonly documentMasked: string;
  readonly holdUntil: Instant;
  /**
   * Reason of the current withdrawal hold, or of the latest one if that expired; empty if there never was one or an
   * operator ended it.
   */
  readonly holdReason: HoldReason | '';
  readonly locale: Locale;
  readonly createdAt: Instant;
  readonly authenticator: Authenticator | undefined;
  /**
   * Phrase that every mail to the account's current email address contains, so that the user can recognize mails of the
   * exchange; empty if not set.
   */
  readonly antiPhishing: string;
  readonly remark: string;
  /** File id of the profile picture; empty if there is none. */
  readonly icon: string;
}

/** The TOTP authenticator of an account, with its key in encrypted form, as it is stored. */
export interface Authenticator {
  readonly key: Buffer;
  /**
   * Number of the 30-second time step of the last accepted code of the authenticator. `claimedFor` identifies the
   * request that used the code; null if that request may not be repeated with it.
   */
  readonly step: number;
  readonly claimedFor: Buffer | null;
}

/** Whether an account receives inbox messages. */
export interface Addressee {
  /** True for a system account and for a sub-account, which receive no inbox messages. */
  readonly isSystemUser: boolean;
}

export interface NewAccount {
  readonly id: UserId;
  readonly uid: string;
  readonly email: string | null;
  readonly houseName: string | null;
  /** Id of the main account of a sub-account; undefined for an account that is not a sub-account. */
  readonly master?: UserId | undefined;
  readonly passwordHash: string | null;
  /**
   * Hash of the trade password, for accounts that have a trade password from the start, such as that of the demo
   * trader; otherwise undefined.
   */
  readonly tradePasswordHash?: string | undefined;
  readonly invitationCode: string;
  readonly invitedBy: UserId | null;
  readonly locale: Locale;
  readonly createdAt: Instant;
}

/** Initial values of a new account's columns: authenticator, anti-phishing phrase, remark and picture are not set. */
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

/** Columns of `user_account` whose values authenticate the owner. */
type FactorColumn = 'email' | 'password_hash' | 'trade_password_hash' | 'totp_key';
type Change = Updateable<Omit<IdentityTables['user_account'], FactorColumn>>;
type FactorChange = Updateable<IdentityTables['user_account']>;

declare const ENDS_SESSIONS: unique symbol;

/**
 * A transaction that changes a means of authentication. It also ends the account's sessions, except the one that made
 * the change, if any. Only `changeFactor` creates such a transaction.
 */
export type FactorTx = Tx & { readonly [ENDS_SESSIONS]: true };

/** Reads and writes the table `user_account`. */
export class AccountRepository {
  private readonly store: Kysely<IdentityTables>;

  constructor(store: Kysely<unknown>) {
    this.store = store.withTables<IdentityTables>();
  }

  async byId(id: UserId): Promise<Account | undefined> {
    const row = await this.store
      .selectFrom('user_account')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && accountOf(row);
  }

  async byEmail(email: string): Promise<Account | undefined> {
    const row = await this.store
      .selectFrom('user_account')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirst();
    return row && accountOf(row);
  }

  async byUid(uid: string): Promise<Account | undefined> {
    const row = await this.store
      .selectFrom('user_account')
      .selectAll()
      .where('uid', '=', uid)
      .executeTakeFirst();
    return row && accountOf(row);
  }

  async byHouseName(name: string): Promise<Account | undefined> {
    const row = await this.store
      .selectFrom('user_account')
      .selectAll()
      .where('house_name', '=', name)
      .executeTakeFirst();
    return row && accountOf(row);
  }

  /** Ids of all system accounts, with which the exchange itself acts. */
  async systemUserIds(): Promise<UserId[]> {
    const rows = await this.store
      .selectFrom('user_account')
      .select('id')
      .where('house_name', 'is not', null)
      .execute();
    return rows.map(({ id }) => id as UserId);
  }

  /**
   * Number of accounts that were created at the times `from` to `until`, both included. System accounts and
   * sub-accounts are not counted, the demo's users are.
   */
  async registrationsIn(from: Instant, until: Instant): Promise<number> {
    const { count } = await this.store
      .selectFrom('user_account')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where(createdWithin({ from, to: until }))
      .where('house_name', 'is', null)
      .where('master_id', 'is', null)
      .executeTakeFirstOrThrow();
    return wholeNumber(count);
  }

  /**
   * For each of the given users, by user id, whether it is a system account or a sub-account, which receive
   * no inbox messages; read in the caller's transaction if there is one; unknown ids are left out.
   */
  async addressees(ids: readonly UserId[], tx?: Tx): Promise<Map<UserId, Addressee>> {
    if (ids.length === 0) return new Map();
    const rows = await (tx?.withTables<IdentityTables>() ?? this.store)
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

  /** The ids of a main account and its sub-accounts, including archived ones. */
  async groupIds(master: UserId): Promise<UserId[]> {
    const rows = await this.store
      .selectFrom('user_account')
      .select('id')
      .where((where) => where.or([where('id', '=', master), where('master_id', '=', master)]))
      .execute();
    return rows.map(({ id }) => id as UserId);
  }

  /** True if no account has this account number and none has this invitation code. */
  async areFree({ uid, invitationCode }: Pick<NewAccount, 'uid' | 'invitationCode'>): Promise<boolean> {
    const row = await this.store
      .selectFrom('user_account')
      .select('id')
      .where((where) => where.or([where('uid', '=', uid), where('invitation_code', '=', invitationCode)]))
      .executeTakeFirst();
    return row === undefined;
  }

  async idByInvitationCode(code: string): Promise<UserId | undefined> {
    const row = await this.store
      .selectFrom('user_account')
      .select('id')
      .where('invitation_code', '=', code)
      .executeTakeFirst();
    return row && (row.id as UserId);
  }

  /**
   * Inserts an account and returns true. Returns false if another account has the email address, the name of the system
   * account, the account number or the invitation code.
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

  /** Freezes the account with this id if it is a sub-account; otherwise does nothing. */
  async freezeSubAccount(tx: Kysely<unknown>, id: UserId): Promise<void> {
    await tx
      .withTables<IdentityTables>()
      .updateTable('user_account')
      .set({ frozen: true })
      .where('id', '=', id)
      .where('master_id', 'is not', null)
      .execute();
  }

  /** Changes columns of an account that do not authenticate the owner. */
  change(tx: Tx, id: UserId, change: Change): Promise<void> {
    return this.update(tx, id, change);
  }

  /**
   * Converts a system account, which nobody can sign in to, into a personal account with this email address. Does
   * nothing to any other account.
   */
  async becomePerson(tx: Tx, id: UserId, email: string): Promise<void> {
    await tx
      .withTables<IdentityTables>()
      .updateTable('user_account')
      .set({ email, house_name: null })
      .where('id', '=', id)
      .where('house_name', 'is not', null)
      .execute();
  }

  /** Changes columns of an account, including those that authenticate the owner. */
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
   * True if the account is not frozen and its password, email address and authenticator are still those with which the
   * login was checked. The row is then share-locked until the transaction ends, so that a concurrent change or freeze
   * either comes before the check or ends the new session.
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
   * Counts one attempt at the trade password before the password is checked, so that concurrent attempts
   * count too. The attempt number `limit` also locks the trade password until `lockedUntil`. Returns the
   * stored hash and the number of attempts since the last correct one or the last expired lock, including
   * this one; undefined if the trade password is locked or not set.
   */
  async countTradePasswordTry(
    id: UserId,
    limit: number,
    lockedUntil: Instant,
    now: Instant,
  ): Promise<{ hash: string | null; used: number } | undefined> {
    const row = await this.store
      .updateTable('user_account')
      .set({
        // After a lock has expired, the number of wrong trade passwords restarts at 1.
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
   * The ids of the users whose status was changed by transactions that the snapshot `since` did not include,
   * and the text for `since` at the next call (`seen`). If `since` is undefined, no ids are returned. An id
   * may be returned twice but is never missed, because transactions that were open count as not included.
   */
  async statusesChanged(since: string | undefined): Promise<{ changed: UserId[]; seen: string }> {
    const { rows } = await sql<{ seen: string; id: UserId | null }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as seen, user_account.id
      from (select) as always left join user_account
        on standing_changed_by >= ${since ?? null}::text::xid8`.execute(this.store);
    return { changed: rows.flatMap(({ id }) => (id === null ? [] : [id])), seen: rows[0]!.seen };
  }

  /** Sets the number of wrong trade passwords to zero and ends the lock of the trade password. */
  async clearTradePasswordTries(id: UserId): Promise<void> {
    await this.store
      .updateTable('user_account')
      .set({ trade_password_failures: 0, trade_password_locked_until: 0n })
      .where('id', '=', id)
      .execute();
  }
}

/**
 * What the account may do, as other modules see it. A sub-account may do what its main account may; an archived
 * sub-account counts as frozen.
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
