import { TAX_METHODS, type TaxMethod } from '@exchange/core/tax.ts';
import { useId, useState } from 'react';
import { Amount } from '../format/numbers.tsx';
import { timeZoneOptions } from '../format/time-zones.ts';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { SegmentedControl, Select, Tabs } from '../ui/choice.tsx';
import fieldCss from '../ui/field.module.css';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Banner } from '../ui/parts.tsx';
import { TaxArrivals } from './tax-arrivals.tsx';
import { TaxDisposals } from './tax-disposals.tsx';
import { TaxFiles } from './tax-files.tsx';
import css from './tax.module.css';
import { CASH, Figure, Worth } from './tax-figure.tsx';
import { useTaxYear, useTaxZone, type CoinYear, type TaxSectionRow, type TaxYear } from './tax.ts';

const VIEWS = ['coins', 'disposals', 'sections', 'arrivals', 'files'] as const;
type View = (typeof VIEWS)[number];

/**
 * Shows the user's tax report of a year: realised gains, income and results of products, by a method that the user
 * selects.
 */
export function TaxReport({ look }: { readonly look: OverlayLook }) {
  const t = useWords('tax');
  const [year, setYear] = useState<number>();
  const [method, setMethod] = useState<TaxMethod>('fifo');
  const report = useTaxYear({ year, method });
  const { data } = report;
  const shownYear = year ?? data?.year;
  const years = data?.years ?? (shownYear === undefined ? [] : [shownYear]);
  return (
    <div className={css.report}>
      <section className={css.panel}>
        <div className={css.choices}>
          <div>
            <span className={fieldCss.label} aria-hidden="true">
              {t('year')}
            </span>
            <Select
              label={t('year')}
              value={String(shownYear ?? '')}
              onChange={(next) => setYear(Number(next))}
              options={years.map((listed) => ({ value: String(listed), label: String(listed) }))}
            />
          </div>
          <div>
            <span className={fieldCss.label} aria-hidden="true">
              {t('method')}
            </span>
            <SegmentedControl<TaxMethod>
              label={t('method')}
              value={method}
              onChange={setMethod}
              options={TAX_METHODS.map((value) => ({ value, label: t(value) }))}
            />
          </div>
          {data === undefined ? null : <ZoneChoice zone={data.timeZone} />}
        </div>
        <p className={css.note}>{t('currencyNote')}</p>
        {data === undefined || data.subAccounts === 0 ? null : (
          <p className={css.note}>{t('subAccountsNote')}</p>
        )}
        <ListBody
          isLoading={report.isPending}
          error={report.error}
          onRetry={() => void report.refetch()}
          skeletonRows={4}
        >
          {data === undefined ? null : data.status === 'computing' ? (
            <p className={css.computing} role="status">
              {t('computing')}
            </p>
          ) : (
            <Totals year={data} />
          )}
        </ListBody>
        <p className={css.note}>{t('advice')}</p>
      </section>
      {data?.status === 'ready' ? <Parts key={`${data.year}`} year={data} look={look} /> : null}
    </div>
  );
}

/** Choice of the time zone in which tax years begin and end. */
function ZoneChoice({ zone }: { readonly zone: string }) {
  const t = useWords('tax');
  const change = useTaxZone();
  const choose = (next: string): void => {
    if (change.isPending) return;
    change.mutate(next, {
      onSuccess: () => notify.success(t('saved')),
      onError: (error) => notify.failure(error),
    });
  };
  // While the request that stores the selected time zone is running, the selection is shown; afterwards the zone that
  // the report contains.
  const shown = change.isPending ? change.variables : zone;
  return (
    <div>
      <span className={fieldCss.label} aria-hidden="true">
        {t('timeZone')}
      </span>
      <Select
        label={t('timeZone')}
        className={css.zone}
        value={shown}
        onChange={choose}
        options={timeZoneOptions(shown)}
      />
    </div>
  );
}

function Totals({ year: { totals } }: { readonly year: TaxYear }) {
  const t = useWords('tax');
  return (
    <>
      <h2 className={css.heading}>{t('totals')}</h2>
      <dl className={css.totals}>
        <Figure name={t('gain')}>
          <Worth value={totals.gain} signed />
        </Figure>
        <Figure name={t('proceeds')}>
          <Worth value={totals.proceeds} />
        </Figure>
        <Figure name={t('cost')}>
          <Worth value={totals.disposedCost} />
        </Figure>
        <Figure name={t('income')}>
          <Worth value={totals.income} />
        </Figure>
        <Figure name={t('productGains')}>
          <Worth value={totals.productGains} />
        </Figure>
        <Figure name={t('productLosses')}>
          <Worth value={totals.productLosses} />
        </Figure>
        <Figure name={t('fees')}>
          <Worth value={totals.fees} />
        </Figure>
        {totals.unknownProceeds === '0' ? null : (
          <Figure name={t('unknownProceeds')}>
            <Worth value={totals.unknownProceeds} />
          </Figure>
        )}
      </dl>
      <p className={css.note}>{t('feesNote')}</p>
      {totals.unknownProceeds === '0' ? null : <Banner tone="warning">{t('unknownNote')}</Banner>}
      {totals.unvalued === 0 ? null : (
        <Banner tone="warning">{t('unvalued', { count: totals.unvalued })}</Banner>
      )}
    </>
  );
}

/**
 * Shows the tabs of the tax report and the content of the selected one: coins, disposals, product results,
 * transferred coins, and files of the year.
 */
function Parts({ year, look }: { readonly year: TaxYear; readonly look: OverlayLook }) {
  const t = useWords('tax');
  const panelId = useId();
  const [view, setView] = useState<View>('coins');
  return (
    <section className={css.panel}>
      <Tabs<View>
        label={t('views')}
        value={view}
        onChange={setView}
        panelId={panelId}
        options={VIEWS.map((value) => ({ value, label: t(value) }))}
      />
      <div id={panelId} role="tabpanel" aria-label={t(view)}>
        {view === 'coins' ? (
          <Coins year={year} />
        ) : view === 'disposals' ? (
          <TaxDisposals year={year.year} method={year.method} />
        ) : view === 'sections' ? (
          <Sections sections={year.sections} />
        ) : view === 'arrivals' ? (
          <TaxArrivals look={look} />
        ) : (
          <TaxFiles year={year.year} method={year.method} />
        )}
      </div>
    </section>
  );
}

function Coins({ year: { coins, currency } }: { readonly year: TaxYear }) {
  const t = useWords('tax');
  if (coins.length === 0) return <p className={css.empty}>{t('noCoins')}</p>;
  return (
    <ul className={css.coins}>
      {coins.map((coin) => (
        <CoinCard key={coin.currency} coin={coin} isCash={coin.currency === currency} />
      ))}
    </ul>
  );
}

/**
 * Shows the balance of a coin and its cost at the beginning and the end of the tax year, the changes in the year, and
 * the gain. For USDT only the amounts are shown.
 */
function CoinCard({ coin, isCash }: { readonly coin: CoinYear; readonly isCash: boolean }) {
  const t = useWords('tax');
  const { currency } = coin;
  const isWholeCostKnown = [coin.openUncosted, coin.uncosted, coin.unknownProceeds].every(
    (part) => part === '0',
  );
  const rows: readonly (readonly [name: string, amount: string, worth: string])[] = [
    [t('opening'), coin.openQuantity, coin.openCost],
    [t('bought'), coin.acquired, coin.acquiredCost],
    [t('received'), coin.income, coin.incomeValue],
    [t('arrived'), coin.arrived, coin.arrivedCost],
    [t('departed'), negated(coin.departed), negated(coin.departedCost)],
    [t('disposed'), negated(coin.disposed), negated(coin.disposedCost)],
    [t('closing'), coin.quantity, coin.cost],
  ];
  return (
    <li className={css.card}>
      <div className={css.cardHead}>
        <b>{currency}</b>
        {isCash || coin.disposed === '0' ? null : (
          <span className={css.headFigure}>
            {t('gain')} <Worth value={coin.disposedCost === '0' ? null : coin.gain} signed />
          </span>
        )}
      </div>
      <table className={css.movements}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('amountIn', { coin: currency })}</th>
            {isCash ? null : <th scope="col">{t('worthIn', { coin: CASH })}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, amount, worth], index) =>
            amount === '0' && index < rows.length - 1 ? null : (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <Amount value={amount} figureCoin={currency} />
                </td>
                {isCash ? null : (
                  <td>
                    {worth === '0' && !isWholeCostKnown ? (
                      t('unknown')
                    ) : (
                      <Amount value={worth} kind="worth" figureCoin={CASH} />
                    )}
                  </td>
                )}
              </tr>
            ),
          )}
        </tbody>
      </table>
      {isCash || !hasFurtherFigures(coin) ? null : <FurtherFigures coin={coin} />}
    </li>
  );
}

/** Returns the amount with a minus sign; zero stays zero. */
function negated(amount: string): string {
  return amount === '0' ? amount : `-${amount}`;
}

function hasFurtherFigures({ disposed, unknownProceeds, fees, uncosted }: CoinYear): boolean {
  return [disposed, unknownProceeds, fees, uncosted].some((figure) => figure !== '0');
}

/**
 * Shows further figures of a coin in a tax year: the proceeds of disposals, the part of these proceeds whose cost is
 * unknown, the fees, and the amount with unknown cost that is left at the end of the year. Proceeds are omitted if
 * nothing was disposed of, each other figure if it is zero.
 */
function FurtherFigures({ coin }: { readonly coin: CoinYear }) {
  const t = useWords('tax');
  return (
    <dl className={css.further}>
      {coin.disposed === '0' ? null : (
        <Figure name={t('proceeds')}>
          <Worth value={coin.proceeds} />
        </Figure>
      )}
      {coin.unknownProceeds === '0' ? null : (
        <Figure name={t('unknownProceeds')}>
          <Worth value={coin.unknownProceeds} />
        </Figure>
      )}
      {coin.fees === '0' ? null : (
        <Figure name={t('fees')}>
          <Worth value={coin.fees} />
        </Figure>
      )}
      {coin.uncosted === '0' ? null : (
        <Figure name={t('closingUncosted')}>
          <Amount value={coin.uncosted} coin={coin.currency} />
        </Figure>
      )}
    </dl>
  );
}

function Sections({ sections }: { readonly sections: readonly TaxSectionRow[] }) {
  const t = useWords('tax');
  if (sections.length === 0) return <p className={css.empty}>{t('noSections')}</p>;
  return (
    <ul className={css.cards}>
      {sections.map((row) => (
        <li key={`${row.section} ${row.currency}`} className={css.card}>
          <div className={css.cardHead}>
            <b>{t(`section_${row.section}`)}</b>
            <span className={css.headFigure}>{row.currency}</span>
          </div>
          <div className={css.figures}>
            <dl className={css.pair}>
              <Figure name={t('events')}>{row.events}</Figure>
            </dl>
            <dl className={css.pair}>
              <Figure name={t('gained')}>
                <Amount value={row.gained} coin={row.currency} />
              </Figure>
              <Figure name={t('receivedValue')}>
                <Worth value={row.gainedValue} />
              </Figure>
            </dl>
            {row.lost === '0' ? null : (
              <dl className={css.pair}>
                <Figure name={t('lost')}>
                  <Amount value={row.lost} coin={row.currency} />
                </Figure>
                <Figure name={t('productLosses')}>
                  <Worth value={row.lostValue} />
                </Figure>
              </dl>
            )}
          </div>
          {row.unvalued === 0 ? null : <p className={css.note}>{t('unvalued', { count: row.unvalued })}</p>}
        </li>
      ))}
    </ul>
  );
}
