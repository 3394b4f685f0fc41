import type { UserId } from '@exchange/core/ids.ts';
import { DEFAULT_LOCALE } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Store } from '../../platform/database/database.ts';
import type { AccountStatuses } from './account-statuses.ts';
import type { IdentityParts } from './parts.ts';
import { DRAWS, randomNumbers } from './sign-up.ts';

/** Unique account number and invitation code of a new sub-account; main accounts have both too. */
export interface SubAccountNumbers {
  readonly uid: string;
  readonly invitationCode: string;
}

export interface NewSubAccount extends SubAccountNumbers {
  readonly id: UserId;
  readonly master: UserId;
  readonly createdAt: Instant;
}

/**
 * Access to the rows of sub-accounts in the table of accounts. Nobody can sign in to a sub-account; until it is
 * archived, it may do what its main account may.
 */
export interface SubAccountRows {
  /**
   * Returns an account number and an invitation code that no account has; throws if it finds none in `DRAWS` attempts.
   */
  draw(): Promise<SubAccountNumbers>;
  /**
   * Inserts the account of a sub-account in the caller's transaction. Refuses with `l.busy` if another account received
   * the account number or the invitation code meanwhile.
   */
  insert(sql: Store, subAccount: NewSubAccount): Promise<void>;
  /** Freezes the account of an archived sub-account, in the caller's transaction. */
  archive(sql: Store, id: UserId): Promise<void>;
  /**
   * Removes the cached status of a sub-account, so that the next request reads the new one. The caller calls it after
   * the commit of `archive`.
   */
  forget(id: UserId): void;
}

/**
 * Returns the id of the account for which a user acts: the user's own account if `owner` is undefined or the
 * user's id, otherwise the user's sub-account with this id. Refuses any other id.
 */
export async function requireOwner(
  statuses: Pick<AccountStatuses, 'prepare'>,
  user: UserId,
  owner: string | undefined,
): Promise<UserId> {
  if (owner === undefined || owner === user) return user;
  const status = await statuses.prepare(owner as UserId);
  if (status?.master !== user) throw new Refused(refusal('generic', 'l.not_found'));
  return owner as UserId;
}

/** Creates the access to the account rows of sub-accounts. `forget` removes the cached status of an account. */
export function subAccountRows(
  { accounts, random }: Pick<IdentityParts, 'accounts' | 'random'>,
  forget: (id: UserId) => void,
): SubAccountRows {
  return {
    draw: async () => {
      for (let draw = 0; draw < DRAWS; draw += 1) {
        const numbers = randomNumbers(random);
        if (await accounts.areFree(numbers)) return numbers;
      }
      throw new Error(`no free number or invitation code in ${DRAWS} draws`);
    },
    insert: async (sql, { id, master, uid, invitationCode, createdAt }) => {
      const isInserted = await accounts.insert(sql, {
        id,
        uid,
        email: null,
        houseName: null,
        master,
        passwordHash: null,
        invitationCode,
        invitedBy: null,
        locale: DEFAULT_LOCALE,
        createdAt,
      });
      if (!isInserted) throw new Refused(refusal('generic', 'l.busy'));
    },
    archive: (sql, id) => accounts.freezeSubAccount(sql, id),
    forget,
  };
}
