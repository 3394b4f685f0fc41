import { useUserInfo } from './queries.ts';

/**
 * Loads the signed-in user on every screen: purchase permission, required codes, and the account's language.
 */
export default function LoadUser() {
  useUserInfo();
  return null;
}
