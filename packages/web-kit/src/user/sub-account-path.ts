import { useSearchParams } from 'react-router';
import { paths } from '../paths.ts';

const VIEW = 'view';
const SUB_ACCOUNTS = 'sub-accounts';

/**
 * URL of the list of sub-accounts. The list is a view of the security screen instead of a screen with its own path,
 * because the table of paths in the first bundle must be small.
 */
export const SUB_ACCOUNTS_PATH = `${paths.security}?${VIEW}=${SUB_ACCOUNTS}`;

/** True if the URL is that of the list of sub-accounts. */
export function useIsAtSubAccounts(): boolean {
  const [parameters] = useSearchParams();
  return parameters.get(VIEW) === SUB_ACCOUNTS;
}
