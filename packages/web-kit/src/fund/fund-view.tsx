import type { ReactNode } from 'react';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount, Percent } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import css from './fund.module.css';
import { Composition, Fact, FundState, FundValue, leveragesText } from './parts.tsx';
import { useFundValue, type FundDetail } from './queries.ts';
import { ValueChart } from './value-chart.tsx';

interface FundViewProps {
  readonly fund: FundDetail;
  /** The order ticket, shown beside the chart; absent on phones, which show the ticket in a bottom sheet. */
  readonly ticket?: ReactNode;
}

/** Page of a fund: chart of the unit value, composition, costs, documents, and `ticket`, the form that buys units. */
export function FundView({ fund, ticket }: FundViewProps) {
  const t = useWords('fund');
  const value = useFundValue(fund.id, fund.nav);
  return (
    <div className={css.view}>
      <header className={css.head}>
        <div>
          <h1>{fund.name}</h1>
          <FundState fund={fund} />
        </div>
        <FundValue fund={fund} />
      </header>
      <div className={css.columns}>
        <div className={css.main}>
          <ValueChart id={fund.id} value={value} />
          <CompositionTable fund={fund} />
          <Costs fund={fund} />
          {fund.documents.map(({ title, text }) => (
            <section key={title} className={css.panel}>
              <h2>{title}</h2>
              <p>{text}</p>
            </section>
          ))}
        </div>
        {ticket === undefined ? null : (
          <section className={css.panel} aria-label={t('buyTitle', { name: fund.name })}>
            <h2>{t('buyTitle', { name: fund.name })}</h2>
            {ticket}
          </section>
        )}
      </div>
    </div>
  );
}

function CompositionTable({ fund }: { readonly fund: FundDetail }) {
  const t = useWords('fund');
  return (
    <section className={css.panel}>
      <h2>{t('composition')}</h2>
      <Composition fund={fund} />
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('coin')}</th>
            <th scope="col">{t('weight')}</th>
            <th scope="col">{t('share')}</th>
          </tr>
        </thead>
        <tbody>
          {fund.composition.map(({ coin, weight, share }, at) => (
            <tr key={coin}>
              <th scope="row">
                <i data-place={at % 5} aria-hidden="true" />
                <CoinIcon coin={coin} size={20} /> {coin}
              </th>
              <td>
                <Amount value={weight} />
              </td>
              <td>
                <Percent value={share} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={css.hint}>{t('formula', { divisor: fund.divisor })}</p>
    </section>
  );
}

function Costs({ fund }: { readonly fund: FundDetail }) {
  const t = useWords('fund');
  return (
    <section className={css.panel}>
      <h2>{t('terms')}</h2>
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
        <Fact name={t('mmr')}>
          <Percent value={fund.mmr} />
        </Fact>
        <Fact name={t('liqFee')}>
          <Percent value={fund.liqFee} />
        </Fact>
        <Fact name={t('coverable')}>
          <Amount value={fund.coverable} coin={fund.currency} kind="sum" />
        </Fact>
        <Fact name={t('insurance')}>
          <Amount value={fund.insurance} coin={fund.currency} kind="sum" />
        </Fact>
      </dl>
      <p className={css.hint}>{t('dealing')}</p>
    </section>
  );
}
