import { useSearchParams } from 'react-router';
import { paths } from '../paths.ts';

const VIEW = 'view';
const SUB_ACCOUNTS = 'sub-accounts';

/**
 * URL of the list of sub-accounts, a view of the security screen; it has no path of its own, to keep the
 * table of paths in the first bundle small.
 */
export const SUB_ACCOUNTS_PATH = `${paths.security}?${VIEW}=${SUB_ACCOUNTS}`;

/** Whether the URL shows the list of sub-accounts. */
export function useIsAtSubAccounts(): boolean {
  const [parameters] = useSearchParams();
  return parameters.get(VIEW) === SUB_ACCOUNTS;
}
