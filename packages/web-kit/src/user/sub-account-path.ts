import { useSearchParams } from 'react-router';
import { paths } from '../paths.ts';

const VIEW = 'view';
const SUB_ACCOUNTS = 'sub-accounts';

/** Address of the sub-accounts, a view of the security screen: the first screen’s table of addresses does not grow. */
export const SUB_ACCOUNTS_PATH = `${paths.security}?${VIEW}=${SUB_ACCOUNTS}`;

/** Whether the address is that of the sub-accounts. */
export function useIsAtSubAccounts(): boolean {
  const [parameters] = useSearchParams();
  return parameters.get(VIEW) === SUB_ACCOUNTS;
}
