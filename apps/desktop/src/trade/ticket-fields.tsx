import { TRAIL_PCT_PLACES } from '@exchange/core/spot.ts';
import { DecimalField } from '@exchange/web-kit/form/decimal-field.tsx';
import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { totalDigits } from '@exchange/web-kit/market/pair.ts';
import { useExitResults } from '@exchange/web-kit/spot/exit-words.ts';
import { fieldsOf } from '@exchange/web-kit/spot/order-kinds.ts';
import type { TicketInput } from '@exchange/web-kit/spot/ticket-problem.ts';
import type { TicketPair } from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl } from '@exchange/web-kit/spot/use-ticket.ts';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { memo } from 'react';
import type { PriceField } from './taken-price.ts';
import classes from './ticket.module.css';

interface TicketFieldsProps {
  readonly control: TicketControl;
  readonly pair: TicketPair;
  /** Reports which price input is worked on: a click into the book fills that one. */
  readonly onUse: (field: PriceField) => void;
  /** Shares of what is available mean nothing to a visitor. */
  readonly hasShares: boolean;
  /** Gives the element that says why an input is refused; undefined for one that is not. */
  readonly faultOf: (input: TicketInput) => string | undefined;
}

/** The inputs of a ticket: those of its kind for prices, then amount and total. */
export function TicketFields(props: TicketFieldsProps) {
  const { pair, hasShares, faultOf } = props;
  const { ticket, fields, set } = props.control;
  const t = useWords('trade');
  // Where one side chooses, the other says what it takes, so that their inputs stand side by side.
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
      <SharePicker isOff={!hasShares} onPick={set.percent} />
      {!fields.choosesTotal && total}
      {fields.canHaveExits && <Exits {...props} />}
    </div>
  );
}

/** Take-profit and stop-loss of a buy, once somebody wants them, with what each would bring. */
function Exits({ control, pair, onUse, faultOf }: TicketFieldsProps) {
  const t = useWords('trade');
  const { ticket, summary, set } = control;
  const results = useExitResults(ticket.hasExits ? ticket : undefined, summary, pair);
  const price = (field: 'takeProfit' | 'stopLoss') => (
    <PriceInput
      field={field}
      label={t(field)}
      value={ticket[field]}
      onChange={set[field]}
      onUse={onUse}
      places={pair.priceDigits}
      unit={pair.quote}
      placeholder={undefined}
      faultId={faultOf(field)}
    />
  );
  return (
    <>
      <div title={t('tpslHint')}>
        <Checkbox label={t('tpsl')} checked={ticket.hasExits} onChange={set.hasExits} />
      </div>
      {ticket.hasExits && price('takeProfit')}
      {ticket.hasExits && price('stopLoss')}
      {results.map((result) => (
        <p key={result} className={classes.exits}>
          {result}
        </p>
      ))}
    </>
  );
}

/** Trigger, distance and limits, as far as the kind has them; a market order says that it has none. */
function PriceFields({ control, pair, onUse, faultOf }: TicketFieldsProps) {
  const t = useWords('trade');
  const tDesk = useWords('desktop-trade');
  const { ticket, fields, set } = control;
  const isOco = ticket.type === 'oco';
  const price = (field: PriceField, label: string, placeholder?: string) => (
    <PriceInput
      field={field}
      label={label}
      value={ticket[field]}
      onChange={set[field]}
      onUse={onUse}
      places={pair.priceDigits}
      unit={pair.quote}
      placeholder={placeholder}
      faultId={faultOf(field)}
    />
  );
  const limit = fields.hasPrice && price('price', t(fields.hasStopPrice ? 'limitPrice' : 'price'));
  return (
    <>
      {isOco && limit}
      {fields.hasStopPrice && price('stopPrice', t('stopPrice'))}
      {fields.hasTrail && <TrailField control={control} pair={pair} faultOf={faultOf} />}
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
  readonly places: number;
  readonly unit: string;
  readonly placeholder: string | undefined;
  readonly faultId: string | undefined;
}

const PriceInput = memo(function PriceInput({ field, onUse, ...props }: PriceInputProps) {
  return <DecimalField className={classes.field} onFocus={() => onUse(field)} {...props} />;
});

/** A trailing stop's distance in percent, within what the pair allows. */
function TrailField({ control, pair, faultOf }: Pick<TicketFieldsProps, 'control' | 'pair' | 'faultOf'>) {
  const t = useWords('trade');
  const locale = useLocale();
  const percent = (fraction: { toString(): string }): string =>
    formatPercent(fraction.toString(), locale, { digits: 1 });
  const { minTrail, maxTrail } = pair.filters;
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

/** A part of what is available, at one click. */
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
