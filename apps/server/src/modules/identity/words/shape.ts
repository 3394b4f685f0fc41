import type { Purpose } from '../domain/mailed-code.ts';

/** What is mailed besides codes. */
export type NoticeName =
  | 'alreadyRegistered'
  | 'noAccount'
  | 'newDevice'
  | 'newNetwork'
  | 'newDeviceAndNetwork'
  | 'passwordChanged'
  | 'passwordReset'
  | 'tradePasswordSet'
  | 'tradePasswordChanged'
  | 'tradePasswordReset'
  | 'tradePasswordLocked'
  | 'accountFrozen'
  | 'authenticatorBound'
  | 'authenticatorRemoved'
  | 'recoveryCodeUsed'
  | 'recoveryCodesRenewed'
  | 'addressTaken'
  | 'emailChanged'
  | 'emailBound';

/** What a mailed code confirms. */
export type ActName =
  | 'withdrawal'
  | 'addAddress'
  | 'removeAddress'
  | 'removeNamedAddress'
  | 'whitelistOn'
  | 'whitelistOff'
  | 'changePassword'
  | 'setTradePassword'
  | 'resetTradePassword'
  | 'bindAuthenticator'
  | 'removeAuthenticator'
  | 'renewRecovery'
  | 'changeEmail'
  | 'setPhrase';

export interface Words {
  readonly subject: string;
  /** Plain text, one paragraph per line. */
  readonly lines: readonly string[];
}

export interface MailWords {
  /** What each code is asked for, as it ends the sentence “Your code for …”. */
  readonly purposes: Readonly<Record<Purpose, string>>;
  readonly code: Words;
  readonly notices: Readonly<Record<NoticeName, Words>>;
  /** Before the words that an owner has chosen to know our mails by. */
  readonly phishing: string;
  /** Before the link that freezes the account. */
  readonly freeze: string;
  /** What the code of one call is for, as `purposes`. */
  readonly acts: Readonly<Record<ActName, string>>;
  readonly closing: readonly string[];
}
