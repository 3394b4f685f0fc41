import { type Locale, localeOf } from '@exchange/core/locale.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { IdentityTables } from './tables.ts';
import { phishingLine } from './words/mails.ts';
import type { UserId } from '@exchange/core/ids.ts';

export interface MailReader {
  readonly email: string;
  readonly locale: Locale;
}

/**
 * Email addresses and languages of these users; system accounts and sub-accounts, which have no email address, are left
 * out.
 */
export async function mailReaders(
  tx: Tx,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, MailReader>> {
  const rows = await tx
    .withTables<IdentityTables>()
    .selectFrom('user_account')
    .select(['id', 'email', 'locale'])
    .where('id', 'in', users)
    .execute();
  return new Map(
    rows.flatMap(({ id, email, locale }) =>
      email === null ? [] : [[id as UserId, { email, locale: localeOf(locale) }] as const],
    ),
  );
}

/**
 * The line at the top of every mail to an address, with the owner's anti-phishing phrase; undefined if the owner set
 * none or no account has the address.
 */
export async function mailOpening(tx: Tx, to: string): Promise<string | undefined> {
  const row = await tx
    .withTables<IdentityTables>()
    .selectFrom('user_account')
    .select(['anti_phishing', 'locale'])
    .where('email', '=', to)
    .executeTakeFirst();
  if (row === undefined || row.anti_phishing === '') return undefined;
  return phishingLine(localeOf(row.locale), row.anti_phishing);
}
