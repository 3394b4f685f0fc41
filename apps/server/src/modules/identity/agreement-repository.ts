import type { AccountVersions } from '@exchange/core/agreements.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { localeOf, type Locale } from '@exchange/core/locale.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import type { IdentityTables } from './tables.ts';

/** An agreement that a user accepted, with its version and language and the time. */
export interface Acceptance {
  readonly name: string;
  readonly version: string;
  readonly locale: Locale;
  readonly acceptedAt: Instant;
}

/** Stores that a user accepted the user agreement and the privacy policy in these versions at the registration. */
export async function insertAcceptance(
  tx: Tx,
  user: UserId,
  { termsVersion, privacyVersion }: AccountVersions,
  { locale, at }: { readonly locale: Locale; readonly at: Instant },
): Promise<void> {
  await tx
    .withTables<IdentityTables>()
    .insertInto('account_agreement')
    .values(
      [
        { name: 'user', version: termsVersion },
        { name: 'privacy', version: privacyVersion },
      ].map((text) => ({ ...text, user_id: user, locale, accepted_at: BigInt(at) })),
    )
    .execute();
}

/** True if the user accepted the user agreement and the privacy policy in these versions. */
export async function hasAccepted(
  tx: Tx,
  user: UserId,
  { termsVersion, privacyVersion }: AccountVersions,
): Promise<boolean> {
  const rows = await tx
    .withTables<IdentityTables>()
    .selectFrom('account_agreement')
    .select('name')
    .where('user_id', '=', user)
    .where((row) =>
      row.or([
        row.and({ name: 'user', version: termsVersion }),
        row.and({ name: 'privacy', version: privacyVersion }),
      ]),
    )
    .execute();
  return rows.length === 2;
}

/**
 * The user agreement and the privacy policy in the versions that a user accepted at the registration. Empty for an
 * account that is older than these records, or that nobody registered.
 */
export async function acceptancesOf(reader: Reader, user: UserId): Promise<Acceptance[]> {
  const rows = await reader
    .withTables<IdentityTables>()
    .selectFrom('account_agreement')
    .select(['name', 'version', 'locale', 'accepted_at'])
    .where('user_id', '=', user)
    .orderBy('accepted_at', 'desc')
    .orderBy('name', 'desc')
    .execute();
  return rows.map(({ locale, accepted_at: at, ...row }) => ({
    ...row,
    locale: localeOf(locale),
    acceptedAt: instant(Number(at)),
  }));
}
