import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { CoinFacts } from './coin-facts.tsx';
import { IndexSources } from '@exchange/web-kit/market/index-sources.tsx';
import { FeeTiers } from './fee-tiers.tsx';
import classes from './pair-info.module.css';
import { TradingRules } from './trading-rules.tsx';

const SOURCE_NAMES = { own: 'sourceOwn', mirrored: 'sourceMirrored', simulated: 'sourceSimulated' } as const;

/** Everything to know of a pair before trading it: its coin, its rules, what it costs, who quotes it. */
export function PairInfo({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('desktop-market');
  const tMarket = useWords('market');
  const tCoin = useWords('coin-info');
  return (
    <div className={classes.info} tabIndex={0} role="group" aria-label={t('info')}>
      <h2 className={classes.title}>
        <CoinIcon coin={pair.base} size={32} />
        {pair.base}/{pair.quote}
      </h2>
      <CoinFacts coin={pair.base} />
      <section className={classes.part}>
        <h3>{t('source')}</h3>
        <p>
          <b>{tMarket(SOURCE_NAMES[pair.source])}</b> · {t(`source.${pair.source}`)}
        </p>
      </section>
      <section className={classes.part}>
        <h3>{tCoin('sources')}</h3>
        <IndexSources pair={pair} />
      </section>
      <TradingRules pair={pair} />
      <FeeTiers />
    </div>
  );
}
