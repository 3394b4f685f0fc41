import { useWords } from '@exchange/web-kit/i18n/words.ts';
import {
  withAmount,
  withPercent,
  withPrice,
  withTotal,
  type Ticket,
  type TicketMoment,
} from '@exchange/web-kit/spot/ticket-form.ts';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { DecimalField } from '@exchange/web-kit/ui/decimal-field.tsx';
import { SharePicker } from './share-picker.tsx';
import classes from './ticket.module.css';

/** Totals are typed to at most this many decimals. */
const TOTAL_PLACES = 8;

interface TicketFieldsProps {
  readonly ticket: Ticket;
  readonly moment: TicketMoment;
  readonly onChange: (ticket: Ticket) => void;
  /** Shares of what is available mean nothing to a visitor. */
  readonly hasShares: boolean;
}

/** Price, amount and total; a market order has one of the latter two, as one chooses. */
export function TicketFields({ ticket, moment, onChange, hasShares }: TicketFieldsProps) {
  const t = useWords('trade');
  const { pair } = moment;
  const isMarket = ticket.type === 'market';
  const total = (
    <DecimalField
      className={classes.field}
      label={t('total')}
      value={ticket.total}
      onChange={(text) => onChange(withTotal(ticket, text, moment))}
      places={TOTAL_PLACES}
      unit={pair.quote}
    />
  );
  return (
    <>
      <DecimalField
        className={classes.field}
        label={t('price')}
        value={isMarket ? '' : ticket.price}
        onChange={(price) => onChange(withPrice(ticket, price, moment))}
        places={pair.priceDigits}
        unit={pair.quote}
        disabled={isMarket}
        placeholder={isMarket ? t('marketPrice') : undefined}
      />
      {isMarket && (
        <Select
          label={t('amount')}
          className={classes.by}
          value={ticket.by}
          onChange={(by) => onChange({ ...ticket, by, amount: '', total: '' })}
          options={[
            { value: 'amount', label: t('amountField', { coin: pair.base }) },
            { value: 'total', label: t('totalField', { coin: pair.quote }) },
          ]}
        />
      )}
      {isMarket && ticket.by === 'total' ? (
        total
      ) : (
        <DecimalField
          className={classes.field}
          label={t('amount')}
          value={ticket.amount}
          onChange={(amount) => onChange(withAmount(ticket, amount, moment))}
          places={pair.amountDigits}
          unit={pair.base}
        />
      )}
      <SharePicker isOff={!hasShares} onPick={(percent) => onChange(withPercent(ticket, percent, moment))} />
      {!isMarket && total}
    </>
  );
}
