import type { UserId } from '@exchange/core/ids.ts';
import { KYC_STATUS } from '@exchange/core/kyc.ts';
import { DEFAULT_LOCALE } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SESSION_LIMITS } from '../../platform/session/store.ts';
import { insertAccount } from './sign-up.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';
import type { Account } from './account-repository.ts';

/** Public name and login data of the demo trader, who exists only in demo mode. */
export const DEMO_TRADER = {
  email: 'demo.trader@amethyst.example',
  nickname: 'DemoTrader',
  password: 'Lilac7garden',
  tradePassword: '258036',
} as const;

/**
 * Returns the id of the system account with this name, e.g. `maker-1`; creates the account, as a verified one, if it
 * does not exist. Nobody can sign in to a system account.
 */
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
    const newId = await insertAccount(tx, parts.accounts, parts.random, founding, parts.clock.now());
    if (newId !== undefined) await parts.accounts.change(tx, newId, { kyc_status: KYC_STATUS.verified });
    return newId;
  });
  // If another process created the system account concurrently, the next call returns its id.
  return id ?? ensureSystemUser(parts, name);
}

/**
 * Returns the id of the demo user with this email address; creates the user if it does not exist. An older demo has a
 * system account with this name instead, which is converted and keeps its data.
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
  // If another process created the demo user concurrently, the next call returns its id.
  return id ?? ensureDemoPerson(parts, name, email);
}

/** True for an account that many people use at the same time: all visitors of a demo share the demo trader. */
export function isShared({ email }: Pick<Account, 'email'>): boolean {
  return email === DEMO_TRADER.email;
}

/**
 * Refuses an account that many visitors share (the demo trader); called before changes by one visitor that would affect
 * all others.
 */
export function requireOwnAccount(account: Pick<Account, 'email'>): void {
  if (isShared(account)) throw new Refused(refusal('generic', 'l.account_shared'));
}

/** Greatest number of concurrent sessions of an account; higher for an account that many visitors share. */
export function mostSessionsOf(account: Pick<Account, 'email'>): number {
  return isShared(account) ? SESSION_LIMITS.perSharedUser : SESSION_LIMITS.perUser;
}

/**
 * Returns the verified demo trader, as whom visitors sign in with one click; creates the trader if it does not exist.
 */
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
