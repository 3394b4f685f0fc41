import { useUserInfo } from './queries.ts';

/**
 * Renders nothing. Loads the data of the signed-in user on every screen; other components need parts of it, such as the
 * required codes and the account's language.
 */
export default function LoadUser() {
  useUserInfo();
  return null;
}
