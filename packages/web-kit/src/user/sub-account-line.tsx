import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useSubAccounts } from './sub-account-actions.ts';
import { SUB_ACCOUNTS_PATH } from './sub-account-path.ts';
import css from './sub-accounts.module.css';

/**
 * Link to the list of sub-accounts, with the total value of all of them in USDT, which the displayed total of
 * the main account does not include. Renders nothing until the sub-accounts have loaded, and if the user has
 * none.
 */
export default function SubAccountLine({ hidden }: { readonly hidden: boolean }) {
  const t = useWords('subaccount');
  const accounts = useSubAccounts();
  if (accounts.data === undefined || accounts.data.list.length === 0) return null;
  return (
    <Link to={SUB_ACCOUNTS_PATH} className={css.line}>
      <span>{t('total')}</span>
      <Amount value={accounts.data.total} kind="worth" coin="USDT" hidden={hidden} />
      <ChevronRight size={16} aria-hidden="true" />
    </Link>
  );
}
