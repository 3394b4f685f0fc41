import { ACCOUNT_NAMES, type AccountName } from '@exchange/core/accounts.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { ReactNode } from 'react';
import { Amount, Percent } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { useAccountNames } from './accounts.ts';
import { useOverview } from './queries.ts';
import css from './account-shares.module.css';

interface AccountSharesProps {
  readonly hidden: boolean;
  /** Renders an account's name as a link to the list of the user's holdings in this account. */
  readonly link: (account: AccountName, name: string) => ReactNode;
}

/**
 * Lists the value of each of the user's accounts in USDT and its share of the total. Empty accounts are listed with
 * zero.
 */
export function AccountShares({ hidden, link }: AccountSharesProps) {
  const t = useWords('assets');
  const nameOf = useAccountNames();
  const { data, isPending, error, refetch } = useOverview();
  const total = Decimal.parse(data?.total ?? '0');
  const worthOf = (account: AccountName) => data?.byAccount[account];
  const shareOf = (account: AccountName): string =>
    total.isPositive()
      ? Decimal.parse(worthOf(account) ?? '0')
          .over(total, 'down', 6)
          .toString()
      : '0';
  return (
    <ListBody
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      skeletonRows={ACCOUNT_NAMES.length}
    >
      <ul className={css.accounts} aria-label={t('accounts')}>
        {ACCOUNT_NAMES.map((account) => (
          <li key={account}>
            {link(account, nameOf(account))}
            <Amount value={worthOf(account)} kind="worth" hidden={hidden} />
            <span className={css.track} aria-hidden="true">
              <span style={{ width: `${Number(shareOf(account)) * 100}%` }} />
            </span>
            <span className={css.share}>
              <Percent value={shareOf(account)} digits={1} />
            </span>
          </li>
        ))}
      </ul>
    </ListBody>
  );
}
