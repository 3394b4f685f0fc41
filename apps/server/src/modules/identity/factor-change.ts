import type { Instant } from '@exchange/core/time.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Caller, Session } from '../../platform/http/route.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Account, FactorTx } from './account-repository.ts';
import { writeNotice } from './freezing.ts';
import type { IdentityParts } from './parts.ts';
import type { NoticeName } from './words/shape.ts';

/**
 * Kinds of changes of a means of authentication; each kind determines the entry in the security log and, unless
 * `notice` names another one, the mail to the owner.
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

/** A change of one of an account's means of authentication, such as the password or the authenticator. */
export interface FactorChange {
  readonly account: Account;
  readonly kind: FactorChangeKind;
  readonly caller: Pick<Caller, 'address' | 'userAgent'>;
  /**
   * The session that made the change and stays open; undefined if the change was confirmed by mail or made by an
   * operator, in which case all sessions are ended.
   */
  readonly keptSession: Session | undefined;
  /**
   * JSON that the entry in the security log contains, such as the id and the name of an added passkey; by
   * default the entry contains none.
   */
  readonly detail?: string;
  /** The mail to the owner; by default the one that is named as `kind`. */
  readonly notice?: NoticeName;
  /** Further parameters of the mail to the owner, in addition to the time of the change. */
  readonly words?: Readonly<Record<string, string>>;
}

/**
 * Changes a means of authentication. One transaction commits the change, its entry in the security log, the mail to the
 * owner and the end of all other sessions; this process closes the sessions and their WebSocket connections before the
 * function returns. Only this function creates a `FactorTx`, which the repositories require for such changes. An error
 * thrown by `apply` rolls everything back.
 */
export async function changeFactor(
  parts: IdentityParts,
  { account, kind, caller, keptSession, detail, notice = kind, words }: FactorChange,
  at: Instant,
  apply: (tx: FactorTx) => Promise<void>,
): Promise<void> {
  const ended = await parts.database.transaction(async (tx: Tx) => {
    // The notice is written first, because its anti-phishing phrase is found by the address that the change may replace.
    await writeNotice(parts, tx, account, notice, { ...words, time: timeText(at) });
    await apply(tx as FactorTx);
    const event = { userId: account.id, kind, caller } as const;
    await parts.security.write(tx, detail === undefined ? event : { ...event, detail }, at);
    return parts.sessions.endAll(tx, account.id, keptSession?.id);
  });
  parts.sessions.forget(ended);
}
