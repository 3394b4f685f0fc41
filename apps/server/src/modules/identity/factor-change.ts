import type { Instant } from '@exchange/core/time.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Caller, Session } from '../../platform/http/route.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Account, FactorTx } from './account-repository.ts';
import { writeNotice } from './freezing.ts';
import type { IdentityParts } from './parts.ts';
import type { NoticeName } from './words/shape.ts';

/** The changes of a factor: each is a line of the security log and, under the same name, a mail to the owner. */
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
>;

/** Who changes a factor of which account. */
export interface FactorChange {
  readonly account: Account;
  readonly kind: FactorChangeKind;
  readonly caller: Caller;
  /** The session that made the change and stays; undefined where it was made by mail, which ends all. */
  readonly keptSession: Session | undefined;
  /** Stored with the line of the security log. */
  readonly detail?: string;
}

/**
 * Changes something that proves who the owner is. The change, its log line, the mail to the owner and the end of all
 * other sessions are one transaction; those sessions and their sockets are closed before this returns. It is the only
 * source of a `FactorTx`, without which no repository changes a factor.
 * Whatever `apply` throws undoes everything.
 */
export async function changeFactor(
  parts: IdentityParts,
  { account, kind, caller, keptSession, detail }: FactorChange,
  at: Instant,
  apply: (tx: FactorTx) => Promise<void>,
): Promise<void> {
  const ended = await parts.database.transaction(async (tx: Tx) => {
    await apply(tx as FactorTx);
    const event = { userId: account.id, kind, caller } as const;
    await parts.security.write(tx, detail === undefined ? event : { ...event, detail }, at);
    await writeNotice(parts, tx, account, kind, { time: timeText(at) });
    return parts.sessions.endAll(tx, account.id, keptSession?.id);
  });
  parts.sessions.forget(ended);
}
