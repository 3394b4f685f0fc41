import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { symbolOfLink } from '@exchange/web-kit/market/pair.ts';
import { usePair } from '@exchange/web-kit/market/queries.ts';
import { failureText } from '@exchange/web-kit/notify.ts';
import { PriceTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState, ErrorState } from '@exchange/web-kit/ui/parts.tsx';
import { useSearchParams } from 'react-router';
import { paths } from '../paths.ts';
import { TradeDesk } from './trade-desk.tsx';
import classes from './trade-desk.module.css';

const DEFAULT_SYMBOL = 'btcusdt';

/** Spot trading of the pair that the address names. */
export default function TradeScreen() {
  const t = useWords('trade');
  const words = useWords('shell');
  const [search] = useSearchParams();
  const symbol = symbolOfLink(search.get('symbol')) ?? DEFAULT_SYMBOL;
  const pair = usePair(symbol);

  if (pair.error !== null) {
    return (
      <ErrorState
        text={failureText(pair.error)}
        retryLabel={words('retry')}
        onRetry={() => void pair.refetch()}
      />
    );
  }
  if (pair.data === undefined) return <div className={classes.desk} aria-busy="true" />;
  if (pair.data === null) {
    const action = <ButtonLink to={paths.market}>{t('allMarkets')}</ButtonLink>;
    return <EmptyState text={t('unknownPair', { pair: symbol.toUpperCase() })} action={action} />;
  }
  return (
    <>
      <PriceTitle pair={pair.data} />
      <TradeDesk key={pair.data.symbol} pair={pair.data} />
    </>
  );
}
