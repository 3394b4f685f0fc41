import { NumberBox } from '@exchange/web-kit/form/number-box.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { totalDigits } from '@exchange/web-kit/market/pair.ts';
import { useExitResults, useExitWords } from '@exchange/web-kit/spot/exit-words.ts';
import { useLongestTexts } from '@exchange/web-kit/spot/longest-texts.ts';
import { shareOf, ShareSlider } from '@exchange/web-kit/spot/share-slider.tsx';
import { type Exit, typedExit } from '@exchange/web-kit/spot/ticket-edits.ts';
import type { TicketInput } from '@exchange/web-kit/spot/ticket-problem.ts';
import type { TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl } from '@exchange/web-kit/spot/use-ticket.ts';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import css from './ticket.module.css';

interface FieldsProps {
  control: TicketControl;
  moment: TicketMarket;
  /** Returns the id of the element that explains why the given input is invalid; undefined if the input is valid. */
  faultOf: (input: TicketInput) => string | undefined;
}

/** Number of decimals of percentages in the ticket: the distance of a trailing stop, take-profit and stop-loss. */
const TRAIL_PLACES = 2;

/**
 * The inputs of the ticket that the order type needs: trigger and prices, then amount or total with buttons for a share
 * of the balance, then take-profit and stop-loss.
 */
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

/** Inputs for the optional take-profit, stop-loss and stop-loss limit price of an order, with the estimated results. */
function Exits({ control: { ticket, summary, set }, moment, faultOf }: FieldsProps) {
  const trade = useWords('trade');
  const { pair } = moment;
  const results = useExitResults(ticket.hasExits ? ticket : undefined, summary, pair);
  const longest = useLongestTexts(ticket, moment);
  const prices = useExitWords().typed(ticket, pair.priceDigits);
  const inPercent = ticket.exitsBy === 'percent';
  const hint = trade(ticket.side === 'buy' ? 'tpslHint' : 'tpslHintSell');
  const hints = results.length === 0 ? [hint] : results;
  const exit = (field: Exit) => (
    <NumberBox
      unit={inPercent ? '%' : pair.quote}
      places={inPercent ? TRAIL_PLACES : pair.priceDigits}
      steps
      label={trade(field)}
      value={typedExit(ticket, field)}
      onChange={set[field]}
      faultId={faultOf(field)}
    />
  );
  return (
    <>
      <div className={css.exits}>
        <Checkbox label={trade('tpsl')} checked={ticket.hasExits} onChange={set.hasExits} />
      </div>
      {ticket.hasExits ? (
        <>
          <SegmentedControl
            label={trade('exitsBy.label')}
            className={css.by}
            value={ticket.exitsBy}
            onChange={set.exitsBy}
            options={[
              { value: 'price', label: trade('exitsBy.price') },
              { value: 'percent', label: trade('exitsBy.percent') },
            ]}
          />
          {exit('takeProfit')}
          {exit('stopLoss')}
          <NumberBox
            unit={pair.quote}
            places={pair.priceDigits}
            steps
            label={trade('stopLossLimit')}
            placeholder={trade('stopLossLimitHint')}
            value={ticket.stopLossLimit}
            onChange={set.stopLossLimit}
            faultId={faultOf('stopLossLimit')}
          />
          <div
            className={css.exitsAbout}
            data-longest={longerText(hint, `${longest.exitPrices}\n${longest.exits}`)}
          >
            <div>
              {inPercent && prices !== '' ? <p>{prices}</p> : null}
              {hints.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </div>
          </div>
        </>
      ) : null}
    </>
  );
}

function longerText(a: string, b: string): string {
  return a.length > b.length ? a : b;
}

function Prices({ control: { ticket, fields, set }, moment, faultOf }: FieldsProps) {
  const { pair } = moment;
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
      onFocus={set.holdPrice}
      faultId={faultOf('price')}
    />
  ) : null;
  const best = fields.hasPrice ? <BestPrices moment={moment} onBest={set.bestPrice} /> : null;
  return (
    <>
      {isOco ? limit : null}
      {isOco ? best : null}
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
      {isOco ? null : best}
      {ticket.type === 'market' ? <p className={css.atMarket}>{trade('marketPrice')}</p> : null}
    </>
  );
}

interface BestPricesProps {
  moment: TicketMarket;
  onBest: (side: 'bid' | 'ask') => void;
}

/** Buttons that write the best bid or the best ask into the limit price. */
function BestPrices({ moment: { bestBid, bestAsk }, onBest }: BestPricesProps) {
  const trade = useWords('trade');
  return (
    <div className={css.best}>
      <button
        type="button"
        disabled={bestBid === undefined}
        aria-label={trade('best.useBid')}
        onClick={() => onBest('bid')}
      >
        {trade('best.bid')}
      </button>
      <button
        type="button"
        disabled={bestAsk === undefined}
        aria-label={trade('best.useAsk')}
        onClick={() => onBest('ask')}
      >
        {trade('best.ask')}
      </button>
    </div>
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

function Amount({ control: { ticket, set }, moment: { pair }, faultOf }: FieldsProps) {
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

function Total({ control: { ticket, set }, moment: { pair }, faultOf }: FieldsProps) {
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
