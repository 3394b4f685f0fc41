import { useUserInfo } from './queries.ts';

/**
 * Renders nothing. Loads the data of the signed-in user on every screen: the purchase permission, the required codes,
 * and the account's language.
 */
export default function LoadUser() {
  useUserInfo();
  return null;
}
