import { Decimal } from '@exchange/core/decimal.ts';
import type { ReactNode } from 'react';
import { Amount, Percent } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useOverview } from './queries.ts';
import css from './account-shares.module.css';

const ACCOUNTS = ['coin', 'contract', 'finance', 'pool', 'fund', 'subscribe'] as const;
export type Account = (typeof ACCOUNTS)[number];

interface AccountSharesProps {
  readonly hidden: boolean;
  /** The account's name as a link to what it holds. */
  readonly link: (account: Account, name: string) => ReactNode;
}

/** What each account is worth in USDT, and its share of all; those that hold nothing are there with nothing. */
export function AccountShares({ hidden, link }: AccountSharesProps) {
  const t = useWords('assets');
  const { data } = useOverview();
  if (data === undefined) return null;
  const total = Decimal.parse(data.total);
  const shareOf = (account: Account): string =>
    total.isPositive() ? Decimal.parse(data[account]).over(total, 'down', 6).toString() : '0';
  return (
    <ul className={css.accounts} aria-label={t('accounts')}>
      {ACCOUNTS.map((account) => (
        <li key={account}>
          {link(account, t(`account_${account}`))}
          <Amount value={data[account]} digits={2} hidden={hidden} />
          <span className={css.track} aria-hidden="true">
            <span style={{ width: `${Number(shareOf(account)) * 100}%` }} />
          </span>
          <span className={css.share}>
            <Percent value={shareOf(account)} digits={1} />
          </span>
        </li>
      ))}
    </ul>
  );
}
