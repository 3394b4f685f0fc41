import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import type { Kysely } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import { rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { IdentityTables } from './tables.ts';

export const SIGN_IN_KINDS = ['registered', 'signedIn', 'signInFailed'] as const;

export type SecurityEventKind =
  | (typeof SIGN_IN_KINDS)[number]
  | 'signedOut'
  | 'sessionRevoked'
  | 'passwordChanged'
  | 'passwordReset'
  | 'tradePasswordSet'
  | 'tradePasswordChanged'
  | 'tradePasswordReset'
  | 'tradePasswordLocked'
  | 'restricted'
  | 'authenticatorBound'
  | 'authenticatorRemoved'
  | 'recoveryCodeUsed'
  | 'recoveryCodesRenewed'
  | 'emailChanged'
  | 'antiPhishingSet'
  | 'frozenByOwner';

export interface SignInRecord {
  readonly id: string;
  readonly kind: string;
  readonly device: string;
  readonly address: string;
  readonly at: Instant;
}

export interface SecurityRow {
  readonly id: string;
  readonly userId: UserId | undefined;
  readonly kind: SecurityEventKind;
  readonly device: string;
  readonly address: string;
  readonly detail: string;
  readonly at: Instant;
}

const NOBODYS_KEPT_MS = 30 * DAY_MS;

/** The rows of what happened to accounts. */
export class SecurityRepository {
  private readonly reader: Kysely<IdentityTables>;

  constructor(reader: Kysely<unknown>) {
    this.reader = reader.withTables<IdentityTables>();
  }

  async insert(tx: Tx, { userId, at, ...row }: SecurityRow): Promise<void> {
    await tx
      .withTables<IdentityTables>()
      .insertInto('security_event')
      .values({ ...row, user_id: userId ?? null, at: BigInt(at) })
      .execute();
  }

  /** A page of the user's sign-ins and failed tries, newest first, and the count of all. */
  async signIns(
    userId: UserId,
    page: { readonly pageNo: number; readonly pageSize: number },
  ): Promise<{ list: readonly SignInRecord[]; count: number }> {
    const { limit, offset } = rowsOfPage(page);
    const mine = this.reader
      .selectFrom('security_event')
      .where('user_id', '=', userId)
      .where('kind', 'in', SIGN_IN_KINDS);
    const rows = await mine
      .select(['id', 'kind', 'device', 'address', 'at'])
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const { n } = await mine.select((of) => of.fn.countAll<bigint>().as('n')).executeTakeFirstOrThrow();
    return {
      list: rows.map(({ at, ...row }) => ({ ...row, at: instant(Number(at)) })),
      count: Number(n),
    };
  }

  async removeOld(now: Instant): Promise<void> {
    await this.reader
      .deleteFrom('security_event')
      .where('user_id', 'is', null)
      .where('at', '<', BigInt(now - NOBODYS_KEPT_MS))
      .execute();
  }
}
