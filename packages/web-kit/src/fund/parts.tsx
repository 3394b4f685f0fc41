import type { ReactNode } from 'react';
import { Sparkline } from '../chart/sparkline.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { UNIT_SPACE } from '../format/decimals.ts';
import { Amount, Change, Percent, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { Badge } from '../ui/parts.tsx';
import css from './fund.module.css';
import { useFunds, useFundValue, type Fund } from './queries.ts';

/** Number of decimals with which a unit value is displayed. */
export const VALUE_DIGITS = 4;
const TONES = { 1: 'good', 2: 'warning', 3: 'neutral' } as const;

/** The list of funds, each as a card. */
export function FundList({ linkTo }: { readonly linkTo: (fund: Fund) => ReactNode }) {
  const t = useWords('fund');
  const { data = [], isPending, error, refetch } = useFunds();
  const sortedFunds = data.toSorted((a, b) => a.status - b.status);
  return (
    <ListBody
      look="cards"
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      isEmpty={data.length === 0}
      empty={t('noFunds')}
    >
      <div className={css.cards}>
        {sortedFunds.map((fund) => (
          <FundCard key={fund.id} fund={fund} link={linkTo(fund)} />
        ))}
      </div>
    </ListBody>
  );
}

interface FundCardProps {
  readonly fund: Fund;
  readonly value?: ReactNode;
  readonly link?: ReactNode;
}

export function FundCard({ fund, value = <FundValue fund={fund} />, link }: FundCardProps) {
  const t = useWords('fund');
  return (
    <article className={css.card} aria-label={fund.name}>
      <header>
        <span className={css.name}>
          <b>{fund.name}</b>
          <Coins fund={fund} />
        </span>
        <FundState fund={fund} />
      </header>
      <div className={css.valueRow}>
        {value}
        <Sparkline values={fund.spark} change={fund.change24h} width={120} height={40} filled />
      </div>
      <Composition fund={fund} />
      <dl className={css.facts}>
        <Fact name={t('leverages')}>{leveragesText(fund)}</Fact>
        <Fact name={t('minAmount')}>
          <Amount value={fund.minAmount} coin={fund.currency} />
        </Fact>
        <Fact name={t('manageRate')}>
          <Percent value={fund.manageRate} digits={3} />
        </Fact>
        <Fact name={t('financeRate')}>
          <Percent value={fund.financeRate} digits={3} />
        </Fact>
      </dl>
      {link}
    </article>
  );
}

/** The live unit value of a fund with its 24-hour change. */
export function FundValue({ fund }: { readonly fund: Fund }) {
  return <FundValueAt fund={fund} value={useFundValue(fund.id, fund.nav)} />;
}

/** The given unit value with the fund's 24-hour change. */
export function FundValueAt({ fund, value }: { readonly fund: Fund; readonly value: string | undefined }) {
  const t = useWords('fund');
  return (
    <span className={css.value}>
      <small>{t('value')}</small>
      <b>
        <Price value={value} digits={VALUE_DIGITS} />
        {UNIT_SPACE}
        <small>{fund.currency}</small>
      </b>
      <Change value={fund.change24h} arrow />
    </span>
  );
}

export function FundState({ fund }: { readonly fund: Fund }) {
  const t = useWords('fund');
  if (fund.status === 1 && fund.degraded === 1) return <Badge tone="warning">{t('degraded')}</Badge>;
  return <Badge tone={TONES[fund.status]}>{t(`status${fund.status}`)}</Badge>;
}

function Coins({ fund }: { readonly fund: Fund }) {
  return (
    <span className={css.coins}>
      {fund.composition.map(({ coin }) => (
        <CoinIcon key={coin} coin={coin} size={20} />
      ))}
      <small>{fund.composition.map(({ coin }) => coin).join(' · ')}</small>
    </span>
  );
}

/** The composition of a fund's basket as a bar; other elements of the page show the figures. */
export function Composition({ fund }: { readonly fund: Fund }) {
  const t = useWords('fund');
  return (
    <div className={css.bar} role="img" aria-label={t('compositionOf', { coins: sharesText(fund) })}>
      {fund.composition.map(({ coin, share }, at) => (
        <span key={coin} data-place={at % 5} style={{ flexGrow: Number(share ?? '1') }} />
      ))}
    </div>
  );
}

function sharesText({ composition }: Fund): string {
  return composition
    .map(({ coin, share }) => (share === undefined ? coin : `${coin} ${Math.round(Number(share) * 100)}%`))
    .join(', ');
}

export function leveragesText({ leverages }: Fund): string {
  return leverages.map((leverage) => `${leverage}×`).join(' · ');
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
