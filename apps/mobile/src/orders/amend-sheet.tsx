import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { withUnit } from '@exchange/web-kit/format/decimals.ts';
import { formatPrice } from '@exchange/web-kit/format/format.ts';
import { NumberBox } from '@exchange/web-kit/form/number-box.tsx';
import { UnansweredNote } from '@exchange/web-kit/form/unanswered-note.tsx';
import { refusalText, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { type MarketPair } from '@exchange/web-kit/market/pair.ts';
import { digitsOfPair } from '@exchange/web-kit/market/digits.ts';
import { EXIT_LABELS } from '@exchange/web-kit/spot/amend-exits.ts';
import { AMEND_LABELS, type AmendSummary } from '@exchange/web-kit/spot/amend-form.ts';
import { useAmend, type AmendControl } from '@exchange/web-kit/spot/use-amend.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { useTicketMarket } from '@exchange/web-kit/spot/use-ticket.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { useId } from 'react';
import css from './amend-sheet.module.css';
import { SideWord } from './card-parts.tsx';

interface AmendSheetProps {
  order: Order;
  pair: MarketPair;
  onClose: () => void;
}

/**
 * Sheet that amends the prices, amount, take-profit and stop-loss of an open order; before the user confirms, it shows
 * the effect on reserved funds and queue priority.
 */
export default function AmendSheet({ order, pair, onClose }: AmendSheetProps) {
  const t = useWords('orders');
  const shell = useWords('shell');
  const locale = useLocale();
  const control = useAmend(order, useTicketMarket(pair));
  const { form, summary, problem, isTried } = control;
  const shownProblem = isTried ? problem : undefined;
  const faulty = shownProblem?.parameters['field'];
  const problemId = useId();
  const submit = async () => {
    if (await control.submit()) onClose();
  };
  return (
    <Sheet isOpen onClose={onClose} title={t('amendTitle')} closeLabel={shell('close')}>
      <form
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className={css.what}>
          <SideWord tradeType={order.tradeType} /> {pair.base}/{pair.quote}
        </p>
        {control.fields.map((field, index) => (
          <NumberBox
            key={field}
            label={t(AMEND_LABELS[field])}
            unit={field === 'amount' ? pair.base : pair.quote}
            value={form[field]}
            onChange={(text) => control.set(field, text)}
            places={field === 'amount' ? pair.amountDigits : pair.priceDigits}
            faultId={faulty === field ? problemId : undefined}
            steps={field !== 'amount'}
            isFirst={index === 0}
          />
        ))}
        {order.groupId === '' ? null : <p className={css.hint}>{t('amendOcoHint')}</p>}
        {order.filledAmount === '0' ? null : (
          <p className={css.hint}>
            {t('amendAmountHint', {
              filled: withUnit(formatPrice(order.filledAmount, locale, pair.amountDigits), pair.base),
            })}
          </p>
        )}
        {control.exits.length === 0 ? null : (
          <Exits control={control} pair={pair} faulty={faulty} problemId={problemId} />
        )}
        <Consequence summary={summary} pair={pair} isSame={!control.isChanged} />
        <p id={problemId} className={css.problem} role={shownProblem === undefined ? undefined : 'alert'}>
          {shownProblem === undefined ? '' : refusalText(shownProblem)}
        </p>
        <UnansweredNote unanswered={control.unanswered} />
        <Button type="submit" size="l" wide busy={control.isBusy}>
          {t('amendTitle')}
        </Button>
      </form>
    </Sheet>
  );
}

interface ExitsProps {
  control: AmendControl;
  pair: MarketPair;
  faulty: string | undefined;
  problemId: string;
}

/** Inputs for the take-profit and stop-loss of a limit order, with the estimated result of each. */
function Exits({ control, pair, faulty, problemId }: ExitsProps) {
  const t = useWords('orders');
  const trade = useWords('trade');
  const { exits, form, set, exitResults } = control;
  return (
    <div className={css.exits} role="group" aria-label={trade('tpsl')}>
      {exits.map((field) => (
        <NumberBox
          key={field}
          label={trade(EXIT_LABELS[field])}
          unit={pair.quote}
          value={form[field]}
          onChange={(text) => set(field, text)}
          places={pair.priceDigits}
          faultId={faulty === field ? problemId : undefined}
          steps
        />
      ))}
      <p className={css.about}>{t('amendExitsHint')}</p>
      <p className={css.results}>
        {exitResults.map((result) => (
          <span key={result}>{result}</span>
        ))}
      </p>
    </div>
  );
}

interface ConsequenceProps {
  summary: AmendSummary;
  pair: MarketPair;
  isSame: boolean;
}

function Consequence({ summary, pair, isSame }: ConsequenceProps) {
  const t = useWords('orders');
  const { remaining, heldAfter, heldCoin, difference, keepsPlace, takes } = summary;
  const digits = digitsOfPair(pair);
  const isLess = difference?.isNegative() === true;
  return (
    <>
      <dl className={css.facts}>
        <div className={css.fact}>
          <dt>{t('remaining')}</dt>
          <dd>
            <Amount
              value={remaining?.isNegative() === true ? undefined : remaining?.toString()}
              digits={digits.amount}
            />
          </dd>
        </div>
        <div className={css.fact}>
          <dt>{t(isLess ? 'amendLess' : 'amendMore')}</dt>
          <dd>
            <Amount
              value={heldAfter?.isNegative() === true ? undefined : difference?.absolute().toString()}
              kind="sum"
              coin={heldCoin}
            />
          </dd>
        </div>
      </dl>
      <p className={css.place} data-warning={takes || undefined}>
        {isSame || !summary.rests ? ' ' : t(takes ? 'amendTakes' : keepsPlace ? 'amendKeeps' : 'amendLoses')}
      </p>
    </>
  );
}
