import type { Decimal } from '@exchange/core/decimal.ts';
import { FEE_TIERS, type FeeTier } from '@exchange/core/fee.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { withUnit } from '@exchange/web-kit/format/decimals.ts';
import { formatCompact, formatDecimal, formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { IndexSources } from '@exchange/web-kit/market/index-sources.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { type CoinInfo, useCoinInfo } from '@exchange/web-kit/market/queries.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './info-view.module.css';

const SOURCE_WORDS = {
  own: 'liquidity.own',
  mirrored: 'liquidity.mirrored',
  simulated: 'liquidity.simulated',
} as const;

/** Information about a pair: its coin, price source, sources of the index price, trading rules and fees. */
export default function InfoView({ pair }: { pair: MarketPair }) {
  const t = useWords('mobile-market');
  const tCoin = useWords('coin-info');
  const info = useCoinInfo(pair.base);
  return (
    <div className={css.info} data-in-order>
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
        {info.consensus !== '' && <Line name={t('consensus')}>{info.consensus}</Line>}
        <Line name={t('maxSupply')}>
          {info.maxSupply === ''
            ? t('maxSupplyNone')
            : withUnit(formatDecimal(info.maxSupply, locale), info.coin)}
        </Line>
      </dl>
      {info.website !== '' && info.explorer !== '' && (
        <p className={css.links}>
          <Outside href={info.website} label={t('website')} />
          <Outside href={info.explorer} label={t('explorer')} />
        </p>
      )}
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

/** Table of the pair's price and amount steps, and its order limits. */
function TradingRules({ pair }: { pair: MarketPair }) {
  const t = useWords('mobile-market');
  const locale = useLocale();
  const { filters, base, quote } = pair;
  const number = (value: Decimal, unit: string) => withUnit(formatDecimal(value.toString(), locale), unit);
  const percent = (value: Decimal) => formatPercent(value.toString(), locale, { digits: 1 });
  return (
    <Section title={t('rules')}>
      <dl className={css.lines}>
        <Line name={t('priceStep')}>{number(pair.tickSize, quote)}</Line>
        <Line name={t('amountStep')}>{number(pair.stepSize, base)}</Line>
        <Line name={t('amountRange')}>
          {t('range', {
            from: formatDecimal(filters.minAmount.toString(), locale),
            to: number(filters.maxAmount, base),
          })}
        </Line>
        <Line name={t('minTotal')}>{number(filters.minTotal, quote)}</Line>
        <Line name={t('priceBand')}>{t('priceBandText', { percent: percent(filters.priceBand) })}</Line>
        <Line name={t('marketGuard')}>{t('marketGuardText', { percent: percent(filters.marketGuard) })}</Line>
        <Line name={t('openOrders')}>{filters.maxOpenOrders}</Line>
        <Line name={t('stopOrders')}>{filters.maxStopOrders}</Line>
        <Line name={t('trail')}>
          {t('range', { from: percent(filters.minTrail), to: percent(filters.maxTrail) })}
        </Line>
        <Line name={t('lifetime')}>{t('days', { count: Math.floor(filters.maxLifetimeMs / DAY_MS) })}</Line>
      </dl>
    </Section>
  );
}

/**
 * Table of the exchange's fee tiers. The tier whose fees equal the signed-in user's fees for this pair is highlighted.
 */
function FeeTiers({ pair }: { pair: MarketPair }) {
  const t = useWords('mobile-market');
  const locale = useLocale();
  const isSignedIn = useSession(({ session }) => session !== null);
  const isOwn = ({ maker, taker }: FeeTier) =>
    isSignedIn && maker.equals(pair.makerFee) && taker.equals(pair.takerFee);
  const rate = (value: FeeTier['maker']) => formatPercent(value.toString(), locale, { digits: 3 });
  return (
    <Section title={t('fees')}>
      <p className={css.text}>{t('feesText')}</p>
      <table className={css.tiers}>
        <thead>
          <tr>
            <th scope="col">{t('tier')}</th>
            <th scope="col">{t('volume')}</th>
            <th scope="col">{t('makerTaker')}</th>
          </tr>
        </thead>
        <tbody>
          {FEE_TIERS.map((tier) => (
            <tr key={tier.tier} data-own={isOwn(tier) || undefined}>
              <th scope="row">
                {tier.tier} {isOwn(tier) ? <Badge tone="accent">{t('yourTier')}</Badge> : null}
              </th>
              <td>≥ {formatCompact(tier.volume.toString(), locale)}</td>
              <td>
                {rate(tier.maker)} / {rate(tier.taker)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h2 className={css.heading}>{title}</h2>
      {children}
    </section>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.line}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
