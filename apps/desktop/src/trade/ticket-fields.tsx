import { TRAIL_PCT_PLACES } from '@exchange/core/spot.ts';
import { DecimalField } from '@exchange/web-kit/form/decimal-field.tsx';
import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { totalDigits } from '@exchange/web-kit/market/pair.ts';
import { useExitResults, useExitWords } from '@exchange/web-kit/spot/exit-words.ts';
import { useLongestTexts } from '@exchange/web-kit/spot/longest-texts.ts';
import { fieldsOf } from '@exchange/web-kit/spot/order-kinds.ts';
import { shareOf, ShareSlider } from '@exchange/web-kit/spot/share-slider.tsx';
import { type Exit, typedExit } from '@exchange/web-kit/spot/ticket-edits.ts';
import type { TicketInput } from '@exchange/web-kit/spot/ticket-problem.ts';
import type { Ticket, TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl } from '@exchange/web-kit/spot/use-ticket.ts';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { memo, type ReactNode, useMemo } from 'react';
import type { PriceField } from './picked-price.ts';
import classes from './ticket.module.css';

interface TicketFieldsProps {
  readonly control: TicketControl;
  readonly moment: TicketMarket;
  /**
   * Called with the price input that receives the focus; prices picked in the order book, the price ladder or the chart
   * are then written into it.
   */
  readonly onUse: (field: PriceField) => void;
  /**
   * False disables the slider and the buttons that set the order to a share of the available balance; used for
   * visitors, who have no balance.
   */
  readonly hasShares: boolean;
  /** Returns the id of the element that explains why the given input is invalid; undefined if the input is valid. */
  readonly faultOf: (input: TicketInput) => string | undefined;
}

/**
 * The inputs of an order ticket: the prices that the order type needs, then the amount, the total or both with controls
 * for a share of the balance, and the optional take-profit and stop-loss.
 */
export function TicketFields(props: TicketFieldsProps) {
  const { hasShares, faultOf } = props;
  const { pair } = props.moment;
  const { ticket, fields, set, summary } = props.control;
  const t = useWords('trade');
  // Whether the other side of the ticket has a menu to choose between amount and total. If it has, this side shows a
  // fixed label in the same place when it has no menu, so that the inputs of both sides align.
  const otherChooses = fieldsOf(ticket.type, ticket.side === 'buy' ? 'sell' : 'buy').choosesTotal;
  const total = (
    <DecimalField
      className={classes.field}
      label={t('total')}
      value={ticket.total}
      onChange={set.total}
      places={totalDigits(pair)}
      unit={pair.quote}
      faultId={faultOf('total')}
    />
  );
  return (
    <div className={classes.fields}>
      <PriceFields {...props} />
      {fields.choosesTotal && (
        <Select
          label={`${t('byAmount')} / ${t('byTotal')}`}
          className={classes.by}
          value={ticket.by}
          onChange={set.by}
          options={[
            { value: 'amount', label: t('amountField', { coin: pair.base }) },
            { value: 'total', label: t('totalField', { coin: pair.quote }) },
          ]}
        />
      )}
      {!fields.choosesTotal && otherChooses && (
        <p className={classes.byAmount}>{t('amountField', { coin: pair.base })}</p>
      )}
      {fields.choosesTotal && ticket.by === 'total' ? (
        total
      ) : (
        <DecimalField
          className={classes.field}
          label={t('amount')}
          value={ticket.amount}
          onChange={set.amount}
          places={pair.amountDigits}
          unit={pair.base}
          faultId={faultOf('amount')}
        />
      )}
      <ShareSlider
        isSmall
        value={shareOf(ticket, summary)}
        onChange={set.percent}
        isDisabled={!hasShares || summary.available?.isPositive() !== true}
      />
      <SharePicker isOff={!hasShares} onPick={set.percent} />
      {!fields.choosesTotal && total}
      {fields.canHaveExits && <Exits {...props} />}
    </div>
  );
}

/** Inputs for the optional take-profit, stop-loss and stop-loss limit price of an order, with the estimated results. */
function Exits({ control, moment, onUse, faultOf }: TicketFieldsProps) {
  const t = useWords('trade');
  const { pair } = moment;
  const { ticket, summary, set } = control;
  const results = useExitResults(ticket.hasExits ? ticket : undefined, summary, pair);
  const longest = useLongestTexts(ticket, moment);
  const prices = useExitWords().typed(ticket, pair.priceDigits);
  const inPercent = ticket.exitsBy === 'percent';
  const exit = (field: 'takeProfit' | 'stopLoss') => (
    <PriceInput
      field={field}
      label={t(field)}
      value={typedExit(ticket, field)}
      onChange={set[field]}
      onUse={onUse}
      places={inPercent ? TRAIL_PCT_PLACES : pair.priceDigits}
      unit={inPercent ? '%' : pair.quote}
      placeholder={undefined}
      faultId={faultOf(field)}
    />
  );
  return (
    <>
      <div className={classes.exitsHead} title={t(ticket.side === 'buy' ? 'tpslHint' : 'tpslHintSell')}>
        <Checkbox label={t('tpsl')} checked={ticket.hasExits} onChange={set.hasExits} />
        {ticket.hasExits && <ExitsBy value={ticket.exitsBy} onChange={set.exitsBy} />}
      </div>
      {ticket.hasExits && (
        <>
          {exit('takeProfit')}
          {exit('stopLoss')}
          <PriceInput
            field="stopLossLimit"
            label={t('stopLossLimit')}
            value={ticket.stopLossLimit}
            onChange={set.stopLossLimit}
            onUse={onUse}
            places={pair.priceDigits}
            unit={pair.quote}
            placeholder={t('stopLossLimitHint')}
            faultId={faultOf('stopLossLimit')}
          />
          <div
            className={classes.exits}
            data-longest={longest.exits + (inPercent ? `\n${longest.exitPrices}` : '')}
          >
            <div>
              {inPercent && <p>{prices}</p>}
              {results.map((result) => (
                <p key={result}>{result}</p>
              ))}
            </div>
          </div>
        </>
      )}
    </>
  );
}

interface ExitsByProps {
  readonly value: Ticket['exitsBy'];
  readonly onChange: (by: Ticket['exitsBy']) => void;
}

/** Menu that selects whether the user enters take-profit and stop-loss as prices or in percent. */
function ExitsBy({ value, onChange }: ExitsByProps) {
  const t = useWords('trade');
  return (
    <Select
      label={t('exitsBy.label')}
      className={classes.exitsBy}
      value={value}
      onChange={onChange}
      options={[
        { value: 'price', label: t('exitsBy.price') },
        { value: 'percent', label: t('exitsBy.percent') },
      ]}
    />
  );
}

/**
 * Inputs for the prices and the trailing distance that the order type needs; for a market order a text states that it
 * has no price.
 */
function PriceFields({ control, moment, onUse, faultOf }: TicketFieldsProps) {
  const { pair } = moment;
  const t = useWords('trade');
  const tDesk = useWords('desktop-trade');
  const { ticket, fields, set } = control;
  const isOco = ticket.type === 'oco';
  const priceUnit = usePriceUnit(control, moment);
  const price = (field: Exclude<PriceField, Exit>, label: string, placeholder?: string) => (
    <PriceInput
      field={field}
      label={label}
      value={ticket[field]}
      onChange={set[field]}
      onUse={onUse}
      onHold={field === 'price' ? set.holdPrice : undefined}
      places={pair.priceDigits}
      unit={field === 'price' ? priceUnit : pair.quote}
      placeholder={placeholder}
      faultId={faultOf(field)}
    />
  );
  const limit = fields.hasPrice && price('price', t(fields.hasStopPrice ? 'limitPrice' : 'price'));
  return (
    <>
      {isOco && limit}
      {fields.hasStopPrice && price('stopPrice', t('stopPrice'))}
      {fields.hasTrail && <TrailField control={control} moment={moment} faultOf={faultOf} />}
      {fields.hasTrail && price('activation', t('activation'), t('activationHint'))}
      {!isOco && limit}
      {fields.hasStopLimitPrice &&
        price('stopLimitPrice', tDesk('ticket.stopLimit'), tDesk('ticket.atMarket'))}
      {ticket.type === 'market' && (
        <p className={classes.fixed}>
          <span>{t('price')}</span>
          {t('marketPrice')}
        </p>
      )}
    </>
  );
}

interface PriceInputProps {
  readonly field: PriceField;
  readonly label: string;
  readonly value: string;
  readonly onChange: (price: string) => void;
  readonly onUse: (field: PriceField) => void;
  /**
   * Called when the limit price input gets the focus (undefined for the other price inputs); from then on an
   * empty price is not filled in automatically, so that the user can type (see `TicketSetters`).
   */
  readonly onHold?: (() => void) | undefined;
  readonly places: number;
  readonly unit: ReactNode;
  readonly placeholder: string | undefined;
  readonly faultId: string | undefined;
}

const PriceInput = memo(function PriceInput({ field, onUse, onHold, ...props }: PriceInputProps) {
  const use = (): void => {
    onHold?.();
    onUse(field);
  };
  return <DecimalField className={classes.field} onFocus={use} {...props} />;
});

/**
 * Hook that returns the content at the end of the limit price input: its unit, and two buttons that fill in
 * the best bid or ask; memoised.
 */
function usePriceUnit({ set }: TicketControl, { pair, bestBid, bestAsk }: TicketMarket): ReactNode {
  const t = useWords('trade');
  const [hasBid, hasAsk] = [bestBid !== undefined, bestAsk !== undefined];
  return useMemo(
    () => (
      <>
        <i className={classes.best}>
          <button
            type="button"
            disabled={!hasBid}
            title={t('best.useBid')}
            aria-label={t('best.useBid')}
            onClick={() => set.bestPrice('bid')}
          >
            {t('best.bid')}
          </button>
          <button
            type="button"
            disabled={!hasAsk}
            title={t('best.useAsk')}
            aria-label={t('best.useAsk')}
            onClick={() => set.bestPrice('ask')}
          >
            {t('best.ask')}
          </button>
        </i>
        {pair.quote}
      </>
    ),
    [t, set, pair.quote, hasBid, hasAsk],
  );
}

/**
 * Input for the distance of a trailing stop in percent; the placeholder shows the smallest and the greatest
 * distance that the pair permits.
 */
function TrailField({ control, moment, faultOf }: Pick<TicketFieldsProps, 'control' | 'moment' | 'faultOf'>) {
  const t = useWords('trade');
  const locale = useLocale();
  const percent = (fraction: { toString(): string }): string =>
    formatPercent(fraction.toString(), locale, { digits: 1 });
  const { minTrail, maxTrail } = moment.pair.filters;
  return (
    <DecimalField
      className={classes.field}
      label={t('trail')}
      value={control.ticket.trail}
      onChange={control.set.trail}
      places={TRAIL_PCT_PLACES}
      unit="%"
      faultId={faultOf('trail')}
      placeholder={t('trailHint', { min: percent(minTrail), max: percent(maxTrail) })}
    />
  );
}

const SHARES = [25, 50, 75, 100] as const;

interface SharePickerProps {
  readonly isOff: boolean;
  readonly onPick: (percent: number) => void;
}

/**
 * Buttons that set the order (its amount, or the total of a buy order that is filled in by total) to a share
 * of the available balance.
 */
const SharePicker = memo(function SharePicker({ isOff, onPick }: SharePickerProps) {
  const t = useWords('trade');
  return (
    <div className={classes.shares}>
      {SHARES.map((percent) => (
        <button
          key={percent}
          type="button"
          disabled={isOff}
          aria-label={t('percentOf', { percent })}
          onClick={() => onPick(percent)}
        >
          {percent}%
        </button>
      ))}
    </div>
  );
});
