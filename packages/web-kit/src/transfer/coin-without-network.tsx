import { CircleSlash } from 'lucide-react';
import { Link } from 'react-router';
import { useNow } from '../format/remaining.tsx';
import { When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { LoadFailed } from '../list/load-failed.tsx';
import { CallRefused } from '../api/client.ts';
import { useCoinListing, usePairs } from '../market/queries.ts';
import { Skeleton } from '../ui/parts.tsx';
import css from './transfer.module.css';

const CLOCK_MS = 30_000;
const HEIGHT = 132;

/** Paths of the links on the screen of a coin that has no network. */
export interface CoinWays {
  readonly trade: (pair: { readonly base: string; readonly quote: string }) => string;
  /** Path of the list of the user's commitments to token sales. */
  readonly commitments: string;
}

interface CoinWithoutNetworkProps {
  readonly coin: string;
  readonly direction: 'deposit' | 'withdrawal';
  readonly ways: CoinWays;
}

/**
 * Explains why the user cannot deposit or withdraw a coin without a network, with links to what is possible instead.
 */
export function CoinWithoutNetwork({ coin, direction, ways }: CoinWithoutNetworkProps) {
  const t = useWords('transfer');
  const listing = useCoinListing(coin);
  const isUnknown = listing.error instanceof CallRefused;
  if (listing.error !== null && !isUnknown)
    return <LoadFailed error={listing.error} onRetry={() => void listing.refetch()} />;
  if (!isUnknown && listing.data === undefined) return <Skeleton height={HEIGHT} radius="var(--radius-m)" />;
  return (
    <section className={css.without} role="status">
      <h2>
        <CircleSlash size={18} aria-hidden="true" />
        {t(direction === 'deposit' ? 'cannotDeposit' : 'cannotWithdraw', { coin })}
      </h2>
      {listing.data === undefined || isUnknown ? (
        <p>{t('unknownCoin', { coin })}</p>
      ) : (
        <>
          <p>{t('onlyHere', { coin })}</p>
          <Trading coin={coin} listTime={listing.data.listTime} ways={ways} />
          {listing.data.issued === 1 ? <Link to={ways.commitments}>{t('toCommitments')}</Link> : null}
        </>
      )}
      <p>{t('otherCoin')}</p>
    </section>
  );
}

interface TradingProps {
  readonly coin: string;
  readonly listTime: number | undefined;
  readonly ways: CoinWays;
}

/**
 * Links to the coin's pairs; if it has none, the date on which its trading begins, or a note if that date is unknown or
 * has passed.
 */
function Trading({ coin, listTime, ways }: TradingProps) {
  const t = useWords('transfer');
  const pairs = (usePairs().data ?? []).filter(({ base, quote }) => base === coin || quote === coin);
  const now = useNow(CLOCK_MS);
  if (pairs.length > 0)
    return pairs.map((pair) => (
      <Link key={pair.symbol} to={ways.trade(pair)}>
        {t('tradeIt', { pair: `${pair.base}/${pair.quote}` })}
      </Link>
    ));
  if (listTime === undefined || listTime <= now) return <p>{t('notListed')}</p>;
  return (
    <p>
      {t('listedFrom')} <When at={listTime} look="dated" />
    </p>
  );
}
