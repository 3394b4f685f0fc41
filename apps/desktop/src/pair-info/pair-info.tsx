import { FEE_TIERS } from '@exchange/core/fee.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { withUnit } from '@exchange/web-kit/format/decimals.ts';
import { formatDecimal, formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { IndexSources } from '@exchange/web-kit/market/index-sources.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { type CoinInfo, useCoinInfo } from '@exchange/web-kit/market/queries.ts';
import { TICKET_KINDS } from '@exchange/web-kit/spot/order-kinds.ts';
import { useFeeTier } from '@exchange/web-kit/market/fee-tiers.ts';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './pair-info.module.css';

const SOURCE_NAMES = { own: 'sourceOwn', mirrored: 'sourceMirrored', simulated: 'sourceSimulated' } as const;

/** Information about a pair: its coin, price source, sources of the index price, trading rules and fees. */
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

/** A neutral description of a coin, with links to further information about it. */
function CoinFacts({ coin }: { readonly coin: string }) {
  const t = useWords('coin-info');
  const info = useCoinInfo(coin);
  return (
    <section className={classes.part}>
      <h3>{t('title', { coin })}</h3>
      <ListBody
        isLoading={info.isPending}
        error={info.error}
        onRetry={() => void info.refetch()}
        isEmpty={false}
        empty=""
      >
        {info.data !== undefined && <Facts info={info.data} />}
      </ListBody>
    </section>
  );
}

function Facts({ info }: { readonly info: CoinInfo }) {
  const t = useWords('coin-info');
  const locale = useLocale();
  return (
    <>
      <p>{info.description}</p>
      <dl className={classes.facts}>
        <Fact name={t('name')}>{info.name}</Fact>
        <Fact name={t('year')}>{info.year}</Fact>
        {info.consensus !== '' && <Fact name={t('consensus')}>{info.consensus}</Fact>}
        <Fact name={t('maxSupply')}>
          {info.maxSupply === ''
            ? t('maxSupplyNone')
            : withUnit(formatDecimal(info.maxSupply, locale), info.coin)}
        </Fact>
        <Fact name={t('digits')}>{info.digits}</Fact>
        {info.website !== '' && (
          <Fact name={t('website')}>
            <Outside address={info.website} />
          </Fact>
        )}
        {info.explorer !== '' && (
          <Fact name={t('explorer')}>
            <Outside address={info.explorer} />
          </Fact>
        )}
      </dl>
      <p className={classes.small}>{t('disclaimer')}</p>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A link to a page of another site; the browser does not send that site the address of this page. */
function Outside({ address }: { readonly address: string }) {
  const t = useWords('coin-info');
  return (
    <a href={address} target="_blank" rel="noreferrer" className={classes.outside} title={t('external')}>
      {new URL(address).hostname}
      <ExternalLink size={12} aria-hidden="true" />
      <span className="visually-hidden">{t('external')}</span>
    </a>
  );
}

const STATUS_NAMES = { open: 'statusOpen', cancelOnly: 'statusCancelOnly', closed: 'statusClosed' } as const;

/** Table of the pair's status, price and amount steps, order limits and order types. */
function TradingRules({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('desktop-market');
  const rules = useRules(pair);
  return (
    <section className={classes.part}>
      <h3>{t('rules')}</h3>
      <p>{t('rules.note')}</p>
      <dl className={classes.facts}>
        {rules.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function useRules(pair: MarketPair): readonly (readonly [name: string, value: string])[] {
  const t = useWords('desktop-market');
  const tMarket = useWords('market');
  const tTrade = useWords('trade');
  const locale = useLocale();
  const { filters, base, quote } = pair;
  const exact = (value: { toString(): string }, coin: string): string =>
    withUnit(formatDecimal(value.toString(), locale), coin);
  const percent = (fraction: { toString(): string }): string =>
    formatPercent(fraction.toString(), locale, { digits: 1 });
  return [
    [t('rules.status'), tMarket(STATUS_NAMES[pair.status])],
    [t('rules.tick'), exact(pair.tickSize, quote)],
    [t('rules.step'), exact(pair.stepSize, base)],
    [t('rules.minAmount'), exact(filters.minAmount, base)],
    [t('rules.maxAmount'), exact(filters.maxAmount, base)],
    [t('rules.minTotal'), exact(filters.minTotal, quote)],
    [t('rules.band'), t('rules.bandOf', { percent: percent(filters.priceBand) })],
    [t('rules.guard'), t('rules.guardOf', { percent: percent(filters.marketGuard) })],
    [t('rules.trail'), t('rules.range', { from: percent(filters.minTrail), to: percent(filters.maxTrail) })],
    [t('rules.openOrders'), String(filters.maxOpenOrders)],
    [t('rules.stops'), String(filters.maxStopOrders)],
    [t('rules.lifetime'), t('rules.days', { count: Math.floor(filters.maxLifetimeMs / DAY_MS) })],
    [t('rules.types'), TICKET_KINDS.map((kind) => tTrade(kind)).join(', ')],
  ];
}

/**
 * Table of the fee tiers; for signed-in users with their tier highlighted, and their trading volume of the last 30
 * days.
 */
function FeeTiers() {
  const t = useWords('desktop-market');
  const locale = useLocale();
  const userTier = useFeeTier();
  const rate = (fraction: { toString(): string }): string => formatPercent(fraction.toString(), locale);
  return (
    <section className={classes.part}>
      <h3>{t('fees')}</h3>
      <p>{t('fees.note')}</p>
      <div className={classes.tiers}>
        <DataTable
          dense
          caption={t('fees')}
          rows={FEE_TIERS}
          rowKey={({ tier }) => String(tier)}
          columns={[
            {
              key: 'tier',
              title: t('fees.tier'),
              cell: ({ tier }) => (
                <>
                  {tier} {tier === userTier?.tier && <Badge tone="accent">{t('fees.yours')}</Badge>}
                </>
              ),
            },
            {
              key: 'volume',
              title: t('fees.volume'),
              align: 'end',
              cell: ({ volume }) => t('fees.from', { amount: formatDecimal(volume.toString(), locale) }),
            },
            { key: 'maker', title: t('fees.maker'), align: 'end', cell: ({ maker }) => rate(maker) },
            { key: 'taker', title: t('fees.taker'), align: 'end', cell: ({ taker }) => rate(taker) },
          ]}
        />
      </div>
      {userTier !== undefined && (
        <p>{t('fees.volumeOf', { amount: formatDecimal(userTier.volume30d, locale, { maxDigits: 2 }) })}</p>
      )}
    </section>
  );
}
