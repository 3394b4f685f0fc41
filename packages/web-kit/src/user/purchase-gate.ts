import { useSession } from '../session/session-store.ts';
import { useUserInfo, VERIFIED, type UserInfo } from './queries.ts';

/** Reasons why a user cannot buy a product, in the order in which they are checked. */
export type PurchaseObstacle = 'needsLogin' | 'notPermitted' | 'needsVerification' | 'needsPassword';

/**
 * Returns the first reason why the user cannot buy a product; undefined if there is none, and while the
 * user's data is loading.
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
 * `gate`: the first reason why the current user cannot buy a product; undefined if there is none, and while the user's
 * data is loading. `demoPassword`: the trade password of the shared demo account, only if that account is signed in.
 */
export function usePurchaseGate() {
  const isSignedIn = useSession(({ session }) => session !== null);
  const info = useUserInfo().data;
  return { gate: purchaseGate(isSignedIn, info), demoPassword: info?.demoTradePassword };
}
