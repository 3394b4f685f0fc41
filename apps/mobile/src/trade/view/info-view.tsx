import { formatDecimal } from '@exchange/web-kit/format/format.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useCoinInfo, type CoinInfo } from '@exchange/web-kit/market/queries.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { IndexSources } from '@exchange/web-kit/market/index-sources.tsx';
import { ExternalLink } from 'lucide-react';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { FeeTiers } from './fee-tiers.tsx';
import { Line, Section } from './info-parts.tsx';
import css from './info-view.module.css';
import { TradingRules } from './trading-rules.tsx';

const SOURCE_WORDS = {
  own: 'liquidity.own',
  mirrored: 'liquidity.mirrored',
  simulated: 'liquidity.simulated',
} as const;

/** What the coin is, where its liquidity comes from, the rules of the pair and its fees. */
export default function InfoView({ pair }: { pair: MarketPair }) {
  const t = useWords('mobile-market');
  const tCoin = useWords('coin-info');
  const info = useCoinInfo(pair.base);
  return (
    <div className={css.info}>
      <ListBody
        look="cards"
        isLoading={info.isPending}
        error={info.error}
        onRetry={() => void info.refetch()}
        skeletonRows={6}
      >
        {info.data === undefined ? null : <Coin info={info.data} />}
      </ListBody>
      <Section title={t('liquidity')}>
        <p className={css.text}>{t(SOURCE_WORDS[pair.source])}</p>
      </Section>
      <Section title={tCoin('sources')}>
        <IndexSources pair={pair} />
      </Section>
      <TradingRules pair={pair} />
      <FeeTiers pair={pair} />
    </div>
  );
}

function Coin({ info }: { info: CoinInfo }) {
  const t = useWords('coin-info');
  const locale = useLocale();
  return (
    <section className={css.section}>
      <div className={css.coin}>
        <CoinIcon coin={info.coin} size={36} />
        <div>
          <h2 className={css.coinName}>{info.name}</h2>
          <p className={css.ticker}>{info.coin}</p>
        </div>
      </div>
      <p className={css.text}>{info.description}</p>
      <dl className={css.lines}>
        <Line name={t('year')}>{info.year}</Line>
        <Line name={t('consensus')}>{info.consensus}</Line>
        <Line name={t('maxSupply')}>
          {info.maxSupply === ''
            ? t('maxSupplyNone')
            : `${formatDecimal(info.maxSupply, locale)} ${info.coin}`}
        </Line>
      </dl>
      <p className={css.links}>
        <Outside href={info.website} label={t('website')} />
        <Outside href={info.explorer} label={t('explorer')} />
      </p>
      <p className={css.note}>{t('disclaimer')}</p>
    </section>
  );
}

function Outside({ href, label }: { href: string; label: string }) {
  const t = useWords('coin-info');
  return (
    <a href={href} target="_blank" rel="noreferrer" className={css.outside} title={t('external')}>
      {label}
      <ExternalLink size={14} aria-hidden="true" />
    </a>
  );
}
