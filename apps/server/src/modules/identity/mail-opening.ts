import { localeOf } from '@exchange/core/locale.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { IdentityTables } from './tables.ts';
import { phishingLine } from './words/mails.ts';

/** What stands at the head of every mail to an address: the words that its owner has chosen, or nothing. */
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
