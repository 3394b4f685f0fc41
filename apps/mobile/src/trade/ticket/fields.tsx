import { NumberBox } from '@exchange/web-kit/form/number-box.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { totalDigits } from '@exchange/web-kit/market/pair.ts';
import { useExitResults } from '@exchange/web-kit/spot/exit-words.ts';
import type { TicketInput } from '@exchange/web-kit/spot/ticket-problem.ts';
import type { TicketPair } from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl } from '@exchange/web-kit/spot/use-ticket.ts';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { shareOf, ShareSlider } from './share-slider.tsx';
import css from './ticket.module.css';

interface FieldsProps {
  control: TicketControl;
  pair: TicketPair;
  /** Gives the element that says why an input is refused; undefined for one that is not. */
  faultOf: (input: TicketInput) => string | undefined;
}

/** A trailing distance is typed in percent, to a hundredth. */
const TRAIL_PLACES = 2;

/** The inputs that the kind has: trigger and prices, then how much. */
export function Fields(props: FieldsProps) {
  const { ticket, fields } = props.control;
  const isAmount = !fields.choosesTotal || ticket.by === 'amount';
  return (
    <>
      <Prices {...props} />
      {fields.choosesTotal ? <AmountOrTotal control={props.control} /> : null}
      {isAmount ? <Amount {...props} /> : null}
      {isAmount ? <Share control={props.control} /> : null}
      {fields.choosesTotal && isAmount ? null : <Total {...props} />}
      {isAmount ? null : <Share control={props.control} />}
      {fields.canHaveExits ? <Exits {...props} /> : null}
    </>
  );
}

/** Take-profit and stop-loss of a buy, once somebody wants them, with what each would bring. */
function Exits({ control: { ticket, summary, set }, pair, faultOf }: FieldsProps) {
  const trade = useWords('trade');
  const results = useExitResults(ticket.hasExits ? ticket : undefined, summary, pair);
  const about = results.length === 0 ? [trade('tpslHint')] : results;
  const price = (exit: 'takeProfit' | 'stopLoss') => (
    <NumberBox
      unit={pair.quote}
      places={pair.priceDigits}
      steps
      label={trade(exit)}
      value={ticket[exit]}
      onChange={set[exit]}
      faultId={faultOf(exit)}
    />
  );
  return (
    <>
      <div className={css.exits}>
        <Checkbox label={trade('tpsl')} checked={ticket.hasExits} onChange={set.hasExits} />
      </div>
      {ticket.hasExits ? (
        <>
          {price('takeProfit')}
          {price('stopLoss')}
          {about.map((line) => (
            <p key={line} className={css.exitsAbout}>
              {line}
            </p>
          ))}
        </>
      ) : null}
    </>
  );
}

function Prices({ control: { ticket, fields, set }, pair, faultOf }: FieldsProps) {
  const t = useWords('mobile-trade');
  const trade = useWords('trade');
  const price = { unit: pair.quote, places: pair.priceDigits, steps: true } as const;
  const isOco = ticket.type === 'oco';
  const limit = fields.hasPrice ? (
    <NumberBox
      {...price}
      label={isOco ? t('limitPrice') : trade('price')}
      value={ticket.price}
      onChange={set.price}
      faultId={faultOf('price')}
    />
  ) : null;
  return (
    <>
      {isOco ? limit : null}
      {fields.hasStopPrice ? (
        <NumberBox
          {...price}
          label={t('stopPrice')}
          value={ticket.stopPrice}
          onChange={set.stopPrice}
          faultId={faultOf('stopPrice')}
        />
      ) : null}
      {fields.hasTrail ? (
        <NumberBox
          label={trade('trail')}
          unit="%"
          value={ticket.trail}
          onChange={set.trail}
          places={TRAIL_PLACES}
          faultId={faultOf('trail')}
        />
      ) : null}
      {fields.hasTrail ? (
        <NumberBox
          {...price}
          label={trade('activation')}
          value={ticket.activation}
          onChange={set.activation}
          placeholder={trade('activationHint')}
          faultId={faultOf('activation')}
        />
      ) : null}
      {fields.hasStopLimitPrice ? (
        <NumberBox
          {...price}
          label={t('stopLimitPrice')}
          value={ticket.stopLimitPrice}
          onChange={set.stopLimitPrice}
          placeholder={t('stopLimitEmpty')}
          faultId={faultOf('stopLimitPrice')}
        />
      ) : null}
      {isOco ? null : limit}
      {ticket.type === 'market' ? <p className={css.best}>{trade('marketPrice')}</p> : null}
    </>
  );
}

function AmountOrTotal({ control: { ticket, set } }: { control: TicketControl }) {
  const trade = useWords('trade');
  return (
    <SegmentedControl
      label={`${trade('byAmount')} / ${trade('byTotal')}`}
      className={css.by}
      value={ticket.by}
      onChange={set.by}
      options={[
        { value: 'amount', label: trade('byAmount') },
        { value: 'total', label: trade('byTotal') },
      ]}
    />
  );
}

function Amount({ control: { ticket, set }, pair, faultOf }: FieldsProps) {
  const trade = useWords('trade');
  return (
    <NumberBox
      label={trade('amount')}
      unit={pair.base}
      value={ticket.amount}
      onChange={set.amount}
      places={pair.amountDigits}
      faultId={faultOf('amount')}
    />
  );
}

function Total({ control: { ticket, set }, pair, faultOf }: FieldsProps) {
  const trade = useWords('trade');
  return (
    <NumberBox
      label={trade('total')}
      unit={pair.quote}
      value={ticket.total}
      onChange={set.total}
      places={totalDigits(pair)}
      faultId={faultOf('total')}
    />
  );
}

function Share({ control: { ticket, summary, set } }: { control: TicketControl }) {
  return (
    <ShareSlider
      value={shareOf(ticket, summary)}
      onChange={set.percent}
      isDisabled={summary.available === undefined || !summary.available.isPositive()}
    />
  );
}
