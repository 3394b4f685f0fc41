import { Decimal } from '@exchange/core/decimal.ts';
import type { ReactNode } from 'react';
import { Amount, Percent } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { type Holding, useOverview } from './queries.ts';
import css from './account-shares.module.css';

const ACCOUNTS = ['coin', 'contract', 'finance', 'pool', 'fund', 'subscribe'] as const;
export type Account = (typeof ACCOUNTS)[number];
/** The `account` value of a holding for each account. */
const NAMES_OF_HOLDINGS: Readonly<Record<Account, Holding['account']>> = {
  coin: 'spot',
  contract: 'seconds',
  finance: 'finance',
  pool: 'mining',
  fund: 'fund',
  subscribe: 'subscription',
};

interface AccountSharesProps {
  readonly hidden: boolean;
  /** Renders the account's name as a link to its holdings. */
  readonly link: (account: Account, name: string) => ReactNode;
}

/** Worth of each account in USDT and its share of the total. Empty accounts are listed with zero. */
export function AccountShares({ hidden, link }: AccountSharesProps) {
  const t = useWords('assets');
  const { data, isPending, error, refetch } = useOverview();
  const total = Decimal.parse(data?.total ?? '0');
  const worthOf = (account: Account) => data?.byAccount[NAMES_OF_HOLDINGS[account]];
  const shareOf = (account: Account): string =>
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
      skeletonRows={ACCOUNTS.length}
    >
      <ul className={css.accounts} aria-label={t('accounts')}>
        {ACCOUNTS.map((account) => (
          <li key={account}>
            {link(account, t(`account_${account}`))}
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
