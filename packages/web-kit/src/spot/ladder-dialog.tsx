import { LADDER_SIZES } from '@exchange/core/spot-ladder.ts';
import { DecimalField } from '../form/decimal-field.tsx';
import { useForm } from '../form/use-form.ts';
import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { SegmentedControl } from '../ui/choice.tsx';
import {
  AlgoDialog,
  AlgoForm,
  OrderPreview,
  type AlgoDialogProps,
  type AlgoFieldsProps,
} from './algo-dialog.tsx';
import css from './algo.module.css';
import { INITIAL_LADDER, ladderPayload, previewLadder } from './ladder-form.ts';
import { usePlaceLadder } from './ladders.ts';

/**
 * Dialog with the form of a ladder, which places several limit orders in a price range, and a preview of these orders.
 */
export default function LadderDialog(props: AlgoDialogProps) {
  const t = useWords('ladder');
  return (
    <AlgoDialog
      {...props}
      title={t('title')}
      form={(moment) => <LadderFields moment={moment} onDone={props.onClose} />}
    />
  );
}

/**
 * The inputs of a ladder (several limit orders in a price range), the preview of its orders, and the button that places
 * them.
 */
export function LadderFields({ moment, onDone }: AlgoFieldsProps) {
  const t = useWords('ladder');
  const trade = useWords('trade');
  const { pair } = moment;
  const form = useForm(INITIAL_LADDER, (values) => previewLadder(values, moment).problems);
  const { values } = form;
  const { rungs, hold } = previewLadder(values, moment);
  const { submit, isBusy, unanswered } = usePlaceLadder({ onDone, refuse: form.refuse });
  const number = (
    field: 'fromPrice' | 'toPrice' | 'count' | 'amount',
    places: number,
    unit: string | undefined,
  ) => (
    <DecimalField
      label={t(field)}
      value={values[field]}
      onChange={(value) => form.set(field, value)}
      places={places}
      unit={unit}
      error={form.errorOf(field)}
      isFirst={field === 'fromPrice'}
    />
  );
  return (
    <AlgoForm
      moment={moment}
      side={values.side}
      onSide={(side) => form.set('side', side)}
      onSubmit={() => {
        if (form.check()) void submit(JSON.stringify(values), () => ladderPayload(values, pair));
      }}
      isBusy={isBusy}
      unanswered={unanswered}
      facts={[
        {
          label: t('needed'),
          value: <Amount value={hold?.amount.toString()} kind="sum" coin={hold?.asset} />,
        },
      ]}
      terms={t('terms')}
      submitLabel={t('place')}
    >
      <div className={css.two}>
        {number('fromPrice', pair.priceDigits, pair.quote)}
        {number('toPrice', pair.priceDigits, pair.quote)}
        {number('count', 0, undefined)}
        {number('amount', pair.amountDigits, pair.base)}
      </div>
      <SegmentedControl
        label={t('sizes')}
        value={values.sizes}
        onChange={(sizes) => form.set('sizes', sizes)}
        options={LADDER_SIZES.map((value) => ({ value, label: t(value) }))}
      />
      <OrderPreview
        label={t('preview')}
        empty={t('previewEmpty')}
        rows={rungs}
        rowKey={({ price }) => price.toString()}
        columns={[
          {
            key: 'price',
            title: trade('price'),
            cell: ({ price }) => <Price value={price.toString()} digits={pair.priceDigits} />,
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
            cell: ({ price, amount }) => (
              <Amount value={price.timesExact(amount).toString()} kind="sum" figureCoin={pair.quote} />
            ),
          },
        ]}
      />
    </AlgoForm>
  );
}
