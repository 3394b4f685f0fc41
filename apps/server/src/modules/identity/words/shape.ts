import type { Purpose } from '../domain/mailed-code.ts';

/** What is mailed besides codes. */
export type NoticeName =
  | 'alreadyRegistered'
  | 'noAccount'
  | 'newDevice'
  | 'passwordChanged'
  | 'passwordReset'
  | 'tradePasswordSet'
  | 'tradePasswordChanged'
  | 'tradePasswordReset'
  | 'tradePasswordLocked';

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
  readonly closing: readonly string[];
}
