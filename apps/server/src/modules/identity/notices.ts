import type { Tx } from '../../platform/database/database.ts';
import type { Account } from './account-repository.ts';
import { freezeLink } from './freezing.ts';
import type { IdentityParts } from './parts.ts';
import { noticeMessage } from './words/mails.ts';
import type { NoticeName } from './words/shape.ts';

/** Mails an owner what happened to the account, with the link that freezes it. */
export async function writeNotice(
  parts: IdentityParts,
  tx: Tx,
  account: Account,
  name: NoticeName,
  parameters: Readonly<Record<string, string>> = {},
): Promise<void> {
  const message = noticeMessage(account.locale, name, parameters, freezeLink(parts, account.id));
  await parts.mail.write(tx, { to: account.email, purpose: `notice.${name}`, ...message });
}
