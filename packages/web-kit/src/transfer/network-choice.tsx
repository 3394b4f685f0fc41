import { RECORDED_CHANNELS } from '@exchange/core/recorded-channels.ts';
import type { ReactNode } from 'react';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { LoadFailed } from '../list/load-failed.tsx';
import { Badge, Skeleton } from '../ui/parts.tsx';
import css from './network-choice.module.css';
import type { Route } from './parts.tsx';
import { useNetworks, type NetworkRow } from './queries.ts';

interface NetworkChoiceProps extends Route {
  /** Whether the networks are shown with their deposit terms or with their withdrawal terms. */
  readonly direction: 'deposit' | 'withdrawal';
  readonly onChange: (network: string) => void;
}

/**
 * Input for one of a coin's networks, each shown with its terms: as cards of equal size, or as rows on narrow screens.
 */
export function NetworkChoice({ coin, network, direction, onChange }: NetworkChoiceProps) {
  const t = useWords('transfer');
  const networks = useNetworks(coin);
  if (networks.error !== null)
    return <LoadFailed error={networks.error} onRetry={() => void networks.refetch()} />;
  return (
    <div className={css.frame}>
      <div
        className={css.networks}
        role="group"
        aria-label={t('network')}
        aria-busy={networks.isPending || undefined}
      >
        {networks.isPending ? <Skeleton height={120} radius="var(--radius-m)" /> : null}
        {networks.data?.map((option) => (
          <button
            key={option.network}
            type="button"
            className={css.network}
            aria-pressed={option.network === network}
            onClick={() => onChange(option.network)}
          >
            <span className={css.name}>
              <b>{option.network}</b>
              <small>{option.name.replace(` (${option.network})`, '')}</small>
            </span>
            <Terms coin={coin} row={option} of={direction} />
          </button>
        ))}
      </div>
      {RECORDED_CHANNELS.has(networks.data?.find((option) => option.network === network)?.channel ?? '') ? (
        <p className={css.note} role="note">
          {t('simulatedOnly')}
        </p>
      ) : null}
    </div>
  );
}

interface TermsProps {
  readonly coin: string;
  readonly row: NetworkRow;
  readonly of: NetworkChoiceProps['direction'];
}

function Terms({ coin, row, of }: TermsProps) {
  const t = useWords('transfer');
  const isReviewed = row.channel === 'manual';
  if (row.status === 0) return <Closed>{t('notConnected')}</Closed>;
  if (of === 'withdrawal' && isReviewed) return <Closed>{t('depositsOnly')}</Closed>;
  const isDeposit = of === 'deposit';
  if ((isDeposit ? row.depositPause : row.withdrawalPause) !== undefined)
    return <Closed>{t('networkPaused')}</Closed>;
  return (
    <span className={css.terms}>
      <span>
        <span>{t(isDeposit ? 'termLeast' : 'termFee')}</span>
        <Amount value={isDeposit ? row.minAmount : row.withdrawFee} coin={coin} />
      </span>
      {!isDeposit && row.withdrawFeeLive === 1 ? (
        <small className={css.live}>{t('termFeeLive')}</small>
      ) : null}
      <span>
        <span>{t('termArrival')}</span>
        {isDeposit && isReviewed ? t('byHand') : t('minutes', { minutes: row.minutes })}
      </span>
      <span>
        <span>{t('confirmations')}</span>
        {row.confirmations}
      </span>
      {isDeposit
        ? row.largerConfirmations.map(({ from, confirmations }) => (
            <span key={from}>
              <span>{t('confirmationsFrom', { amount: from, coin })}</span>
              {confirmations}
            </span>
          ))
        : null}
      {isDeposit && row.memoNeeded === 1 ? (
        <span>
          <span>{t('memo')}</span>
          <b>{t('memoRequired')}</b>
        </span>
      ) : null}
    </span>
  );
}

function Closed({ children }: { readonly children: ReactNode }) {
  return (
    <span className={css.closed}>
      <Badge tone="warning">{children}</Badge>
    </span>
  );
}
