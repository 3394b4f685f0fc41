import { withUnit } from '@exchange/web-kit/format/decimals.ts';
import { formatPrice } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { UnansweredNote } from '@exchange/web-kit/form/unanswered-note.tsx';
import { refusalText, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { type MarketPair } from '@exchange/web-kit/market/pair.ts';
import { digitsOfPair } from '@exchange/web-kit/market/digits.ts';
import { usePair } from '@exchange/web-kit/market/queries.ts';
import { useOpenOrders, type Order } from '@exchange/web-kit/spot/queries.ts';
import { EXIT_LABELS } from '@exchange/web-kit/spot/amend-exits.ts';
import { AMEND_LABELS } from '@exchange/web-kit/spot/amend-form.ts';
import { useAmend, type AmendControl } from '@exchange/web-kit/spot/use-amend.ts';
import { useTicketMarket } from '@exchange/web-kit/spot/use-ticket.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { DecimalField } from '@exchange/web-kit/form/decimal-field.tsx';
import { useId, type FormEvent, type ReactNode } from 'react';
import classes from './amend-dialog.module.css';
import { SideName } from './order-columns.tsx';
import { LazyDialog } from '@exchange/web-kit/part/lazy-dialog.tsx';

interface AmendDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/**
 * Dialog that amends the prices, amount, take-profit and stop-loss of an open order; before the user confirms, it shows
 * the effect on reserved funds and queue priority.
 */
export function AmendDialog({ order, onClose }: AmendDialogProps) {
  const tOrders = useWords('orders');
  const tShell = useWords('shell');
  const pair = usePair(order.symbol).data;
  const open = useOpenOrders({ baseCoin: order.baseCoin, quoteCoin: order.quoteCoin });
  // The order as the list of open orders contains it now, because it may be filled further while the dialog is open;
  // once the list lacks it, the order with which the dialog was opened.
  const now = [...open.resting, ...open.waiting].find(({ id }) => id === order.id) ?? order;
  return (
    <LazyDialog isOpen onClose={onClose} title={tOrders('amendTitle')} closeLabel={tShell('close')}>
      {pair !== undefined && pair !== null && <AmendForm order={now} pair={pair} onDone={onClose} />}
    </LazyDialog>
  );
}

interface AmendFormProps {
  readonly order: Order;
  readonly pair: MarketPair;
  readonly onDone: () => void;
}

function AmendForm({ order, pair, onDone }: AmendFormProps) {
  const tOrders = useWords('orders');
  const tShell = useWords('shell');
  const locale = useLocale();
  const moment = useTicketMarket(pair);
  const control = useAmend(order, moment);
  const { form, fields, isChanged, problem, isTried, isBusy, summary, unanswered, submit } = control;
  const isShown = problem !== undefined && (isTried || isChanged);

  const problemId = useId();
  const faulty = isShown ? problem.parameters['field'] : undefined;

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isBusy && (await submit())) onDone();
  };

  return (
    <form className={classes.form} onSubmit={(event) => void send(event)} noValidate>
      <p className={classes.what}>
        <SideName tradeType={order.tradeType} /> {pair.base}/{pair.quote}
      </p>
      {fields.map((field, index) => (
        <DecimalField
          key={field}
          label={tOrders(AMEND_LABELS[field])}
          value={form[field]}
          onChange={(text) => control.set(field, text)}
          places={field === 'amount' ? pair.amountDigits : pair.priceDigits}
          unit={field === 'amount' ? pair.base : pair.quote}
          faultId={faulty === field ? problemId : undefined}
          isFirst={index === 0}
        />
      ))}
      {order.groupId !== '' && <p className={classes.hint}>{tOrders('amendOcoHint')}</p>}
      {order.filledAmount !== '0' && (
        <p className={classes.hint}>
          {tOrders('amendAmountHint', {
            filled: withUnit(formatPrice(order.filledAmount, locale, pair.amountDigits), pair.base),
          })}
        </p>
      )}
      {control.exits.length > 0 && (
        <Exits control={control} pair={pair} faulty={faulty} problemId={problemId} />
      )}
      <AmendConsequence pair={pair} summary={summary} />
      <p className={classes.note}>
        {isChanged &&
          summary.rests &&
          tOrders(summary.keepsPlace ? 'amendKeeps' : summary.takes ? 'amendTakes' : 'amendLoses')}
      </p>
      <p id={problemId} className={classes.problem} role={isShown ? 'alert' : undefined}>
        {isShown ? refusalText(problem) : ''}
      </p>
      <UnansweredNote unanswered={unanswered} />
      <div className={classes.answers}>
        <Button look="secondary" onClick={onDone}>
          {tShell('back')}
        </Button>
        <Button type="submit" busy={isBusy} disabled={!isChanged}>
          {tOrders('amendTitle')}
        </Button>
      </div>
    </form>
  );
}

interface ExitsProps {
  readonly control: AmendControl;
  readonly pair: MarketPair;
  readonly faulty: string | undefined;
  readonly problemId: string;
}

/** Inputs for the take-profit and stop-loss of a limit order, with the estimated profit or loss of each. */
function Exits({ control, pair, faulty, problemId }: ExitsProps) {
  const tOrders = useWords('orders');
  const tTrade = useWords('trade');
  const { exits, form, set, exitResults } = control;
  return (
    <div className={classes.exits} role="group" aria-label={tTrade('tpsl')} title={tTrade('tpslHint')}>
      {exits.map((field) => (
        <DecimalField
          key={field}
          label={tTrade(EXIT_LABELS[field])}
          value={form[field]}
          onChange={(text) => set(field, text)}
          places={pair.priceDigits}
          unit={pair.quote}
          faultId={faulty === field ? problemId : undefined}
        />
      ))}
      <p className={classes.about}>{tOrders('amendExitsHint')}</p>
      <p className={classes.results}>
        {exitResults.map((result) => (
          <span key={result}>{result}</span>
        ))}
      </p>
    </div>
  );
}

interface AmendConsequenceProps {
  readonly pair: MarketPair;
  readonly summary: ReturnType<typeof useAmend>['summary'];
}

/**
 * The order's unfilled amount and its reserved funds, before and after the amendment, and the difference of the
 * reserved funds.
 */
function AmendConsequence({ pair, summary }: AmendConsequenceProps) {
  const tOrders = useWords('orders');
  const tTrade = useWords('trade');
  const tDesk = useWords('desktop-orders');
  const digits = digitsOfPair(pair);
  const { heldBefore, heldAfter, heldCoin, remaining, remainingBefore, difference } = summary;
  const row = (name: string, before: ReactNode, after: ReactNode) => (
    <tr>
      <th scope="row">{name}</th>
      <td>{before}</td>
      <td>{after}</td>
    </tr>
  );
  return (
    <table className={classes.consequence}>
      <thead>
        <tr>
          <td />
          <th scope="col">{tDesk('amendNow')}</th>
          <th scope="col">{tDesk('amendThen')}</th>
        </tr>
      </thead>
      <tbody>
        {row(
          `${tOrders('remaining')} (${pair.base})`,
          <Amount value={remainingBefore.toString()} digits={digits.amount} />,
          <Amount value={remaining?.toString()} digits={digits.amount} />,
        )}
        {row(
          `${tTrade('held')} (${heldCoin})`,
          <Amount value={heldBefore?.toString()} kind="sum" figureCoin={heldCoin} />,
          <Amount value={heldAfter?.toString()} kind="sum" figureCoin={heldCoin} />,
        )}
        {row(
          `${tOrders(difference?.isNegative() === true ? 'amendLess' : 'amendMore')} (${heldCoin})`,
          '',
          <Amount value={difference?.absolute().toString()} kind="sum" figureCoin={heldCoin} />,
        )}
      </tbody>
    </table>
  );
}
