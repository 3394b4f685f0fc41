import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { Tx } from '../../platform/database/database.ts';
import { newId, randomText, type Random } from '../../platform/secrets/random.ts';
import type { AccountRepository } from './account-repository.ts';

/** No 0, O, 1, I or L: it is read out and typed. */
const INVITATION_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const INVITATION_LENGTH = 8;
const UID_DIGITS = 8;
/** A number or code that is taken is drawn again. */
const DRAWS = 8;

export interface Founding {
  readonly email: string | null;
  readonly houseName: string | null;
  readonly passwordHash: string | null;
  readonly invitedBy: UserId | null;
  readonly locale: Locale;
}

/** Inserts a user with a fresh number and invitation code; undefined when the address or name is taken. */
export async function insertAccount(
  tx: Tx,
  accounts: AccountRepository,
  random: Random,
  founding: Founding,
  now: Instant,
): Promise<UserId | undefined> {
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const id = newId(random, now) as UserId;
    const isInserted = await accounts.insert(tx, {
      ...founding,
      id,
      uid: randomText(random, '123456789', 1) + randomText(random, '0123456789', UID_DIGITS - 1),
      invitationCode: randomText(random, INVITATION_ALPHABET, INVITATION_LENGTH),
      createdAt: now,
    });
    if (isInserted) return id;
    if (founding.email !== null && (await accounts.byEmail(founding.email)) !== undefined) return undefined;
    if (founding.houseName !== null && (await accounts.byHouseName(founding.houseName)) !== undefined)
      return undefined;
  }
  throw new Error(`no free number or invitation code in ${DRAWS} draws`);
}
