import { useSession } from '../session/session-store.ts';
import { useUserInfo, VERIFIED, type UserInfo } from './queries.ts';

/** What stands between a person and buying a product, the first thing to do first. */
export type PurchaseGate = 'needsLogin' | 'notPermitted' | 'needsVerification' | 'needsPassword';

/** The first thing that a person lacks for buying; nothing is missed before it is known. */
export function purchaseGate(
  isSignedIn: boolean,
  info: Pick<UserInfo, 'purchase' | 'kycStatus' | 'assetsPwd'> | undefined,
): PurchaseGate | undefined {
  if (!isSignedIn) return 'needsLogin';
  if (info === undefined) return undefined;
  if (info.purchase === '0') return 'notPermitted';
  if (info.kycStatus !== VERIFIED) return 'needsVerification';
  return info.assetsPwd === 1 ? undefined : 'needsPassword';
}

/** What the person before the screen lacks for buying, and the password that visitors of a demo share, on their account. */
export function usePurchaseGate() {
  const isSignedIn = useSession(({ session }) => session !== null);
  const info = useUserInfo().data;
  return { gate: purchaseGate(isSignedIn, info), demoPassword: info?.demoTradePassword };
}
