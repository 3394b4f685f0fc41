import type { Purpose } from '../domain/mailed-code.ts';

/** Names of the mails that contain no code, such as the notice about a login from a new device. */
export type NoticeName =
  | 'alreadyRegistered'
  | 'noAccount'
  | 'newDevice'
  | 'newNetwork'
  | 'newDeviceAndNetwork'
  | 'passwordChanged'
  | 'passwordReset'
  | 'passwordResetWithPasskeys'
  | 'tradePasswordSet'
  | 'tradePasswordChanged'
  | 'tradePasswordReset'
  | 'tradePasswordLocked'
  | 'accountFrozen'
  | 'authenticatorBound'
  | 'authenticatorRemoved'
  | 'recoveryCodeUsed'
  | 'recoveryCodesRenewed'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passkeyCounter'
  | 'addressTaken'
  | 'emailChanged'
  | 'emailBound';

/** Keys of the actions that mailed codes confirm; the mail texts have one description per key. */
export type ActionName =
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
  | 'addPasskey'
  | 'removePasskey'
  | 'changeEmail'
  | 'setPhrase'
  | 'createApiKey'
  | 'createWithdrawalKey';

export interface Words {
  readonly subject: string;
  /** Paragraphs of a mail, as plain text. */
  readonly lines: readonly string[];
}

export interface MailWords {
  /** Purpose of the code for the mail, by kind; it completes the sentence “Your code for …”. */
  readonly purposes: Readonly<Record<Purpose, string>>;
  readonly code: Words;
  readonly notices: Readonly<Record<NoticeName, Words>>;
  /** Line of a mail with the owner's anti-phishing phrase in place of `{{words}}`. */
  readonly phishing: string;
  /** Paragraph of a mail with the link that freezes the account in place of `{{link}}`. */
  readonly freeze: string;
  /**
   * Descriptions of single requests that a code confirms, for the mail; each completes the sentence “Your code for …”.
   */
  readonly actions: Readonly<Record<ActionName, string>>;
  readonly closing: readonly string[];
}
