import type { UserInfo } from './queries.ts';

const SENTENCES = {
  '': 'holdUntil',
  passwordChanged: 'holdPasswordChanged',
  passwordReset: 'holdPasswordReset',
  tradePasswordChanged: 'holdTradePasswordChanged',
  tradePasswordReset: 'holdTradePasswordReset',
} as const satisfies Readonly<Record<UserInfo['holdReason'], string>>;

/** The sentence, of the words for settings, that says until when withdrawals are held and why. */
export function holdSentence({ holdReason }: Pick<UserInfo, 'holdReason'>) {
  return SENTENCES[holdReason];
}
