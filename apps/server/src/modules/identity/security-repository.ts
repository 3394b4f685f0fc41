import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import type { SignInMethod } from '@exchange/core/passkeys.ts';
import type { Kysely } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import {
  type AskedPage,
  ListOrder,
  type ListPage,
  mapPage,
  readPage,
  rowsOfPage,
} from '../../platform/database/paged-rows.ts';
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
  | 'passkeyAdded'
  | 'passkeyCounter'
  | 'passkeyRemoved'
  | 'antiPhishingSet'
  | 'frozenByOwner'
  | 'apiKeyCreated'
  | 'apiKeyRevoked';

export interface SignInRecord {
  readonly id: string;
  readonly kind: string;
  readonly method: SignInMethod;
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

/** Detail in the security log for a login, or a failed attempt, with a passkey. */
export const PASSKEY_DETAIL = JSON.stringify({ method: 'passkey' });

const NOBODYS_KEPT_MS = 30 * DAY_MS;

const NEWEST = new ListOrder([
  { name: 'at', type: 'bigint' },
  { name: 'id', type: 'uuid' },
]);

export class SecurityRepository {
  private readonly store: Kysely<IdentityTables>;

  constructor(store: Kysely<unknown>) {
    this.store = store.withTables<IdentityTables>();
  }

  async insert(tx: Tx, { userId, at, ...row }: SecurityRow): Promise<void> {
    await tx
      .withTables<IdentityTables>()
      .insertInto('security_event')
      .values({ ...row, user_id: userId ?? null, at: BigInt(at) })
      .execute();
  }

  /**
   * A page of the user's registration, logins and failed attempts, newest first; with `address`, only those from this
   * IP address.
   */
  async signIns(
    userId: UserId,
    page: AskedPage,
    address: string | undefined,
  ): Promise<ListPage<SignInRecord>> {
    let signIns = this.store
      .selectFrom('security_event')
      .where('user_id', '=', userId)
      .where('kind', 'in', SIGN_IN_KINDS)
      .select(['id', 'kind', 'device', 'address', 'detail', 'at']);
    if (address !== undefined) signIns = signIns.where('address', '=', address);
    const rows = await readPage(this.store, signIns, NEWEST, rowsOfPage(page));
    return mapPage(rows, (row) => ({
      id: row.id,
      kind: row.kind,
      method: row.detail === PASSKEY_DETAIL ? 'passkey' : 'password',
      device: row.device,
      address: row.address,
      at: instant(Number(row.at)),
    }));
  }

  async removeOld(now: Instant): Promise<void> {
    await this.store
      .deleteFrom('security_event')
      .where('user_id', 'is', null)
      .where('at', '<', BigInt(now - NOBODYS_KEPT_MS))
      .execute();
  }
}
