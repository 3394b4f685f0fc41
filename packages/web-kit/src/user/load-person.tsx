import { useUserInfo } from './queries.ts';

/** Loads who signed in, whatever screen is shown: what may be bought, what forms ask for, the language of the account. */
export default function LoadPerson() {
  useUserInfo();
  return null;
}
