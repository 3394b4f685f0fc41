import { Amount, Percent } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import css from './coin-donut.module.css';
import { coinShares } from './curve.ts';
import { useHoldings } from './queries.ts';

const MAX_SEGMENTS = 5;
const RADIUS = 42;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;
/** Gap in degrees between two segments of the donut chart. */
const GAP = 1.2;

/**
 * Donut chart and list of the `MAX_SEGMENTS` coins with the highest values over all accounts of the user, and of all
 * other coins as one entry, each with its share of the total value.
 */
export function CoinDonut({ hidden }: { readonly hidden: boolean }) {
  const t = useWords('assets');
  const { data, isPending, error, refetch } = useHoldings();
  const shares = coinShares(data ?? [], MAX_SEGMENTS);
  return (
    <ListBody
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      isEmpty={shares.length === 0}
      empty={t('none')}
      skeletonRows={MAX_SEGMENTS}
    >
      <Ring shares={shares} hidden={hidden} />
    </ListBody>
  );
}

interface RingProps {
  readonly shares: ReturnType<typeof coinShares>;
  readonly hidden: boolean;
}

function Ring({ shares, hidden }: RingProps) {
  const t = useWords('assets');
  return (
    <div className={css.donut}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        {shares.map(({ coin, fraction }, at) => {
          const before = shares.slice(0, at).reduce((sum, share) => sum + Number(share.fraction), 0);
          const [startDegrees, degrees] = [before * 360 - 90, Number(fraction) * 360];
          const length = (Math.max(0.5, degrees - (shares.length > 1 ? GAP : 0)) / 360) * CIRCUMFERENCE;
          return (
            <circle
              key={coin ?? ''}
              data-share={at}
              cx="50"
              cy="50"
              r={RADIUS}
              transform={`rotate(${startDegrees} 50 50)`}
              strokeDasharray={`${length} ${CIRCUMFERENCE}`}
            />
          );
        })}
      </svg>
      <ul aria-label={t('share')}>
        {shares.map(({ coin, total, fraction }, at) => (
          <li key={coin ?? ''}>
            <span className={css.mark} data-share={at} aria-hidden="true" />
            <b>{coin ?? t('otherCoins')}</b>
            <Amount className={css.worth} value={total} kind="worth" hidden={hidden} />
            <Percent value={fraction} digits={1} />
          </li>
        ))}
      </ul>
    </div>
  );
}
