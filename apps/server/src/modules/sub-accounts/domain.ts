import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';

/** A sub-account. It belongs to a main account, and has its own balances, orders and API keys. */
export interface SubAccount {
  readonly id: UserId;
  readonly master: UserId;
  readonly uid: string;
  readonly name: string;
  readonly note: string;
  readonly createdAt: Instant;
  /** When the sub-account was archived; undefined while it can be used. */
  readonly archivedAt: Instant | undefined;
}

/**
 * A transfer of a coin between two accounts of one main account, which are the main account itself or its
 * sub-accounts.
 */
export interface SubAccountTransfer {
  readonly id: string;
  /** The sequence number of the journal step that made the transfer. */
  readonly number: number;
  readonly master: UserId;
  readonly source: UserId;
  readonly destination: UserId;
  readonly asset: AssetCode;
  readonly amount: Decimal;
  /** The key that the caller sent with the transfer; empty if none was sent. */
  readonly clientId: string;
  readonly at: Instant;
}

/**
 * Whether a sub-account that is not archived has this name, ignoring upper and lower case. The sub-account `except` is
 * left out.
 */
export function isNameUsed(
  subAccounts: readonly SubAccount[],
  name: string,
  except: UserId | undefined,
): boolean {
  const wanted = name.toLowerCase();
  return subAccounts.some(
    (subAccount) =>
      subAccount.id !== except &&
      subAccount.archivedAt === undefined &&
      subAccount.name.toLowerCase() === wanted,
  );
}
