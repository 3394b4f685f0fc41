import { useState, type ReactNode } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { formatPrice, signOf } from '../format/format.ts';
import { Amount, Change, Price, When } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Tabs } from '../ui/choice.tsx';
import { Badge } from '../ui/parts.tsx';
import { checkEnd, type EndCheckResult } from './check.ts';
import css from './fund.module.css';
import { useLiveRecord, useLiveTotals, type LiveRecord } from './live-record.ts';
import { Fact, VALUE_DIGITS } from './parts.tsx';
import { cancelSell, FUND_TABS, useFundRecords, type FundRecord, type FundTab } from './queries.ts';

/**
 * Names of the forms for a fund position: to sell units, or to add margin. The app opens them in a dialog or
 * a bottom sheet.
 */
export type HoldingForm = 'sell' | 'margin';
export interface OpenHoldingForm {
  readonly form: HoldingForm;
  readonly record: FundRecord;
}

interface FundRecordsProps {
  readonly tab: FundTab;
  readonly onTab: (tab: FundTab) => void;
  readonly onDeed: (asked: OpenHoldingForm) => void;
  readonly hidden: boolean;
  /** Link or button that is shown if the selected tab is empty. */
  readonly action: ReactNode;
}

/** Shows the totals of the user's fund positions, and a card for each position of the selected tab. */
export function FundRecords({ tab, onTab, onDeed, hidden, action }: FundRecordsProps) {
  const t = useWords('fund');
  const records = useFundRecords(tab);
  return (
    <div className={css.view}>
      <Totals hidden={hidden} />
      <Tabs<FundTab>
        label={t('records')}
        value={tab}
        onChange={onTab}
        options={FUND_TABS.map((value) => ({ value, label: t(value) }))}
      />
      <ListBody
        look="cards"
        isLoading={records.isLoading}
        error={records.error}
        onRetry={() => void records.reload()}
        isEmpty={records.rows.length === 0}
        empty={t(`none.${tab}`)}
        action={action}
      >
        <div className={css.records}>
          {records.rows.map((record) => (
            <RecordCard
              key={record.id}
              record={record}
              onDeed={(action) => onDeed({ form: action, record })}
            />
          ))}
        </div>
        <ListEnd list={records} />
      </ListBody>
    </div>
  );
}

function Totals({ hidden }: { readonly hidden: boolean }) {
  const t = useWords('fund');
  const totals = useLiveTotals();
  return (
    <dl className={css.totals}>
      {(['equity', 'margin', 'profit'] as const).map((key) => (
        <div key={key}>
          <dt>{t(`total.${key}`)}</dt>
          <dd>
            <Amount
              {...(key === 'profit' && {
                signed: true,
                className: hidden ? undefined : toneOf(totals?.profit),
              })}
              value={totals?.[key]}
              coin="USDT"
              kind="worth"
              hidden={hidden}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface RecordCardProps {
  readonly record: FundRecord;
  readonly onDeed: (deed: HoldingForm) => void;
}

/**
 * Card of one fund position: its value, its risk, its open sell orders, and the actions that it allows. For an ended
 * position, also the button that verifies the price at which it ended.
 */
export function RecordCard({ record, onDeed }: RecordCardProps) {
  const t = useWords('fund');
  const live = useLiveRecord(record);
  const isOver = record.payout !== undefined;
  return (
    <article className={css.record} aria-label={record.name}>
      <header>
        <span className={css.name}>
          <b>
            {record.name} <Badge>{record.leverage}×</Badge>
          </b>
          <small>
            <When at={isOver ? (record.closeTime ?? record.openTime) : record.openTime} look="dated" />
          </small>
        </span>
        <span className={css.profit}>
          <Amount
            value={live.profit}
            signed
            coin={record.currency}
            kind="sum"
            className={toneOf(live.profit)}
          />
          <Change value={live.profitShare} />
        </span>
      </header>
      {record.status === 0 ? <p className={css.hint}>{t('pendingHint')}</p> : null}
      <Figures record={record} live={live} />
      {live.safety === undefined ? null : <Gauge live={live} />}
      {record.sells.length === 0 ? null : <OpenSellOrders record={record} />}
      {record.status === 1 ? (
        <div className={css.deeds}>
          <Button size="s" onClick={() => onDeed('sell')}>
            {t('sell')}
          </Button>
          {record.leverage === 1 ? null : (
            <Button look="secondary" size="s" onClick={() => onDeed('margin')}>
              {t('addMargin')}
            </Button>
          )}
        </div>
      ) : null}
      {isOver ? <EndCheck id={record.id} isLiquidation={record.status === 3} /> : null}
    </article>
  );
}

function toneOf(profit = '0'): string | undefined {
  const sign = signOf(profit);
  return sign > 0 ? css.up : sign < 0 ? css.down : undefined;
}

function Figures({ record, live }: { readonly record: FundRecord; readonly live: LiveRecord }) {
  const t = useWords('fund');
  const isOver = record.payout !== undefined;
  const price = (value: string | undefined) => <Price value={value} digits={VALUE_DIGITS} />;
  const money = (value: string | undefined) => <Amount value={value} kind="sum" coin={record.currency} />;
  return (
    <dl className={css.figures}>
      <Fact name={t('quantity')}>
        <Amount value={record.quantity} />
      </Fact>
      <Fact name={t('buyPrice')}>{price(record.buyPrice)}</Fact>
      <Fact name={t(isOver ? `end.${record.status as 2 | 3 | 4}` : 'value')}>{price(live.value)}</Fact>
      <Fact name={t('margin')}>{money(record.margin)}</Fact>
      {live.equity === undefined ? null : (
        <Fact name={t('total.equity')}>
          <span title={t('equityHint')}>{money(live.equity)}</span>
        </Fact>
      )}
      {isOver ? null : (
        <Fact name={t('liqPrice')}>{record.leverage === 1 ? t('never') : price(record.liqPrice)}</Fact>
      )}
      <Fact name={t('cost')}>
        <Amount value={record.cost} kind="fee" coin={record.currency} />
      </Fact>
      {isOver ? <Fact name={t('payout')}>{money(record.payout)}</Fact> : null}
      {record.status === 3 ? <Fact name={t('liqFee')}>{money(record.fee)}</Fact> : null}
      {record.sellType === undefined ? null : (
        <Fact name={t('sellType')}>{t(record.sellType === 1 ? 'marketSell' : 'limitSell')}</Fact>
      )}
    </dl>
  );
}

/**
 * Margin ratio of an open fund position, as a figure and a gauge, with a word for its risk level; renders
 * nothing while the risk level is unknown.
 */
function Gauge({ live: { ratio = '0', safety } }: { readonly live: LiveRecord }) {
  const t = useWords('fund');
  const locale = useLocale();
  if (safety === undefined) return null;
  const share = Math.min(1, Number(ratio) / 10);
  return (
    <div className={css.gauge} data-safety={safety}>
      <span>
        {t('marginRatio')} <b>{formatPrice(ratio, locale, 2)}×</b> · {t(safety)}
      </span>
      <span
        className={css.meter}
        role="meter"
        aria-label={t('marginRatio')}
        aria-valuemin={0}
        aria-valuemax={10}
        aria-valuenow={Math.min(10, Number(ratio))}
        aria-valuetext={`${ratio}×, ${t(safety)}`}
      >
        <span style={{ transform: `scaleX(${share})` }} />
      </span>
    </div>
  );
}

function OpenSellOrders({ record }: { readonly record: FundRecord }) {
  const t = useWords('fund');
  const cancel = async (id: string) => {
    try {
      await cancelSell(id);
      notify.success(t('sellCancelled'));
    } catch (error) {
      notify.failure(error);
    }
  };
  return (
    <ul className={css.sells}>
      {record.sells.map(({ id, quantity, salePrice }) => (
        <li key={id}>
          <span>
            {salePrice === undefined
              ? t('sellWaits', { quantity })
              : t('limitWaits', { quantity, price: salePrice })}
          </span>
          <Button look="quiet" size="s" onClick={() => void cancel(id)}>
            {t('cancelSell')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/**
 * Button that verifies on this device, from recorded public index prices, the price at which a fund position ended and,
 * for a liquidated one, that this price was below the liquidation threshold.
 */
function EndCheck({ id, isLiquidation }: { readonly id: string; readonly isLiquidation: boolean }) {
  const t = useWords('fund');
  const [result, setResult] = useState<EndCheckResult>();
  const [isBusy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    try {
      setResult(await checkEnd(id));
    } catch (error) {
      notify.failure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={css.check}>
      <Button look="quiet" size="s" busy={isBusy} onClick={() => void check()}>
        {t(isLiquidation ? 'checkLiquidation' : 'checkEnd')}
      </Button>
      <p aria-live="polite" data-outcome={result?.outcome}>
        {result === undefined
          ? null
          : t(`check.${result.outcome}`, { value: result.value ?? '–', threshold: result.threshold ?? '–' })}
      </p>
    </div>
  );
}
