import type { Instant } from '@exchange/core/time.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Caller, Session } from '../../platform/http/route.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Account, FactorTx } from './account-repository.ts';
import { writeNotice } from './freezing.ts';
import type { IdentityParts } from './parts.ts';
import type { NoticeName } from './words/shape.ts';

/**
 * Kinds of changes of an authentication factor; each names its security log entry and the mail to
 * the owner.
 */
export type FactorChangeKind = Extract<
  NoticeName,
  | 'passwordChanged'
  | 'passwordReset'
  | 'tradePasswordSet'
  | 'tradePasswordChanged'
  | 'tradePasswordReset'
  | 'authenticatorBound'
  | 'authenticatorRemoved'
  | 'recoveryCodesRenewed'
  | 'emailChanged'
  | 'passkeyAdded'
  | 'passkeyRemoved'
>;

/** A change of an authentication factor, such as the password or the authenticator. */
export interface FactorChange {
  readonly account: Account;
  readonly kind: FactorChangeKind;
  readonly caller: Pick<Caller, 'address' | 'userAgent'>;
  /**
   * The session that made the change and stays open; undefined if the change was confirmed by mail or made by an
   * operator, which ends all sessions.
   */
  readonly keptSession: Session | undefined;
  /** Detail for the security log entry. */
  readonly detail?: string;
  /** Further parameters of the mail to the owner; the time of the change is always included. */
  readonly words?: Readonly<Record<string, string>>;
}

/**
 * Changes an authentication factor. The change, its log entry, the mail to the owner and the end of all other sessions
 * commit in one transaction; sessions and sockets are closed before this function returns. It is the only source of
 * `FactorTx`, which repositories require for factor changes. An error thrown by `apply` rolls everything back.
 */
export async function changeFactor(
  parts: IdentityParts,
  { account, kind, caller, keptSession, detail, words }: FactorChange,
  at: Instant,
  apply: (tx: FactorTx) => Promise<void>,
): Promise<void> {
  const ended = await parts.database.transaction(async (tx: Tx) => {
    await apply(tx as FactorTx);
    const event = { userId: account.id, kind, caller } as const;
    await parts.security.write(tx, detail === undefined ? event : { ...event, detail }, at);
    await writeNotice(parts, tx, account, kind, { ...words, time: timeText(at) });
    return parts.sessions.endAll(tx, account.id, keptSession?.id);
  });
  parts.sessions.forget(ended);
}
