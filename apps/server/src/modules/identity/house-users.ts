import type { UserId } from '@exchange/core/ids.ts';
import { KYC_STATUS } from '@exchange/core/kyc.ts';
import { DEFAULT_LOCALE } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SESSION_LIMITS } from '../../platform/session/store.ts';
import { insertAccount } from './sign-up.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';
import type { Account } from './account-repository.ts';

/** The demo trader's credentials are public: he exists in demo mode only. */
export const DEMO_TRADER = {
  email: 'demo.trader@amethyst.example',
  nickname: 'DemoTrader',
  password: 'Lilac7garden',
  tradePassword: '258036',
} as const;

/** The house's own account of that name, e.g. `maker-1`; made when there is none. It can never sign in. */
export async function ensureSystemUser(parts: IdentityParts, name: string): Promise<UserId> {
  const present = await parts.accounts.byHouseName(name);
  if (present !== undefined) return present.id;
  const founding = {
    email: null,
    houseName: name,
    passwordHash: null,
    invitedBy: null,
    locale: DEFAULT_LOCALE,
  };
  const id = await parts.database.transaction(async (tx) => {
    const made = await insertAccount(tx, parts.accounts, parts.random, founding, parts.clock.now());
    if (made !== undefined) await parts.accounts.change(tx, made, { kyc_status: KYC_STATUS.verified });
    return made;
  });
  return id ?? ensureSystemUser(parts, name); // another process made it at the same moment
}

/**
 * A made-up person of a demo under a mail address; made when there is none. Demos from before had an account of the house
 * under the name instead, which becomes the person, with what it has submitted.
 */
export async function ensureDemoPerson(parts: IdentityParts, name: string, email: string): Promise<UserId> {
  const present = await parts.accounts.byEmail(email);
  if (present !== undefined) return present.id;
  const earlier = await parts.accounts.byHouseName(name);
  const id = await parts.database.transaction(async (tx) => {
    if (earlier !== undefined) {
      await parts.accounts.becomePerson(tx, earlier.id, email);
      return earlier.id;
    }
    const founding = {
      email,
      houseName: null,
      passwordHash: null,
      invitedBy: null,
      locale: DEFAULT_LOCALE,
    };
    return insertAccount(tx, parts.accounts, parts.random, founding, parts.clock.now());
  });
  return id ?? ensureDemoPerson(parts, name, email); // another process made it at the same moment
}

/** Whether many people are signed in to this account at once: every visitor of a demo is the one demo trader. */
export function isShared({ email }: Pick<Account, 'email'>): boolean {
  return email === DEMO_TRADER.email;
}

/** Refuses to change the credentials of an account that others are signed in to. */
export function requireOwnAccount(account: Pick<Account, 'email'>): void {
  if (isShared(account)) throw new Refused(refusal('generic', 'l.account_shared'));
}

/** How many sessions an account keeps. */
export function mostSessionsOf(account: Pick<Account, 'email'>): number {
  return isShared(account) ? SESSION_LIMITS.perSharedUser : SESSION_LIMITS.perUser;
}

/** The verified trader that demo mode signs in with one click; made when there is none. */
export async function ensureDemoTrader(parts: IdentityParts): Promise<Account> {
  const present = await parts.accounts.byEmail(DEMO_TRADER.email);
  if (present !== undefined) return present;
  const { email, nickname, password, tradePassword } = DEMO_TRADER;
  const passwordHash = await parts.hashes.make(HASH_PURPOSE.password, password);
  const tradePasswordHash = await parts.hashes.make(HASH_PURPOSE.tradePassword, tradePassword);
  const founding = {
    email,
    houseName: null,
    passwordHash,
    tradePasswordHash,
    invitedBy: null,
    locale: DEFAULT_LOCALE,
  };
  await parts.database.transaction(async (tx) => {
    const id = await insertAccount(tx, parts.accounts, parts.random, founding, parts.clock.now());
    if (id === undefined) return;
    await parts.accounts.change(tx, id, {
      nickname,
      kyc_status: KYC_STATUS.verified,
    });
  });
  return ensureDemoTrader(parts);
}
