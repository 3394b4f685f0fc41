import { TWAP_BOUND_PLACES } from '@exchange/core/spot-twap.ts';
import { DecimalField } from '../form/decimal-field.tsx';
import { useForm } from '../form/use-form.ts';
import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import {
  AlgoDialog,
  AlgoForm,
  OrderPreview,
  type AlgoDialogProps,
  type AlgoFieldsProps,
} from './algo-dialog.tsx';
import css from './algo.module.css';
import type { TicketPair } from './ticket.ts';
import { INITIAL_TWAP, previewTwap, twapPayload, type TwapPreview } from './twap-form.ts';
import { useStartTwap } from './twaps.ts';

/**
 * Dialog with the form of a TWAP order, which trades its amount in several orders that are spread over a time,
 * and a preview of these orders.
 */
export default function TwapDialog(props: AlgoDialogProps) {
  const t = useWords('algo');
  return (
    <AlgoDialog
      {...props}
      title={t('title')}
      form={(moment) => <TwapFields moment={moment} onDone={props.onClose} />}
    />
  );
}

/** The inputs of a TWAP order, the preview of its orders, and the button that starts it. */
export function TwapFields({ moment, onDone }: AlgoFieldsProps) {
  const t = useWords('algo');
  const { pair } = moment;
  const form = useForm(INITIAL_TWAP, (values) => previewTwap(values, moment).problems);
  const { values } = form;
  const preview = previewTwap(values, moment);
  const { submit, isBusy, unanswered } = useStartTwap({ onDone, refuse: form.refuse });
  const number = (
    field: 'amount' | 'minutes' | 'count' | 'slippage' | 'limitPrice',
    places: number,
    unit: string | undefined,
  ) => (
    <DecimalField
      label={t(field)}
      value={values[field]}
      onChange={(value) => form.set(field, value)}
      places={places}
      unit={unit}
      placeholder={field === 'limitPrice' ? t('noLimit') : undefined}
      error={form.errorOf(field)}
      isFirst={field === 'amount'}
    />
  );
  return (
    <AlgoForm
      moment={moment}
      side={values.side}
      onSide={(side) => form.set('side', side)}
      onSubmit={() => {
        if (form.check()) void submit(JSON.stringify(values), () => twapPayload(values, pair));
      }}
      isBusy={isBusy}
      unanswered={unanswered}
      facts={[
        {
          label: t('worst'),
          value: <Price value={preview.worst?.toString()} digits={pair.priceDigits} />,
        },
        {
          label: t('smallest'),
          value: <Amount value={preview.smallest?.toString()} digits={pair.amountDigits} coin={pair.base} />,
        },
        {
          label: t('funds'),
          value: <Amount value={preview.funds?.amount.toString()} kind="sum" coin={preview.funds?.asset} />,
        },
      ]}
      terms={t('terms')}
      submitLabel={t('start')}
    >
      {number('amount', pair.amountDigits, pair.base)}
      <div className={css.two}>
        {number('minutes', 0, t('minutesUnit'))}
        {number('count', 0, undefined)}
      </div>
      {number('slippage', TWAP_BOUND_PLACES, '%')}
      {number('limitPrice', pair.priceDigits, pair.quote)}
      <Children preview={preview} pair={pair} />
    </AlgoForm>
  );
}

/**
 * Table of all orders that a TWAP order will place: their times after the start, amounts, and totals at the worst
 * price.
 */
function Children({ preview, pair }: { readonly preview: TwapPreview; readonly pair: TicketPair }) {
  const t = useWords('algo');
  const trade = useWords('trade');
  const { children, worst } = preview;
  return (
    <OrderPreview
      label={t('preview')}
      empty={t('previewEmpty')}
      rows={children}
      rowKey={({ afterMs }) => String(afterMs)}
      columns={[
        {
          key: 'after',
          title: t('after'),
          cell: ({ afterMs }) => (afterMs === 0 ? t('now') : afterText(afterMs)),
        },
        {
          key: 'amount',
          title: trade('amount'),
          align: 'end',
          cell: ({ amount }) => <Amount value={amount.toString()} digits={pair.amountDigits} />,
        },
        {
          key: 'total',
          title: trade('total'),
          align: 'end',
          cell: ({ amount }) => (
            <Amount value={worst?.timesExact(amount).toString()} kind="sum" figureCoin={pair.quote} />
          ),
        },
      ]}
    />
  );
}

/** Formats a time after the start as hours, minutes and seconds, such as `1:05:00`. */
function afterText(afterMs: number): string {
  const seconds = Math.round(afterMs / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
