import { useSession } from '../session/session-store.ts';
import { useUserInfo, VERIFIED, type UserInfo } from './queries.ts';

/** What a user must do before buying a product, in the order in which it must be done. */
export type PurchaseObstacle = 'needsLogin' | 'notPermitted' | 'needsVerification' | 'needsPassword';

/**
 * The first thing that the user must still do before buying a product; undefined if there is nothing left,
 * and while the data is loading.
 */
export function purchaseGate(
  isSignedIn: boolean,
  info: Pick<UserInfo, 'purchase' | 'kycStatus' | 'assetsPwd'> | undefined,
): PurchaseObstacle | undefined {
  if (!isSignedIn) return 'needsLogin';
  if (info === undefined) return undefined;
  if (info.purchase === '0') return 'notPermitted';
  if (info.kycStatus !== VERIFIED) return 'needsVerification';
  return info.assetsPwd === 1 ? undefined : 'needsPassword';
}

/**
 * The first thing that the current user must still do before buying, and for the shared demo account its
 * trade password.
 */
export function usePurchaseGate() {
  const isSignedIn = useSession(({ session }) => session !== null);
  const info = useUserInfo().data;
  return { gate: purchaseGate(isSignedIn, info), demoPassword: info?.demoTradePassword };
}
